# SPDX-License-Identifier: Apache-2.0
"""Kills the daemon at some moment while it reloads policies, downloads lists, keeps them in its
cache and writes a decision log, and starts it again: lists in the cache are whole, lines of
the log are, but for the one that was being written, and what is decided is right.

LIMEN_TEST_KILLS says how often (20), LIMEN_TEST_SEED when.
"""
import http.server
import random
import threading

from kit import *

kills = int(os.environ.get("LIMEN_TEST_KILLS", "20"))
seed = int(os.environ.get("LIMEN_TEST_SEED", "20261123"))
chance = random.Random(seed)
cache = os.path.join(work, "cache")
decisions = os.path.join(work, "decisions.log")

# Both have the network of who is asked about; the longer one takes a while to be written.
LISTS = ["10.0.0.0/8\n",
         "".join("172.%d.%d.0/24\n" % (i >> 8, i & 255) for i in range(60000)) + "10.0.0.0/8\n"]
listing = {"on": True, "asked": 0}
served = threading.Event()


class Lists(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        listing["asked"] += 1
        body = LISTS[listing["asked"] % 3 > 0].encode()
        self.send_response(200 if listing["on"] else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        served.set()

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # who asked was killed


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lists)
threading.Thread(target=server.serve_forever, daemon=True).start()


def policy(number):
    """Each has an instance of its own, which downloads the list, but all have the same cache."""
    return {
        "schema": 4,
        "identifiers": [{
            "name": "listed", "description": "", "type": "ip-cidr-list-url",
            "data": {"source": "http://127.0.0.1:%d/list" % server.server_port,
                     "update": "PT1H", "retry": "PT1S", "exclude": ["192.0.2.%d" % number]}}],
        "classifiers": [{"name": "known", "description": "", "identifiers": ["listed"]}],
        "limits": [],
        "applications": [{"description": "known", "classifier": "known", "apply": [{"require": "all", "limits": []}]}],
    }


def question(requester):
    return request("POST", "/v1/decide", json.dumps(
        {"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"requester": requester}}).encode(),
        ["Content-Type: application/json"])


# So many lines are written at once that it can be killed in the middle.
MANY = request("POST", "/v1/decide/batch", json.dumps(
    [{"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"requester": "10.0.0.%d" % i}}
     for i in range(200)]).encode(), ["Content-Type: application/json"])
INSIDE, OUTSIDE = question("10.1.2.3"), question("198.51.100.1")


def make_old():
    """Lists in the cache are due, so that each instance downloads at once."""
    for name in os.listdir(cache):
        try:
            os.utime(os.path.join(cache, name), (time.time() - 86400,) * 2)
        except FileNotFoundError:
            pass  # it has got its name by now


def start():
    return Daemon("--cache-dir", cache, "--decision-log", decisions, "--module-path",
                  os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from", "127.0.0.0/8",
                  program=LIMEND, policy=policy(0))


def code(answer):
    return answer and answer.json() and answer.json().get("code")


# ---- what a process that was killed leaves behind ----


def torn_lists():
    """The lists in the cache that have not as many entries as they say (list_cache.c)."""
    found = []
    for name in os.listdir(cache):
        with open(os.path.join(cache, name), "rb") as file:
            _, _, rest = file.read().partition(b"\nentries ")
        said, *entries = rest.split(b"\n")
        if not name.endswith(".new") and (said != b"%d" % (len(entries) - 1) or entries[-1]):
            found.append(name)
    return found


def is_line(text):
    try:
        return json.loads(text)["code"] in (200, 403)
    except (ValueError, KeyError, TypeError):
        return False


class Lines:
    """What is read of the log, step by step: after each kill all lines are whole but the last."""

    def __init__(self):
        self.read = 0
        self.lines = 0
        self.torn = 0
        self.wrong = []
        self.torn_before = False

    def look(self):
        with open(decisions, "rb") as file:
            file.seek(self.read)
            text = file.read()
        self.read += len(text)
        *whole, rest = text.split(b"\n")
        # A piece that an earlier process left is ended before anything else.
        if self.torn_before and whole:
            self.wrong += whole[:1] if whole[0] else []
            whole = whole[1:]
        self.torn_before = rest != b"" or self.torn_before and not text
        self.torn += rest != b""
        self.lines += len(whole)
        self.wrong += [line for line in whole if not is_line(line)]


class Storm(threading.Thread):
    """Loads one policy after another and asks, until nobody answers any more."""

    def __init__(self, daemon):
        super().__init__()
        self.daemon_process = daemon
        self.path = os.path.join(work, "policy%d.conf" % Daemon.number)
        self.reloads = 0
        self.answers = 0
        self.wrong = []
        self.start()

    def ask(self, connection, text, wanted):
        connection.sendall(text)
        answer = read_answer(connection)
        if answer is None:
            return False
        self.answers += 1
        if code(answer) != wanted:
            self.wrong.append(answer)
        return True

    def run(self):
        number = 0
        try:
            with self.daemon_process.connect() as connection:
                while True:
                    number += 1
                    make_old()
                    write(os.path.basename(self.path), policy(number % 200))
                    self.daemon_process.signal(signal.SIGHUP)
                    self.reloads += 1
                    connection.sendall(MANY)
                    if read_answer(connection) is None:
                        return
                    for _ in range(8):
                        # A list that was never downloaded nobody is in; but there is a cache.
                        if not self.ask(connection, INSIDE, 200) or \
                                not self.ask(connection, OUTSIDE, 403):
                            return
        except OSError:
            pass


daemon = start()
is_true("the list is downloaded, and kept", wait_for(
    lambda: code(ask(daemon, INSIDE)) == 200 and os.path.isdir(cache) and os.listdir(cache)))
daemon.signal(signal.SIGKILL)
daemon.wait()

lines = Lines()
torn, starts, storms, halves = [], [], [], 0
lines.look()
for number in range(kills):
    # From the cache alone, what is decided is right at once.
    listing["on"] = False
    make_old()
    daemon = start()
    starts.append((code(ask(daemon, INSIDE)), code(ask(daemon, OUTSIDE))))
    listing["on"] = True
    storm = Storm(daemon)
    if number % 4 == 3:
        time.sleep(chance.uniform(0.02, 0.35))
    else:
        # While the list is read, and kept.
        served.clear()
        served.wait(5)
        time.sleep(chance.uniform(0, 0.03))
    daemon.signal(signal.SIGKILL)
    daemon.wait()
    storm.join()
    storms.append(storm)
    lines.look()
    torn += torn_lists()
    halves += sum(name.endswith(".new") for name in os.listdir(cache))
    if number % 5 == 0:
        # Hardly ever it is killed in the middle of a write; this is what that leaves.
        with open(decisions, "ab") as file:
            file.write(b'{"time":"2026-11-23T')
        lines.look()

print("# seed %d: %d reloads, %d lists asked for, %d answers, %d lines, %d torn ends, "
      "%d lists half written" % (
    seed, sum(one.reloads for one in storms), listing["asked"],
    sum(one.answers for one in storms), lines.lines, lines.torn, halves))
is_equal("each start decides right, by the list in the cache", starts, [(200, 403)] * kills)
is_equal("a list in the cache is whole", torn, [])
is_equal("lines of the log are whole, but for the last of who was killed", lines.wrong, [])
is_equal("no answer was wrong", [found for one in storms for found in one.wrong], [])
is_true("it was killed at work", all(one.reloads > 0 for one in storms) and
        sum(one.answers for one in storms) > kills and lines.lines > kills and
        listing["asked"] > kills, storms)
daemon = start()
is_true("what is left of it all serves", wait_for(lambda: code(ask(daemon, INSIDE)) == 200))
is_equal("it ends in order", daemon.end(), 0)
lines.look()
is_equal("and its lines are whole", (lines.wrong, lines.torn_before), ([], False))
finish()
