# SPDX-License-Identifier: Apache-2.0
"""TLS: versions, certificates that are replaced while in use, clients' certificates."""
import re
import resource
import socket
import ssl
import threading
import warnings

from kit import *
from tls_kit import *


def name_of(daemon):
    """The common name of the certificate that the daemon shows."""
    try:
        with daemon.connect(client_of()) as connection:
            return dict(part[0] for part in connection.getpeercert()["subject"])["commonName"]
    except OSError as error:
        return str(error)


def copy(source, target):
    for end in (".crt", ".key"):
        shutil.copy(source + end, target + end + ".new")
        os.rename(target + end + ".new", target + end)


echo = request("POST", "/echo", b"hello")
# Old versions are asked for on purpose.
warnings.simplefilter("ignore", DeprecationWarning)
make_authority("root")
make_authority("other")
make_certificate("first", "root")
make_certificate("second", "root", "10")
make_certificate("client", "root", usage="clientAuth")
make_certificate("stranger", "other", usage="clientAuth")
copy("first", "used")
TLS = ("--tls-certificate", "used.crt", "--tls-key", "used.key")

# ---- versions ----

daemon = Daemon(*TLS, "--client-timeout", "30")
is_true("the address says that there is TLS", daemon.urls[0].startswith("https://"), daemon.urls)
for name, version in (("1.2", ssl.TLSVersion.TLSv1_2), ("1.3", ssl.TLSVersion.TLSv1_3)):
    found = ask(daemon, echo, client_of(least=version, most=version))
    is_true("TLS " + name, found is not None and found.status == 200, found)
old = client_of(least=ssl.TLSVersion.TLSv1, most=ssl.TLSVersion.TLSv1_1)
old.set_ciphers("ALL:@SECLEVEL=0")
try:
    found = ask(daemon, echo, old)
    is_true("TLS 1.1 is refused", False, found)
except OSError as error:
    is_true("TLS 1.1 is refused", True, error)
found = ask(daemon, echo)
is_true("so is what has no TLS", found is None, found)
for what in ("/nope", "/echo"):
    with daemon.connect(client_of()) as connection:
        connection.sendall(request("GET", what))
        first = read_answer(connection)
        connection.sendall(echo)
        second = read_answer(connection)
    is_true("GET %s costs no connection" % what, first is not None and second is not None and
            second.status == 200, (first, second))
with daemon.connect(client_of()) as connection:
    connection.sendall(request("POST", "/echo", None, ["Content-Length: 1073741824"]))
    found = read_answer(connection)
is_true("a gigabyte is refused", found is not None and found.status == 413, found)
with daemon.connect(client_of()) as connection:
    connection.sendall(request("POST", "/echo", None, ["Transfer-Encoding: chunked"]))
    try:
        for i in range(4096):
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    except OSError:
        pass
    found = read_answer(connection)
is_true("so are chunks without an end", found is not None and found.status == 413, found)

# ---- answers that a socket does not take at once ----

if with_systemd():
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    running.append(inherit(listening, *TLS))
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        plain.settimeout(PATIENCE)
        plain.connect(listening.getsockname())
        with client_of().wrap_socket(plain, server_hostname="localhost") as connection:
            connection.sendall(b"".join(request("POST", "/echo", b"x" * i) for i in range(200)))
            time.sleep(0.5)
            text = b""
            while text.count(b'"length":') < 200 or not text.endswith(b"}"):
                text += connection.recv(65536)
    found = re.findall(rb'HTTP/1.1 200 OK\r\n(?:[^\r\n]+\r\n)+\r\n{"length":(\d+)[^}]+}', text)
    is_true("they are whole and in order", [int(i) for i in found] == list(range(200)), text[:999])

# ---- replaced under load ----

stop = threading.Event()
wrong = []
answers = [0, 0]


def load(number, fresh):
    """Asks again and again, on one connection or on a new one each time."""
    context = client_of()
    connection = None
    while not stop.is_set():
        try:
            if connection is None:
                connection = daemon.connect(context)
            connection.sendall(echo)
            found = read_answer(connection)
            if found is None or found.status != 200:
                wrong.append(found)
                return
            answers[number] += 1
            if fresh:
                connection.close()
                connection = None
        except OSError as error:
            wrong.append(error)
            return


threads = [threading.Thread(target=load, args=(int(fresh), fresh)) for fresh in (False, True)]
for thread in threads:
    thread.start()
wait_for(lambda: min(answers) > 5)
for wanted in ("second", "first", "second"):
    before = list(answers)
    copy(wanted, "used")
    is_true("the certificate %s is shown as soon as it is there" % wanted,
            wait_for(lambda: name_of(daemon) == wanted), daemon.said())
    wait_for(lambda: all(now > then + 5 for now, then in zip(answers, before)))
stop.set()
for thread in threads:
    thread.join()
is_equal("no request failed meanwhile", wrong, [])
is_true("and there were some", min(answers) > 20, answers)
is_true("it is logged, with its end", "expires in 10 days" in daemon.said(), daemon.said())

# A secret of Kubernetes: the name stays, and a link further up changes.
for name in ("first", "second"):
    os.mkdir("..%s" % name)
    for end in (".crt", ".key"):
        shutil.copy(name + end, "..%s/tls%s" % (name, end))
os.symlink("..first", "..data")
for end in (".crt", ".key"):
    os.symlink("..data/tls" + end, "tls" + end)
secret = Daemon("--tls-certificate", "tls.crt", "--tls-key", "tls.key")
is_equal("links are followed", name_of(secret), "first")
os.symlink("..second", "..new")
os.rename("..new", "..data")
is_true("also when they lead elsewhere", wait_for(lambda: name_of(secret) == "second"),
        secret.said())
is_equal("it ends in order", secret.end(), 0)

# ---- what cannot be used ----

shutil.copy("first.key", "used.key")
is_true("a key that does not fit is told of", daemon.says("the certificate stays as it was"),
        daemon.said())
is_equal("and the old pair stays", name_of(daemon), "second")
write("used.crt", "nonsense")
os.unlink("used.key")
is_true("so it does without a key", daemon.says("used.key"), daemon.said())
is_equal("or with nonsense", name_of(daemon), "second")
copy("first", "used")
is_true("a good pair is taken again", wait_for(lambda: name_of(daemon) == "first"), daemon.said())
# Nothing about the files tells when they can be read again.  Five are few, but poll() works.
most = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (5, most[1]))
copy("second", "used")
is_true("too many open files are told of", daemon.says("Too many open files"), daemon.said())
resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, most)
is_true("and the pair is taken once there are fewer",
        wait_for(lambda: name_of(daemon) == "second"), daemon.said())
is_equal("ends in order", daemon.end(), 0)

for name, options, words in (
        ("no such files", ("--tls-certificate", "no.crt", "--tls-key", "no.key"), "no.crt"),
        ("a key that does not fit", ("--tls-certificate", "first.crt", "--tls-key", "second.key"),
         "key"),
        ("authorities that are none", TLS + ("--client-ca", "first.key"), "first.key")):
    refused = Daemon(*options)
    is_equal("%s: it does not start" % name, refused.wait(), 2)
    is_true("and says why", words in refused.said(), refused.said())

# ---- clients' certificates ----

daemon = Daemon(*TLS, "--client-ca", "root.crt")


def certified(daemon, certificate):
    found = ask(daemon, echo, client_of(certificate=certificate))
    return None if found is None else found.json()["certified"]


is_equal("a client's certificate is verified", certified(daemon, "client"), 1)
is_equal("one of another authority counts for nothing", certified(daemon, "stranger"), 0)
is_equal("nor does that of a server", certified(daemon, "first"), 0)
is_equal("none is needed", certified(daemon, None), 0)
daemon.end()

daemon = Daemon(*TLS, "--client-ca", "root.crt", "--require-client-certificate")
is_equal("a certificate that is required", certified(daemon, "client"), 1)
for name in (None, "stranger"):
    found = ask(daemon, echo, client_of(certificate=name))
    is_true("%s is refused then" % (name or "nobody"), found is not None and found.status == 403 and
            found.json()["message"] == "A client certificate is required", found)
for path in ("/livez", "/healthz"):
    found = ask(daemon, request("GET", path), client_of())
    is_true("probes need none: " + path, found is not None and found.status == 200, found)
daemon.end()

shutil.copy("root.crt", "authorities.crt")
daemon = Daemon(*TLS, "--client-ca", "authorities.crt")
is_equal("authorities are those of the start", [certified(daemon, "client"),
                                                certified(daemon, "stranger")], [1, 0])
kept = daemon.connect(client_of(certificate="client"))
kept.sendall(echo)
is_equal("on a connection that stays, too", read_answer(kept).json()["certified"], 1)
shutil.copy("other.crt", "authorities.new")
os.rename("authorities.new", "authorities.crt")
is_true("until the file has others", wait_for(lambda: certified(daemon, "stranger") == 1),
        daemon.said())
is_equal("those before count for nothing then", certified(daemon, "client"), 0)
kept.sendall(echo)
is_equal("not even on a connection of before", read_answer(kept).json()["certified"], 0)
write("authorities.crt", "nonsense")
is_true("what holds no certificate is told of", daemon.says("stays as it was: authorities.crt: "),
        daemon.said())
is_equal("and changes nothing", certified(daemon, "stranger"), 1)
is_equal("it ends in order", daemon.end(), 0)

daemon = Daemon(*TLS, "--client-ca", "root.crt")


def certified_once_more(connection):
    connection.sendall(echo)
    return read_answer(connection).json()["certified"]


for seconds in (3, 10, 40):
    make_brief_certificate("brief", "root", seconds)
    kept = daemon.connect(client_of(certificate="brief"))
    found = certified_once_more(kept)
    if found == 1:
        break
is_equal("a certificate that is about to expire is believed", found, 1)
is_true("and no more when it has expired, on the same connection",
        wait_for(lambda: certified_once_more(kept) == 0))
kept.close()
is_equal("it ends in order", daemon.end(), 0)

# ---- renegotiation ----

daemon = Daemon(*TLS)
again = subprocess.Popen(["openssl", "s_client", "-tls1_2", "-connect", "127.0.0.1:%d" % daemon.port],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
running.append(again)
# The letter R at the start of a line asks for it; the input stays open.
again.stdin.write(b"R\n")
again.stdin.flush()
try:
    again.wait(PATIENCE)
    told = again.stdout.read()
    is_true("a client that wants to negotiate once more is disconnected", b"RENEGOTIATING" in told,
            told.decode("latin-1"))
except subprocess.TimeoutExpired:
    is_true("a client that wants to negotiate once more is disconnected", False)
is_true("and others are served", ask(daemon, echo, client_of()) is not None)
daemon.end()

# ---- half of a handshake ----

daemon = Daemon(*TLS, "--client-timeout", "1")
half = [daemon.connect() for _ in range(20)]
for one in half[10:]:
    one.sendall(b"\x16\x03\x01\x02\x00\x01")
whole = daemon.connect(client_of())
is_true("half-open handshakes are shed", all(has_ended(one) for one in half))
whole.sendall(echo)
is_true("a connection that only waits is not", read_answer(whole) is not None)
is_equal("ends in order", daemon.end(), 0)
finish()
