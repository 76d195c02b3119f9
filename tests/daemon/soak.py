# SPDX-License-Identifier: Apache-2.0
"""Minutes of everything at once, run by "make soak": every answer is checked.

Clients that ask, by unix socket and TLS, on one connection and on a new one each
time; clients that are slow, broken or hostile; each second another version of the
policy, often a broken one before; each second second another certificate; SIGHUP;
and all that fails around limend (faults.py).
What has to be answered is said by an engine without a daemon (tests/python/answers.py).
SOAK_SECONDS says how long (60), SOAK_PLOT where to draw it (nowhere).
"""
import soak_plot
from faults import FAULTS, SLEEP, Faults, with_faults
from harm import hostile
from soak_report import *
from tls_kit import *

seconds = float(os.environ.get("SOAK_SECONDS", "60"))


def copy(source, target):
    for end in (".crt", ".key"):
        shutil.copy(source + end, target + end + ".new")
        os.rename(target + end + ".new", target + end)


def ask_engine():
    """The forms that the answers may have."""
    questions = {name: (path, sent, bool(BUCKETS[name]))
                 for name, (path, sent) in ALL.items()}
    script = os.path.join(os.environ["LIMEN_SRCDIR"], "tests/python/answers.sh")
    done = subprocess.run(["sh", script], check=True, text=True, stdout=subprocess.PIPE,
                          input=json.dumps({"policies": VERSIONS, "questions": questions}))
    if done.stdout.startswith("1..0"):
        print(done.stdout, end="")
        sys.exit(0)
    return json.loads(done.stdout)


POLICIES = {letter: with_faults(version) for letter, version in VERSIONS.items()}
known = ask_engine()
check_known(known)
is_equal("the engine refuses events for their rate", sorted(
    name for name, forms in known["A"].items() if len(forms) == 2),
    sorted(name for name in BUCKETS if BUCKETS[name]))
judge = Judge(known)
make_authority("root")
make_certificate("first", "root")
make_certificate("second", "root")
make_certificate("client", "root", usage="clientAuth")
copy("first", "used")
shutil.copy("root.crt", "authorities.crt")
daemon = Daemon("--unix", "load.sock", "--tls-certificate", "used.crt", "--tls-key", "used.key",
                "--client-ca", "authorities.crt", "--max-body", "100000",
                "--decision-log", "decisions", "--metrics-top", "10", program=LIMEND,
                policy=POLICIES["A"])
if not is_true("limend listens", daemon.urls, daemon.said()):
    finish(by_status=True)
path = os.path.join(work, "policy%d.conf" % Daemon.number)
port = daemon.port


def fresh_tls():
    return by_tls(port, client_of(certificate="client"))


def has(letter):
    """Is this the version in force?  Not if nobody answers."""
    try:
        answer = talk(by_unix("load.sock"), QUESTIONS["a task"])
    except OSError:
        return False
    return answer is not None and judge.judge("a task", answer.body).letters == {letter}


def runs():
    return daemon.process.poll() is None


def load(number):
    """Puts the next version in force; does it come into force?"""
    if number % 3 == 0:
        write(path, "{ broken")
        time.sleep(0.2)
    if number % 2:
        copy("second" if number % 4 == 1 else "first", "used")
    if number % 5 == 0:
        os.rename("decisions", "decisions.old")
    in_force.value = 0
    write(path, POLICIES["AB"[number % 2]])
    daemon.signal(signal.SIGHUP)
    if not wait_for(lambda: not runs() or has("AB"[number % 2])) or not runs():
        return False
    in_force.value = 1 + number
    return True


in_force = processes.Value("l", 1, lock=False)
clients = [Client(lambda: by_unix("load.sock"), judge, False, in_force),
           Client(fresh_tls, judge, False, in_force),
           Client(lambda: by_unix("load.sock"), judge, True, in_force),
           Client(fresh_tls, judge, True, in_force)]
stop = processes.Event()
mine, theirs = processes.Pipe(False)
enemy = processes.Process(target=hostile, args=(port, stop, theirs))
enemy.daemon = True
enemy.start()
faults = Faults(port)

seen = []
late = []
began = time.monotonic()
number = 0
while time.monotonic() - began < seconds and runs():
    number += 1
    if not load(number):
        late.append(number)
    if runs():
        seen.append(Sample(time.monotonic() - began, sum(one.asked.value for one in clients),
                           *daemon.figures()))
    time.sleep(max(0, began + number - time.monotonic()))
alive = runs()
elapsed = time.monotonic() - began
found = Found([client.end() for client in clients], elapsed, number, seen)
stop.set()
faulty = faults.end()
found.lost += faulty.pop("lost")
found.wrong += faulty.pop("wrong")
found.faults = faulty
found.deeds = mine.recv() if mine.poll(PATIENCE) else 0
if alive:
    found.read_metrics(talk(by_unix("load.sock"), request("GET", "/metrics")).body)

is_true("limend ran to the end", alive, daemon.said()[-2000:])
is_equal("every fault had its answers", {one.split()[0] for one in faulty}, set(FAULTS))
if elapsed > 2 * SLEEP:
    is_true("what hung was logged", "a thread hangs" in daemon.said())
is_equal("every version was in force soon", late[:20], [])
found.check()
if alive:
    is_true("descriptors and threads go down again", wait_for(
        lambda: daemon.figures()[0] <= seen[0].descriptors + 8 and
        daemon.figures()[1] <= found.warm.threads + 4), (seen[0], daemon.figures()))
if os.environ.get("SANITIZE_CFLAGS", "").strip():
    skip("memory stays", "AddressSanitizer keeps what was freed")
elif seen:
    is_true("memory stays", seen[-1].memory < found.warm.memory * 1.2 + 8192,
            (found.warm, seen[-1]))
is_equal("it ends in order", daemon.end(), 0)
print("\n" + found.table() + "\n", flush=True)
if os.environ.get("SOAK_PLOT") and seen:
    soak_plot.draw(os.environ["SOAK_PLOT"], seen, found.titles())
    print("# drawn as " + os.environ["SOAK_PLOT"])
finish(by_status=True)
