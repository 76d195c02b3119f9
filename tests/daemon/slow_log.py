# SPDX-License-Identifier: Apache-2.0
"""A decision log that is read slowly holds up no end, and one that may not grow ends nobody."""
import resource
import threading

from kit import *

QUESTIONS = request("POST", "/v1/decide/batch", json.dumps(
    [{"task": {"test": {"type": "rtt", "spec": {}}}}] * 1000).encode(),
    ["Content-Type: application/json"])
METRICS = request("GET", "/metrics")


def counted(daemon, result):
    line = r'limend_decision_log_lines_total\{result="%s"\} (\d+)' % result
    return int(re.search(line, ask(daemon, METRICS).body).group(1))


def catches(daemon, number):
    with open("/proc/%d/status" % daemon.process.pid) as file:
        mask = re.search(r"SigCgt:\s+([0-9a-f]+)", file.read()).group(1)
    return int(mask, 16) >> (number - 1) & 1 == 1


def trickle(pipe):
    """Takes a page a fifth of a second, until nobody writes any more."""
    with pipe:
        while pipe.read(4096):
            time.sleep(0.2)


def start_slow(name):
    """A daemon with megabytes of lines for a reader who will take minutes."""
    os.mkfifo(name)
    pipe = open(os.open(name, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0)
    os.set_blocking(pipe.fileno(), True)
    made = Daemon("--decision-log", os.path.join(work, name), program=LIMEND)
    is_equal("decisions are made", ask(made, QUESTIONS).status, 200)
    threading.Thread(target=trickle, args=(pipe,), daemon=True).start()
    for _ in range(7):
        ask(made, QUESTIONS)
    return made


daemon = start_slow("first")
is_equal("who reads slowly holds up no end", daemon.end(), 0)
is_true("what he did not take is told", re.search(r"the last \d+ lines are lost", daemon.said()),
        daemon.said())

daemon = start_slow("second")
daemon.signal(signal.SIGTERM)
is_true("once only the log is left", wait_for(lambda: not catches(daemon, signal.SIGTERM)))
daemon.signal(signal.SIGTERM)
is_equal("a second signal ends the daemon as it is", daemon.wait(), -signal.SIGTERM)

# ---- a file that may not grow ----


def bound_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


daemon = Daemon("--decision-log", os.path.join(work, "short"), program=LIMEND,
                preexec_fn=bound_files)
is_equal("decisions go on where files may not grow", ask(daemon, QUESTIONS).status, 200)
is_true("lines are lost", wait_for(lambda: counted(daemon, "lost") > 900))
is_equal("as many as are not written", counted(daemon, "written") + counted(daemon, "lost"), 1000)
with open("short") as file:
    is_equal("whole ones are", len(file.readlines()), counted(daemon, "written"))
is_equal("ends in order", daemon.end(), 0)
finish()
