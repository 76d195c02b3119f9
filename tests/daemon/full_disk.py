# SPDX-License-Identifier: Apache-2.0
"""A disk that is full changes no decision: what is lost is told, and all is kept once there is room."""
import http.server
import threading

from kit import *

disk = os.path.join(work, "disk")
decisions = os.path.join(disk, "decisions")
cache = os.path.join(disk, "cache")
ballast = os.path.join(disk, "ballast")
LISTS = ["10.0.0.0/8\n",
         "".join("172.%d.%d.0/24\n" % (i >> 8, i & 255) for i in range(2000)) + "192.0.2.0/24\n"]
listing = {"on": True, "list": 0}


class Lists(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        tag = '"%d"' % listing["list"]
        known = self.headers["If-None-Match"] == tag
        body = b"" if known or not listing["on"] else LISTS[listing["list"]].encode()
        self.send_response(503 if not listing["on"] else 304 if known else 200)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def policy():
    return {
        "schema": 4,
        "identifiers": [{
            "name": "listed", "description": "", "type": "ip-cidr-list-url",
            "data": {"source": "http://127.0.0.1:%d/list" % server.server_port,
                     "update": "PT0S", "retry": "PT0S"}}],
        "classifiers": [{"name": "known", "description": "", "identifiers": ["listed"]}],
        "limits": [],
        "applications": [{"description": "known", "classifier": "known", "apply": [{"require": "all", "limits": []}]}],
    }


def task(requester):
    return {"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"requester": requester}}


def ask_json(daemon, target, document):
    answer = ask(daemon, request("POST", target, json.dumps(document).encode(),
                                 ["Content-Type: application/json"]))
    return answer and answer.json()


def code(daemon, requester):
    answer = ask_json(daemon, "/v1/decide", task(requester))
    return answer and answer.get("code")


def ask_many(daemon, requester):
    """The codes of a thousand decisions, whose lines are more than what is left of a page."""
    answer = ask_json(daemon, "/v1/decide/batch", [task(requester)] * 1000)
    return {one["code"] for one in answer}


def metric(daemon, series):
    found = ask(daemon, request("GET", "/metrics")).body
    return int(re.search("^%s (\\d+)$" % re.escape(series), found, re.M).group(1))


def counted(daemon, result):
    return metric(daemon, 'limend_decision_log_lines_total{result="%s"}' % result)


def kept():
    """What the files of the cache say, all of them together."""
    found = ""
    for name in os.listdir(cache) if os.path.isdir(cache) else []:
        with open(os.path.join(cache, name)) as file:
            found += file.read()
    return found


def fill():
    """Leaves no page of the disk."""
    with open(ballast, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def fill_page(name):
    """What is appended then needs another page."""
    with open(name, "ab") as file:
        file.write(b" " * (-file.tell() % 4096))


def make_room():
    os.unlink(ballast)


def start(**more):
    return Daemon("--cache-dir", cache, "--decision-log", decisions, "--module-path",
                  os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from", "127.0.0.0/8",
                  program=LIMEND, policy=policy(), **more)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lists)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.mkdir(disk)
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], check=True)
atexit.register(subprocess.run, ["umount", "-l", disk])

# ---- the decision log and the list ----

daemon = start()
is_true("a list is downloaded, and kept", wait_for(
    lambda: code(daemon, "10.0.0.1") == 200 and "10.0.0.0/8\n" in kept()), daemon.said())
is_true("decisions are logged", wait_for(lambda: counted(daemon, "written") > 0))
fill()
is_equal("decisions go on where the disk is full", ask_many(daemon, "10.0.0.1"), {200})
is_true("lines that are lost are counted", wait_for(lambda: counted(daemon, "lost") > 0))
is_true("the log tells", daemon.says("%s cannot be written: No space left" % decisions),
        daemon.said())
listing["list"] = 1
is_true("a new list counts", wait_for(lambda: code(daemon, "192.0.2.1") == 200))
is_equal("in place of the old one", code(daemon, "10.0.0.1"), 403)
is_true("the log tells that it cannot be kept",
        daemon.says("the list cannot be kept in %s/" % cache), daemon.said())
is_true("and the old one stays in the cache", "10.0.0.0/8\n" in kept() and
        "192.0.2.0/24\n" not in kept())
is_equal("requests may be sent all the while", ask(daemon, request("GET", "/readyz")).status, 200)

make_room()
before = counted(daemon, "written")
is_true("decisions are logged again once there is room", wait_for(
    lambda: code(daemon, "192.0.2.1") == 200 and counted(daemon, "written") > before))
is_true("which the log tells", daemon.says("%s can be written again" % decisions), daemon.said())
is_true("and the new list is kept", wait_for(lambda: "192.0.2.0/24\n" in kept()), daemon.said())
is_equal("it ends in order", daemon.end(), 0)
with open(decisions) as file:
    codes = [json.loads(line)["code"] for line in file]
is_true("lines are whole", codes and set(codes) <= {200, 403}, codes)
listing["on"] = False
daemon = start()
is_equal("a restart decides by the new list", code(daemon, "192.0.2.1"), 200)
daemon.end()

# ---- the log ----

with open(os.path.join(disk, "log"), "ab") as log:
    daemon = start(stderr=log)
    fill()
    fill_page(log.name)

    def lose():
        daemon.signal(signal.SIGHUP)
        return metric(daemon, "limend_log_lines_lost_total") > 0
    is_true("lines of the log that are lost are counted", wait_for(lose))
    make_room()
    daemon.signal(signal.SIGHUP)

    def tells():
        daemon.signal(signal.SIGHUP)
        with open(log.name) as file:
            return "lines were lost: they could not be written" in file.read()
    is_true("and told once there is room", wait_for(tells))
    is_equal("it ends in order, too", daemon.end(), 0)
finish()
