# SPDX-License-Identifier: Apache-2.0
"""A master of a cluster is killed while two limends decide: as fleet_load.py, without Sentinels."""
from fleet_rounds import *

ROUNDS = 10 if LONG else 1
cluster = Cluster()
store = {"cluster": cluster.addresses[:2], "rate": "1/d", "burst": ALLOWANCE}
daemons = [start(**store), start(**store)]
worst, slowest = 0, 0
for turn in range(ROUNDS):
    who = "round%d" % turn
    probe, = cluster.beside(who, 1)
    master = cluster.owner(cluster.slot(who))
    replica = cluster.feed(master)
    lost, took = lose_master(daemons, who, master, replica, probe)
    worst, slowest = max(worst, lost), max(slowest, took)
    if turn + 1 < ROUNDS:
        master.start()
        is_true("the old master comes back as a replica", wait_for(
            lambda: master.info("role") == "slave") and cluster.feed(replica) is master)
        cluster.settle()
print("# at most %d not replicated, %.2f s after the promotion" % (worst, slowest))
is_equal("they end in order", [daemon.end() for daemon in daemons], [0, 0])
finish(by_status=LONG)
