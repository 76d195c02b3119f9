# SPDX-License-Identifier: Apache-2.0
"""What limend decides, counts and logs when Redis answers nonsense, is full, forgets or drops."""
from redis_kit import *


def used_memory():
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(SERVER)
        made.sendall(b"INFO memory\r\n")
        for line in made.makefile("r"):
            if line.startswith("used_memory:"):
                return int(line.split(":")[1])


daemon = start()
is_true("limend decides by Redis", serves(daemon), daemon.said())
is_true("and warns where that may drop buckets",
        "its maxmemory-policy is volatile-lru" in daemon.said())

# ---- nonsense ----

lying.set()
is_equal("where Redis answers nonsense, nobody can tell", set(codes(daemon, "liar", 1000)), {500})
is_true("takes without it are counted", wait_for(
    lambda: metric(daemon, "limend_table_status", 'field="without_redis"') >= 1000))
# Connections are made again meanwhile, which are good for nothing.
is_true("each of several connections is tried", wait_for(
    lambda: codes(daemon, "liar", 50) == [500] * 50 and connections["made"] >= 12))
is_equal("the log tells it once", daemon.said().count(AWAY), 1)
is_true("with what is wrong", AWAY + "the answer is malformed or too large" in daemon.said(), daemon.said())
is_equal("and not that it is back", daemon.said().count(BACK), 0)
is_equal("it is one loss", metric(daemon, "limend_instance_events_total", 'event="losses"'), 1)
lying.clear()
is_true("once it answers well, decisions are made by it again", wait_for(lambda: serves(daemon)))
is_equal("as the log tells", daemon.said().count(BACK), 1)

# ---- its memory is full ----

redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
redis("CONFIG", "SET", "maxmemory", "1")
is_equal("where the memory of Redis is full, nothing is admitted", set(codes(daemon, "full", 50)), {429})
is_equal("which the log tells once", daemon.said().count(FULL), 1)
is_equal("and Redis is not away", daemon.said().count(AWAY), 1)
redis("CONFIG", "SET", "maxmemory", "0")
is_equal("once it has room, decisions are made by it again", codes(daemon, "full", 1), [200])

# ---- it forgets ----

ALL, NONE = [200] * BURST, [429] * BURST
is_equal("a bucket holds its burst", codes(daemon, "one", BURST + 1), ALL + [429])
is_equal("and another", codes(daemon, "two", 1), [200])
redis("FLUSHALL")
is_equal("a Redis that forgot everything gives no second burst", codes(daemon, "one", BURST), NONE)
is_equal("to nobody", codes(daemon, "two", BURST), NONE)
is_equal("not to who is new either", codes(daemon, "three", BURST), NONE)
is_equal("nobody is away for that", daemon.said().count(AWAY), 1)

server.kill()
server.wait()
os.unlink(SERVER)
is_equal("without Redis nobody can tell", set(codes(daemon, "four", BURST)), {500})
is_true("the log tells where it is not", wait_for(lambda: daemon.said().count(AWAY) == 2))
TASK = b'{"task": {"test": {"type": "rtt", "spec": {}}}}'
for path in ("/v1/decide?status=verdict", "/v1/passed"):
    answer = ask(daemon, request("POST", path, TASK, ["Content-Type: application/json"]))
    is_equal("as a status that is 503: " + path, answer.status, 503)
    is_equal("with the time to retry: " + path, answer.headers.get("retry-after"), "1")
    is_true("and without its address: " + path, "Redis is unavailable" in answer.body
            and os.path.basename(BETWEEN) not in answer.body, answer.body)
server = serve_redis()
is_true("once another is there, decisions are made by it", wait_for(lambda: serves(daemon)))
is_equal("whose buckets start empty", codes(daemon, "four", BURST), NONE)
is_equal("of everybody", codes(daemon, "one", BURST), NONE)
daemon.end()
redis("FLUSHALL")
daemon = start()
is_equal("for a limend that never saw another state they start full",
         codes(daemon, "one", BURST + 1), ALL + [429])

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
         ALL + [429])
is_equal("it ends in order", daemon.end(), 0)

# ---- more keys than leases, one of which start() has ----

daemon = start(mode="lease", **{"capacity": 3, "lease-time": "PT1H"})
for who in ("five", "six"):
    is_true("a key with a lease is served: " + who, wait_for(lambda: codes(daemon, who, 1) == [200]))
is_equal("without room for its lease a key is refused", set(codes(daemon, "seven", 50)), {429})
is_equal("which the log tells once", daemon.said().count("the leases are full (3 keys)"), 1)
is_equal("and Redis is not away", daemon.said().count(AWAY), 0)
is_true("others are served", wait_for(lambda: codes(daemon, "five", 1) == [200]))
is_equal("it ends in order", daemon.end(), 0)
finish()
