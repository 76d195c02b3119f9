# SPDX-License-Identifier: Apache-2.0
"""Real Redis servers, replicas, Sentinels and clusters on loopback ports, and limends that count there."""
import binascii
import itertools
import random
import threading

from kit import *

BURST = 10
FULL, NONE = [200] * BURST, [429] * BURST
REDIS = os.environ.get("REDIS_SERVER", "redis-server")
LONG = os.environ.get("LIMEN_FLEET") == "long"


def free_port():
    """A port whose cluster port, 10000 above it, is free as well; connections of others take neither."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            port = random.randint(11000, 22000)
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 10000))
                return port
            except OSError:
                continue


def read_reply(file):
    line = file.readline().rstrip(b"\r\n").decode("latin-1")
    if line[:1] == "$":
        size = int(line[1:])
        return None if size < 0 else file.read(size + 2)[:-2].decode("latin-1")
    if line[:1] == "*":
        return [read_reply(file) for _ in range(int(line[1:]))]
    return int(line[1:]) if line[:1] == ":" else line


class Server:
    """One redis-server, or a Sentinel; 'port' is where it listens without TLS."""

    def __init__(self, *options, sentinel=None, start=True):
        self.port = free_port()
        self.directory = tempfile.mkdtemp(dir=work)
        self.options = list(options)
        self.secure_port = int(options[options.index("--tls-port") + 1]) if "--tls-port" in options else self.port
        self.sentinel = sentinel
        for _ in range(5 if start else 0):
            if self.start():
                break
            self.port = free_port()  # another process was faster

    def start(self):
        command = [REDIS]
        if self.sentinel is not None:
            with open(os.path.join(self.directory, "sentinel.conf"), "w") as file:
                file.write(self.sentinel)
            command += [file.name, "--sentinel"]
        else:
            command += ["--save", "", "--repl-diskless-sync-delay", "0"]
        with open(os.path.join(self.directory, "log"), "a") as log:
            self.process = subprocess.Popen(
                command + ["--port", str(self.port), "--dir", self.directory] + self.options,
                stdout=log, stderr=log)
        running.append(self.process)
        return wait_for(lambda: self.process.poll() is not None
                        or (self.ask("PING") or "-LOADING")[:8] != "-LOADING") and self.process.poll() is None

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def ask(self, *words, first=None):
        """The answer to a command, after that to 'first'; None while nobody answers."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as made:
                file = made.makefile("rb")
                if first:
                    self.send(made, *first)
                    read_reply(file)
                self.send(made, *words)
                return read_reply(file)
        except (OSError, ValueError):
            return None

    def send(self, made, *words):
        made.sendall(b"*%d\r\n" % len(words) + b"".join(
            b"$%d\r\n%s\r\n" % (len(str(word)), str(word).encode()) for word in words))

    def info(self, name):
        found = re.search(r"^%s:(.*?)\r?$" % name, self.ask("INFO") or "", re.M)
        return found.group(1) if found else ""

    def kill(self):
        self.process.kill()
        self.process.wait()

    def follow(self, master):
        """Makes it a replica, and waits until writes reach it, up to a second after its link is up."""
        self.ask("REPLICAOF", "127.0.0.1", master.port)
        self.is_fed_by(master)

    def is_fed_by(self, master):
        wait_for(lambda: self.info("role") == "slave" and self.info("master_link_status") == "up")
        master.ask("SET", "sign", time.monotonic())
        return wait_for(lambda: self.ask("GET", "sign") == master.ask("GET", "sign"))

    def in_step_with(self, master):
        return wait_for(
            lambda: master.info("master_repl_offset") == self.info("slave_repl_offset"))


class Sentinels:
    """So many Sentinels that watch 'master' as "counts"; one refuses clients without its password."""

    def __init__(self, master, count=3, quorum=2, password=None, tls=()):
        text = "".join(line + "\n" for line in (
            "sentinel monitor counts 127.0.0.1 %d %d" % (master.port, quorum),
            "sentinel down-after-milliseconds counts 500",
            "sentinel failover-timeout counts 2000",
            *(["requirepass " + password,
               "user limen on >%s -@all +sentinel|get-master-addr-by-name" % password]
              if password else [])))
        self.servers = [Server(*tls, sentinel=text) for _ in range(count)]
        self.password = password
        wait_for(lambda: all(self.sees_all(server) for server in self.servers))

    @property
    def addresses(self):
        return [server.address for server in self.servers]

    def ask(self, server, *words):
        return server.ask(*words, first=self.password and ("AUTH", self.password))

    def sees_all(self, server):
        """Does it know the other Sentinels and a replica?"""
        facts = self.ask(server, "SENTINEL", "MASTER", "counts")
        facts = dict(zip(facts[::2], facts[1::2])) if isinstance(facts, list) else {}
        return (int(facts.get("num-other-sentinels", 0)) == len(self.servers) - 1
                and int(facts.get("num-slaves", 0)) >= 1)

    def master(self):
        answer = self.ask(self.servers[0], "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "counts")
        return int(answer[1]) if isinstance(answer, list) else None

    def kill(self):
        for server in self.servers:
            server.kill()


class Cluster:
    """A cluster of so many masters with a replica each; 'servers' are its nodes, masters first."""

    tls = False

    def __init__(self, masters=3, replicas=True):
        self.servers = [Server("--cluster-enabled", "yes", "--cluster-node-timeout", "1000",
                               "--cluster-migration-barrier", "9")
                        for _ in range(masters * (2 if replicas else 1))]
        self.cli("create", *(server.address for server in self.servers),
                 "--cluster-replicas", "1" if replicas else "0", "--cluster-yes")
        self.settle()

    def cli(self, *words):
        done = subprocess.run([REDIS.replace("-server", "-cli"), "--cluster", *(str(word) for word in words)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def settle(self):
        """Waits until all nodes that run know the same masters, which serve all slots."""
        wait_for(lambda: len({str([entry[:2] + entry[2][1:2] for entry in server.ask("CLUSTER", "SLOTS")])
                              for server in self.up()}) == 1
                 and all("cluster_state:ok" in (server.ask("CLUSTER", "INFO") or "")
                         for server in self.up()))

    def up(self):
        return [server for server in self.servers if server.process.poll() is None]

    def masters(self):
        return [server for server in self.up() if server.info("role") == "master"]

    def replicas(self):
        return [server for server in self.up() if server.info("role") == "slave"]

    @property
    def addresses(self):
        return [server.address for server in self.servers]

    def owner(self, slot, witness=None):
        """The master that has the slot, as a node says."""
        for first, last, master, *_ in (witness or self.up()[0]).ask("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return next(server for server in self.servers if server.port == master[1])

    def owner_of(self, key):
        return self.owner(self.up()[0].ask("CLUSTER", "KEYSLOT", key))

    def tag(self, who):
        """The tag in the name of the bucket of 'who'."""
        return binascii.crc_hqx(b"s%d:%s" % (len(who), who.encode()), 0) % 16384 % 1024

    def slot(self, who):
        return binascii.crc_hqx(b"%d" % self.tag(who), 0) % 16384

    def beside(self, who, count):
        """So many others with the same tag."""
        names = ("%s-%d" % (who, n) for n in itertools.count())
        return list(itertools.islice((name for name in names if self.tag(name) == self.tag(who)), count))

    def begin_move(self, slot, to):
        """Lets a slot begin to move; its keys follow with move_keys()."""
        source = self.owner(slot)
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.ask("CLUSTER", "MYID"))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.ask("CLUSTER", "MYID"))
        return source

    def move_keys(self, source, to, keys):
        port = to.secure_port if self.tls else to.port
        answer = source.ask("MIGRATE", "127.0.0.1", port, "", 0, 5000, "KEYS", *keys)
        # Keys may have expired.
        if answer not in ("+OK", "+NOKEY"):
            is_equal("keys move", answer, "+OK")

    def move(self, slot, to, pause=0):
        """Moves a slot as redis-cli does, key by key."""
        source = self.begin_move(slot, to)
        while keys := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 1):
            time.sleep(pause)
            self.move_keys(source, to, keys)
        self.end_move(slot, to)

    def end_move(self, slot, to):
        for server in sorted(self.masters(), key=lambda server: server is not to):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", to.ask("CLUSTER", "MYID"))
        # One that does not know the latest epoch may take the slot back with an older one; its keys are deleted then.
        wait_for(lambda: all(self.owner(slot, server) is to and self.epoch(to, server) == self.epoch(to, to)
                             for server in self.masters()))

    def epoch(self, of, witness):
        """The configuration epoch of a node, as another one knows it."""
        return re.search("^%s .*" % of.ask("CLUSTER", "MYID"), witness.ask("CLUSTER", "NODES"), re.M).group().split()[6]

    def feed(self, master):
        """Waits until writes reach the replica of 'master', up to a second after its link is up."""
        key = next(key for key in map("sign{%d}".__mod__, itertools.count()) if self.owner_of(key) is master)
        replica = wait_for(lambda: next((server for server in self.replicas() if server.info(
            "master_port") == str(master.port) and server.info("master_link_status") == "up"), None))
        sign = str(time.monotonic())
        master.ask("SET", key, sign)
        wait_for(lambda: replica.ask("GET", key, first=("READONLY",)) == sign)
        return replica

    def kill(self):
        for server in self.up():
            server.kill()


class SecureCluster(Cluster):
    """A cluster with TLS: a node for each list of names in a certificate; the first has all slots."""

    tls = True

    def __init__(self, authority, *names):
        self.servers = [Server("--tls-port", str(free_port()), "--tls-cluster", "yes", "--tls-auth-clients", "no",
                               "--cluster-enabled", "yes", *authority.issue("node%d" % number, name))
                        for number, name in enumerate(names)]
        first = self.servers[0]
        first.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        for other in self.servers[1:]:
            first.ask("CLUSTER", "MEET", "127.0.0.1", other.secure_port)
        wait_for(lambda: all("cluster_known_nodes:%d\r" % len(names) in server.ask("CLUSTER", "INFO")
                             for server in self.servers))
        self.settle()


class Authority:
    """Makes certificates, in files of its own, with openssl."""

    def __init__(self, name):
        self.name = name
        self.ca = os.path.join(work, name + ".pem")
        self.run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-keyout", self.ca + ".key", "-out", self.ca, "-days", "2", "-subj", "/CN=" + name)

    def run(self, *words):
        subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def issue(self, name, names="DNS:localhost,IP:127.0.0.1", days="2"):
        """Options of redis-server with a certificate for 'names'; it has expired at once if 'days' is 0."""
        path = os.path.join(work, name)
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-keyout", path + ".key", "-out", path + ".csr", "-subj", "/CN=" + name)
        extensions = write(name + ".ext", "subjectAltName=" + names)
        self.run("x509", "-req", "-in", path + ".csr", "-CA", self.ca, "-CAkey", self.ca + ".key",
                 "-CAcreateserial", "-out", path + ".crt", "-days", days, "-extfile", extensions)
        return ["--tls-cert-file", path + ".crt", "--tls-key-file", path + ".key",
                "--tls-ca-cert-file", self.ca]


class Forward:
    """A TCP port that leads to the port 'target', which may change.

    While it is not 'open', what is sent over connections is lost, and there are no new ones; 'cut'
    ends all connections.
    """

    def __init__(self, target):
        self.target = target
        self.ends = []
        self.open = True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                if not self.open:
                    raise OSError
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.ends += [client, server]
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=ends, daemon=True).start()

    def copy(self, source, sink):
        try:
            while text := source.recv(65536):
                if self.open:
                    sink.sendall(text)
        except OSError:
            pass
        self.close(source, sink)

    def close(self, *ends):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for _ in range(len(self.ends)):
            self.close(self.ends.pop())


def policy(burst=BURST, rate=None, key=("hint:who",), **store):
    """'burst' an hour for each 'who', counted in 'store'."""
    return dict(
        PASSING,
        stores={"default": {"type": "redis", "data": {
            "mode": "strict", "on-error": "deny", "timeout": "PT5S", **store}}},
        limits=[{"name": "few", "type": "rate", "data": {
            "rate": rate or "%d/PT1H" % burst, "burst": burst, "key": list(key)}}],
        applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["few"]}]}])


COMMON = ["--module-path", os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from", "127.0.0.0/8"]


def start(**store):
    daemon = Daemon(*COMMON, program=LIMEND, policy=policy(**store))
    wait_for(lambda: codes(daemon, "anybody", 1) != [500])
    return daemon


def check(**store):
    """Status and errors of limend --check with such a store."""
    done = subprocess.run(
        [LIMEND, "--check", "--listen", "127.0.0.1:0", *COMMON, "--policy",
         write("checked.conf", policy(**store))],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def is_refused(name, said, **store):
    """limend neither passes its check nor starts with such a store, and says why."""
    status, errors = check(**store)
    is_true(name, status == 2 and said in errors, "%d: %s" % (status, errors))
    daemon = Daemon(*COMMON, program=LIMEND, policy=policy(**store))
    is_true(name + ", nor at a start", daemon.wait() == 2 and said in daemon.said(), daemon.said())
