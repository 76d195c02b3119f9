# SPDX-License-Identifier: Apache-2.0
"""limend asks Sentinels for the master, and goes on with the next one."""
from fleet_kit import *

master, replica = Server(), Server()
replica.follow(master)
# A single Sentinel decides at once, three want some seconds.
watch = Sentinels(master, *((3, 2) if LONG else (1, 1)), password="guard")
secret = write("guard", "guard\n")
sentinels = {"sentinels": ["127.0.0.1:1"] + watch.addresses, "master": "counts",
             "sentinel-username": "limen", "sentinel-password-file": secret, "connect-timeout": "PT2S"}
is_refused("a master that no Sentinel knows is refused", "it knows no master 'other'",
           **dict(sentinels, master="other"))
is_refused("a password that Sentinels refuse is refused", "WRONGPASS",
           **{**sentinels, "sentinel-password-file": write("wrong", "wrong")})
daemon = start(**sentinels)
other = start(**sentinels)
is_equal("a master that Sentinels name serves", codes(daemon, "one", 4), [200] * 4)
replica.in_step_with(master)
master.kill()
promoted = wait_for(lambda: watch.master() == replica.port and replica.info("role") == "master")
begun = time.monotonic()
is_true("after a failover the new master serves", promoted and wait_for(
    lambda: codes(daemon, "another", 1) != [500] and codes(other, "another", 1) != [500]))
is_true("within three seconds", time.monotonic() - begun < 3 or PATIENCE > 60,
        time.monotonic() - begun)
is_equal("with the counts of before, for each limend",
         codes(daemon, "one", 3) + codes(other, "one", 4), [200] * 6 + [429])
is_equal("and refuses nobody who is new", codes(other, "new", BURST), FULL)
if LONG:
    # Sentinel waits for eight seconds.
    master.start()
    is_true("the old master comes back as a replica", wait_for(lambda: master.info("role") == "slave"))
    is_equal("and nothing changes", codes(daemon, "new", 1), [429])
if LONG:
    master.is_fed_by(replica)
    watch.ask(watch.servers[0], "SENTINEL", "FAILOVER", "counts")
    is_true("a master that is told to become a replica is left", wait_for(
        lambda: master.info("role") == "master" and replica.info("role") == "slave"
        and codes(daemon, "another", 1) != [500]))
    is_equal("with the counts of before", codes(daemon, "new", 1), [429])
watch.kill()
is_equal("without Sentinels the master goes on serving", codes(daemon, "newer", 1), [200])
is_equal("they end in order", [daemon.end(), other.end()], [0, 0])
finish(by_status=LONG)
