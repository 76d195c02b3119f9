# SPDX-License-Identifier: Apache-2.0
"""What limend makes of connections to Redis that end, and how often it makes new ones."""
from redis_kit import *

# Of attempts that come to nothing there are this many in three seconds at most: at once,
# and 0.1, 0.2, 0.4, 0.8 and 1.6 seconds after the one before.
ATTEMPTS = 6
AT_ONCE = 4


def made_while(act, seconds):
    """How many connections are made while 'act' is done again and again."""
    before = connections["made"]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        act()
        time.sleep(0.005)
    return connections["made"] - before


def grow_idle():
    """Longer than a connection must last, and less than until idle tokens are put back."""
    time.sleep(2)


def losses(daemon):
    return metric(daemon, "limend_instance_events_total", 'event="losses"') or 0


# ---- idle connections end, mode lease ----

daemon = start(mode="lease")
for _ in range(5):
    grow_idle()
    before = connections["made"]
    hang_up_all()
    wait_for(lambda: connections["made"] > before)
is_true("where Redis ends an idle connection, another is made",
        wait_for(lambda: serves(daemon)), daemon.said())
# On a slow machine one of them may be new still, or have idle tokens to put back.
is_true("and Redis is not away for that", daemon.said().count(AWAY) <= 2, daemon.said())
is_true("nor is it a loss", losses(daemon) <= 2, losses(daemon))
curt.set()
hang_up_all()
few = made_while(lambda: None, 3)
is_true("one that ends them at once is asked less and less often", few <= ATTEMPTS, few)
curt.clear()
is_true("and serves once it does not", wait_for(lambda: codes(daemon, "lease", 1) == [200]))
daemon.end()

# ---- idle connections end, mode strict ----

daemon = start()
for turn in range(3):
    grow_idle()
    hang_up_all()
    is_equal("the first decision after that waits for a new connection, turn %d" % turn,
             codes(daemon, "idle", 1), [200])
is_equal("and Redis is not away for that in mode strict either", daemon.said().count(AWAY), 0)
grow_idle()
hang_up(standing.pop())
is_equal("where one of several has ended, another is used", codes(daemon, "one", 8), [200] * 8)
is_equal("and nothing is lost", losses(daemon), 0)

# ---- its memory is full, which is no reason for another connection ----

redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
redis("CONFIG", "SET", "maxmemory", "1")
found = set()
few = made_while(lambda: found.update(codes(daemon, "other", 1)), 1)
is_equal("where memory is full, everything is refused", found, {429})
is_equal("over the connections that there are", few, 0)
is_equal("and the log tells it once", daemon.said().count(FULL), 1)
redis("CONFIG", "SET", "maxmemory", "0")
is_equal("once it has room, it admits", codes(daemon, "other", 1), [200])

# ---- one question for each connection ----

hasty.set()
few = made_while(lambda: codes(daemon, "hasty", 1), 3)
is_true("one that ends each connection after an answer is asked less and less often",
        few <= ATTEMPTS * AT_ONCE, few)
hasty.clear()
is_true("and serves once it does not", wait_for(lambda: codes(daemon, "again", 1) == [200]))

is_equal("it ends in order", daemon.end(), 0)
finish()
