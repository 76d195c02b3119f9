# SPDX-License-Identifier: Apache-2.0
"""Where no thread can be had a reload fails, and all else goes on.

The stack of a new thread is larger than the memory that may be had, which is plenty for
everything else.  (A bound of threads, RLIMIT_NPROC, does not hold for root.)
"""
import resource

from policy_server import *

if os.environ.get("SANITIZE_CFLAGS", "").strip() or "LIMEND_LAB" in os.environ:
    print("1..0 # SKIP what watches limend needs memory of its own for a thread")
    sys.exit(0)

# glibc keeps stacks of threads that have ended for others, 40 MiB at most.
STACK = 64 << 20
ROOM = STACK // 2
NONE = resource.RLIM_INFINITY
AGAIN = "the policy was loaded again"
most = resource.getrlimit(resource.RLIMIT_STACK)[1]


def limit_memory(daemon, more):
    with open("/proc/%d/statm" % daemon.process.pid) as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    bound = NONE if more is None else now + more
    resource.prlimit(daemon.process.pid, resource.RLIMIT_AS, (bound, NONE))


def told(notices, text):
    while True:
        found = notices.recv(1000).decode()
        if text in found:
            return True


if most != NONE and most < STACK:
    print("1..0 # SKIP stacks may not be large")
    sys.exit(0)
if resource.getrlimit(resource.RLIMIT_AS)[1] != NONE:
    print("1..0 # SKIP memory is bounded already")
    sys.exit(0)

notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind("notify")
notices.settimeout(PATIENCE)
daemon = Daemon("--threads", "1", "--workers", "1", program=LIMEND, env=dict(
    os.environ, NOTIFY_SOCKET=os.path.join(work, "notify"), MALLOC_ARENA_MAX="1"),
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK, most)))
is_equal("it decides", ask(daemon, QUESTION).status, 200)
limit_memory(daemon, ROOM)
daemon.signal(signal.SIGHUP)
is_true("where no thread can be had the policy is not loaded again",
        daemon.says("the policy cannot be loaded: threads cannot be created: "), daemon.said())
is_true("which is told once, with the reason", daemon.said().count("threads cannot be created") == 1 and
        "Resource temporarily unavailable" in daemon.said(), daemon.said())
is_equal("and counted", loads(daemon), (2, 1))
is_equal("it decides as before", ask(daemon, QUESTION).status, 200)
if with_systemd():
    is_true("the service manager is told that it reloads", told(notices, "RELOADING=1"))
    is_true("and that this is over", told(notices, "READY=1"))
else:
    skip("the service manager is told", "built without systemd")
limit_memory(daemon, None)
daemon.signal(signal.SIGHUP)
is_true("once there are threads it is loaded again", daemon.says(AGAIN), daemon.said())
is_equal("it ends in order", daemon.end(), 0)
finish()
