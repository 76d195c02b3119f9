# SPDX-License-Identifier: Apache-2.0
"""Minutes of everything at once, run by "make soak": every answer is checked.

Clients that ask, by unix socket and TLS, on one connection and on a new one each
time; clients that are slow, broken or hostile; each second another version of the
policy, often a broken one before; each second second another certificate; SIGHUP.
SOAK_SECONDS says how long (60), SOAK_PLOT where to draw memory and descriptors (nowhere).
"""
import soak_plot
from traffic import *
from tls_kit import *

seconds = float(os.environ.get("SOAK_SECONDS", "60"))


def copy(source, target):
    for end in (".crt", ".key"):
        shutil.copy(source + end, target + end + ".new")
        os.rename(target + end + ".new", target + end)


make_authority("root")
make_certificate("first", "root")
make_certificate("second", "root")
make_certificate("client", "root", usage="clientAuth")
copy("first", "used")
shutil.copy("root.crt", "authorities.crt")
known = record(by_unix)
daemon = Daemon("--unix", "load.sock", "--tls-certificate", "used.crt", "--tls-key", "used.key",
                "--client-ca", "authorities.crt", "--max-body", "100000",
                "--decision-log", "decisions", "--metrics-top", "10", program=LIMEND,
                policy=VERSIONS["A"])
path = os.path.join(work, "policy%d.conf" % Daemon.number)
port = daemon.port


# ---- clients that do harm ----

def half_handshake():
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        time.sleep(0.05)


def no_tls():
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.recv(100)


def garbage():
    with by_unix("load.sock") as connection:
        connection.sendall(os.urandom(3000))


def cut_off():
    with by_unix("load.sock") as connection:
        connection.sendall(QUESTIONS["mutate"][:-7])


def too_large():
    with by_unix("load.sock") as connection:
        connection.sendall(request("POST", "/v1/decide", b"x" * 100001))
        connection.recv(100)


def endless():
    with by_unix("load.sock") as connection:
        connection.sendall(request("POST", "/v1/decide", None, ["Transfer-Encoding: chunked"]))
        for _ in range(100):
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")


def gone_before_the_answer():
    with by_unix("load.sock") as connection:
        connection.sendall(QUESTIONS["batch"] * 5)


def never_reads(kept=[]):
    """And trickles: shed after --client-timeout."""
    while len(kept) >= 20:
        kept.pop(0).close()
    kept.append(by_unix("load.sock"))
    kept[-1].sendall(b"POST /v1/decide HTTP/1.1\r\nHost: a\r\nX: ")
    for connection in kept:
        connection.send(b"x")


def figures():
    for target in ("/metrics", "/v1/policy", "/v1/buckets", "/readyz"):
        talk(by_unix("load.sock"), request("GET", target))


def hostile(stop, out):
    count = 0
    deeds = (half_handshake, no_tls, garbage, cut_off, too_large, endless, gone_before_the_answer,
             never_reads, figures)
    while not stop.is_set():
        for deed in deeds:
            try:
                deed()
            except OSError:
                pass
            count += 1
    out.send(count)


# ---- all of it ----

def fresh_tls():
    return by_tls(port, client_of(certificate="client"))


clients = [Client(lambda: by_unix("load.sock"), known), Client(fresh_tls, known),
           Client(lambda: by_unix("load.sock"), known, True), Client(fresh_tls, known, True)]
stop = processes.Event()
mine, theirs = processes.Pipe(False)
enemy = processes.Process(target=hostile, args=(stop, theirs))
enemy.daemon = True
enemy.start()

seen = []
late = []
began = time.monotonic()
number = 0
while time.monotonic() - began < seconds:
    number += 1
    wanted = "AB"[number % 2]
    if number % 3 == 0:
        write(path, "{ broken")
        time.sleep(0.2)
    if number % 2:
        copy("second" if number % 4 == 1 else "first", "used")
    if number % 5 == 0:
        os.rename("decisions", "decisions.old")
    write(path, VERSIONS[wanted])
    daemon.signal(signal.SIGHUP)
    if not wait_for(lambda: talk(by_unix("load.sock"), QUESTIONS["a task"]).body ==
                    known[wanted]["a task"]):
        late.append(number)
    seen.append(daemon.figures())
    time.sleep(max(0, began + number - time.monotonic()))
elapsed = time.monotonic() - began
found = [client.end() for client in clients]
stop.set()
deeds = mine.recv() if mine.poll(PATIENCE) else 0

metrics = talk(by_unix("load.sock"), request("GET", "/metrics")).body
lines = dict(re.findall(r'limend_decision_log_lines_total\{result="(\w+)"\} (\d+)', metrics))
answers = sum(one["answers"] for one in found)
warm = seen[min(len(seen) - 1, max(10, len(seen) // 5))]
print("# %.0f s, %d loads of the policy, %d answers (%.0f a second), %d hostile deeds" % (
    elapsed, number, answers, answers / elapsed, deeds))
print("# the slowest answer after %.3f s; lines of the decision log: %r" % (
    max(one["slowest"] for one in found), lines))
print("# descriptors, threads, KiB of memory: %r at first, %r when warm, %r most, %r at the end" % (
    seen[0], warm, tuple(max(column) for column in zip(*seen)), seen[-1]))
print("# KiB of memory in ten steps: %s" % " ".join(
    str(seen[len(seen) * step // 10][2]) for step in range(10)))
if os.environ.get("SOAK_PLOT"):
    soak_plot.draw(os.environ["SOAK_PLOT"], seen)
    print("# drawn as " + os.environ["SOAK_PLOT"])
is_equal("every version was in force soon", late, [])
is_equal("no answer failed or was of no version", sum((one["wrong"] for one in found), [])[:20], [])
is_true("there were answers of both to everybody", all(one["A"] > 5 and one["B"] > 5
                                                       for one in found), found)
is_true("and much that was hostile", deeds > 20, deeds)
is_equal("no line of the decision log was lost", lines.get("lost"), "0")
is_true("descriptors and threads go down again",
        wait_for(lambda: daemon.figures()[0] <= seen[0][0] + 8 and
                 daemon.figures()[1] <= warm[1] + 4), (seen[0], daemon.figures()))
if os.environ.get("SANITIZE_CFLAGS", "").strip():
    skip("memory stays", "AddressSanitizer keeps what was freed")
else:
    is_true("memory stays", seen[-1][2] < warm[2] * 1.2 + 8192, (warm, seen[-1]))
is_equal("it ends in order", daemon.end(), 0)
finish(by_status=True)
