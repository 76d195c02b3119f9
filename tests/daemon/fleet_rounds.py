# SPDX-License-Identifier: Apache-2.0
"""Two limends that take one key's tokens while its master is killed."""
from fleet_kit import *

TAKES = 4000 if LONG else 1000
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

    def end(self):
        self.stopped.set()
        self.join()


def taken(server, who):
    """How many tokens of 'who' the server, which may be a replica, knows to be taken."""
    names = [name for name in server.ask("KEYS", "limen:*b:*") if name.endswith(who)]
    state = server.ask("HGET", names[0], "s", first=("READONLY",)) if names else "0"
    return -(-int(state.split()[0]) // DAY)


def admitted(loads):
    return sum(load.found[200] for load in loads)


def lose_master(daemons, who, master, replica, probe="x"):
    """One round: its replica is promoted by others; it has 'probe', too.  Returns the takes that were lost, and how long it took."""
    loads = [Load(daemon, who) for daemon in daemons]
    is_true("both decide, " + who, wait_for(lambda: admitted(loads) > ALLOWANCE // 3))
    master.kill()
    known = taken(replica, who)
    is_true("a replica becomes the master", wait_for(lambda: replica.info("role") == "master"))
    promoted = time.monotonic()
    # What was granted so far, the old master granted.
    lost = max(0, admitted(loads) - known)
    is_true("and both decide there", wait_for(
        lambda: all(codes(daemon, probe, 1) != [500] for daemon in daemons)))
    took = time.monotonic() - promoted
    is_true("within three seconds", took < 3 or PATIENCE > 60, took)
    is_true("until nothing is left", wait_for(lambda: all(load.found[429] > 0 for load in loads)))
    for load in loads:
        load.end()
    is_true("no more is admitted than the allowance and what was lost",
            admitted(loads) <= ALLOWANCE + lost,
            "admitted %d of %d, %d lost" % (admitted(loads), ALLOWANCE, lost))
    is_true("no key is refused that nobody has used",
            all(load.unseen <= {200, 500} for load in loads))
    print("# %s: %d of %d admitted, %d refused, %d errors, %d not replicated, %.2f s"
          % (who, admitted(loads), ALLOWANCE, sum(load.found[429] for load in loads),
             sum(load.found[500] for load in loads), lost, took), flush=True)
    return lost, took
