# SPDX-License-Identifier: Apache-2.0
"""A policy in files that could not be loaded is tried again, though no file changes."""
import resource

from policy_server import *

SHORT = "Too many open files"
server = PolicyServer(policy=PASSING)


def limit_files(daemon, most):
    """With None as many as before.  What is open stays so."""
    hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)[1]
    resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE,
                     (hard if most is None else most, hard))


def spell(policy):
    return policy if isinstance(policy, str) else json.dumps(policy)


# ---- a policy with a fault ----

path = write("policy.json", spell(PASSING))
daemon = Daemon("--policy", path, "--policy-refresh=1", program=LIMEND, policy=None)
is_equal("it decides by what it has read", admits(daemon), True)
write("policy.json", spell(dict(PASSING, schema=99)))
is_true("a policy with a fault is told", daemon.says("At /schema"), daemon.said())
is_true("and tried again", wait_for(lambda: loads(daemon)[1] >= 4), loads(daemon))
is_equal("which is told once", daemon.said().count("At /schema"), 1)
is_equal("the policy stays", admits(daemon), True)
write("policy.json", spell(REFUSING))
is_true("once it is mended it counts", comes_to(daemon, False), daemon.said())
good = loads(daemon)
time.sleep(2.5)
is_equal("and is not tried again any more", loads(daemon), good)

# ---- no descriptors ----

for name, policy, passes in (("a file that cannot be opened", PASSING, True),
                             ("a file with a URL that cannot be opened", server.url("policy"),
                              False)):
    server.pages["policy"] = REFUSING
    before = daemon.said().count(SHORT)
    limit_files(daemon, 0)
    write("policy.json", spell(policy))
    is_true(name + " is told", wait_for(lambda: daemon.said().count(SHORT) > before),
            daemon.said())
    time.sleep(1.5)
    limit_files(daemon, None)
    is_true(name + " is read when it can be", comes_to(daemon, passes), daemon.said())
    is_equal(name + " is told once", daemon.said().count(SHORT), before + 1)
server.pages["policy"] = PASSING
is_true("what is at the URL is fetched from then on", comes_to(daemon, True), daemon.said())
is_equal("it ends in order", daemon.end(), 0)

# ---- only when asked to ----

write("policy.json", spell(PASSING))
daemon = Daemon("--policy", path, "--policy-refresh=0", program=LIMEND, policy=None)
write("policy.json", spell(dict(PASSING, schema=99)))
is_true("without a refresh it is told", daemon.says("At /schema"), daemon.said())
time.sleep(2.5)
is_equal("and not tried again", loads(daemon), (2, 1))
is_equal("and it ends", daemon.end(), 0)
finish()
