# SPDX-License-Identifier: Apache-2.0
"""The master is killed while two limends decide: never more than the allowance and what the replica had not got."""
from fleet_kit import *

ROUNDS, TAKES = (10, 4000) if LONG else (1, 1000)
ALLOWANCE = TAKES * 3 // 4
DAY = 24 * 60 * 60 * 1000000


class Load(threading.Thread):
    """Takes tokens of 'who', ten at a time, and one of a key that nobody has used."""

    def __init__(self, daemon, who):
        super().__init__(daemon=True)
        self.daemon_asked, self.who = daemon, who
        self.found = {200: 0, 429: 0, 500: 0}
        self.unseen = set()
        self.stopped = threading.Event()
        self.start()

    def run(self):
        for turn in range(TAKES * 10):
            for code in codes(self.daemon_asked, self.who, 10):
                self.found[code] += 1
            if self.found[500]:
                time.sleep(0.01)
            self.unseen.update(codes(self.daemon_asked, "%s-%d-%d" % (self.who, id(self), turn), 1))
            if self.stopped.is_set():
                return


def taken(server, who):
    """How many tokens of 'who' the server knows to be taken."""
    names = [name for name in server.ask("KEYS", "limen:b:*") if name.endswith(who)]
    return -(-int(server.ask("HGET", names[0], "s").split()[0]) // DAY) if names else 0


def admitted(loads):
    return sum(load.found[200] for load in loads)


master, replica = Server(), Server()
replica.follow(master)
watch = Sentinels(master, *((3, 2) if LONG else (1, 1)))
store = {"sentinels": watch.addresses, "master": "counts", "rate": "1/d", "burst": ALLOWANCE}
daemons = [start(**store), start(**store)]
worst, slowest = 0, 0
for turn in range(ROUNDS):
    who = "round%d" % turn
    loads = [Load(daemon, who) for daemon in daemons]
    is_true("both decide, round %d" % turn, wait_for(lambda: admitted(loads) > ALLOWANCE // 3))
    master.kill()
    known = taken(replica, who)
    is_true("a replica becomes the master", wait_for(lambda: replica.info("role") == "master"))
    promoted = time.monotonic()
    # What was granted so far, the old master granted.
    lost = max(0, admitted(loads) - known)
    is_true("and both decide there", wait_for(
        lambda: codes(daemons[0], "x", 1) != [500] and codes(daemons[1], "x", 1) != [500]))
    took = time.monotonic() - promoted
    is_true("within three seconds", took < 3 or PATIENCE > 60, took)
    is_true("until nothing is left", wait_for(lambda: all(load.found[429] > 0 for load in loads)))
    for load in loads:
        load.stopped.set()
        load.join()
    is_true("no more is admitted than the allowance and what was lost",
            admitted(loads) <= ALLOWANCE + lost,
            "admitted %d of %d, %d lost" % (admitted(loads), ALLOWANCE, lost))
    is_true("no key is refused that nobody has used",
            all(load.unseen <= {200, 500} for load in loads))
    print("# round %d: %d of %d admitted, %d refused, %d errors, %d not replicated, %.2f s"
          % (turn, admitted(loads), ALLOWANCE, sum(load.found[429] for load in loads),
             sum(load.found[500] for load in loads), lost, took))
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
