# SPDX-License-Identifier: Apache-2.0
"""What limend decides, counts and logs when Redis answers nonsense, is full, forgets or drops."""
import threading

from kit import *

SERVER = os.path.join(work, "redis.sock")
BETWEEN = os.path.join(work, "between.sock")
BURST = 10
lying = threading.Event()
connections = {"made": 0}


def serve_redis():
    made = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", SERVER, "--dir", work, "--save", "",
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


def used_memory():
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(SERVER)
        made.sendall(b"INFO memory\r\n")
        for line in made.makefile("r"):
            if line.startswith("used_memory:"):
                return int(line.split(":")[1])


# ---- what stands between limend and Redis, and lies when it is told to ----


def pass_on(source, sink, may_lie):
    try:
        while True:
            text = source.recv(65536)
            if not text:
                break
            if may_lie and lying.is_set() and b"EVALSHA" in text:
                source.sendall(b"nonsense\r\n")
            else:
                sink.sendall(text)
    except OSError:
        pass
    for one in (source, sink):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


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
        threading.Thread(target=pass_on, args=(client, server, True), daemon=True).start()
        threading.Thread(target=pass_on, args=(server, client, False), daemon=True).start()


# ---- limend ----


def policy(on_error):
    """Each of whom is asked about may do ten things an hour."""
    return dict(
        PASSING,
        stores={"default": {"type": "redis", "data": {
            "path": BETWEEN, "mode": "strict", "on-error": on_error, "timeout": "PT20S",
            "connect-timeout": "PT20S"}}},
        limits=[{"name": "few", "type": "rate", "data": {
            "rate": "%d/PT1H" % BURST, "key": ["hint:who"]}}],
        applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["few"]}]}])


def codes(daemon, who, count):
    tasks = [{"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"who": who}}] * count
    answer = ask(daemon, request("POST", "/v1/decide/batch", json.dumps(tasks).encode(),
                                 ["Content-Type: application/json"]))
    return [one["code"] for one in answer.json()]


def serves(daemon):
    return codes(daemon, "anybody", 1) != [500]


def metric(daemon, family, labels=""):
    found = ask(daemon, request("GET", "/metrics")).body
    line = re.search(r"^%s\{[^}]*%s[^}]*\} (\S+)$" % (family, labels), found, re.M)
    return float(line.group(1)) if line else None


def start(on_error="deny"):
    made = Daemon("--module-path", os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from",
                  "127.0.0.0/8", program=LIMEND, policy=policy(on_error))
    wait_for(lambda: serves(made))
    return made


listener = socket.socket(socket.AF_UNIX)
listener.bind(BETWEEN)
listener.listen(64)
threading.Thread(target=stand_between, args=(listener,), daemon=True).start()
server = serve_redis()
wait_for(lambda: redis("PING") == "+PONG")
daemon = start()
is_true("limend decides by Redis", serves(daemon), daemon.said())
is_true("and warns where that may drop buckets",
        "its maxmemory-policy is volatile-lru" in daemon.said())

# ---- nonsense ----

AWAY = "Redis is away: %s: " % BETWEEN
BACK = "Redis is there again: " + BETWEEN
lying.set()
is_equal("where Redis answers nonsense, nobody can tell", set(codes(daemon, "liar", 1000)), {500})
is_true("takes without it are counted", wait_for(
    lambda: metric(daemon, "limend_table_status", 'field="without_redis"') >= 1000))
# Connections are made again meanwhile, which are good for nothing.
is_true("each of several connections is tried", wait_for(
    lambda: codes(daemon, "liar", 50) == [500] * 50 and connections["made"] >= 12))
is_equal("the log tells it once", daemon.said().count(AWAY), 1)
is_true("in its words", AWAY + "Protocol error" in daemon.said(), daemon.said())
is_equal("and not that it is back", daemon.said().count(BACK), 0)
is_equal("it is one loss", metric(daemon, "limend_instance_events_total", 'event="losses"'), 1)
lying.clear()
is_true("once it answers well, decisions are made by it again", wait_for(lambda: serves(daemon)))
is_equal("as the log tells", daemon.said().count(BACK), 1)

# ---- its memory is full ----

redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
redis("CONFIG", "SET", "maxmemory", "1")
is_equal("where the memory of Redis is full, nobody can tell", set(codes(daemon, "full", 50)), {500})
is_true("which the log tells in the words of Redis", AWAY + "OOM " in daemon.said(), daemon.said())
redis("CONFIG", "SET", "maxmemory", "0")
is_true("once it has room, decisions are made by it again", wait_for(lambda: serves(daemon)))

# ---- it forgets ----

ALL, NONE = [200] * BURST, [403] * BURST
is_equal("a bucket holds its burst", codes(daemon, "one", BURST + 1), ALL + [403])
is_equal("and another", codes(daemon, "two", 1), [200])
redis("FLUSHALL")
is_equal("a Redis that forgot everything gives no second burst", codes(daemon, "one", BURST), NONE)
is_equal("to nobody", codes(daemon, "two", BURST), NONE)
is_equal("not to who is new either", codes(daemon, "three", BURST), NONE)
is_equal("nobody is away for that", daemon.said().count(AWAY), 2)

server.kill()
server.wait()
os.unlink(SERVER)
is_equal("without Redis nobody can tell", set(codes(daemon, "four", BURST)), {500})
server = serve_redis()
is_true("once another is there, decisions are made by it", wait_for(lambda: serves(daemon)))
is_equal("whose buckets start empty", codes(daemon, "four", BURST), NONE)
is_equal("of everybody", codes(daemon, "one", BURST), NONE)
daemon.end()
redis("FLUSHALL")
daemon = start()
is_equal("for a limend that never saw another state they start full",
         codes(daemon, "one", BURST + 1), ALL + [403])

# ---- it drops buckets ----

redis("CONFIG", "SET", "maxmemory", str(used_memory() + 100000))
ballast = 0


def has_dropped():
    """Keys that do not expire make Redis drop those that do."""
    global ballast
    ballast += 1
    redis("SET", "ballast%d" % ballast, "x" * 10000)
    return redis("KEYS", "limen:b:*") == "*0"


is_true("Redis drops buckets where it may", wait_for(has_dropped))
redis("CONFIG", "SET", "maxmemory", "0")
is_equal("one that was dropped is full again: one burst more", codes(daemon, "one", BURST + 1),
         ALL + [403])
is_equal("it ends in order", daemon.end(), 0)
finish()
