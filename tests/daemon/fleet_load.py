# SPDX-License-Identifier: Apache-2.0
"""The master is killed while two limends decide: never more than the allowance and what the replica had not got."""
from fleet_rounds import *

ROUNDS = 10 if LONG else 1
master, replica = Server(), Server()
replica.follow(master)
watch = Sentinels(master, *((3, 2) if LONG else (1, 1)))
store = {"sentinels": watch.addresses, "master": "counts", "rate": "1/d", "burst": ALLOWANCE}
daemons = [start(**store), start(**store)]
worst, slowest = 0, 0
for turn in range(ROUNDS):
    lost, took = lose_master(daemons, "round%d" % turn, master, replica)
    worst, slowest = max(worst, lost), max(slowest, took)
    if turn + 1 < ROUNDS:
        master.start()
        is_true("the old master comes back as a replica",
                wait_for(lambda: master.info("role") == "slave") and master.is_fed_by(replica))
        master, replica = replica, master
        wait_for(lambda: all(watch.sees_all(server) and watch.master() == master.port
                             for server in watch.servers))
print("# at most %d not replicated, %.2f s after the promotion" % (worst, slowest))
is_equal("they end in order", [daemon.end() for daemon in daemons], [0, 0])
finish(by_status=LONG)
