# SPDX-License-Identifier: Apache-2.0
"""limen top: the tables of one and of several limends, once and on a terminal."""
import fcntl
import pty
import select
import struct
import termios
import threading

from kit import *

LIMEN = os.environ["LIMEN"]
MODULES = ["--module-path", os.environ["LIMEN_MODULE_PATH"]]
JSON = ["Content-Type: application/json"]
POLICY = {
    "schema": 4,
    "identifiers": [{"name": "all", "description": "", "type": "always", "data": {}},
                    {"name": "unused", "type": "ip-cidr-list", "data": {"cidrs": ["203.0.113.0/24"]}}],
    "classifiers": [{"name": "all", "description": "", "identifiers": ["all"]}],
    "limits": [{"name": "few", "description": "", "type": "rate",
                "data": {"rate": "2/PT1H", "key": ["requester"]}}],
    "applications": [{"description": "Tests", "classifier": "all",
                      "apply": [{"require": "all", "limits": ["few"]}]}]}


def start():
    Daemon.number += 1
    path = os.path.join(work, "s%d" % Daemon.number)
    return path, Daemon("--unix", path, "--trust-hints-from", "127.0.0.1", *MODULES, program=LIMEND, policy=POLICY)


def send(daemon, requester, count):
    body = json.dumps({"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"requester": requester}}).encode()
    for _ in range(count):
        ask(daemon, request("POST", "/v1/decide", body, JSON))


def run(*options):
    return subprocess.run([LIMEN, "top", *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)


first, daemon = start()
second, other = start()
send(daemon, "192.0.2.1", 5)
send(daemon, "192.0.2.2", 3)
send(other, "192.0.2.1", 4)

found = run("--unix", first)
is_true("one limend, once", found.returncode == 0 and "REPLICA" not in found.stdout, found)
rows = [line.split() for line in found.stdout.splitlines()]
is_true("by requester, the worst first", [row[:4] for row in rows if row and row[0].startswith("192.0.2.")] ==
        [["192.0.2.1", "3", "0", "0"], ["192.0.2.2", "1", "0", "0"]], found.stdout)
is_true("the fullest buckets, and what they refused", ["few", "192.0.2.1", "0", "2", "3", "2/PT1H"] in rows, found.stdout)
is_equal("the newest decisions, and a sample of the others", len([row for row in rows if "refused" in row[1:2]]), 4)
is_true("with their reasons", "limit 'few' failed" in found.stdout, found.stdout)
found = run("--unix", first, "--url", other.urls[0], "--unix", "nowhere")
rows = [line.split() for line in found.stdout.splitlines()]
is_true("several: sums, and the name of each", found.returncode == 0 and ["192.0.2.1", "5", "0", "0"] in
        [row[:4] for row in rows] and "REPLICA" in found.stdout, found.stdout)
is_true("one that does not answer is named", "nowhere: No such file or directory" in found.stdout, found.stdout)
for options, why in (((), "--unix or --url"), (("--unix", "nowhere"), "nowhere: No such file"),
                     (("--unix", first, "--ca-file", "x"), "go with --url")):
    found = run(*options)
    is_true("%s: status 2" % (options,), found.returncode == 2 and why in found.stderr, found)


class Screen:
    """A terminal with the program in it."""

    def __init__(self, *options, width=120):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "vt100"
            os.environ.pop("COLUMNS", None)
            os.execv(LIMEN, [LIMEN, "top", *options])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        self.text = ""

    def read(self):
        """Everything so far; the last picture is what counts."""
        while select.select([self.fd], [], [], 0.05)[0]:
            try:
                self.text += os.read(self.fd, 65536).decode()
            except OSError:
                break
        return self.text

    def picture(self):
        return self.read().rsplit("\x1b[H", 1)[-1]

    def shows(self, *texts, none=()):
        return wait_for(lambda: all(text in self.picture() for text in texts) and
                        "q quit" in self.picture() and not any(text in self.picture() for text in none))

    def press(self, keys):
        os.write(self.fd, keys.encode())


screen = Screen("--unix", first)
is_true("on a terminal", screen.shows("192.0.2.1", "192.0.2.2", "few"), screen.text)
send(daemon, "192.0.2.3", 3)
is_true("it goes on by itself", screen.shows("192.0.2.3"), screen.text)
screen.press("/")
screen.press("0.2.2")
is_true("a text filters", screen.shows("/0.2.2_", "192.0.2.2", none=["192.0.2.1 "]), screen.picture())
screen.press("\x1b")
is_true("until Escape", screen.shows("192.0.2.1", none=["/0.2.2"]), screen.picture())
screen.press("p")
is_true("p pauses", screen.shows("[paused]"), screen.picture())
send(daemon, "192.0.2.4", 3)
time.sleep(1.2)
is_true("and nothing new is asked for", "192.0.2.4" not in screen.picture(), screen.picture())
screen.press("p")
is_true("it goes on", screen.shows("192.0.2.4"), screen.picture())
before = screen.picture().count(" refused ")
screen.press("\x1b[B")
is_true("an arrow goes to older decisions", wait_for(lambda: screen.picture().count(" refused ") < before),
        screen.picture())
lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.picture()).splitlines()
is_true("no line is wider than the terminal", max(len(line) for line in lines) <= 120, lines)
send(daemon, "192.0.2.5", 32)
screen.press("/0.2.5\r")
is_true("decisions take the rows that other tables leave", wait_for(
    lambda: screen.picture().count("192.0.2.5 rtt") > 20 and "q quit" in screen.picture()), screen.picture())
narrow = Screen("--unix", first, width=80)
is_true("on 80 columns a reason has a line of its own", narrow.shows("\n    application 'Tests' fails: limit 'few' failed: "),
        narrow.picture())
lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", narrow.picture()).splitlines()
is_true("none of which is wider, either", max(len(line) for line in lines) <= 80, lines)
narrow.press("q")
os.waitpid(narrow.pid, 0)
screen.press("q")
_, status = os.waitpid(screen.pid, 0)
is_equal("q ends it", status, 0)
is_true("and the terminal is as it was", "\x1b[?1049l" in screen.read(), screen.text)

# ---- limen graph draws what the same limends have decided ----

drawn = subprocess.run([LIMEN, "graph", "--unix", first], capture_output=True, text=True)
boxes = dict(re.findall(r'label="([^\\"]*)\\n([^"]*)"', drawn.stdout))
count = 5 + 3 + 3 + 3 + 32
is_true("a graph with numbers", boxes["all"] == "require any\\n%d asked, %d matched" % (count, count) and
        boxes["few"] == "rate\\n%d asked, %d refused" % (count, count - 10), boxes)
is_true("unused rules are dashed", re.findall(r'label="([^\\"]*)[^\n]*dashed', drawn.stdout) == ["unused"], drawn.stdout)
is_true("of no one else", "asked" not in subprocess.run([LIMEN, "graph", "--policy", write("own.conf", POLICY)], capture_output=True,
                                                       text=True).stdout)
for options, why in ((("--unix", "nowhere"), "nowhere: No such file"), (("--unix", first, "conf.d"), "exclude each other"),
                     (("--unix", first, "--url", "http://127.0.0.1"), "exclude each other"),
                     (("--unix", first, "--ca-file", "x"), "go with --url")):
    found = subprocess.run([LIMEN, "graph", *options], capture_output=True, text=True)
    is_true("graph %s: status 2" % (options,), found.returncode == 2 and why in found.stderr, found)
daemon.end()
other.end()

# ---- what is no limend, or a bad one ----


def answer_with(body):
    """A server at a unix socket with one answer to everything."""
    Daemon.number += 1
    path = os.path.join(work, "s%d" % Daemon.number)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()

    def serve():
        while True:
            client = server.accept()[0]
            client.recv(65536)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body))
            client.close()

    threading.Thread(target=serve, daemon=True).start()
    return path


def run_at(command, body):
    return subprocess.run([LIMEN, command, "--unix", answer_with(body)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


for body in (b"", b"[]", b"nothing"):
    for command in ("graph", "top"):
        found = run_at(command, body)
        is_true("%s: %r" % (command, body), found.returncode == 2 and "the answer is not one of limend" in found.stderr, found)
for body in (b'{"limits": ["a"]}', b'{"classifiers": [{"members": [1]}]}', b'{"admission": {"a": {"members": [1, {}]}}}',
             b'{"application-list": {"x": {"apply": [{"limits": [3], "observing": [null]}]}}}'):
    is_equal("a graph of %s" % body.decode(), run_at("graph", body).returncode, 0)
worst = b'{"namespace": "n", "refused": 9223372036854775807, "errors": 9223372036854775807}'
found = run_at("top", b'{"namespaces": [%s, %s, {"namespace": "m", "refused": 1}]}' % (worst, worst))
is_true("sums have a bound", found.returncode == 0 and [row.split()[:2] for row in found.stdout.splitlines() if row[:1] in ("m", "n")] ==
        [["n", "9223372036854775807"], ["m", "1"]], found)
finish()
