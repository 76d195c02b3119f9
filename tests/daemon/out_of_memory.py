# SPDX-License-Identifier: Apache-2.0
"""GLib ends the process that gets no memory: nobody is told anything wrong, and the next one serves."""
import resource

from kit import *
from units import read_unit

if os.environ.get("SANITIZE_CFLAGS", "").strip():
    print("1..0 # SKIP sanitizers reserve more memory than may be had")
    sys.exit(0)

UNIT = os.path.join(os.environ["LIMEN_BUILDDIR"], "deploy/systemd/limend.service")


def questions(count):
    return request("POST", "/v1/decide/batch", json.dumps(
        [{"task": {"test": {"type": "rtt", "spec": {}}}}] * count).encode(),
        ["Content-Type: application/json"])


def size(daemon):
    with open("/proc/%d/statm" % daemon.process.pid) as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def is_right(answer):
    """Admitted, as all are, or no decision at all."""
    if answer is None or answer.status >= 500:
        return True
    return answer.status == 200 and all(
        one["code"] in (200, 500) and one["admitted"] == (one["code"] == 200)
        for one in answer.json())


def start():
    # What other arenas of malloc() reserve counts as taken.
    return Daemon(program=LIMEND, env=dict(os.environ, MALLOC_ARENA_MAX="1"))


def starve(daemon, more):
    """Asks for more and more while there is so much more memory than now; the answers."""
    most = size(daemon) + more
    resource.prlimit(daemon.process.pid, resource.RLIMIT_AS, (most, most))
    found = []
    for count in range(100, 1000, 50):
        try:
            found.append(ask(daemon, questions(count)))
        except OSError:
            found.append(None)
    return found


def is_gone(daemon):
    return daemon.process.poll() is not None


# How much is enough to begin an answer, and too little to end it, is for malloc() to say.
answers = []
for more in (1 << 18, 1 << 19, 1 << 17, 1 << 20, 1 << 16):
    daemon = start()
    good = ask(daemon, questions(1)).status == 200
    answers += starve(daemon, more)
    if wait_for(lambda: is_gone(daemon), 1):
        break
    daemon.signal(signal.SIGKILL)
is_true("limend decides", good)
is_true("without memory nobody is told anything wrong", all(map(is_right, answers)), answers)
is_equal("until the process ends, which is no answer", answers[-1], None)
# GLib needs memory for its message, and malloc() of glibc 2.36 at times crashes when there is none.
crashed = daemon.wait() == -signal.SIGSEGV
is_true("by a signal", crashed or daemon.wait() in (-signal.SIGTRAP, -signal.SIGABRT), daemon.wait())
is_true("after GLib has said why", crashed or "failed to allocate" in daemon.said(), daemon.said())

unit = read_unit(UNIT)
is_true("the service manager starts it again then",
        unit["Restart"][-1] in ("on-failure", "on-abnormal", "on-abort", "always"))
is_true("whatever signal it was",
        "RestartPreventExitStatus" not in unit and "SuccessExitStatus" not in unit)
daemon = start()
is_equal("and it decides", ask(daemon, questions(1)).status, 200)
is_equal("until it is told to end", daemon.end(), 0)
finish()
