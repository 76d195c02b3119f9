# SPDX-License-Identifier: Apache-2.0
"""What limend says of a Redis in which it cannot count, and what a failover leaves of its counts."""
from fleet_kit import *

# ---- servers that cannot do ----

master, replica = Server(), Server()
replica.follow(master)
is_refused("a replica is refused", "it is a replica of 127.0.0.1", url="redis://" + replica.address)
node = Server("--cluster-enabled", "yes")
is_refused("a node of a cluster is refused", "it is a node of a Redis Cluster",
           url="redis://" + node.address)
node.kill()
watch = Server(sentinel="")
is_refused("a Sentinel is refused", "it is a Sentinel", url="redis://" + watch.address)
watch.kill()
locked = Server("--requirepass", "s3cret")
is_refused("a Redis that wants another password is refused", "WRONGPASS",
           url="redis://:other@" + locked.address)
is_true("which is not told", "s3cret" not in check(url="redis://:s3cret@" + replica.address)[1])
locked.kill()
status, errors = check(url="redis://" + locked.address)
is_true("a Redis that is away is a warning", status == 0 and "cannot be used now" in errors, errors)
status, errors = check(url="redis://a,b:1")
is_true("several hosts are none", status == 2 and "not one host" in errors, errors)

# ---- a master that becomes a replica ----

daemon = start(url="redis://" + master.address)
is_equal("a master serves", codes(daemon, "one", 4), [200] * 4)
replica.in_step_with(master)
replica.ask("REPLICAOF", "NO", "ONE")
master.follow(replica)
is_true("one that becomes a replica counts as away",
        wait_for(lambda: codes(daemon, "other", 1) == [500]))
is_true("which the log tells", "Redis is unavailable: %s: READONLY" % master.address
        in daemon.said(), daemon.said())
master.ask("REPLICAOF", "NO", "ONE")
is_true("and serves once it is a master again",
        wait_for(lambda: codes(daemon, "other", 1) == [200]))
daemon.end()
replica.kill()
master.kill()


# ---- failover ----

def fail_over(**store):
    """A master dies after four takes, and its replica takes over; returns a limend and its way."""
    master, replica = Server(), Server()
    way = Forward(master.port)
    replica.follow(master)
    daemon = start(url="redis://" + way.address, **store)
    codes(daemon, "one", 4)
    replica.in_step_with(master)
    master.kill()
    replica.ask("REPLICAOF", "NO", "ONE")
    way.target = replica.port
    wait_for(lambda: codes(daemon, "another", 1) != [500])
    return daemon, way, replica


daemon, way, server = fail_over()
is_equal("a failover keeps counts", codes(daemon, "one", BURST), [200] * 6 + [429] * 4)
is_equal("and refuses nobody who is new", codes(daemon, "new", BURST), FULL)
later = start(url="redis://" + way.address)
is_equal("for a limend that starts later, too", codes(later, "newer", BURST), FULL)
later.end()
# The new master has a replica of its own, and another failover.
second = Server()
second.follow(server)
time.sleep(1.1)
codes(daemon, "two", 4)
second.in_step_with(server)
server.kill()
second.ask("REPLICAOF", "NO", "ONE")
way.target = second.port
wait_for(lambda: codes(daemon, "another", 1) != [500])
is_equal("the next failover keeps them, too", codes(daemon, "two", BURST), [200] * 6 + [429] * 4)
is_equal("all of them", codes(daemon, "one", BURST), NONE)
daemon.end()

# ---- one limend is cut off ----

master = Server()
way = Forward(master.port)
near = start(url="redis://" + master.address)
far = start(url="redis://" + way.address, timeout="PT0.2S")
is_equal("both take from one allowance", codes(near, "one", 3) + codes(far, "one", 3), [200] * 6)
way.open = False
for name in ("a limend whose packets are lost cannot tell", "nor one whose connections end"):
    is_true(name, wait_for(lambda: codes(far, "one", 1) == [500]))
    is_equal("and the other decides", codes(near, "one", 1), [200])
    way.cut()
way.open = True
is_true("it decides again once it is connected", wait_for(lambda: codes(far, "x", 1) != [500]))
is_equal("with the same count", codes(far, "one", 2) + codes(near, "one", 2), [200, 200, 429, 429])
far.end()

# ---- a master without replicas, where it must have some ----

master.ask("CONFIG", "SET", "min-replicas-to-write", "1")
is_equal("a master that may not write grants nothing", codes(near, "y", 1), [500])
is_true("which the log tells", "NOREPLICAS" in near.said(), near.said())
master.ask("CONFIG", "SET", "min-replicas-to-write", "0")
is_true("and serves once it may", wait_for(lambda: codes(near, "y", 1) == [200]))
near.end()
master.kill()

# ---- failover that empties ----

daemon, way, server = fail_over(**{"after-failover": "empty"})
is_equal("where that is wanted, buckets start empty", codes(daemon, "new", BURST), NONE)
daemon.end()
server.kill()

# A master that loads an old file has its own former replication ID as the second one.
master, replica = Server("--save", "3600 100000"), Server()
replica.follow(master)
daemon = start(url="redis://" + master.address)
codes(daemon, "one", 4)
wait_for(lambda: master.ask("SAVE") == "+OK")  # not while Redis 8 ends a background save
codes(daemon, "one", 4)
master.kill()
replica.kill()
master.start()
is_true("after a restart with an old file", master.info("master_replid2").strip("0") != "")
wait_for(lambda: codes(daemon, "another", 1) != [500])
is_equal("buckets start empty", codes(daemon, "one", BURST), NONE)
is_equal("it ends in order", daemon.end(), 0)
finish(by_status=LONG)
