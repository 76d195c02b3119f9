# SPDX-License-Identifier: Apache-2.0
"""Modules that never return: the log, the metrics and the probes say so, and SIGTERM ends limend."""
import threading

from kit import *

LONG = "PT600S"
QUESTION = request("POST", "/v1/decide", b'{"task": {"test": {"type": "rtt", "spec": {}}}}',
                   ["Content-Type: application/json"])
AGE = re.compile(r"a thread hangs: it has been busy with one request for \d+\.\d s, "
                 r"now in limit 'l' \(module limit/verdict\)")


def policy(**data):
    return dict(PASSING, limits=[{"name": "l", "type": "verdict", "data": {"verdict": "pass", **data}}],
                applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["l"]}]}])


def start(data, *options, **more):
    return Daemon("--timeout", "0.3", "--drain-timeout", "0.3", "--health-listen", "127.0.0.1:0",
                  *options, program=LIMEND, **{"policy": policy(**data), **more})


WAIT = re.compile(r"a decision hangs: it has waited for an answer of another system for \d+\.\d s, "
                  r"now in identifier 'w' \(module identifier/await\)")


def hang(daemon, count, line=AGE):
    """Sends one more question that is never answered, and waits until 'count' are logged."""
    connection = daemon.connect()
    connection.sendall(QUESTION)
    wait_for(lambda: len(line.findall(daemon.said())) == count)
    return connection


def probe(daemon, path):
    address = daemon.urls[1].rsplit(":", 1)
    with socket.create_connection(("127.0.0.1", int(address[1])), PATIENCE) as connection:
        connection.sendall(request("GET", path))
        return read_answer(connection)


def judge(daemon, name, live, ready, hung):
    is_equal("%s: /livez" % name, probe(daemon, "/livez").status, live)
    is_equal("%s: /readyz" % name, probe(daemon, "/readyz").status, ready)
    is_true("%s: limend_hung_threads" % name,
            "\nlimend_hung_threads %d\n" % hung in probe(daemon, "/metrics").body)


# It takes longest, so it goes first: it ends while the others run.
closing = start({"close-sleep": LONG})
closing.signal(signal.SIGTERM)

watched = {}
if with_systemd():
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind("manager.sock")
    watched = {"env": dict(os.environ, NOTIFY_SOCKET=os.path.join(work, "manager.sock"),
                           WATCHDOG_USEC="200000")}
    feeds = []


def count_feeds():
    """limend waits while the queue of the socket is full."""
    while True:
        feeds.append(manager.recv(256))


def is_fed():
    """Is the watchdog fed within a second from now on?"""
    before = feeds.count(b"WATCHDOG=1")
    return wait_for(lambda: feeds.count(b"WATCHDOG=1") > before, 1)


if watched:
    threading.Thread(target=count_feeds, daemon=True).start()
daemon = start({"sleep": LONG}, "--threads", "2", **watched)
judge(daemon, "no thread hangs", 200, 200, 0)
kept = [hang(daemon, 1)]
is_true("a module that hangs is logged with its entry and age", AGE.search(daemon.said()), daemon.said())
judge(daemon, "one of two threads hangs", 200, 503, 1)
is_true("the probe says so", "[-]threads failed: a thread hangs" in probe(daemon, "/readyz").body)
if watched:
    is_true("the watchdog of systemd is fed", is_fed())
kept.append(hang(daemon, 2))
judge(daemon, "both threads hang", 503, 503, 2)
is_true("the probe says that, too",
        "[-]threads failed: all threads that one peer may use hang" in probe(daemon, "/livez").body)
if watched:
    is_true("the watchdog of systemd is not fed", not is_fed())
else:
    time.sleep(1)
is_equal("each is logged once", len(AGE.findall(daemon.said())), 2)
is_equal("SIGTERM ends limend after the drain timeout", daemon.end(), 1)
is_true("and the log says what was cut off", "running decisions are cut off" in daemon.said(), daemon.said())

daemon = start({"sleep": LONG, "blocking": True}, "--workers", "3")
kept.append(hang(daemon, 1))
judge(daemon, "one of three workers hangs", 200, 200, 1)
kept.append(hang(daemon, 2))
judge(daemon, "all workers hang but the one that is for other peers", 503, 503, 2)
is_equal("SIGTERM ends that, too", daemon.end(), 1)

# The policy is replaced while a decision waits whose limit will hang: that takes a worker all the same.
daemon = Daemon("--threads", "1", "--timeout", "4", "--drain-timeout", "0.3", program=LIMEND,
                policy=dict(policy(sleep=LONG, blocking=True), identifiers=[
                    {"name": "w", "type": "await", "description": "", "data": {"delay": "PT1S"}},
                    *PASSING["identifiers"]]))
kept.append(daemon.connect())
kept[-1].sendall(QUESTION)
is_equal("others are answered while it waits", ask(daemon, request("GET", "/livez")).status, 200)
write("policy%d.conf" % daemon.number, PASSING)
is_true("the policy is replaced", daemon.says("the policy was loaded again"), daemon.said())
time.sleep(1.5)
is_equal("and when it hangs", getattr(ask(daemon, request("GET", "/livez")), "status", None), 200)
is_equal("SIGTERM ends that, too", daemon.end(), 1)

# The background thread hangs in a module, and no thread that answers requests does.
waiting = dict(PASSING, identifiers=[{"name": "w", "type": "await", "description": "",
                                      "data": {"delay": "PT0.01S", "sleep": LONG}},
                                     *PASSING["identifiers"]])
daemon = start({}, policy=waiting)
kept += [hang(daemon, 1, WAIT) for _ in range(2)]
is_true("a decision that hangs while it waits is logged with its entry and age", WAIT.search(daemon.said()),
        daemon.said())
judge(daemon, "decisions that wait hang", 200, 503, 0)
is_true("the probe says which", "[-]decisions failed: a decision that waits hangs" in probe(daemon, "/readyz").body)
is_true("limend_hung_decisions", wait_for(lambda: "\nlimend_hung_decisions 2\n" in probe(daemon, "/metrics").body))
is_equal("only the oldest is logged", len(WAIT.findall(daemon.said())), 1)
is_equal("SIGTERM ends that as well", daemon.end(), 1)

is_equal("a module that hangs while it is closed is cut off", closing.wait(), 1)
is_true("and the log says so", "something hangs at the end" in closing.said(), closing.said())
finish()
