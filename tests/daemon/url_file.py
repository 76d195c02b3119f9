# SPDX-License-Identifier: Apache-2.0
"""A file of a policy that holds a URL, or comes to hold one, is loaded again when it changes."""
from policy_server import *

server = PolicyServer(good=PASSING, strict=REFUSING, odd="no policy")
path = write("url.conf", server.url("good") + "\n")
daemon = Daemon("--policy", path, program=LIMEND, policy=None)
is_equal("it decides by what its URL leads to", admits(daemon), True)
write("url.conf", REFUSING)
is_true("a policy in its place comes into force", comes_to(daemon, False), daemon.said())
write("url.conf", PASSING)
is_true("so does another one", comes_to(daemon, True), daemon.said())
write("url.conf", server.url("strict"))
is_true("a URL in the place of a policy, too", comes_to(daemon, False), daemon.said())
is_true("which nobody takes for a policy", STAYS not in daemon.said(), daemon.said())
# The same file this time, which is never empty.
with open(path, "r+") as file:
    file.write(server.url("good").ljust(len(server.url("strict"))))
is_true("and another URL", comes_to(daemon, True), daemon.said())
is_equal("each is asked for once", (server.asked["good"], server.asked["strict"]), (2, 1))
is_equal("and no load has failed", loads(daemon)[1], 0)

# ---- what cannot be loaded ----

for name, broken, reason in (
        ("a URL that leads nowhere", server.url("absent"), "Status 404"),
        ("one that leads to no policy", server.url("odd"), "/odd:1"),
        ("a policy with faults", dict(PASSING, schema=99), "At /schema")):
    failed = loads(daemon)[1]
    write("url.conf", broken)
    is_true(name + " is told", daemon.says(reason), daemon.said())
    is_true("and leaves what is in force", admits(daemon), daemon.said())
    is_equal("as it has failed once", loads(daemon)[1], failed + 1)
    write("url.conf", server.url("strict"))
    is_true("from there it goes on to a URL", comes_to(daemon, False), daemon.said())
    write("url.conf", broken)
    is_true("and back, which fails again",
            wait_for(lambda: loads(daemon)[1] == failed + 2), daemon.said())
    write("url.conf", PASSING)
    is_true("and on to a policy", comes_to(daemon, True), daemon.said())

write("url.conf", server.url("strict"))
comes_to(daemon, False)
failed = loads(daemon)[1]
os.remove(path)
is_true("without the file a load fails", wait_for(lambda: loads(daemon)[1] > failed),
        daemon.said())
is_true("which is told", daemon.says("url.conf: Unable to read input: No such file"), daemon.said())
is_equal("what it led to stays in force", admits(daemon), False)
write("url.conf", server.url("good"))
is_true("until there is one again", comes_to(daemon, True), daemon.said())

# ---- a link further up, as a volume of Kubernetes has it ----

for name, content in (("a", server.url("strict")), ("b", PASSING)):
    os.mkdir(name)
    write(name + "/held.conf", content)
os.symlink("a", "data")
os.symlink("data/held.conf", "held.conf")
is_equal("it ends in order", daemon.end(), 0)
daemon = Daemon("--policy", os.path.join(work, "held.conf"), program=LIMEND, policy=None)
is_equal("a link is followed", admits(daemon), False)
os.symlink("b", "next")
os.rename("next", "data")
is_true("and so is one that leads elsewhere", comes_to(daemon, True), daemon.said())
is_equal("and it ends", daemon.end(), 0)
finish()
