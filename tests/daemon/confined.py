# SPDX-License-Identifier: Apache-2.0
"""limend does its work under what its unit forbids, and would not if that forbade more."""
import functools
import http.server
import threading

from tls_kit import *
from units import *

CONFINE = os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/daemon/confine")
UNIT = os.path.join(os.environ["LIMEN_BUILDDIR"], "deploy/systemd/limend.service")
DROP_INS = [os.path.join(os.environ["LIMEN_SRCDIR"], "deploy/systemd", name)
            for name in ("secrets.conf", "tls.conf")]

for missing, why in (
        (shutil.which("systemd-analyze") is None, "there is no systemd-analyze"),
        (not os.path.exists(CONFINE), "built without seccomp"),
        (os.environ.get("SANITIZE_CFLAGS", "").strip(), "sanitizers call what limend does not")):
    if missing:
        print("1..0 # SKIP", why)
        sys.exit(0)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                         functools.partial(Quiet, directory=work))
threading.Thread(target=server.serve_forever, daemon=True).start()
LISTS = "http://127.0.0.1:%d/list" % server.server_address[1]


def entry(name, kind, data):
    return {"name": name, "description": name, "type": kind, "data": data}


def script(text, **more):
    return dict({"script": text}, **more)


SHORT = ".test.spec.length <= $most"
POLICY = {
    "schema": 4,
    "identifiers": [
        entry("listed", "ip-cidr-list-url", {"source": LISTS, "update": "P1D",
                                             "retry": "PT4H"}),
        entry("here", "localif", {}), entry("near", "local-subnet", {}),
        entry("all", "always", {})],
    "classifiers": [{"name": "listed", "description": "", "identifiers": ["listed"]},
                    {"name": "here", "description": "", "identifiers": ["here"]}],
    "limits": [
        entry("type", "test-type", {"types": ["idle"]}),
        entry("within", "jq", script(SHORT, args={"most": 100})),
        entry("apart", "jq", script(SHORT + " and (\"a7\" | test(\"^[a-z]\\\\d$\"))",
                                    args={"most": 50}, sandbox="process", timeout="PT30S"))],
    "applications": [
        {"description": name, "classifier": name, "apply": [
            {"require": "all", "limits": ["type", "within", "apart"]}]}
        for name in ("listed", "here")],
}
JSON = ["Content-Type: application/json"]


def question(length, requester):
    """Without a requester it is the address that asks."""
    asked = {"task": {"test": {"type": "idle", "spec": {"length": length}}}}
    if requester:
        asked["hints"] = {"requester": requester}
    return request("POST", "/v1/decide", json.dumps(asked).encode(), JSON)


def admits(connection, length, requester="192.0.2.1"):
    with connection:
        connection.sendall(question(length, requester))
        answer = read_answer(connection)
    return answer.json().get("admitted") if answer else None


def by_unix(patience=PATIENCE):
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(patience)
    made.connect("confined.sock")
    return made


def edit():
    """What an edit with a script would decide."""
    policy = {"identifiers": [entry("i", "always", {})], "limits": [
        entry("l", "jq", script("false"))], "applications": [{"identifier": "i", "apply": ["l"]}]}
    body = {"policy": json.dumps(policy), "text": "test: {type: idle, spec: {length: 50}}\n"}
    with by_unix() as connection:
        connection.sendall(request("POST", "/ui/edit", json.dumps(body).encode(), JSON))
        return read_answer(connection)


def confined(unit, without=()):
    """Writes a program that starts limend under the rules of 'unit', less some calls."""
    rules = write("rules", make_rules(unit, without))
    path = write("limend-confined", "#!/bin/sh\nexec '%s' '%s' '%s' \"$@\"\n" % (
        CONFINE, rules, LIMEND))
    os.chmod(path, 0o755)
    return path


def start(unit, without=(), policy=POLICY, **more):
    return Daemon("--unix", "confined.sock", "--tls-certificate", "localhost.crt", "--tls-key",
                  "localhost.key", "--cache-dir", "cache", "--decision-log", "decisions", "--ui",
                  "playground",
                  policy=policy, program=confined(unit, without), **more)


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.readlines()


make_authority("root")
make_certificate("localhost", "root")
client = client_of("root")
write("list", "192.0.2.0/24\n")
unit = read_unit(UNIT, *DROP_INS)
for key in ("SystemCallFilter", "SystemCallErrorNumber", "RestrictAddressFamilies", "LimitNOFILE",
            "UMask", "CapabilityBoundingSet", "NoNewPrivileges", *FLAGS):
    is_true("the unit has " + key, key in unit)

# ---- what it does ----

daemon = start(unit)
is_true("it starts", daemon.urls, daemon.said())
with open("/proc/%d/status" % daemon.process.pid) as file:
    status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
is_equal("no privileges, and filters", (status["NoNewPrivs"].strip(), status["Seccomp"].strip(),
                                        int(status["CapBnd"], 16) if os.geteuid() == 0 else 0),
         ("1", "2", 0))
is_true("it decides over its unix socket, by a list, and scripts within and apart",
        wait_for(lambda: admits(by_unix(), 50) is True), daemon.said())
is_equal("a script apart refuses", admits(by_unix(), 51), False)
is_equal("a script within refuses", admits(by_unix(), 101), False)
is_equal("the list does, too", admits(by_unix(), 50, "198.51.100.1"), False)
is_equal("interfaces of the host are known", admits(by_unix(), 50, "127.0.0.1"), True)
is_equal("it decides over TLS", admits(daemon.connect(client), 50, None), True)
found = edit()
is_true("it tries an edit", found.status == 200 and
        found.json()["results"][0]["after"]["code"] == 403, found)
is_true("what was downloaded is kept", wait_for(lambda: os.listdir("cache")), daemon.said())
is_true("each decision is a line", wait_for(lambda: len(lines("decisions")) >= 6),
        lines("decisions"))
os.rename("decisions", "decisions.1")
daemon.signal(signal.SIGHUP)
is_true("after a rotation they go to another file", wait_for(
    lambda: admits(by_unix(), 50) is True and lines("decisions")), daemon.said())
narrow = json.loads(json.dumps(POLICY))
narrow["limits"][1]["data"]["args"]["most"] = 20
own = "policy%d.conf" % Daemon.number
write(own, narrow)
is_true("a change of the policy is seen", wait_for(lambda: admits(by_unix(), 50) is False),
        daemon.said())
write(own, POLICY)
daemon.signal(signal.SIGHUP)
is_true("and by a signal", wait_for(lambda: admits(by_unix(), 50) is True), daemon.said())
is_true("nothing was forbidden that it needs", not re.search(
    "not permitted|not implemented|not supported", daemon.said()), daemon.said())
is_equal("it ends in order", daemon.end(), 0)

# ---- what it could not do with less ----


def works(without):
    """Does it decide by a list and by scripts, under the rules without some calls?"""
    shutil.rmtree("cache", True)
    daemon = start(unit, without, wait=False)
    try:
        wait_for(lambda: os.path.exists(daemon.addresses) or daemon.process.poll() is not None, 10)
        return daemon.process.poll() is None and bool(wait_for(
            lambda: admits(by_unix(3), 50) is True, 3))
    except OSError:
        return False
    finally:
        daemon.process.kill()
        daemon.process.wait()


is_true("with all calls of the unit it works", works(()))
for calls in (("accept", "accept4"), ("seccomp", "prctl"), ("socket",), ("openat", "open")):
    is_true("without %s it would not" % " and ".join(calls), not works(calls))
daemon = start(unit, ("landlock_create_ruleset",))
found = edit()
is_true("without Landlock it tries no edit", found.status == 503 and "Landlock" in found.body, found)
daemon.end()
less = dict(unit, RestrictAddressFamilies=["AF_INET AF_INET6"])
daemon = start(less, wait=False)
is_true("nor without the family of its socket", daemon.wait(10) not in (0, None), daemon.said())
finish()
