# SPDX-License-Identifier: Apache-2.0
"""A Redis, what stands between it and limend, and a limend whose limits are kept there."""
import threading

from kit import *

SERVER = os.path.join(work, "redis.sock")
BETWEEN = os.path.join(work, "between.sock")
BURST = 10
AWAY = "Redis is unavailable: %s: " % BETWEEN
FULL = "Redis is full: %s: its memory has reached maxmemory" % BETWEEN
BACK = "Redis is available again: " + BETWEEN
lying = threading.Event()
hasty = threading.Event()
curt = threading.Event()
connections = {"made": 0}
standing = []


def serve_redis():
    made = subprocess.Popen(
        [os.environ.get("REDIS_SERVER", "redis-server"), "--port", "0", "--unixsocket", SERVER, "--dir", work, "--save", "",
         "--maxmemory-policy", "volatile-lru"], stdout=subprocess.DEVNULL)
    running.append(made)
    return made


def redis(*words):
    """The first line of the answer to a command; None while nobody answers."""
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.settimeout(PATIENCE)
            made.connect(SERVER)
            made.sendall(b"*%d\r\n" % len(words) + b"".join(
                b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words))
            return made.makefile("rb").readline().decode().strip()
    except OSError:
        return None


# ---- what stands between limend and Redis, and lies or hangs up when it is told to ----


def hang_up(*ends):
    for one in ends:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def hang_up_all():
    """Ends the connections of now, not those that limend makes meanwhile in their place."""
    for _ in range(len(standing)):
        hang_up(standing.pop(0))


def pass_on(source, sink, asks, asked):
    """'asks': 'source' is limend.  'asked' is set once there was a question."""
    try:
        while True:
            text = source.recv(65536)
            if not text:
                break
            if asks and b"EVALSHA" in text:
                asked.set()
            if asks and lying.is_set() and b"EVALSHA" in text:
                source.sendall(b"nonsense\r\n")
            else:
                sink.sendall(text)
            if hasty.is_set() and not asks and asked.is_set():
                break
    except OSError:
        pass
    hang_up(source, sink)


def stand_between(listener):
    while True:
        client, _ = listener.accept()
        connections["made"] += 1
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(SERVER)
        except OSError:
            client.close()
            continue
        standing.append(client)
        if curt.is_set():
            threading.Timer(0.1, hang_up, [client]).start()
        asked = threading.Event()
        for ends in ((client, server, True, asked), (server, client, False, asked)):
            threading.Thread(target=pass_on, args=ends, daemon=True).start()


# ---- limend ----


def policy(on_error, mode, options):
    """Each of whom is asked about may do ten things an hour."""
    return dict(
        PASSING,
        stores={"default": {"type": "redis", "data": {
            "path": BETWEEN, "mode": mode, "on-error": on_error, "timeout": "PT20S",
            "connect-timeout": "PT20S", **options}}},
        limits=[{"name": "few", "type": "rate", "data": {
            "rate": "%d/PT1H" % BURST, "key": ["hint:who"]}}],
        applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["few"]}]}])


def serves(daemon):
    return codes(daemon, "anybody", 1) != [500]


def start(on_error="deny", mode="strict", **options):
    made = Daemon("--module-path", os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from",
                  "127.0.0.0/8", program=LIMEND, policy=policy(on_error, mode, options))
    wait_for(lambda: serves(made))
    return made


listener = socket.socket(socket.AF_UNIX)
listener.bind(BETWEEN)
listener.listen(64)
threading.Thread(target=stand_between, args=(listener,), daemon=True).start()
server = serve_redis()
wait_for(lambda: redis("PING") == "+PONG")
