# SPDX-License-Identifier: Apache-2.0
"""The life of the daemon: start, sockets, reload, overload, slow clients, end."""
import re
import select
import socket
import stat
import threading

from kit import *

echo = request("POST", "/echo", b"hello")

# ---- what it does not start with ----

for name, options, status, words in (
        ("an unknown option", ["--polic", "x"], 2, "did you mean --policy"),
        ("an argument", ["limits.conf"], 2, "unexpected argument"),
        ("a number out of range", ["--threads", "0"], 2, "--threads takes a number from 1 to 256"),
        ("no number", ["--queue", "many"], 2, "--queue takes a number from 0 to 1000000, not 'many'"),
        ("far too high a number", ["--max-body", "9" * 30], 2,
         "--max-body takes a number from 1024 to 1073741824, not '9999"),
        ("an octal number", ["--max-body=010000"], 2, "--max-body takes a number from 1024 to "
         "1073741824, not '010000'"),
        ("a hexadecimal number", ["--max-url", "0x1000"], 2, "not '0x1000'"),
        ("blanks before a number", ["--queue", " 5"], 2, "not ' 5'"),
        ("a hexadecimal time", ["--timeout", "0x10"], 2, "not '0x10'"),
        ("a time in octal digits, out of range", ["--timeout=00100000"], 2, "not '00100000'"),
        ("a number without a text", ["--workers="], 2, "not ''"),
        ("a number given twice", ["--workers=5", "--workers=05"], 2,
         "--workers takes one value, not '5' and '05'"),
        ("too short URLs", ["--max-url", "1023"], 2,
         "--max-url takes a number from 1024 to 1048576, not '1023'"),
        ("no time", ["--timeout", "0"], 2,
         "--timeout takes seconds from 0.01 to 86400 or a duration such as 5s, not '0'"),
        ("a time with a wrong unit", ["--timeout=3x"], 2,
         "--timeout takes seconds from 0.01 to 86400 or a duration such as 5s, not '3x'"),
        ("a duration of ISO 8601 that is too long", ["--timeout=P2D"], 2,
         "--timeout takes seconds from 0.01 to 86400 or a duration such as 5s, not 'P2D'"),
        ("a short duration that is too long", ["--timeout", "1000h"], 2, "not '1000h'"),
        ("no number at all", ["--drain-timeout", "nan"], 2, "--drain-timeout takes seconds"),
        ("a time below 0", ["--policy-refresh=-1"], 2,
         "--policy-refresh takes seconds from 0 to 86400 or a duration such as 5s, not '-1'"),
        ("no share", ["--decision-log-sample", "2"], 2,
         "--decision-log-sample takes a share from 0 to 1, not '2'"),
        ("more namespaces than /metrics counts", ["--metrics-namespaces", "10001"], 2,
         "--metrics-namespaces takes a number from 0 to 10000, not '10001'"),
        ("more keys than /metrics shows", ["--metrics-top", "101"], 2,
         "--metrics-top takes a number from 0 to 100, not '101'"),
        ("no name of a namespace", ["--namespace", "A_B c"], 2, "--namespace takes"),
        ("a namespace without a name", ["--namespace="], 2, "--namespace takes"),
        ("too long a name", ["--namespace", "n" * 64], 2, "63 at most"),
        ("a decision log without a name", ["--decision-log="], 2, "--decision-log takes a file"),
        ("parts of no decision log", ["--decision-log-redact", "user", "--recent", "0"], 2,
         "--decision-log-redact needs --decision-log"),
        ("documents of none", ["--decision-log-documents"], 2,
         "--decision-log-documents needs --decision-log"),
        ("a share of none", ["--decision-log-sample", "0.5"], 2,
         "--decision-log-sample needs --decision-log"),
        ("messages of some sort", ["--messages", "long"], 2,
         "--messages takes full or short, not 'long'"),
        ("messages of no sort", ["--messages="], 2, "--messages takes full or short, not ''"),
        ("a certificate without its key", ["--tls-certificate", "x"], 2, "go together"),
        ("authorities without TLS", ["--client-ca", "x"], 2, "needs --tls-certificate"),
        ("no network", ["--trust-hints-from", "10.0.0.0/33"], 2, "--trust-hints-from takes"),
        ("a network with host bits", ["--trust-hints-from", "10.0.0.1/8"], 2,
         "10.0.0.1/8 has host bits set; the network is 10.0.0.0/8,"),
        ("one of IPv6", ["--trust-hints-from", "2001:db8::1/32"], 2, "the network is 2001:db8::/32,"),
        ("an address without a port", ["--listen", "127.0.0.1"], 2, "use ADDRESS:PORT"),
        ("IPv6 without brackets", ["--listen", "::1:8080"], 2, "use ADDRESS:PORT"),
        ("a name", ["--listen", "example.org:0"], 2, "use ADDRESS:PORT"),
        ("a unix socket without a path", ["--unix", ""], 2, "needs a path"),
        ("too high a port", ["--listen", "127.0.0.1:65536"], 2, "use ADDRESS:PORT"),
        ("other machines without TLS", ["--listen", "0.0.0.0:0"], 2, "--no-tls"),
        ("an address of nobody here", ["--listen", "192.0.2.1:0"], 2, "cannot listen on"),
        ("two policies", ["--without-policy"], 2, "exclude each other")):
    daemon = Daemon(*options, listen=False)
    is_equal("%s: the exit status" % name, daemon.wait(), status)
    is_true("%s: it says so" % name, words in daemon.said(), daemon.said())

found = subprocess.run([LIMEND, "--help"], capture_output=True, text=True)
is_true("--help", found.returncode == 0 and "--drain-timeout=SECONDS" in found.stdout, found)
found_help = found.stdout
found = subprocess.run([LIMEND, "--version"], capture_output=True, text=True)
is_true("--version", found.returncode == 0 and found.stdout.startswith("limend "), found)

broken = dict(PASSING, identifiers=[
    {"name": "a", "description": "", "type": "nosuch", "data": {}},
    {"name": "b", "description": "", "type": "hint", "data": {}}])
daemon = Daemon(policy=broken)
is_equal("a policy with faults", daemon.wait(), 2)
is_true("all of them are told", "Unable to load a module: At /identifiers/0" in daemon.said() and
        "/identifiers/1" in daemon.said(), daemon.said())
daemon = Daemon("--policy", "/no/such/policy", policy=None)
is_equal("a policy that is not there", daemon.wait(), 2)
is_equal("is told as limen tells it", daemon.said().strip(),
         "Unable to read input: /no/such/policy: No such file or directory")


# ---- what can be told without starting ----


def check(*options):
    found = subprocess.run([LIMEND, "--check", *options], capture_output=True, text=True,
                           timeout=PATIENCE)
    return found.returncode, found.stdout + found.stderr


good = write("good.conf", PASSING)
VALID = "the policy %s is valid: 1 file, 1 identifier, 1 classifier, 1 application\n" % good
is_equal("--check says what the policy has", check("--policy", good), (0, VALID))
is_equal("--check without a policy", check("--without-policy"), (0, ""))
is_equal("--check of a namespace", check("--policy", good, "--namespace", "team-7"), (0, VALID))
is_equal("--check of none", check("--policy", good, "--namespace", "-")[0], 2)
daemon = Daemon("--unix", "checked.sock", listen=False, program=LIMEND)
is_equal("--check of a policy, beside a daemon that runs",
         check("--policy", good, "--unix", "checked.sock"), (0, VALID))
is_true("leaves that alone", os.path.exists("checked.sock"))
daemon.end()
found = check("--policy", write("broken.conf", broken))
is_true("--check of a broken one", found[0] == 2 and "At /identifiers/0" in found[1] and
        "At /identifiers/1" in found[1], found)
os.environ.pop("LIMEN_POLICY", None)
installed = re.search(r"\(default: (/[^)]*)\)", found_help).group(1)
if os.path.exists(installed):
    skip("no policy named and none installed", "%s is there" % installed)
else:
    found = check()
    is_true("no policy named and none installed: what to do is said", found[0] == 2 and
            installed in found[1] and "hint: name a policy with --policy" in found[1], found)
found = check("--policy", good, "--tls-certificate", "no.crt", "--tls-key", "no.key")
is_true("--check of a certificate", found[0] == 2 and "no.crt" in found[1], found)
found = check("--policy", good, "--decision-log", "d", "--decision-log-redact", "nonsense")
is_true("--check of what is left out of a log", found[0] == 2 and "nonsense" in found[1], found)
for options, words in (
        (["--listen", "foo"], "invalid address 'foo': use ADDRESS:PORT"),
        (["--listen", "example.org:80"], "names are not looked up"),
        (["--listen", "127.0.0.1:0", "--listen", "127.0.0.1:99999"], "invalid address '127.0.0.1:99999'"),
        (["--listen", "0.0.0.0:80"], "0.0.0.0:80 can be reached from other machines"),
        (["--listen", "[::]:80"], "[::]:80 can be reached from other machines"),
        (["--unix", ""], "a unix socket needs a path"),
        (["--unix", "x" * 108], "is too long"),
        (["--unix", "nosuch/x"], "nosuch/x: No such file or directory"),
        (["--unix", "good.conf"], "good.conf exists and is not a socket"),
        (["--decision-log", "nosuch/x"], "nosuch/x: No such file or directory"),
        (["--decision-log", "good.conf/x"], "good.conf/x: Not a directory"),
        (["--decision-log", "."], ".: Is a directory"),
        (["--address-file", "nosuch/x"], "nosuch/x: No such file or directory")):
    found = check("--policy", good, *options)
    is_true("--check of %s" % " ".join(options)[:40], found[0] == 2 and words in found[1], found)
is_equal("--check of places that may be", check(
    "--policy", good, "--listen", "[::1]:80", "--listen", "127.9.9.9:80", "--unix", "x" * 107,
    "--listen", "localhost:80", "--decision-log", "new.log", "--address-file", "new"), (0, VALID))
is_equal("--check of an address for all without TLS, if that is wanted", check(
    "--policy", good, "--listen", "0.0.0.0:80", "--no-tls", "--decision-log", "-"), (0, VALID))
is_equal("none of which it opens", [name for name in os.listdir() if name[:3] in ("new", "xxx")], [])

# A store that is away is a warning: limend would start.
deaf = socket.create_server(("127.0.0.1", 0))
away = write("away.conf", {**PASSING, "stores": {
    "gone": {"type": "redis", "data": {"path": "/nowhere/redis.sock", "replicas": 2}},
    "deaf": {"type": "redis", "data": {"port": deaf.getsockname()[1], "replicas": 2}}},
    "limits": [{"name": name, "type": "rate", "data": {"rate": "1/s", "store": name}}
               for name in ("gone", "deaf")]})
found = check("--policy", away)
is_equal("--check of stores that are away", found[0], 0)
told = re.findall(" warning a store cannot be used now: (.*)", found[1])
is_true("names address and error of each", len(told) == 2 and
        told[0] == "Redis at /nowhere/redis.sock: No such file or directory" and
        told[1].startswith("Redis at 127.0.0.1:%d: " % deaf.getsockname()[1]), found)
deaf.close()
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-keyout", "c.key", "-out", "c.crt", "-days", "90", "-subj", "/CN=c"], check=True,
               stderr=subprocess.DEVNULL)
found = check("--policy", good, "--tls-certificate", "c.crt", "--tls-key", "c.key", "--client-ca",
              "c.crt")
is_true("--check of a good one", found[0] == 0 and found[1].startswith(VALID) and
        re.fullmatch(r"the certificate c\.crt is valid until \d{4}-\d\d-\d\d\n",
                     found[1][len(VALID):]), found)
found = check("--policy", good, "--tls-certificate", "c.crt", "--tls-key", "c.key", "--client-ca",
              "c.key")
is_true("--check of authorities", found[0] == 2 and "c.key: " in found[1], found)

daemon = Daemon("--without-policy", policy=None)
is_true("without a policy, if that is wanted", ask(daemon, echo) is not None)
busy = Daemon("--listen", "127.0.0.1:%d" % daemon.port, listen=False)
is_equal("an address that is taken", busy.wait(), 2)
is_equal("the first one goes on and ends", daemon.end(), 0)

# ---- unix sockets ----


def ask_unix(path, text=echo):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(path)
        connection.sendall(text)
        return read_answer(connection)


daemon = Daemon("--unix", "a.sock", listen=False)
is_equal("a unix socket is an address", daemon.urls, ["unix:a.sock"])
found = ask_unix("a.sock").json()
is_true("who comes by it is known to", found["unix"] == 1 and found["address"] is None, found)
is_equal("its mode", stat.S_IMODE(os.stat("a.sock").st_mode), 0o660)
second = Daemon("--unix", "a.sock", listen=False)
is_equal("a socket in use is left alone", second.wait(), 2)
is_true("and the reason told", "another process listens" in second.said(), second.said())
daemon.signal(signal.SIGKILL)
daemon.wait()
is_true("one that is left over", os.path.exists("a.sock"))
daemon = Daemon("--unix", "a.sock", listen=False)
is_true("is replaced", ask_unix("a.sock") is not None, daemon.said())
is_equal("ends in order", daemon.end(), 0)
is_true("and removes it", not os.path.exists("a.sock"))
write("file", "precious")
daemon = Daemon("--unix", "file", listen=False)
is_equal("a file is no socket", daemon.wait(), 2)
is_true("and stays", os.path.getsize("file") == 8)

# ---- sockets of systemd ----

if with_systemd():
    listening = socket.create_server(("127.0.0.1", 0))
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind("notify")
    notices.settimeout(PATIENCE)
    process = inherit(listening, NOTIFY_SOCKET=os.path.join(work, "notify"), WATCHDOG_USEC="200000")
    running.append(process)
    told = notices.recv(1000).decode()
    is_true("systemd is told when it is ready", "READY=1" in told, told)
    with socket.create_connection(listening.getsockname(), PATIENCE) as connection:
        connection.sendall(echo)
        found = read_answer(connection)
    is_true("a socket of systemd is served", found is not None and found.status == 200, found)
    told = notices.recv(1000).decode()
    is_true("the watchdog is fed", "WATCHDOG=1" in told, told)
    process.send_signal(signal.SIGHUP)
    while "RELOADING=1" not in told:
        told = notices.recv(1000).decode()
    is_true("a reload is told", "MONOTONIC_USEC=" in told, told)
    while "READY=1" not in told:
        told = notices.recv(1000).decode()
    is_true("and its end", True)
    process.send_signal(signal.SIGTERM)
    while "STOPPING=1" not in told:
        told = notices.recv(1000).decode()
    is_true("so is the end", True)
    is_equal("which is in order", process.wait(PATIENCE), 0)
    listening.close()
else:
    skip("sockets of systemd", "built without systemd")

# ---- reload ----

daemon = Daemon()
path = os.path.join(work, "policy%d.conf" % Daemon.number)
write(path, dict(PASSING, schema=99))
daemon.signal(signal.SIGHUP)
is_true("a policy that is broken leaves the old one", daemon.says("the policy stays as it was"),
        daemon.said())
is_true("and says where", daemon.says("At /schema"), daemon.said())
write(path, PASSING)
is_true("a good one is loaded by itself", daemon.says("the policy was loaded again"), daemon.said())
for _ in range(20):
    daemon.signal(signal.SIGHUP)
is_true("it serves meanwhile", ask(daemon, echo) is not None)
is_equal("ends in order", daemon.end(), 0)

# ---- overload ----

daemon = Daemon("--workers", "2", "--queue", "1", policy=BLOCKING)
waiting = []
for _ in range(6):
    connection = daemon.connect()
    connection.sendall(request("POST", "/wait?for=" + os.path.join(work, "go"), b"x"))
    waiting.append(connection)
refused = wait_for(lambda: [one for one in [select.select(waiting, [], [], 0.01)[0]]
                            if len(one) == 3])
is_true("too much to do is refused at once", bool(refused))
refused = refused[0] if refused else []
found = [read_answer(one) for one in refused]
is_equal("with 503", [one.status for one in found], [503] * 3)
is_equal("without a time to come again", found[0].headers.get("retry-after"), None)
is_equal("and with a reason", found[0].json()["message"], "Too many requests are being decided")
waiting = [one for one in waiting if one not in refused]
is_true("what needs no decision is answered", ask(daemon, echo) is not None)
write("go", "")
found = [read_answer(connection) for connection in waiting]
is_true("what was taken is answered", all(one is not None and one.status == 200 for one in found),
        found)
is_equal("with the headers of the endpoint", found[0].headers.get("retry-after"), "7")
found = ask(daemon, request("POST", "/wait?for=/", b"x"))
is_equal("and then there is room again", found.status, 200)
is_equal("ends in order", daemon.end(), 0)

# ---- slow clients ----

daemon = Daemon("--client-timeout", "1", "--idle-timeout", "30")
idle = daemon.connect()
idle.sendall(echo)
read_answer(idle)


def trickle(text, results):
    """Sends one byte after the other for ever, or until the other end is tired of it."""
    with daemon.connect() as connection:
        connection.sendall(text)
        try:
            while True:
                connection.sendall(b"x")
                time.sleep(0.1)
        except OSError:
            results.append(text)


def is_reset(connection):
    try:
        connection.send(b"x")
        return False
    except socket.timeout:
        return False
    except OSError:
        return True


results = []
threads = [threading.Thread(target=trickle, args=(text, results)) for text in (
    b"GET /livez", b"GET /livez HTTP/1.1\r\nX: ", request("POST", "/echo", None,
                                                         ["Content-Length: 90000"]),
    echo + b"GET /")]
for thread in threads:
    thread.daemon = True
    thread.start()
for thread in threads:
    thread.join(PATIENCE)
is_equal("clients that trickle are shed, wherever they are", len(results), 4)
with daemon.connect() as connection:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.settimeout(0.5)
    try:
        while True:
            connection.sendall(request("GET", "/query?" + ("a=%s&" % ("x" * 900)) * 60))
    except OSError:
        pass
    is_true("so is one that takes no answers", wait_for(lambda: is_reset(connection)))
idle.sendall(echo)
is_true("a connection that only waits is not", read_answer(idle) is not None)
daemon.end()

daemon = Daemon("--idle-timeout", "1")
with daemon.connect() as connection:
    connection.sendall(echo)
    read_answer(connection)
    is_true("but at last it is", has_ended(connection))
daemon.end()

daemon = Daemon("--trust-hints-from", "::/0")
is_true("hints of everybody are warned of", daemon.says("every client can impersonate any requester"))
is_equal("it ends", daemon.end(), 0)
daemon = Daemon("--trust-hints-from", "10.0.0.0/8")
is_true("and those of a network are not", "every client" not in daemon.said())
is_equal("it ends", daemon.end(), 0)

daemon = Daemon("--max-connections-per-peer", "3")
many = [daemon.connect() for _ in range(6)]
answered = 0
for connection in many:
    try:
        connection.sendall(echo)
        answered += read_answer(connection) is not None
    except OSError:
        pass
is_equal("one address has no more connections than it may", answered, 3)
for connection in many:
    connection.close()
daemon.end()

# ---- what an endpoint may see and say ----

daemon = Daemon()
found = ask(daemon, request("GET", "/teapot", headers=["X-LIMEN: milk"]))
is_equal("an endpoint that wants them sees header fields", found.json(), {"field": "milk"})
is_equal("and answers with any status", found.status, 418)
is_equal("and with fields of its own", (found.headers.get("x-limen"), found.headers.get("retry-after")),
         ("tea", "7"))
is_equal("a field that is missing is none", ask(daemon, request("GET", "/teapot")).json(), {"field": None})
daemon.end()

# ---- flat ----

daemon = Daemon()


def many_connections(number):
    for i in range(number):
        with daemon.connect() as connection:
            if i % 3:
                connection.sendall(echo if i % 3 == 1 else echo[:20])
            if i % 3 == 1:
                read_answer(connection)


many_connections(500)
wait_for(lambda: ask(daemon, echo) is not None)
first = daemon.figures()
many_connections(3000)
is_true("descriptors go down again", wait_for(lambda: daemon.figures()[0] <= first[0] + 2),
        (first, daemon.figures()))
last = daemon.figures()
is_equal("threads stay as many", last[1], first[1])
if os.environ.get("SANITIZE_CFLAGS", "").strip():
    skip("memory stays, too", "AddressSanitizer keeps what was freed")
else:
    is_true("memory stays, too", last[2] < first[2] + 4096, (first, last))
is_equal("ends in order", daemon.end(), 0)

# ---- the end ----


def connects(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


daemon = Daemon(policy=BLOCKING)
stop = threading.Event()
lost = []
answers = [0] * 6


def load(number):
    """Asks as a client of Kubernetes would: on one connection until it is told to close."""
    connection = None
    while not stop.is_set():
        served = connection is not None
        try:
            if connection is None:
                connection = daemon.connect()
            connection.sendall(request("POST", "/wait?for=/", b"x") if number % 2 else echo)
            found = read_answer(connection)
        except OSError:
            found = None
        if found is None or found.status != 200:
            # A connection that nobody had accepted when the socket was closed was never ours.
            if served or found is not None:
                lost.append(found)
            return
        answers[number] += 1
        if found.headers.get("connection", "").lower() == "close":
            connection.close()
            connection = None


threads = [threading.Thread(target=load, args=(i,)) for i in range(6)]
for thread in threads:
    thread.start()
wait_for(lambda: min(answers) > 20)
slow = daemon.connect()
slow.sendall(request("POST", "/wait?for=" + os.path.join(work, "end"), b"x"))
time.sleep(0.1)
daemon.signal(signal.SIGTERM)
is_true("the end is logged", daemon.says("shutting down"))
is_true("nobody new is taken", wait_for(lambda: not connects(daemon.port)))
write("end", "")
found = read_answer(slow)
is_true("what runs is finished", found is not None and found.status == 200, found)
is_equal("and told that the connection ends", found.headers.get("connection"), "close")
is_equal("the exit status", daemon.wait(), 0)
stop.set()
for thread in threads:
    thread.join()
is_equal("no answer was lost", lost, [])
is_true("and there were many", min(answers) > 20, answers)

daemon = Daemon("--drain-timeout", "1", policy=BLOCKING)
slow = daemon.connect()
slow.sendall(request("POST", "/wait?for=" + os.path.join(work, "never"), b"x"))
time.sleep(0.3)
is_equal("what takes too long is given up", daemon.end(), 1)
is_true("and that is told", "cut off" in daemon.said(), daemon.said())

# A server that has given the policy once, and then says no more.
source = socket.create_server(("127.0.0.1", 0))
url = "http://127.0.0.1:%d/policy" % source.getsockname()[1]
daemon = Daemon("--drain-timeout", "600", "--policy", url, policy=None, wait=False)
text = json.dumps(PASSING).encode()
with source.accept()[0] as asked:
    asked.recv(65536)
    asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
daemon.says("listening on")
daemon.signal(signal.SIGHUP)
asked = source.accept()[0]
daemon.signal(signal.SIGTERM)
daemon.says("shutting down")
daemon.signal(signal.SIGTERM)
is_equal("a second signal ends it in the middle of a load", daemon.wait(), 0)
is_true("which is given up", "a running load of the policy is cut off" in daemon.said(),
        daemon.said())
asked.close()

# ---- signals before anything is served ----


def starting(policy, path):
    """A daemon that waits for 'source', and the connection it has made to it."""
    started = Daemon("--unix", path, "--policy", policy, policy=None, wait=False, listen=False)
    return started, source.accept()[0]


lists = write("lists.conf", dict(PASSING, identifiers=PASSING["identifiers"] + [
    {"name": "listed", "description": "", "type": "ip-cidr-list-url", "data": {
        "source": url, "update": "P1D", "retry": "P1D"}}]))
source.settimeout(PATIENCE)
for number in (signal.SIGTERM, signal.SIGINT):
    for name, policy in (("a policy", url), ("a list", lists)):
        daemon, asked = starting(policy, "early.sock")
        daemon.signal(number)
        is_equal("signal %d while %s is waited for ends it" % (number, name), daemon.wait(), 0)
        is_true("and it says so", "ending before anything was served" in daemon.said(),
                daemon.said())
        is_true("its socket is gone", not os.path.exists("early.sock"))
        is_true("and nothing was served", not os.path.exists(daemon.addresses))
        asked.close()

daemon, asked = starting(url, "early.sock")
with asked:
    daemon.signal(signal.SIGHUP)
    asked.recv(65536)
    asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
with source.accept()[0] as asked:
    is_true("SIGHUP while the policy is loaded is not lost", True)
    asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
    is_true("it loads the policy again", daemon.says("the policy was loaded again"), daemon.said())
is_equal("which is served", daemon.end(), 0)
source.close()
finish()
