# SPDX-License-Identifier: Apache-2.0
"""A policy at a URL is fetched again and again, and loaded again when it is another one."""
from policy_server import *

AGAIN = "the policy was loaded again"
BACK = "the policy can be fetched again, and is as it was"
server = PolicyServer(policy=PASSING)
url = server.url("policy")
daemon = Daemon("--policy", url, "--policy-refresh=1", program=LIMEND, policy=None)
is_equal("it decides by what it has fetched", admits(daemon), True)
is_true("it asks again", server.is_asked("policy", 3), daemon.said())
is_equal("what is as it was is not loaded again", loads(daemon), (1, 0))
is_true("nor told", AGAIN not in daemon.said() and BACK not in daemon.said(), daemon.said())
server.pages["policy"] = REFUSING
is_true("another policy comes into force", comes_to(daemon, False), daemon.said())
is_true("which is told", daemon.says(AGAIN), daemon.said())
is_equal("and loaded once", loads(daemon), (2, 0))

# ---- what fails ----

for name, broken, reason in (("a server that answers otherwise", 503, "Status 503"),
                             ("another answer", 404, "Status 404"),
                             ("what may be a part", b"schema: 4\n", "how long it is"),
                             ("no policy", "neither", "/policy:1:1"),
                             ("a policy with faults", dict(PASSING, schema=99), "At /schema")):
    failed = loads(daemon)[1]
    server.pages["policy"] = broken
    is_true(name + " is told", daemon.says(reason), daemon.said())
    is_true("and asked again", server.is_asked("policy", 3))
    is_true("which is counted", wait_for(lambda: loads(daemon)[1] >= failed + 3), loads(daemon))
    is_equal("but told once", daemon.said().count(reason), 1)
    is_equal("the policy stays", admits(daemon), False)
# Loaded, as the engine was given another one meanwhile.
server.pages["policy"] = REFUSING
is_true("once all is well no load fails",
        wait_for(lambda: loads(daemon)[0] - loads(daemon)[1] == 3), daemon.said())
failed = loads(daemon)
server.pages["policy"] = 503
wait_for(lambda: loads(daemon)[1] > failed[1])
server.pages["policy"] = REFUSING
is_true("and if nothing could be fetched, it is told that it can be", daemon.says(BACK),
        daemon.said())
is_equal("no more is loaded", loads(daemon)[0] - loads(daemon)[1], 3)
server.pages["policy"] = PASSING
is_true("what comes then counts", comes_to(daemon, True), daemon.said())

# ---- the end, while a server says nothing ----

server.asked.clear()
server.pages["policy"] = forever = threading.Event()
is_true("a server is asked that says nothing", server.is_asked("policy", 1))
is_equal("the end does not wait for it", daemon.end(), 0)
is_true("nor is anything given up", "given up" not in daemon.said(), daemon.said())
forever.set()

# ---- a server that is not there, which takes another time each time ----

gone = socket.create_server(("127.0.0.1", 0))
nowhere = "http://127.0.0.1:%d/" % gone.getsockname()[1]
gone.close()
server.pages["policy"] = PASSING
path = write("url.conf", url)
daemon = Daemon("--policy", path, "--policy-refresh=1", program=LIMEND, policy=None)
write("url.conf", nowhere)
is_true("a server that is not there is told", daemon.says("the URL is " + nowhere), daemon.said())
is_true("and is asked again", wait_for(lambda: loads(daemon)[1] >= 4), loads(daemon))
is_equal("which is told once",
         daemon.said().count("the URL is " + nowhere), 1)
is_equal("the policy stays, too", admits(daemon), True)
server.pages["policy"] = REFUSING
write("url.conf", url)
is_true("until the file has a URL of one that is there", comes_to(daemon, False), daemon.said())
server.pages["policy"] = PASSING
is_true("which is asked again as well", comes_to(daemon, True), daemon.said())
is_equal("it ends in order", daemon.end(), 0)

# ---- only when asked to ----

server.asked.clear()
daemon = Daemon("--policy", url, "--policy-refresh=0", program=LIMEND, policy=None)
server.pages["policy"] = REFUSING
daemon.signal(signal.SIGHUP)
is_true("without a refresh SIGHUP fetches", comes_to(daemon, False), daemon.said())
is_equal("and nothing else does", server.asked["policy"], 2)
is_equal("and it ends", daemon.end(), 0)
finish()
