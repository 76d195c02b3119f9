# SPDX-License-Identifier: Apache-2.0
"""Real Redis servers, replicas, Sentinels and clusters on loopback ports, and limends that count there."""
import threading

from kit import *

BURST = 10
LONG = os.environ.get("LIMEN_FLEET") == "long"


def free_port():
    """A port whose cluster port, 10000 above it, is free as well."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            if port > 50000:
                continue
            try:
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
        self.sentinel = sentinel
        self.tls = None
        if start:
            self.start()

    def start(self):
        command = ["redis-server"]
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
        wait_for(lambda: self.ask("PING") is not None and self.ask("PING")[:8] != "-LOADING")

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def ask(self, *words):
        """The answer to a command; None while nobody answers."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
                with self.tls.wrap_socket(plain, server_hostname="localhost") if self.tls else plain as made:
                    made.sendall(b"*%d\r\n" % len(words) + b"".join(
                        b"$%d\r\n%s\r\n" % (len(str(word)), str(word).encode()) for word in words))
                    return read_reply(made.makefile("rb"))
        except (OSError, ValueError):
            return None

    def info(self, name):
        return re.search(r"^%s:(.*?)\r?$" % name, self.ask("INFO") or "", re.M).group(1)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def follow(self, master):
        """Makes it a replica, and waits until it is in step."""
        self.ask("REPLICAOF", "127.0.0.1", master.port)
        wait_for(lambda: self.info("role") == "slave" and self.info("master_link_status") == "up"
                 and master.info("master_repl_offset") == self.info("master_repl_offset"))

    def in_step_with(self, master):
        return wait_for(
            lambda: master.info("master_repl_offset") == self.info("slave_repl_offset"))


class Forward:
    """A TCP port that leads to the port 'target', which may change; 'cut' ends all connections."""

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
