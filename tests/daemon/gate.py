# SPDX-License-Identifier: Apache-2.0
"""/v1/gate/ asked byte by byte, as proxies ask: each profile, each verdict, and bad questions."""
import grp
import hashlib
import stat
import threading

from gate_kit import *
from tls_kit import *

daemon = Daemon("--gate-from", "127.0.0.0/8", "--proxy", "10.0.0.0/8", program=LIMEND, policy=POLICY)


def forward(client="192.0.2.7", method="GET", uri="/a", more=()):
    return ["X-Forwarded-Method: " + method, "X-Forwarded-Uri: " + uri,
            *(["X-Forwarded-For: " + client] if client else []), *more]


def nginx(client="192.0.2.7", method="GET", uri="/a", more=()):
    return ["X-Original-Method: " + method, "X-Original-URI: " + uri,
            *(["X-Real-IP: " + client] if client else []), *more]


def envoy(client="192.0.2.7", more=()):
    return [*(["X-Forwarded-For: " + client] if client else []), *more]


def gate(profile, headers, method="GET", query="", host="api.example", to=daemon):
    """'profile' may have the rest of a path behind it."""
    return ask(to, request(method, "/v1/gate/" + profile + query, None, headers, host=host),
               head=method == "HEAD")


def is_pass(name, answer, classifier):
    return is_true(name, answer and answer.status == 200 and answer.body == "" and
                   answer.headers.get("x-limen-classifiers") == classifier and
                   answer.headers.get("cache-control") == "no-store" and
                   "content-type" not in answer.headers, answer)


def is_refused(name, answer, status, code=None, type_=None):
    """'code': what nginx is told; the body is a problem in any case."""
    problem = answer.json() if answer else None
    return is_true(name, answer and answer.status == status and
                   answer.headers.get("x-limen-status") == (str(code) if code else None) and
                   answer.headers.get("content-type") == "application/problem+json" and
                   answer.headers.get("cache-control") == "no-store" and
                   problem["status"] == (code or status) and problem["title"] and
                   problem.get("type") == type_, answer)


# ---- each profile, each verdict ----

number = 0


def fresh():
    """An address that has asked nothing yet."""
    global number
    number += 1
    return "198.51.100.%d" % number


for profile, headers, code in (("forward", forward, None), ("nginx", nginx, 403),
                               ("envoy/a", envoy, None)):
    is_pass(profile + ": a pass", gate(profile, headers("192.0.2.33")), "staff, all")
    found = gate(profile, headers("192.0.2.66"))
    is_refused(profile + ": a refusal", found, 403, code)
    is_true(profile + ": and its reason", "never" in found.headers.get("x-limen-reason", "") and
            found.json()["detail"] == found.headers["x-limen-reason"], found)
    client = fresh()
    for left in (2, 1, 0):
        found = gate(profile, headers(client))
        is_pass("%s: %d are left" % (profile, left), found, "all")
        is_equal("%s: as the fields say" % profile,
                 dict(parse_list(found.headers["ratelimit"]))["per-client"]["r"], left)
    found = gate(profile, headers(client))
    if code:
        is_equal("nginx is told 403, and the status", (found.status,
                 found.headers.get("x-limen-status")), (403, "429"))
        found.status = 429
    is_limited(profile + ": too many", found)

for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "M-SEARCH"):
    found = gate("envoy/admin/x", envoy("192.0.2.33"), method=method)
    is_true("envoy: %s of its client" % method, found and found.status == 403, found)
    is_pass("forward: asked with " + method, gate("forward", forward("192.0.2.33"), method=method),
            "staff, all")

# ---- what is not about the question ----

for name, more in (
        ("Origin", ["Origin: https://evil.example"]),
        ("Sec-Fetch-Site", ["Sec-Fetch-Site: cross-site"]),
        ("Content-Encoding", ["Content-Encoding: gzip"]),
        ("two Content-Types", ["Content-Type: a/b", "Content-Type: c/d"]),
        ("Expect", ["Expect: 100-continue"]),
        ("Upgrade", ["Connection: Upgrade", "Upgrade: websocket"]),
        ("an empty body", ["Content-Length: 0"]),
        ("hints", ["Requester: 9.9.9.9"]),
        ("fields of other profiles", ["X-Original-URI: /admin/x", "X-Real-IP: 192.0.2.66"])):
    is_pass("forward: " + name, gate("forward", forward("192.0.2.33", more=more)), "staff, all")
for query in ("?nginx=1&requester=9.9.9.9", "?timeout=1us", "?" + "&".join("a=b" for _ in range(99)),
              "?%zz%00", "?timeout=x"):
    is_pass("forward: its own query %.20s" % query,
            gate("forward", forward("192.0.2.33"), query=query), "staff, all")
    is_pass("nginx: its own query %.20s" % query,
            gate("nginx", nginx("192.0.2.33"), query=query), "staff, all")
    is_pass("envoy: its client's query %.20s" % query,
            gate("envoy/a", envoy("192.0.2.33"), query=query), "staff, all")
is_pass("envoy: no path but a slash", gate("envoy/", envoy("192.0.2.33")), "staff, all")
is_pass("a foreign host", gate("forward", forward("192.0.2.33"), host="evil.example"), "staff, all")
is_pass("the target in absolute form",
        ask(daemon, request("GET", "http://other/v1/gate/envoy/a", None, envoy("192.0.2.33"))),
        "staff, all")
is_pass("proxies before the proxy are skipped",
        gate("forward", forward("9.9.9.9, 192.0.2.33, 10.1.1.1")), "staff, all")
is_refused("spellings of one path are equal",
           gate("forward", forward("192.0.2.33", uri="/x/..//%61dmin/./y?z")), 403)

# ---- bad questions ----

LONG = "/" + "a" * 70000
bad = [("forward", ["X-Forwarded-For: 192.0.2.33"], "no method and no URI"),
       ("forward", forward("192.0.2.33")[1:], "no method"),
       ("forward", forward("192.0.2.33")[:1] + ["X-Forwarded-For: 192.0.2.33"], "no URI"),
       ("forward", nginx("192.0.2.33"), "the fields of another profile"),
       ("nginx", forward("192.0.2.33"), "the fields of another profile"),
       ("forward", forward("192.0.2.33", method=""), "an empty method"),
       ("forward", forward("192.0.2.33", method="G T"), "a method with a blank"),
       ("forward", forward("192.0.2.33", uri=""), "an empty URI"),
       ("forward", forward("192.0.2.33", uri="a"), "a URI without a slash"),
       ("forward", forward("192.0.2.33", uri="http://a/b"), "a URI with a host"),
       ("forward", forward("192.0.2.33", uri="?a"), "a URI without a path"),
       ("envoy", envoy("192.0.2.33"), "no path"),
       ("envoy?a", envoy("192.0.2.33"), "no path but a query"),
       ("forward", forward(None), "no address"),
       ("nginx", nginx(None), "no address"),
       ("envoy/a", envoy(None), "no address"),
       ("forward", forward("unknown"), "an unknown address"),
       ("forward", forward("_x"), "a hidden address"),
       ("forward", forward("192.0.2.33, "), "an empty address"),
       ("forward", forward("192.0.2.33, unknown, 10.1.1.1"), "an unknown address before a proxy"),
       ("forward", forward("192.0.2.33:x"), "a port that is no number"),
       ("forward", forward("[192.0.2.33"), "half of a bracket"),
       ("forward", forward("192.0.2.33 192.0.2.34"), "two addresses without a comma"),
       ("nginx", nginx("192.0.2.33, 192.0.2.34"), "two addresses where one belongs"),
       ("nginx", nginx("unix:"), "a unix socket"),
       ("forward", forward("192.0.2.33", more=["X-Forwarded-Uri: /a"]), "two URIs"),
       ("forward", forward("192.0.2.33", more=["X-Forwarded-Method: GET"]), "two methods"),
       ("forward", forward("192.0.2.33", more=["X-Forwarded-Host: a", "X-Forwarded-Host: a"]),
        "two hosts"),
       ("nginx", nginx("192.0.2.33", more=["X-Real-IP: 192.0.2.33"]), "two addresses"),
       ("nginx", nginx("192.0.2.33", more=["X-Original-URI: /"]), "two URIs"),
       ("forward", forward("192.0.2.33", more=["Authorization: a", "Authorization: b"]),
        "a field of a key twice"),
       ("forward", forward("192.0.2.33", more=["X-User: a", "x-user: a"]),
        "a field of an identifier twice"),
       ("forward", forward("192.0.2.33", uri="/a%2Fb"), "an escaped slash"),
       ("forward", forward("192.0.2.33", uri="/a%5cb"), "an escaped backslash"),
       ("forward", forward("192.0.2.33", uri="/a\\b"), "a backslash"),
       ("forward", forward("192.0.2.33", uri="/a#b"), "a fragment"),
       ("forward", forward("192.0.2.33", uri="/a%00"), "an escaped NUL"),
       ("forward", forward("192.0.2.33", uri="/a%0d"), "an escaped line end"),
       ("forward", forward("192.0.2.33", uri="/a%ff"), "an escape that is not UTF-8"),
       ("forward", forward("192.0.2.33", uri="/a\xff"), "bytes that are not UTF-8"),
       ("forward", forward("192.0.2.33", uri="/a/../.."), "dots above the root"),
       ("envoy/..", envoy("192.0.2.33"), "dots above the root"),
       ("envoy/a%2fb", envoy("192.0.2.33"), "an escaped slash"),
       ("envoy" + LONG, envoy("192.0.2.33"), "a long URL"),
       ("forward", forward("192.0.2.33", uri="/\x01"), "a control character"),
       ("caddy", forward("192.0.2.33"), "an unknown profile"),
       ("", forward("192.0.2.33"), "no profile"),
       ("forward/x", forward("192.0.2.33"), "a path below a profile"),
       ("envoyx/", envoy("192.0.2.33"), "a path beside a profile"),
       ("Forward", forward("192.0.2.33"), "a profile in capitals"),
       ("forward", forward("192.0.2.33", more=["Host: b"]), "two Hosts")]
for profile, headers, name in bad:
    found = gate(profile, headers)
    is_true("bad: %.20s: %s" % (profile, name), found and 400 <= found.status < 500, found)
    if profile == "forward" and found.status == 400 and "two Hosts" not in name and \
            "control" not in name:
        is_true("and it says so in a problem", found.headers["content-type"] ==
                "application/problem+json" and found.json()["status"] == 400, found)
is_true("there are enough of them", len(bad) >= 40)
is_refused("nginx is told 403 for them", gate("nginx", nginx("unknown")), 403, 400)
for name, more in (("a control character", "X-A: a\x01"), ("a name like one of framing", "Content-LengthX: 0"),
                   ("two Hosts", "Host: b")):
    is_refused("nginx is told 403 for %s" % name, gate("nginx", nginx(more=[more])), 403, 400)

for name, text in (
        ("a body", request("POST", "/v1/gate/forward", b"x", forward("192.0.2.33"))),
        ("chunks", request("POST", "/v1/gate/forward", None,
                           forward("192.0.2.33", more=["Transfer-Encoding: chunked"])) +
         b"1\r\nx\r\n0\r\n\r\n"),
        ("a large body that is never sent", request("PUT", "/v1/gate/envoy/a", None,
                                                    envoy("192.0.2.33", ["Content-Length: 9999999"])))):
    found = ask(daemon, text)
    is_refused("413: " + name, found, 413)
found = ask(daemon, request("CONNECT", "/v1/gate/forward", None, forward("192.0.2.33")))
is_true("CONNECT", found is None or 400 <= found.status < 500, found)

other = Daemon("--gate-from", "127.0.0.1", program=LIMEND, policy={
    "limits": [{"name": "small", "type": "route", "data": {"routes": ["* /*"]}},
               {"name": "r", "type": "rate", "data": {"rate": "1/hour", "key": ["path"]}},
               {"name": "two", "type": "rate", "data": {"rate": "2/hour"}}],
    "applications": [{"apply": ["r", "small", "two"]}]})
is_equal("a long path has a bucket, too", [gate("forward", forward(None, uri="/" + end * 9000), to=other).status
                                           for end in "aab"], [200, 429, 200])
found = gate("forward", forward(None, uri="/x/y"), to=other)
is_true("no Retry-After where more than a rate refuses", found and found.status == 403 and
        "r=0" in found.headers["ratelimit"] and "retry-after" not in found.headers, found)
other.end()

# ---- settings ----

RATE = {"limits": [{"name": "r", "type": "rate", "data": {"rate": "1/hour", "key": []}}],
        "applications": [{"apply": ["r"]}]}
for style, wanted in (
        ("draft", {"ratelimit": '"r";r=0;t=3600', "ratelimit-policy": '"r";q=1;w=3600'}),
        ("legacy", {"ratelimit-limit": "1", "ratelimit-remaining": "0", "ratelimit-reset": "3600"}),
        ("x-legacy", {"x-ratelimit-limit": "1", "x-ratelimit-remaining": "0",
                      "x-ratelimit-reset": "3600"}),
        ("none", {})):
    other = Daemon("--gate-from", "127.0.0.1", program=LIMEND,
                   policy=dict(RATE, settings={"gate": {"headers": style}}))
    found = gate("forward", forward(None), to=other)
    is_equal("headers: %s, without an address that nobody asks for" % style,
             found and (found.status, {name: value for name, value in found.headers.items()
                                       if "ratelimit" in name}), (200, wanted))
    is_equal("headers: %s, too many" % style, gate("forward", forward(None), to=other).status, 429)
    other.end()
other = Daemon("--gate-from", "127.0.0.1", "--messages", "short", "--decision-log", "log.jsonl",
               program=LIMEND,
               policy=dict(POLICY, settings={"gate": {"ambiguous-paths": "raw"}}))
is_pass("ambiguous-paths: raw", gate("forward", forward("192.0.2.33", uri="/x/../../admin"),
                                     to=other), "staff, all")
is_refused("is compared as it is", gate("forward", forward("192.0.2.33", uri="/admin/%2e%2f"),
                                        to=other), 403)
found = gate("nginx", nginx("192.0.2.66"), to=other)
is_true("--messages=short: no reason, but the id of the log", found and
        "x-limen-reason" not in found.headers and
        found.json()["detail"] == "refused by the policy" and found.json()["id"], found)
other.end()
with open("log.jsonl") as file:
    lines = [json.loads(line) for line in file]
is_true("the decision log has them", [one["endpoint"] for one in lines] ==
        ["/v1/gate/forward"] * 2 + ["/v1/gate/nginx"] and lines[2]["id"] == found.json()["id"] and
        lines[2]["subject"] == "http" and lines[2]["requester"] == "192.0.2.66", lines)

# Also where the question is no proxy's, and where the rate that hashes a header was not reached.
other = Daemon("--gate-from", "127.0.0.1", "--trust-hints-from", "127.0.0.1", "--decision-log",
               "secrets.jsonl", "--decision-log-documents", program=LIMEND, policy={
    "limits": [{"name": "small", "type": "route", "data": {"routes": ["* /*"]}},
               {"name": "r", "type": "rate",
                "data": {"rate": "9/hour", "key": ["header:x-session", "header:cookie"], "hash": True}},
               {"name": "tenant", "type": "rate", "data": {"rate": "9/hour", "key": ["header:x-tenant"]}}],
    "applications": [{"apply": [{"require": "all", "limits": ["small"]},
                                {"require": "all", "limits": ["r", "tenant"]}]}]})
SECRETS = {"x-session": "s-1", "cookie": "c-1", "x-tenant": "t-1"}
gate("forward", forward(None, more=["%s: %s" % one for one in SECRETS.items()]), to=other)
gate("forward", forward(None, uri="/a/b", more=["%s: %s" % one for one in SECRETS.items()]), to=other)
ask(other, request("POST", "/v1/decide", json.dumps(
    {"http": {"method": "GET", "path": "/a", "headers": SECRETS}}).encode(),
    ["Content-Type: application/json"]))
other.end()
with open("secrets.jsonl") as file:
    is_equal("headers that a rate hashes are hashed in the decision log",
             [(line["verdict"], line["http"]["headers"]) for line in map(json.loads, file)],
             [(verdict, {name: "sha256:" + hashlib.sha256(value.encode()).hexdigest()
                         if name != "x-tenant" else value for name, value in SECRETS.items()})
              for verdict in ("admitted", "refused", "admitted")])

# The policy of the pages.
with open(os.path.join(os.environ["LIMEN_SRCDIR"], "docs/examples/gateways/limits.yaml")) as file:
    write("limits.yaml", file.read())
pages = Daemon("--gate-from", "127.0.0.1", "--trust-hints-from", "127.0.0.1", "--policy", "limits.yaml", program=LIMEND, policy=None)
found = gate("nginx", nginx("10.1.2.3"), to=pages)
is_true("the policy of the pages: internal networks are exempt", found.status == 200 and
        "ratelimit" not in found.headers, found)
found = gate("nginx", nginx(more=["Authorization: Bearer x"]), to=pages)
is_equal("two rates of a client with a token", parse_list(found.headers["ratelimit"]),
         [("per-client", {"r": 9, "t": 6}), ("per-token", {"r": 99, "t": 36})])
is_equal("the others have one", [parse_list(gate("nginx", nginx(), to=pages).headers["ratelimit"])[0][0],
                                 gate("nginx", nginx(), to=pages).status], ["per-client", 200])
found = ask(pages, request("GET", "/v1/buckets"))
is_true("a token is shown by its SHA-256", found.status == 200 and "Bearer" not in found.body and
        hashlib.sha256(b"Bearer x").hexdigest() in found.body, found)
for _ in range(7):
    gate("nginx", nginx(), to=pages)
found = gate("nginx", nginx(more=["Authorization: Bearer x"]), to=pages)
is_true("ten a minute, and a refused request charges no token", found.headers["x-limen-status"] ==
        "429" and parse_list(found.headers["ratelimit"])[1][1]["r"] == 99, found)
pages.end()

# The policy of the pages that rehearses.
with open(os.path.join(os.environ["LIMEN_SRCDIR"], "docs/examples/gateways/rehearsal.yaml")) as file:
    write("rehearsal.yaml", file.read())
pages = Daemon("--gate-from", "127.0.0.1", "--policy", "rehearsal.yaml", "--decision-log", "tried.jsonl",
               "--decision-log-sample", "0", program=LIMEND, policy=None)
answers = [gate("forward", forward(), to=pages) for _ in range(12)]
is_true("a rehearsal refuses nobody and tells clients nothing",
        all(found.status == 200 and not [name for name in found.headers if "ratelimit" in name or
                                         name == "retry-after"] for found in answers), answers)
is_pass("nor one with a token", gate("forward", forward(more=["Authorization: Bearer x"]), to=pages),
        "with-token")
counts = ask(pages, request("GET", "/metrics")).body
is_true("metrics count what it would refuse",
        'limend_rehearsed_refusals_total{entry="application \'clients\'"} 3' in counts and
        'limend_rehearsed_refusals_total{entry="application 2"} 1' in counts, counts)
pages.end()
with open("tried.jsonl") as file:
    lines = [json.loads(line) for line in file]
is_true("and so does the decision log", len(lines) == 3 and
        list(lines[0]["would_refuse"]) == ["application 'clients'"] and
        list(lines[2]["would_refuse"]) == ["application 2", "application 'clients'"] and
        "limit 'per-client' failed: Rate of 10 per PT1M exceeded for 192.0.2.7" in
        lines[0]["would_refuse"]["application 'clients'"], lines)

# ---- the same question by /v1/decide ----

trusting = Daemon("--trust-hints-from", "127.0.0.1", program=LIMEND, policy=POLICY)
for to, client, wanted in ((trusting, "192.0.2.33", 200), (trusting, "192.0.2.66", 403),
                           (daemon, "192.0.2.33", 403)):
    found = ask(to, request("POST", "/v1/decide", json.dumps({"http": {
        "method": "GET", "path": "/a", "client": client}}).encode(),
        ["Content-Type: application/json"]))
    is_equal("a question with 'http' and a client" + (", who is not trusted" if to == daemon else ""),
             found.json().get("code"), wanted)
trusting.end()

# ---- whom it answers ----

closed = Daemon("--trust-hints-from", "127.0.0.1", program=LIMEND, policy=POLICY)
for _ in range(2):
    is_refused("no one without --gate-from", gate("forward", forward("192.0.2.33"), to=closed), 403)
is_equal("the log says so once", closed.said().count("the gate refused 127.0.0.1, which is not in"), 1)
is_refused("nor nginx", gate("nginx", nginx("192.0.2.33"), to=closed), 403, 403)
closed.end()

make_authority("root")
make_certificate("server", "root")
make_certificate("client", "root", usage="clientAuth")
group = grp.getgrgid(os.getgid()).gr_name
secure = Daemon("--tls-certificate", "server.crt", "--tls-key", "server.key", "--client-ca",
                "root.crt", "--gate-unix", "gate.sock", "--unix-mode", "0622", "--unix-group", group,
                program=LIMEND, policy=POLICY)
text = request("GET", "/v1/gate/forward", None, forward("192.0.2.33"))
is_refused("nor a client without a certificate", ask(secure, text, tls=client_of()), 403)
is_pass("but one with a certificate", ask(secure, text, tls=client_of(certificate="client")), "staff, all")
facts = os.stat("gate.sock")
is_equal("the mode of the socket", stat.S_IMODE(facts.st_mode), 0o622)
is_equal("its group", facts.st_gid, os.getgid())


def by_socket(text):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("gate.sock")
        connection.sendall(text)
        return read_answer(connection)


is_pass("and the socket", by_socket(text), "staff, all")
for path in ("/v1/decide", "/v1/policy", "/metrics", "/livez", "/v1/buckets", "/v1/gate"):
    is_equal("which has no %s" % path, by_socket(request("GET", path)).status, 404)
is_equal("it ends in order", secure.end(), 0)
is_true("and takes its socket away", not os.path.exists("gate.sock"))

for options, words in (
        (["--gate-from", "0.0.0.0/0"], "not all addresses"), (["--gate-from", "::/0"], "not all"),
        (["--proxy", "0.0.0.0/0"], "not all addresses"), (["--gate-from", "x"], "--gate-from takes"),
        (["--proxy", "10.0.0.1/8"], "--proxy: 10.0.0.1/8 has host bits"),
        (["--unix-mode", "0660"], "needs --gate-unix"), (["--unix-group", "root"], "needs --gate-unix"),
        (["--gate-unix", "a.sock", "--unix-mode", "rw"], "octal number"),
        (["--gate-unix", "a.sock", "--unix-mode", "1777"], "octal number"),
        (["--gate-unix", "a.sock", "--unix-group", "no such group"], "name of a group")):
    wrong = Daemon(*options, program=LIMEND, policy=POLICY)
    is_true("%s is refused" % " ".join(options), wrong.wait() == 2 and words in wrong.said(),
            wrong.said())

# ---- no decision ----

empty = Daemon("--gate-from", "127.0.0.1", program=LIMEND,
               policy={"admission": [{"name": "e", "plugin": "EventRateLimit",
                                      "data": {"limits": [{"type": "Server", "qps": 1,
                                                           "burst": 1}]}}]})
for profile, headers in (("forward", forward()), ("nginx", nginx()), ("envoy/a", envoy())):
    found = gate(profile, headers, to=empty)
    is_refused(profile + ": no applications", found, 503)
    is_equal(profile + ": come again", found.headers.get("retry-after"), "1")
empty.end()

away = Daemon("--gate-from", "127.0.0.1", program=LIMEND, policy=dict(RATE, limits=[
    {"name": "r", "type": "rate", "data": {"rate": "1/hour", "key": [], "store": "r"}}],
    stores={"r": {"type": "redis", "data": {"path": "/nowhere/redis.sock", "on-error": "deny"}}}))
found = gate("nginx", nginx(), to=away)
is_refused("a store that is away", found, 503)
is_equal("and when to come again", found and found.headers.get("retry-after"), "1")
away.end()

# ---- a rate in Redis ----


def keep_in_redis(mode):
    """Asks until three requests passed and the fourth is refused for long."""
    other = Daemon("--gate-from", "127.0.0.1", program=LIMEND, policy=dict(
        limits=[{"name": "per-client", "type": "rate",
                 "data": {"rate": "3/hour", "key": ["header:authorization"], "store": "r"}}],
        applications=[{"apply": ["per-client"]}],
        stores={"r": {"type": "redis", "data": {"path": SERVER, "prefix": mode, "mode": mode,
                                                "on-error": "deny", "timeout": "PT5S"}}}))
    left = []

    def asks():
        found = gate("forward", forward(None, more=["Authorization: Bearer x"]), to=other)
        if found.status == 200:
            left.append(dict(parse_list(found.headers["ratelimit"]))["per-client"]["r"])
        return found.status == 429 and int(found.headers["retry-after"]) > 1 and found

    found = wait_for(asks)
    is_equal("%s: each pass says how many are left" % mode, left, [2, 1, 0])
    is_limited("%s: too many" % mode, found)
    other.end()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(SERVER)
        connection.sendall(b"KEYS %s*\r\n" % mode.encode())
        keys = connection.recv(65536)
    is_true("%s: keys in Redis have no token" % mode, b"per-client" in keys and
            b"Bearer" not in keys, keys)


if shutil.which("redis-server"):
    SERVER = os.path.join(work, "redis.sock")
    server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", SERVER, "--dir", work,
                               "--save", ""], stdout=subprocess.DEVNULL)
    running.append(server)
    wait_for(lambda: os.path.exists(SERVER))
    keep_in_redis("strict")
    keep_in_redis("lease")
    server.kill()
    server.wait()

# ---- decisions that wait ----

late = Daemon("--gate-from", "127.0.0.1", program=LIMEND, policy=dict(RATE, identifiers=[
    {"name": "late", "type": "await", "data": {"timeout": "PT0.2S"}}], classifiers=[
        {"name": "late", "identifiers": ["late"]}],
    applications=[{"classifier": "late", "apply": ["r"]}]))
is_pass("a decision that waits", gate("forward", forward(), to=late), "late")
is_refused("and its rate", gate("nginx", nginx(), to=late), 403, 429, TYPE)
is_refused("and a bad question", gate("nginx", nginx("unknown"), to=late), 403, 400)
late.end()

# ---- reloads ----

# The second reads fewer header fields, the third all of them, on a thread of its own.
THESE = [dict(POLICY), dict(POLICY, limits=POLICY["limits"][:2], applications=POLICY["applications"][:3])]
if os.path.exists(os.environ["LIMEN_JQ_SANDBOX"]):
    THESE.append(dict(POLICY, limits=POLICY["limits"] + [
        {"name": "script", "type": "jq", "data": {"script": '.headers["x-seen"] == "yes"'}}],
        applications=[POLICY["applications"][0],
                      {"classifier": "staff", "apply": ["admin", "script"]}]))
foreign = []
asked = 0
ends = threading.Event()


def ask_on(profile, text, wanted):
    """About 100 questions a second on one connection."""
    global asked
    with daemon.connect() as connection:
        while not ends.wait(0.01):
            connection.sendall(text)
            found = read_answer(connection)
            asked += 1
            if not found or (found.status, found.headers.get("x-limen-classifiers")) != wanted:
                foreign.append((profile, found))


threads = [threading.Thread(target=ask_on, args=one) for one in (
    ("forward", request("GET", "/v1/gate/forward", None, forward("192.0.2.33", more=["X-Seen: yes"])),
     (200, "staff, all")),
    ("nginx", request("GET", "/v1/gate/nginx", None, nginx("192.0.2.66")), (403, None)),
    ("envoy", request("GET", "/v1/gate/envoy/admin/x", None, envoy("192.0.2.33")), (403, None)))]
for one in threads:
    one.start()
for i in range(50):
    write("policy1.conf", THESE[i % len(THESE)])
    before = daemon.said().count("the policy was loaded again")
    daemon.signal(signal.SIGHUP)
    wait_for(lambda: daemon.said().count("the policy was loaded again") > before)
ends.set()
for one in threads:
    one.join()
is_true("50 reloads under %d questions: no foreign answer" % asked, asked > 50 and not foreign,
        foreign[:5])
status = ask(daemon, request("GET", "/metrics")).body
is_true("metrics count the decisions",
        'limend_decisions_total{endpoint="/v1/gate/envoy",code="403"}' in status and
        'endpoint="/v1/gate/forward",code="429"' in status, status)
is_equal("it ends in order", daemon.end(), 0)
finish()
