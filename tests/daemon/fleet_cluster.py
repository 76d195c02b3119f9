# SPDX-License-Identifier: Apache-2.0
"""limend counts in a cluster: in all masters, while slots move, and for limits with keys in several slots."""
from fleet_kit import *

lone = Server()
is_refused("a Redis that is no cluster is refused", "cluster support disabled", cluster=[lone.address])
lone.kill()


def lie(text):
    """A server that says the same to everything."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            client, _ = listener.accept()
            while client.recv(65536):
                client.sendall(text)

    threading.Thread(target=serve, daemon=True).start()
    return "127.0.0.1:%d" % listener.getsockname()[1]


def slots(*masters):
    return b"*%d\r\n" % len(masters) + b"".join(
        b"*3\r\n:0\r\n:16383\r\n*2\r\n$%d\r\n%s\r\n:%d\r\n" % (len(host), host, port)
        for host, port in masters)


for lies in (b"*0\r\n", b"*1\r\n:1\r\n", b"*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n:1\r\n*0\r\n", slots((b"a\nb", 1)),
             slots((b"a", 65536)), slots(*((b"h%d" % n, 1) for n in range(65)))):
    status, errors = check(cluster=[lie(lies)])
    is_true("slots that are nonsense are refused", status == 0 and "the answer is malformed" in errors, errors)


def stage(answer, pause=0):
    """A node that has all slots and answers each take so; to a mark it answers after 'pause'."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    takes = []
    info = b"redis_version:7.0.0\nredis_mode:cluster\nrole:master\nrun_id:abc\nmaxmemory_policy:noeviction\n"
    answers = {"CLUSTER": slots((b"127.0.0.1", port)), "INFO": b"$%d\r\n%s\r\n" % (len(info), info),
               "SCRIPT": b"$40\r\n%s\r\n" % (b"0" * 40), "ASKING": b"+OK\r\n"}

    def serve(client):
        file = client.makefile("rb")
        try:
            while isinstance(words := read_reply(file), list):
                if words[0] == "EVALSHA" and any("}b:" in word for word in words):
                    takes.append(words)
                    client.sendall(answer % port)
                else:
                    time.sleep(pause if words[0] == "EVALSHA" else 0)
                    client.sendall(answers.get(words[0], b"*0\r\n"))
        except OSError:
            pass

    def accept():
        while True:
            threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return {"cluster": ["127.0.0.1:%d" % port], "timeout": "PT0.3S"}, takes


def face(store, **more):
    return Daemon(*COMMON, program=LIMEND, policy=policy(**{**store, **more}))


for kind in (b"MOVED", b"ASK"):
    store, takes = stage(b"-" + kind + b" 1 127.0.0.1:%d\r\n")
    daemon = face(store)
    is_true("a master that redirects to itself cannot count", wait_for(
        lambda: codes(daemon, "x", 1) == [500] and len(takes) > 2))
    count = len(takes)
    time.sleep(0.3)
    is_equal("and is asked no more then", len(takes), count)
    daemon.end()
    daemon = face(store, mode="lease")
    is_true("leases are asked for there", wait_for(lambda: codes(daemon, "x", 1) and len(takes) > count))
    count = len(takes)
    time.sleep(1)
    is_true("now and then", len(takes) - count < 300, len(takes) - count)
    daemon.end()
store, takes = stage(b"*0\r\n", 0.02)
daemon = face(store, **{"connect-timeout": "PT0.1S"})
is_true("a master that is slow to answer a thousand marks is away", wait_for(
    lambda: "no answer in time" in daemon.said()))
daemon.end()
cluster = Cluster(replicas=False)
first, second, third = cluster.servers
store = {"cluster": ["127.0.0.1:1", first.address]}
is_refused("a node of a cluster is no Redis alone", "name it in 'cluster'",
           url="redis://" + first.address)
is_refused("a cluster has one database", "'database' cannot be given beside 'cluster'",
           **store, database=1)
is_refused("and tags in names", "not for a cluster: it has a '{'", **store, prefix="a{b}:")

# ---- all masters, one count ----

daemon, other = start(**store), start(**store)
whos = ["who%d" % n for n in range(40)]
is_equal("a cluster counts", [codes(daemon, who, 4) for who in whos], [[200] * 4] * 40)
is_equal("once for all limends", [codes(other, who, BURST) for who in whos],
         [[200] * 6 + [429] * 4] * 40)
is_true("in all masters", all(server.ask("DBSIZE") > 10 for server in cluster.servers))


def connections():
    return max(len(re.findall(r"cmd=(?:evalsha|script|asking)", server.ask("CLIENT", "LIST")))
               for server in cluster.servers)


is_true("by at most four connections of each limend to each", 4 <= connections() <= 8, connections())

# ---- a slot moves ----


def others(server):
    return next(found for found in cluster.servers if found is not server)


codes(daemon, "mover", 4)
slot = cluster.slot("mover")
target = others(cluster.owner(slot))
cluster.move(slot, target)
is_true("a slot moves", cluster.owner(slot) is target)
is_equal("with its counts", codes(daemon, "mover", 5) + codes(other, "mover", 2), [200] * 6 + [429])
new, newer = cluster.beside("mover", 2)
is_equal("and refuses nobody who is new", codes(other, new, BURST), FULL)

# A limend starts before anybody has used the slot where it is now, and cannot ask the old master at once.
codes(daemon, "early", 4)
slot = cluster.slot("early")
source = cluster.owner(slot)
cluster.move(slot, others(source))
source.ask("CLIENT", "PAUSE", 2500, "ALL")
early = start(**{**store, "cluster": [others(source).address], "connect-timeout": "PT9S"})
is_equal("and keeps its counts when a limend starts", codes(early, "early", 7), [200] * 6 + [429])
early.end()

# Half of it has moved.
codes(daemon, "half", 4)
slot = cluster.slot("half")
stays, late, later = cluster.beside("half", 3)
codes(daemon, stays, 4)
target = others(cluster.owner(slot))
hasty = start(**{**store, "timeout": "PT1S"})
source = cluster.begin_move(slot, target)
names = source.ask("CLUSTER", "GETKEYSINSLOT", slot, 10)
cluster.move_keys(source, target, [name for name in names if not name.endswith(stays)])
is_equal("what has moved is counted where it is", codes(hasty, "half", 1) + codes(daemon, "half", 1),
         [200, 200])
is_equal("what cannot be counted yet is refused", codes(hasty, late, 1), [429])
waiting = []
thread = threading.Thread(target=lambda: waiting.extend(codes(daemon, later, 1) + codes(daemon, stays, BURST)))
thread.start()
time.sleep(0.1)
cluster.move_keys(source, target, [name for name in names if name.endswith(stays)])
cluster.end_move(slot, target)
thread.join()
is_equal("or waits until the slot has moved", waiting, [200] * 7 + [429] * 4)
is_equal("with all counts", codes(daemon, "half", BURST), [200] * 4 + [429] * 6)
is_true("and no connection was lost", "unavailable" not in daemon.said() + hasty.said(),
        daemon.said() + hasty.said())
hasty.end()

# ---- a slot moves there and back while limends decide ----


def load(asked, who, found):
    for _ in range(20):
        found += codes(asked, who, 30)


heavy = start(**store, rate="1/d", burst=600)
heavier = start(**store, rate="1/d", burst=600)
for name in cluster.beside("hot", 100):
    codes(heavy, name, 1)
found = []
threads = [threading.Thread(target=load, args=(asked, "hot", found)) for asked in (heavy, heavier)]
for thread in threads:
    thread.start()
slot = cluster.slot("hot")
moves = 0
while any(thread.is_alive() for thread in threads):
    cluster.move(slot, others(cluster.owner(slot)))
    moves += 1
for thread in threads:
    thread.join()
is_true("a slot that moves under load loses no count", moves > 0 and sorted(found) == [200] * 600 + [429] * 600,
        "%d moves, %d admitted, %d errors" % (moves, found.count(200), found.count(500)))
heavier.end()

# ---- a limit whose keys are in several slots ----

several = dict(policy(**store), limits=[{"name": "few", "type": "take", "data": {
    "tables": ["d", "a", "c", "b"], "spread": True, "burst": 300, "period": "P1D", "all": True,
    "reserve": True}}])
modules = os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/modules")
pair = [Daemon("--module-path", COMMON[1] + ":" + modules, *COMMON[2:], program=LIMEND,
               policy=several) for _ in range(2)]
found = []
for asked in pair:
    wait_for(lambda: found.append(codes(asked, "x", 1)[0]) or found[-1] == 200)
threads = [threading.Thread(target=load, args=(asked, "x", found)) for asked in pair * 2]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
while codes(pair[0], "x", 1) == [200]:
    found.append(200)


def debt(name):
    key = next(key for server in cluster.servers for key in server.ask("KEYS", "*limits/few/%s*" % name))
    return -(-int(cluster.owner_of(key).ask("HGET", key, "s").split()[0]) // (24 * 3600 * 1000000))


taken = [debt(name) for name in "dacb"]
is_true("takes all or none, and never too many", taken == [300] * 4 and found.count(200) == 300,
        "%s, %d admitted" % (taken, found.count(200)))
for asked in pair:
    asked.end()

# ---- leases ----

lessee = start(**store, mode="lease", rate="1/d", burst=80)
leases = ["lease%d" % n for n in range(9)]
is_true("leases come from all masters",
        all(wait_for(lambda who=who: codes(lessee, who, 1) == [200]) for who in leases))
slot = cluster.slot(leases[0])
found = []
for _ in range(8):
    cluster.move(slot, others(cluster.owner(slot)))
    found += codes(lessee, leases[0], 20)
is_true("a slot that moves lets no lease pass twice", 0 < found.count(200) < 80 and 500 not in found,
        "%d admitted" % found.count(200))
is_true("and is leased from again", wait_for(lambda: codes(lessee, cluster.beside(leases[0], 1)[0], 1) == [200]))
lessee.end()
heavy.end()

# ---- lists and resets ----


def buckets(*words):
    return subprocess.run(
        ["limen", "buckets", "--policy", write("listed.conf", policy(**store)), *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(
            os.environ, PATH=os.environ["LIMEN_BUILDDIR"] + ":" + os.environ["PATH"])).stdout


listed = buckets("-n", "1000")
is_true("buckets of all masters are listed", all("s%d:%s " % (len(who), who) in listed or who in listed
                                                 for who in whos), listed)
buckets("--reset", "who7")
is_equal("one is reset", codes(daemon, "who7", 1) + codes(daemon, "who8", 1), [200, 429])

# ---- a master ends ----

third.kill()
third.start()
cluster.settle()
wait_for(lambda: all(codes(daemon, who, 1) != [500] for who in whos))
is_true("a master that lost its state has empty buckets, the others keep theirs",
        all(codes(daemon, who, 1) == [429] for who in whos if who != "who7"))
is_equal("they end in order", [daemon.end(), other.end()], [0, 0])
cluster.kill()
finish(by_status=LONG)
