# SPDX-License-Identifier: Apache-2.0
"""Every endpoint of the real daemon, asked with curl: by its unix socket, in the clear and by TLS."""
from kit import *
from tls_kit import *

if shutil.which("curl") is None:
    print("1..0 # SKIP there is no curl")
    sys.exit(0)

POLICY = {
    "schema": 4,
    "identifiers": [
        {"name": "friend", "description": "F", "type": "ip-cidr-list",
         "data": {"cidrs": ["192.0.2.0/24"]}},
        {"name": "here", "description": "H", "type": "ip-cidr-list",
         "data": {"cidrs": ["127.0.0.0/8"]}}],
    "classifiers": [{"name": "friends", "description": "F", "identifiers": ["friend", "here"]}],
    "limits": [
        {"name": "rtt", "description": "R", "type": "test-type", "data": {"types": ["rtt"]}},
        {"name": "few", "description": "O", "type": "rate",
         "data": {"rate": "1/PT10H", "burst": 3, "key": ["requester"]}}],
    "applications": [{"description": "Friends", "classifier": "friends",
                      "apply": [{"require": "all", "limits": ["rtt", "few"]}]}],
    "admission": [
        {"name": "sizes", "plugin": "LimitRanger", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "sizes"},
             "spec": {"limits": [{"type": "Container", "max": {"cpu": "2"},
                                  "default": {"cpu": "1"}}]}}]}},
        {"name": "events", "plugin": "EventRateLimit",
         "data": {"limits": [{"type": "Server", "qps": 1, "burst": 1000}]}}],
}


def container(cpu):
    resources = {"limits": {"cpu": cpu}, "requests": {"cpu": cpu}} if cpu else {}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": resources}]}}


def review(cpu):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"}, "name": "p",
        "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": "ann", "groups": []}, "object": container(cpu)}}


def workload(cpu):
    made = review(cpu)
    made["request"].update(kind={"group": "apps", "version": "v1", "kind": "Deployment"},
                           resource={"group": "apps", "version": "v1", "resource": "deployments"})
    made["request"]["object"] = {"apiVersion": "apps/v1", "kind": "Deployment",
                                 "metadata": {"name": "p", "namespace": "default"},
                                 "spec": {"template": container(cpu)}}
    return made


def task(kind, requester=None):
    made = {"task": {"schema": 1, "test": {"type": kind, "spec": {}}}}
    if requester:
        made["hints"] = {"requester": requester}
    return made


write("small.json", review("1"))
write("bare.json", review(None))
write("large.json", review("3"))
write("workload.json", workload("3"))
write("rtt.json", task("rtt"))
write("trace.json", task("trace"))
write("hinted.json", task("rtt", "192.0.2.7"))
write("forged.json", task("rtt", "198.51.100.9"))
write("batch.json", [task("rtt"), task("trace"), 7])
make_authority("root")
make_certificate("server", "root")
make_certificate("client", "root", usage="clientAuth")


def curl(way, path, *options):
    """Status and body."""
    command = ["curl", "-sS", "-m", str(PATIENCE), "-w", "\n%{http_code}", *options, *way[:-1],
               way[-1] + path]
    found = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)
    body, _, status = found.stdout.rpartition("\n")
    try:
        body = json.loads(body)
    except ValueError:
        pass
    return int(status or 0), body


def post(name):
    return "--json", "@" + name


def decides(way, name, path, file, wanted, *options):
    status, body = curl(way, path, *post(file), *options)
    found = body.get("admitted") if isinstance(body, dict) else None
    is_true("%s: %s" % (way_names[way], name), status == 200 and found is wanted, (status, body))


def reviews(way, name, path, file, allowed, patched=False):
    status, body = curl(way, path, *post(file))
    found = body.get("response", {}) if isinstance(body, dict) else {}
    is_true("%s: %s" % (way_names[way], name), status == 200 and found.get("uid") == "u-1" and
            found.get("allowed") is allowed and ("patch" in found) is patched, (status, body))


daemon = Daemon("--unix", "all.sock", "--tls-certificate", "server.crt", "--tls-key", "server.key",
                "--client-ca", "root.crt", "--metrics-top", "5", program=LIMEND, policy=POLICY)
clear = Daemon(program=LIMEND, policy=POLICY)
by_socket = ("--unix-socket", "all.sock", "http://limend")
by_tls = ("--cacert", "root.crt", daemon.urls[0] if daemon.urls else "https://none")
certified = ("--cert", "client.crt", "--key", "client.key") + by_tls
in_the_clear = (clear.urls[0] if clear.urls else "http://none",)
is_true("the policy is loaded", bool(daemon.urls and clear.urls), daemon.said())
way_names = {by_socket: "unix socket", by_tls: "TLS", certified: "TLS with a certificate",
             in_the_clear: "in the clear"}

for way in way_names:
    name = way_names[way]
    is_equal(name + ": livez", curl(way, "/livez"), (200, "ok"))
    is_equal(name + ": healthz", curl(way, "/healthz"), (200, "ok"))
    is_equal(name + ": readyz", curl(way, "/readyz"), (200, "ok"))
    status, body = curl(way, "/readyz?verbose")
    is_true(name + ": readyz, each check", status == 200 and "[+]policy ok" in body, body)
    status, body = curl(way, "/version")
    is_true(name + ": version", status == 200 and "version" in body and "abi" in body, body)
    status, body = curl(way, "/v1/policy")
    is_true(name + ": policy", status == 200 and body.get("ready") is True, body)

    status, body = curl(way, "/v1/recent")
    trusted = way in (by_socket, certified)
    is_true(name + ": kept decisions, for trusted clients", status == (200 if trusted else 403) and
            ("decisions" in body) == trusted, body)

    reviews(way, "a pod that fits is admitted", "/admission/validate", "small.json", True)
    reviews(way, "one that does not is refused", "/admission/validate", "large.json", False)
    reviews(way, "a workload whose pods do not is admitted", "/admission/workloads",
            "workload.json", True)
    status, body = curl(way, "/admission/workloads", *post("workload.json"))
    is_true(name + ": and warned of", status == 200 and
            "pods of p would be refused" in body["response"]["warnings"][0], body)
    status, body = curl(way, "/admission/policy", *post("small.json"))
    is_true(name + ": policies are not validated unless told to", status == 403, body)
    reviews(way, "defaults are filled in", "/admission/mutate?timeout=5s", "bare.json", True, True)

    trusted = way in (by_socket, certified)
    if trusted:
        decides(way, "a task of a friend", "/v1/decide", "hinted.json", True)
        decides(way, "one of a stranger", "/v1/decide", "forged.json", False)
    else:
        decides(way, "a task of who is connected", "/v1/decide", "rtt.json", True)
        decides(way, "another one", "/v1/decide", "trace.json", False)
        status, body = curl(way, "/v1/decide", *post("hinted.json"))
        is_true(name + ": hints are not believed", status == 403 and "hints" in body["message"],
                body)
    status, body = curl(way, "/v1/decide?status=verdict", *post("trace.json"))
    is_true(name + ": the verdict as status", status == 403 and body["admitted"] is False, body)
    # A proxy may write what it likes: who is connected is who asks.
    status, body = curl(way, "/v1/decide?status=verdict", *post("trace.json"), "-H",
                        "X-Forwarded-For: 192.0.2.7", "-H", "Forwarded: for=192.0.2.7")
    is_true(name + ": headers of proxies change nothing", status == 403, body)

    status, body = curl(way, "/v1/decide/batch", *post("batch.json"))
    is_true(name + ": a batch", status == 200 and len(body) == 3 and
            body[1]["admitted"] is False and body[2]["error"]["code"] == 400, body)
    status, body = curl(way, "/v1/decide/batch", "-H", "Content-Type: application/x-ndjson",
                        "--data-binary", "@trace.json")
    is_true(name + ": a batch of lines", status == 200 and body["admitted"] is False, body)

    status, body = curl(way, "/v1/passed", "-G", "--data-urlencode",
                        'task={"test":{"type":"trace","spec":{}}}')
    is_true(name + ": passed", status == 200 and body["passed"] is False, body)
    status, body = curl(way, "/v1/passed", "--data-urlencode",
                        'task={"test":{"type":"trace","spec":{}}}')
    is_true(name + ": passed, as a form", status == 200 and body["passed"] is False, body)
    status, body = curl(way, "/v1/passed?status=verdict", *post("trace.json"))
    is_true(name + ": passed, as a status", status == 404 and body["passed"] is False, body)

    status, body = curl(way, "/v1/buckets?number=5")
    if trusted:
        keys = [one["key"] for one in body["buckets"]] if isinstance(body, dict) else []
        is_true(name + ": buckets", status == 200 and body["warnings"] == [] and
                any("192.0.2.7" in key for key in keys), body)
        for query, words in (("number=0", "'number' must be"), ("number=1001", "'number' must be"),
                             ("number=x", "'number' must be"), ("store=none", "no store 'none'"),
                             ("nunber=1", "did you mean 'number'")):
            status, body = curl(way, "/v1/buckets?" + query)
            is_true("%s: buckets with %s" % (name, query),
                    status == (404 if "store" in query else 400) and words in body["message"], body)
        for text, words in (("{}", "'key' must be"), ('{"key":1}', "'key' must be"),
                            ('{"key":"a\\u0000"}', "'key' must be"), ("[", "not JSON"),
                            ('{"key":"k","store":1}', "'store' must be"),
                            ('{"key":"k","number":1}', "nothing else"),
                            ('{"key":"k","store":"none"}', "no store 'none'")):
            status, body = curl(way, "/v1/buckets/reset", "--json", text)
            is_true("%s: a reset with %s" % (name, text), status == (404 if "none" in text else 400)
                    and words in body["message"], body)
        status, body = curl(way, "/v1/buckets/reset", "--json", '{"key":"nobody"}')
        is_true(name + ": a reset of none", status == 200 and
                body == {"reset": 0, "warnings": []}, body)
    else:
        status, body = curl(way, "/v1/buckets/reset", "--json", '{"key":"192.0.2.7"}')
        is_true(name + ": so is their reset", status == 403 and
                "only for trusted clients" in body["message"], body)
        is_true(name + ": buckets are for those who are trusted", status == 403 and
                "only for trusted clients" in body["message"], body)

    status, body = curl(way, "/metrics")
    is_true(name + ": metrics", status == 200 and
            'limend_decisions_total{endpoint="/admission/validate",code="403"}' in body, body)
    is_equal(name + ": nothing else", curl(way, "/nothing")[0], 404)
    is_equal(name + ": no other method", curl(way, "/v1/decide")[0], 405)

# ---- limen buckets of the running daemon ----


def buckets(*options):
    found = subprocess.run([os.environ["LIMEN"], "buckets", *options], capture_output=True,
                           text=True, timeout=2 * PATIENCE)
    return found.returncode, found.stdout, found.stderr


found = buckets("--unix", "all.sock")
is_true("limen buckets by the socket", found[0] == 0 and found[1].startswith("STORE") and
        "192.0.2.7" in found[1], found)
found = buckets("--unix", "all.sock", "--format", "json", "-n", "1")
is_true("as JSON, as many as are asked for", found[0] == 0 and
        len(json.loads(found[1])["buckets"]) == 1, found)
found = buckets("--unix", "all.sock", "--store", "no such & store")
is_true("of a store that is not there", found[0] == 1 and "'no such & store'" in found[2], found)
by_url = ("--url", daemon.urls[0] + "/")
for option in ("--ca-file", "--ca"):
    found = buckets(*by_url, option, "root.crt")
    is_true("by TLS without a certificate, " + option, found[0] == 2 and "trusted" in found[2], found)
found = buckets(*by_url, "--ca-file", "root.crt", "--client-certificate", "client.crt",
                "--client-key", "client.key")
is_true("with a certificate", found[0] == 0 and "192.0.2.7" in found[1], found)
found = buckets(*by_url, "--ca-file", "root.crt", "--client-certificate", "client.crt",
                "--client-key", "root.crt")
is_true("with what is no key", found[0] == 2 and found[2].startswith("limen: https:"), found)
found = buckets(*by_url, "--client-certificate", "none.crt", "--client-key", "client.key")
is_true("with a file that is not there", found[0] == 2 and "none.crt" in found[2], found)
found = buckets(*by_url, "--client-certificate", "client.crt")
is_true("without its key", found[0] == 2 and "go together" in found[2], found)
found = buckets("--unix", "all.sock", "--client-certificate", "client.crt", "--client-key",
                "client.key")
is_true("where there is no TLS", found[0] == 2 and "go with --url" in found[2], found)
found = buckets("--url", "http://user:s3cret@127.0.0.1:1")
is_true("a password is not shown", found[0] == 2 and "http://127.0.0.1:1/: " in found[2], found)
found = buckets("--url", daemon.urls[0])
is_true("from one whom nobody vouches for", found[0] == 2 and "certificate" in found[2], found)
found = buckets("--unix", "none.sock")
is_true("where nobody listens", found[0] == 2 and "none.sock" in found[2], found)
found = buckets("--unix", "all.sock", "--url", "http://127.0.0.1:1")
is_true("in two places", found[0] == 2 and "exclude each other" in found[2], found)
found = buckets("--unix", "all.sock", "--ca", "root.crt")
is_true("with authorities nobody needs", found[0] == 2 and "go with --url" in found[2], found)

left = json.loads(buckets("--unix", "all.sock", "--format", "json")[1])["buckets"]
key = next(one["shown"] for one in left if "192.0.2.7" in one["shown"])
count = sum(one["shown"] == key for one in left)
found = buckets("--unix", "all.sock", "--reset", key, "--store", "none")
is_true("a reset in a store that is not there", found[0] == 1 and "'none'" in found[2], found)
found = buckets("--unix", "all.sock", "--reset", key)
is_equal("a reset", found, (0, "%d bucket%s reset.\n" % (count, " was" if count == 1 else "s were"), ""))
with open(daemon.log) as file:
    lines = [line for line in file if "reset for" in line]
is_true("is logged without the key", "reset for a client of a unix socket" in lines[0] and
        key not in lines[0], lines)
found = buckets("--unix", "all.sock")
is_true("the key has used nothing", found[0] == 0 and key not in found[1], found)
found = buckets("--unix", "all.sock", "--reset", key)
is_true("what has used nothing has no bucket", found[0] == 1 and found[1] == "" and
        'no bucket in use has the key "%s"' % key in found[2], found)
found = buckets("--unix", "all.sock", "--reset", key, "--format", "json")
is_true("as JSON", found[0] == 1 and json.loads(found[1]) == {"reset": 0}, found)

trusting = Daemon("--trust-hints-from", "127.0.0.1", program=LIMEND, policy=POLICY)
found = buckets("--url", trusting.urls[0])
is_equal("by an address that is trusted", found[:2], (0, "No bucket is in use.\n"))
is_equal("it ends in order", trusting.end(), 0)


def lies(body, status="200 OK"):
    """What limen buckets says to a server that answers so."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asking = subprocess.Popen([os.environ["LIMEN"], "buckets", "--url", "http://127.0.0.1:%d" %
                                   listening.getsockname()[1]], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        running.append(asking)
        with listening.accept()[0] as connection:
            connection.recv(65536)
            connection.sendall(("HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" %
                                (status, len(body), body)).encode())
            out, err = asking.communicate(timeout=PATIENCE)
    return asking.returncode, out + err


good = {"store": "s", "table": "t", "key": "k", "left": 1, "leased": 0, "burst": 2, "tokens": 1,
        "period": "PT1S", "age": "PT1S"}
for name, body in (
        ("nothing", ""), ("no JSON", "<html>"), ("no list", "{}"), ("no bucket", '{"buckets":[1]}'),
        ("one without a key", json.dumps({"buckets": [{k: good[k] for k in good if k != "key"}]})),
        ("a number too large", json.dumps({"buckets": [dict(good, left=1 << 70)]})),
        ("a period that is none", json.dumps({"buckets": [dict(good, period="soon")]}))):
    found = lies(body)
    is_true("a server that answers with " + name, found[0] == 2 and
            ("is not a list of buckets" if body.startswith("{") else
             "the answer is not one of limend") in found[1], found)
found = lies(json.dumps({"buckets": [dict(good, key="a\x1b[2Jb\n")]}))
is_true("a key with an escape", found[0] == 0 and "\x1b" not in found[1] and
        found[1].count("\n") == 2, found)
found = lies(json.dumps({"message": "\x1b[2J" + "no"}), "500 No")
is_true("a refusal with an escape", found[0] == 2 and "\x1b" not in found[1], found)

is_equal("the first ends in order", daemon.end(), 0)
is_equal("so does the second", clear.end(), 0)
finish()
