# SPDX-License-Identifier: Apache-2.0
"""A policy that limend fetches decides as one of a file does, and may not say where modules are."""
from kit import *

QUESTION = request("POST", "/v1/decide", json.dumps(
    {"task": {"test": {"type": "idle", "spec": {}}}}).encode(), ["Content-Type: application/json"])
NAMING = dict(PASSING, modules=["more"])
REFUSED = "'modules' is taken only from files of this host's own policy"


def admits(daemon):
    answer = ask(daemon, QUESTION)
    return answer is not None and answer.json().get("admitted") is True


def check(policy):
    found = subprocess.run([LIMEND, "--check", "--policy", policy], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    return found.returncode, found.stdout


os.mkdir("more")
fetched = "file://" + write("fetched.json", PASSING)
naming = write("naming.json", NAMING)
is_equal("--check of one that is fetched", check(fetched)[0], 0)
is_equal("--check of a file that says where modules are", check(naming)[0], 0)
found = check("file://" + naming)
is_true("--check of one that is fetched and says so", found[0] == 2 and REFUSED in found[1], found)
found = check(write("holding.conf", "file://" + naming))
is_true("or whose URL is in a file", found[0] == 2 and REFUSED in found[1], found)
os.chmod(naming, 0o646)
found = check(naming)
is_true("or that every user may change", found[0] == 2 and
        "'modules' is not allowed here: every user may change " in found[1], found)
os.chmod(naming, 0o644)

daemon = Daemon("--policy", fetched, program=LIMEND, policy=None)
is_true("it decides by what it fetched", admits(daemon), ask(daemon, QUESTION))
write("fetched.json", NAMING)
daemon.signal(signal.SIGHUP)
is_true("a later one that says where modules are is refused", daemon.says(REFUSED), daemon.said())
is_true("and the one before stays", admits(daemon))
is_equal("it ends in order", daemon.end(), 0)

daemon = Daemon("--policy", "file://" + naming, program=LIMEND, policy=None)
is_true("without one before nothing is decided", daemon.says(REFUSED), daemon.said())
is_true("and nobody is let in", not daemon.urls or not admits(daemon))
finish()
