# SPDX-License-Identifier: Apache-2.0
"""The console: what is served when, and in a browser what it shows and does."""
import socket
import urllib.parse

from browser import *
from kit import *
from tls_kit import *

HOSTILE = "<img src=x onerror='document.title=\"hit\"'>\"&amp;</text></svg><script>1</script>"
POLICY = {
    "schema": 4,
    "identifiers": [
        {"name": "everybody", "description": "All", "type": "always", "data": {}},
        {"name": "partners", "description": "Networks of partners", "type": "ip-cidr-list",
         "data": {"cidrs": ["198.51.100.0/24", "2001:db8::/32"]}},
        {"name": HOSTILE, "description": HOSTILE, "type": "always", "data": {}}],
    "classifiers": [
        {"name": "friends", "description": "Partners", "identifiers": ["partners"]},
        {"name": "guests", "description": "Everybody", "identifiers": ["everybody", HOSTILE]}],
    "limits": [
        {"name": "always", "description": "Passes", "type": "pass-fail", "data": {"pass": True}},
        {"name": "harmless", "description": "Tests that harm nobody", "type": "test-type",
         "data": {"types": ["rtt", "trace"]}},
        {"name": "seldom", "description": "One an hour", "type": "rate",
         "data": {"rate": "1/PT1H"}}],
    "applications": [
        {"description": "Friends do as they like", "classifier": "friends",
         "apply": [{"require": "all", "limits": ["always"]}]},
        {"description": "Harmless tests of everybody", "classifier": "guests",
         "apply": [{"require": "all", "limits": ["harmless", "seldom"]}]}]}
RTT = {"test": {"type": "rtt", "spec": {"dest": "ps.example.org"}}}
THROUGHPUT = {"test": {"type": "throughput", "spec": {"dest": "ps.example.org"}}}
JSON = ["Content-Type: application/json"]
FILES = ["/ui", *("/ui/%s.js" % name for name in ("app", "charts", "decisions", "dom", "graph", "playground", "policy")),
         "/ui/look.css", "/ui/style.css", "/ui/icon.svg", "/ui/state"]
MODULES = ["--module-path", os.path.join(os.environ["LIMEN_BUILDDIR"], "plugins")]


def get(daemon, path):
    return ask(daemon, request("GET", path))


def post(daemon, path, body, headers=JSON):
    return ask(daemon, request("POST", path, json.dumps(body).encode(), headers))


def start(*options):
    return Daemon("--threads", "2", *options, *MODULES, policy=POLICY, program=LIMEND)


# ---- what is served ----

daemon = start()
is_equal("without --ui there is nothing", [get(daemon, path).status for path in FILES], [404] * len(FILES))
is_equal("and nothing to try", [post(daemon, path, {"task": RTT}).status
                                for path in ("/ui/try", "/ui/edit")], [404] * 2)
is_equal("whatever the method", [post(daemon, path, {}).status for path in FILES] +
         [get(daemon, "/ui/try").status], [404] * (len(FILES) + 1))
daemon.end()

daemon = start("--ui")  # the option --listen follows
answers = [get(daemon, path) for path in FILES]
is_equal("--ui alone is view: all of it is there", [one.status for one in answers], [200] * len(FILES))
is_equal("with their types", [one.headers["content-type"].split(";")[0] for one in answers],
         ["text/html", *["text/javascript"] * 7, "text/css", "text/css", "image/svg+xml",
          "application/json"])
policy = answers[0].headers.get("content-security-policy", "")
is_true("under a strict policy", "default-src 'none'" in policy and "unsafe" not in policy and
        "frame-ancestors 'none'" in policy, answers[0].headers)
is_equal("the daemon says what there is", answers[-1].json()["playground"], False)
is_equal("strangers do not see the log", answers[-1].json()["journal"], None)
is_equal("the playground is off", post(daemon, "/ui/try", {"task": RTT}).status, 403)
is_equal("no other methods", post(daemon, "/ui", {}).status, 405)
daemon.end()

found = Daemon("--ui", "edit", listen=False, program=LIMEND)
is_equal("another word for --ui", found.wait(), 2)
is_true("is explained", "--ui takes view or playground" in found.said(), found.said())

daemon = start("--ui", "playground", "--trust-hints-from", "127.0.0.1")
served = "policy%d.conf" % Daemon.number
answer = post(daemon, "/ui/try", {"task": RTT}, ["Content-Type: text/plain"])
is_equal("what a page of others could send is refused", answer.status, 415)
for _ in range(3):
    answer = post(daemon, "/ui/try", {"task": RTT})
is_true("an answer ends its line", answer.body.endswith("}\n"), answer)
is_true("no rate is charged", answer.status == 200 and answer.json()["admitted"], answer)
is_equal("no bucket is there", get(daemon, "/v1/buckets").json()["buckets"], [])
is_true("nothing is counted", 'limend_decisions_total{endpoint="/v1/decide",code="200"} 0' in
        get(daemon, "/metrics").body and "/ui/try" not in get(daemon, "/metrics").body)
is_true("there is a trace with it", answer.json()["trace"] and answer.json()["steps"], answer)
is_equal("hints that make no sense", post(daemon, "/ui/try", {"task": RTT, "hints": 1}).status, 400)
lines = get(daemon, "/ui/state").json()["journal"]
is_true("who is trusted sees the log", any("listening on" in one["text"] for one in lines), lines)

# ---- where it opens ----

for path, to in (("/", "ui"), ("/ui/", "../ui")):
    answer = get(daemon, path)
    is_equal(path + " leads to /ui", (answer.status, answer.headers.get("location")), (302, to))
is_equal("what it is", get(daemon, "/ui/state").json()["replica"],
         {"name": socket.gethostname(), "in-cluster": False})
other = start()
answer = get(other, "/")
is_true("without --ui / names the option", answer.status == 404 and "--ui" in answer.body and
        answer.body.strip().count("\n") == 0, answer)
other.end()

for place in ("0.0.0.0:1", "[::]:1", "192.0.2.1:1", "localhost", "127.0.0.1"):
    found = Daemon("--ui-listen", place, listen=False, program=LIMEND)
    is_equal("no place for the console: " + place, found.wait(), 2)
is_true("which is explained", "127.0.0.1" in found.said(), found.said())

make_authority("root")
make_certificate("server", "root")
local = start("--tls-certificate", "server.crt", "--tls-key", "server.key", "--client-ca", "root.crt",
              "--require-client-certificate", "--ui-listen", "127.0.0.1:0", "--allow-host", "proxy")
PLACE = urllib.parse.urlsplit(local.urls[1])
is_equal("beside TLS", [url.split(":")[0] for url in local.urls], ["https", "http"])


is_true("its address is logged, and no other one", re.findall(r"the console is at (\S+)", local.said()) ==
        [local.urls[1] + "/ui"], local.said())
for options, place in ((["--tls-certificate", "server.crt", "--tls-key", "server.key"], "https://127.0.0.1:%d/ui"), ([], "http://127.0.0.1:%d/ui"),
                       (["--listen", "0.0.0.0:0", "--no-tls"], "http://127.0.0.1:%d/ui")):
    logged = start("--ui", "view", "--unix", "ui.sock", *options)
    found = re.findall(r"the console is at (\S+)", logged.said())
    is_true("it is logged for --ui, for each port: " + place, len(found) == len(logged.urls) - 1 and
            found[0] == place % logged.port, logged.said())
    if len(found) > 1:
        is_equal("  at any address, too", found[1], "http://localhost:%s/ui" % logged.urls[1].rsplit(":", 1)[1])
    logged.end()


def ask_local(method, path, body=None, headers=(), host="localhost:8088"):
    with socket.create_connection((PLACE.hostname, PLACE.port), PATIENCE) as connection:
        connection.sendall(request(method, path, body, headers, host=host))
        return read_answer(connection)


SEEN = FILES + ["/v1/buckets", "/v1/policy", "/metrics"]
is_equal("all that the console shows", [ask_local("GET", path).status for path in SEEN],
         [200] * len(SEEN))
is_true("with the log", ask_local("GET", "/ui/state").json()["journal"])
is_equal("and nothing else", [ask_local("POST", path, b"{}", JSON).status for path in (
    "/admission/validate", "/admission/mutate", "/v1/decide", "/v1/decide/batch", "/v1/passed",
    "/v1/buckets/reset")] + [ask_local("GET", path).status for path in (
        "/v1/gate/nginx", "/livez", "/version", "/other")], [404] * 6 + [403] + [404] * 3)
TRY = json.dumps({"task": RTT, "hints": {"requester": "198.51.100.9"}}).encode()
answer = ask_local("POST", "/ui/try", TRY, JSON)
is_true("it may try, with hints", answer.status == 200 and "Friends" in answer.body, answer)
is_equal("but only with JSON", ask_local("POST", "/ui/try", TRY, ["Content-Type: text/plain"]).status,
         415)
for host in ("evil.example", "proxy", "limend.limen.svc", ""):
    is_equal("not by another name: " + host,
             [ask_local("GET", path, host=host).status for path in SEEN], [421] * len(SEEN))
FRAME = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"]
for headers in (FRAME, ["Origin: http://evil.example"], ["Sec-Fetch-Site: same-site"]):
    is_equal("nothing for others: " + headers[0],
             [ask_local("GET", path, headers=headers).status for path in SEEN] +
             [ask_local("POST", "/ui/try", TRY, JSON + headers).status], [403] * (len(SEEN) + 1))
LINK = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"]
is_equal("a link to it may be followed", ask_local("GET", "/ui", headers=LINK).status, 200)
is_equal("but not with a form", ask_local("POST", "/ui/try", TRY, JSON + LINK).status, 403)
local.end()

# ---- by which name ----

BY_NAME = ["/ui", "/ui/app.js", "/ui/charts.js", "/ui/decisions.js", "/ui/dom.js", "/ui/graph.js",
           "/ui/playground.js", "/ui/policy.js", "/ui/state", "/v1/buckets", "/v1/policy"]
BY_ANY = ["/metrics", "/livez", "/readyz", "/version"]


def statuses(paths, host, one=None):
    return [ask(one or daemon, request("GET", path, host=host)).status for path in paths]


for host in ("127.0.0.1", "127.0.0.1:%d" % daemon.port, "LocalHost:1", "localhost.", "[::1]", "[::1]:80",
             "localhost:", "[::1]:65535"):
    is_equal("its own name: " + host, statuses(BY_NAME, host), [200] * len(BY_NAME))
for host in ("evil.example", "evil.example:%d" % daemon.port, "127.0.0.1.evil.example", "localhost.evil.example", "::1",
             "127.1", "[evil]", "[::1", "", "x" * 300, "evil.example:127.0.0.1", "user@localhost",
             "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:000080", "localhost:80:80", "[::1]x", "[::1]x:80"):
    is_equal("no name of it: " + host[:40], statuses(BY_NAME, host), [421] * len(BY_NAME))
    is_equal("but any will do for probes and figures", statuses(BY_ANY, host), [200] * 4)
answer = ask(daemon, request("GET", "/ui/state", host="evil.example"))
is_true("and it says why", "--allow-host" in answer.json()["message"] and
        answer.json()["reason"] == "Misdirected Request", answer)
is_equal("HTTP/1.0 has none", ask(daemon, b"GET /ui/state HTTP/1.0\r\n\r\n").status, 200)
BODY = json.dumps({"task": RTT}).encode()
is_equal("whose address is trusted", [ask(daemon, request("POST", path, BODY, JSON, host="evil.example")).status
         for path in ("/v1/decide", "/ui/try")], [421] * 2)
other = start("--ui", "playground", "--allow-host", "limend.example", "--allow-host", "proxy")
is_equal("whoever is not may use any name",
         ask(other, request("POST", "/v1/decide", BODY, JSON, host="evil.example")).status, 200)
is_equal("names that are allowed", [statuses(["/ui", "/v1/policy"], host, other) for host in
         ("limend.example:8080", "LIMEND.example.", "proxy", "proxy.example")], [[200] * 2] * 3 + [[421] * 2])
other.end()
for name in ("", "a:80", "http://a", "a.example.", "a b"):
    found = Daemon("--allow-host", name, listen=False, program=LIMEND)
    is_equal("no name: " + name, found.wait(), 2)

# ---- of which origin ----

other = start("--ui", "playground")
HERE = "127.0.0.1:%d" % other.port
QUERY = "task=" + urllib.parse.quote(json.dumps(RTT))
FORM = "Content-Type: application/x-www-form-urlencoded"


def asked_from(*headers):
    """One admits; it is the only one for an hour."""
    return [ask(other, one).status for one in (
        request("POST", "/v1/passed", QUERY.encode(), (FORM,) + headers, host=HERE),
        request("GET", "/v1/passed?" + QUERY, headers=headers, host=HERE),
        request("POST", "/v1/decide", BODY, tuple(JSON) + headers, host=HERE))]


for headers in (("Origin: http://evil.example",), ("Origin: null",), ("Origin: ",),
                ("Origin: http://127.0.0.1",), ("Sec-Fetch-Site: cross-site",),
                ("Sec-Fetch-Site: same-site",), ("Sec-Fetch-Site: ",),
                ("Sec-Fetch-Site: cross-site", "Origin: http://" + HERE)):
    is_equal("a page of somebody else: " + headers[0], asked_from(*headers), [403] * 3)
answer = ask(other, request("GET", "/v1/passed?" + QUERY, headers=["Origin: null"]))
is_true("is told why", "another origin" in answer.json()["message"], answer)
is_true("and charges nobody", ask(other, request("GET", "/v1/passed?" + QUERY)).json()["passed"])
for headers in ((), ("Origin: HTTP://" + HERE,), ("Sec-Fetch-Site: none",),
                ("Sec-Fetch-Site: same-origin", "Origin: http://proxy.example")):
    is_equal("nobody's or its own: " + " ".join(headers), asked_from(*headers), [200] * 3)
FOREIGN = ["Origin: http://evil.example"]
is_equal("what charges nobody is no matter", [ask(other, one).status for one in (
    request("GET", "/metrics", headers=FOREIGN),
    request("POST", "/ui/try", BODY, JSON + FOREIGN))], [200] * 2)
other.end()

# ---- in a browser ----

browser = browse("the page in a browser")
base = daemon.urls[0]
browser.open(base + "/#policy")
is_true("it loads", browser.wait_for(
    "return document.getElementById('health-text').textContent === 'Serving'"),
    browser.text("#health-text"))
is_equal("every part of the policy has a box",
         browser.run("return document.querySelectorAll('#graph g.node').length"), 11)
is_true("names are texts and nothing else", browser.run(
    "return document.querySelector('img') === null && document.title === 'limen: Policy' &&"
    "[...document.querySelectorAll('#graph text')].some((t) => t.textContent.startsWith('<img'))"))

post(daemon, "/v1/decide", {"task": THROUGHPUT})
is_true("a live decision is shown", browser.wait_for(
    "return document.getElementById('refused-total').textContent === '1 in all'"),
    browser.text("#refused-total"))
post(daemon, "/v1/decide", {"task": RTT})
is_true("and a bucket that was charged", browser.wait_for(
    "return document.querySelector('#bucket-table tbody meter') !== null"),
    browser.text("#buckets"))


def decide(task, hints=""):
    browser.set("#request", task if isinstance(task, str) else json.dumps(task))
    browser.set("#hints", hints)
    browser.run("document.getElementById('verdict').textContent = ''; location.hash = '#playground'")
    browser.click("#try button[type=submit]")
    return browser.wait_for("return document.getElementById('verdict').textContent")


verdict = decide(THROUGHPUT)
is_true("the playground refuses", verdict and verdict.startswith("Refused (403)"), verdict)
is_true("says what would help", "test.type is throughput, must be one of rtt, trace" in
        browser.text("#results"), browser.text("#results"))
is_true("and colours the way", browser.run(
    "return document.querySelector('#way-graph g.node.fail') !== null &&"
    "document.querySelector('#way-graph path.fail') !== null"))
verdict = decide(THROUGHPUT, '{"requester": "198.51.100.9"}')
is_true("it admits", verdict and verdict.startswith("Admitted (200): application 'Friends"), verdict)
verdict = decide("test:\n  type: rtt\n  spec: {}\n---\ntest: {type: throughput, spec: {}}\n")
is_true("documents in YAML have a result each", verdict == "2 of 2 are not admitted" and browser.run(
    "return document.querySelectorAll('#results > details').length") == 2, verdict)
verdict = decide("test:\n  type: rtt\n bad: [\n")
is_true("what cannot be read is said with its line", verdict and "line 3" in verdict, verdict)
is_equal("and nothing old stands below", browser.run(
    "return document.getElementById('results').textContent + String(document.getElementById('way').hidden)"), "true")
browser.click("#verdict button")
is_equal("a click leads there", browser.run(
    "const box = document.getElementById('request');"
    "return document.activeElement === box && box.value.slice(0, box.selectionStart).split('\\n').length"), 3)
verdict = decide({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}})
is_true("manifests are objects", verdict and "cannot decide about objects" in verdict, verdict)
decide(RTT)
browser.click("#link")
link = browser.run("return location.href")
browser.click("#forget")
is_true("the result can be taken away again", browser.run("return document.getElementById('way').hidden"))
is_true("a link has the request in its fragment", "#playground/" in link and "rtt" in link, link)
browser.open("about:blank")
browser.open(link)
is_true("which it decides again", browser.wait_for(
    "return document.getElementById('verdict').textContent.startsWith('Refused (429)')") and
    json.loads(browser.run("return document.getElementById('request').value")) == RTT,
        browser.text("#verdict"))
browser.open("about:blank")
browser.open(link[:link.index("#")] + "#playground/%E0%")
is_true("a broken link is told, and the page goes on", browser.wait_for(
    "return document.getElementById('verdict').textContent === 'The link is broken.' &&"
    "document.getElementById('health-text').textContent === 'Serving'"), browser.text("#verdict"))

# The keyboard: Tab reaches the graph once, arrows move in it.
TAB, RIGHT, DOWN, CONTROL, ENTER = "\ue004", "\ue014", "\ue015", "\ue009", "\ue007"
CHOSEN = "return (document.activeElement.querySelector('title') || {}).textContent || ''"
browser.run("location.hash = '#policy'")
browser.run("document.getElementById('playground-link').focus()")
browser.press(TAB)
first = browser.wait_for("return document.activeElement.closest('#graph') !== null &&"
                         "document.activeElement.querySelector('title').textContent")
is_true("Tab reaches the graph", first and first.startswith("everybody, always"),
        browser.run("return document.activeElement.outerHTML"))
browser.press(DOWN)
is_true("down goes down", browser.run(CHOSEN).startswith("partners, "),
        browser.run(CHOSEN))
browser.press(RIGHT)
is_true("right to the next column", "Classifier" in browser.run(CHOSEN),
        browser.run(CHOSEN))
is_true("what is chosen is told", ".conf:" in browser.text("#detail"), browser.text("#detail"))
browser.press(TAB)
is_true("and Tab leaves it", browser.run("return document.activeElement.closest('#graph') === null"))
browser.set("#request", json.dumps(RTT))
browser.run("location.hash = '#playground'")
browser.run("document.getElementById('verdict').textContent = '';"
            "document.getElementById('request').focus()")
browser.press(CONTROL, ENTER)
is_true("Control and Enter decide", browser.wait_for(
    "return document.getElementById('verdict').textContent"))

# Who hears the page: landmarks, names, live regions.
is_equal("landmarks", browser.run(
    "return ['header', 'nav', 'main', 'h1'].map((n) => document.querySelectorAll(n).length)"),
    [1, 1, 1, 1])
is_equal("everything that can be used has a name", browser.run(
    "return [...document.querySelectorAll('a, button, textarea, meter, [tabindex=\"0\"]')]"
    ".filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') ||"
    "(e.labels && e.labels.length) || e.getAttribute('aria-labelledby'))).map((e) => e.outerHTML)"), [])
is_equal("the verdict is announced", browser.run(
    "return document.getElementById('verdict').getAttribute('aria-live')"), "polite")
is_equal("sections have headings", browser.run(
    "return [...document.querySelectorAll('section')].filter((s) =>"
    "!document.getElementById(s.getAttribute('aria-labelledby'))).length"), 0)

# Light and dark, as the reader has it.
colors = {}
for scheme in ("light", "dark"):
    browser.devtools("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
    colors[scheme] = browser.run("return getComputedStyle(document.body).backgroundColor")
is_equal("light and dark", colors, {"light": "rgb(246, 247, 249)", "dark": "rgb(18, 23, 29)"})

# A load that fails is told, and the policy stays.
write(served, dict(POLICY, limits=[]))
is_true("a load that failed", browser.wait_for(
    "return document.getElementById('health-text').textContent === 'Serving an older policy'"),
    browser.text("#health-text"))
daemon.end()
is_true("a daemon that is gone", browser.wait_for(
    "return document.getElementById('health-text').textContent === 'No answer'"),
    browser.text("#health-text"))

outside = [url for url in browser.requests() if not url.startswith((base + "/", "data:", "chrome:"))]
is_equal("nothing is asked of others", outside, [])
wrong = [text for text in browser.messages()
         if "ERR_CONNECTION" not in text]
is_equal("no error and no violation of the policy", wrong, [])
browser.end()
finish()
