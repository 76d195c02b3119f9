# SPDX-License-Identifier: Apache-2.0
"""What quotas have used survives a kill, and a file of --state that is torn is set aside."""
from kit import *

POLICY = """{"schema": 4,
 "identifiers": [{"name": "i", "type": "always"}],
 "limits": [
  {"name": "year", "type": "rate", "data": {"rate": "5/year", "key": ["hint:user"]}},
  {"name": "long", "type": "rate",
   "data": {"rate": "9/P400D", "window": "fixed", "key": ["hint:user"]}},
  {"name": "hour", "type": "rate", "data": {"rate": "50/h", "key": ["hint:user"]}}],
 "applications": [{"identifier": "i", "apply": ["year", "long", "hour"]}]}"""
LIMEND = os.path.join(os.environ["LIMEN_BUILDDIR"], "limend")
STATE = os.path.join(work, "state")
SOCKET = os.path.join(work, "state.sock")
USER = "a \u00e9\n%41" + 90 * "x"
WARNING = "a restart forgets what was used: name --state FILE"


def start(state=True):
    options = ("--state", STATE) if state else ()
    return Daemon("--unix", SOCKET, *options, program=LIMEND, policy=POLICY, listen=False)


def admitted(count, user=USER):
    """How many of 'count' requests are admitted."""
    question = json.dumps({"task": {}, "hints": {"user": user}})
    lines = write("lines", count * (question + "\n"))
    found = subprocess.run(
        ["curl", "-sS", "--unix-socket", SOCKET, "-H", "Content-Type: application/x-ndjson",
         "--data-binary", "@" + lines, "http://localhost/v1/decide/batch"],
        capture_output=True, text=True, timeout=PATIENCE)
    return found.stdout.count('"admitted":true')


def written():
    if not os.path.exists(STATE):
        return []
    with open(STATE) as file:
        return file.read().splitlines()[1:]


daemon = start()
is_true("a start without a file says nothing of it", ".bad" not in daemon.said())
is_true("quotas are kept, so nothing is forgotten", WARNING not in daemon.said())
is_equal("three of a user", admitted(3), 3)
is_equal("one of another", admitted(1, "other"), 1)
daemon.signal(signal.SIGHUP)
is_true("SIGHUP writes both quotas of both", wait_for(lambda: len(written()) == 4), written())
is_equal("nobody else reads the file", os.stat(STATE).st_mode & 0o777, 0o600)
rival = subprocess.run([LIMEND, "--policy", write("rival.conf", POLICY), "--unix",
                        os.path.join(work, "rival.sock"), "--state", STATE],
                       capture_output=True, text=True, timeout=PATIENCE)
is_true("a second limend does not start with it", rival.returncode == 2 and
        "--state: another process uses %s" % STATE in rival.stderr, rival.stderr)
daemon.process.kill()
daemon.wait()

daemon = start()
is_true("after a kill it is restored", daemon.says("the use of 4 quotas was restored"))
is_equal("the user has two left", admitted(4), 2)
is_equal("it ends in order", daemon.end(), 0)
daemon = start()
is_equal("the end wrote what was used since", admitted(2), 0)
is_equal("the other has four left", admitted(6, "other"), 4)
is_equal("it ends again", daemon.end(), 0)

for name, text in (("torn", "\n".join(open(STATE).read().splitlines()[:-1])), ("foreign", "{}"),
                   ("empty", "")):
    write(STATE, text)
    daemon = start()
    lost = "all quotas begin with nothing used%s; the file is now " % (
        ", and the use of 3 is lost" if name == "torn" else "")
    is_true("a file that is %s is an error" % name, lost in daemon.said() and
            STATE + ".bad" in daemon.said(), daemon.said())
    with open(STATE + ".bad") as file:
        is_equal("which is kept, " + name, file.read(), text)
    is_equal("and all begins anew, " + name, admitted(6), 5)
    is_equal("it ends in order, " + name, daemon.end(), 0)

os.unlink(STATE)
os.mkdir(STATE)
daemon = start()
is_true("a directory is no file", daemon.wait() == 2 and "--state: " in daemon.said(), daemon.said())
daemon = start(state=False)
is_true("without --state a warning", WARNING in daemon.said(), daemon.said())
is_equal("it ends in order at last", daemon.end(), 0)

daemon = Daemon("--unix", SOCKET, program=LIMEND, policy=POLICY.replace("5/year", "5/h").replace(
    "P400D", "PT1H"), listen=False)
is_true("without quotas none", WARNING not in daemon.said(), daemon.said())
for number in (5, 6):
    write("policy%d.conf" % Daemon.number, POLICY.replace("5/year", "%d/year" % number))
    daemon.signal(signal.SIGHUP)
    is_true("a load brings quotas, %d" % number, wait_for(
        lambda: daemon.said().count("the policy was loaded again") >= number - 4))
is_equal("the first of them warns", daemon.said().count(WARNING), 1)
is_equal("it ends in order after all", daemon.end(), 0)
finish()
