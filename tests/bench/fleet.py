#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
fleet.py [SECONDS] - how well 2 to 64 limends share one allowance in a real Redis, and in a cluster
of three masters.  They are engines of this process, each with a store, connections and leases of its own, and get requests as a load
balancer gives them.  A model of the allowance runs beside them: a refusal while the model has a
token, and what refills in 50 ms, is one too many, and more admissions than the model's would be an error.
"""
import json
import os
import re
import random
import sys
import time

sys.path.insert(0, os.path.join(os.environ["LIMEN_SRCDIR"], "tests/daemon"))
from fleet_kit import Cluster, Server
import limen

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 4
SLOW = 0.05

# Name, rate a second, burst, keys, offered decisions a second, share of the first limend.
SCENES = [
    ("one hot key", 1000, 1000, 1, 2000, None),
    ("one hot key, a small burst", 20, 20, 1, 200, None),
    ("one hot key, a tiny burst", 5, 5, 1, 200, None),
    ("one hot key, 80 % at one limend", 1000, 1000, 1, 2000, 0.8),
    ("1,000 keys, few hot ones (Zipf)", 20, 20, 1000, 2000, None),
]
FLEETS = (2, 8, 64)
# One key is in one master of a cluster, so these tell enough.
CLUSTERED = (SCENES[0], SCENES[-1])


class Model:
    """The allowance of one key, full at first."""

    def __init__(self, rate, burst):
        self.rate, self.burst = rate, burst
        self.tokens, self.then = burst, time.monotonic()

    def left(self):
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.then) * self.rate)
        self.then = now
        return self.tokens


class One:
    """A single Redis, as a cluster of one."""

    def __init__(self):
        self.servers = [Server()]
        self.store = {"port": self.servers[0].port}

    def kill(self):
        self.servers[0].kill()


class Three(Cluster):
    def __init__(self):
        super().__init__(replicas=False)
        self.store = {"cluster": self.addresses}


def policy(redis, mode, rate, burst, count):
    return json.dumps({
        "schema": 4,
        "stores": {"default": {"type": "redis", "data": {
            **redis.store, "mode": mode, "on-error": "deny", "connections": 1,
            "timeout": "PT2S", "replicas": count}}},
        "identifiers": [{"name": "all", "type": "always"}],
        "limits": [{"name": "few", "type": "rate", "data": {
            "rate": "%d/PT1S" % rate, "burst": burst, "key": ["hint:who"]}}],
        "applications": [{"identifier": "all", "apply": ["few"]}]})


def calls(redis):
    """Scripts that each master has run, and the time that it took for them, in microseconds."""
    stats = [re.search(r"cmdstat_evalsha:calls=(\d+),usec=(\d+)", server.ask("INFO", "commandstats"))
             for server in redis.servers]
    return [tuple(map(int, found.groups())) if found else (0, 0) for found in stats]


def choose(count, share):
    if share is None or random.random() >= share:
        return random.randrange(count)
    return 0


def run(redis, engines, scene):
    """One row: what was offered, admitted and refused, by limend and key."""
    name, rate, burst, keys, offered, share = scene
    weights = [1 / (n + 1) for n in range(keys)]
    whos = random.choices(range(keys), weights, k=int(offered * SECONDS) + 1)
    admitted, refused, early = [0] * len(engines), 0, 0
    models = {}
    before = calls(redis)
    start = time.monotonic()
    for turn, who in enumerate(whos):
        pause = start + turn / offered - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        at = choose(len(engines), share)
        model = models.setdefault(who, Model(rate, burst))
        left = model.left()
        decision = engines[at].decide({}, hints={"who": str(who)})
        if decision.admitted:
            admitted[at] += 1
            model.tokens -= 1
        else:
            refused += 1
            # The model may be ahead by what refills during a slow call.
            early += left >= 1 + rate * SLOW
    used = [(new[0] - old[0], new[1] - old[1]) for old, new in zip(before, calls(redis))]
    lasted = time.monotonic() - start
    most = sum(min(whos.count(who), burst + rate * lasted) for who in models)
    decisions = sum(admitted) + refused
    return {"admitted": sum(admitted) / most, "early": early / decisions,
            "least": min(admitted) * len(engines) / max(1, sum(admitted)),
            "calls": sum(of[0] for of in used) / decisions,
            "busy": max(of[1] for of in used) / 1e6 / lasted,
            "over": min(model.left() for model in models.values())}


def measure(make, scene, mode, count):
    """Prints a row; returns what is left of the allowance, below 0 if more was admitted."""
    redis = make()
    engines = [limen.Engine(module_path=os.environ["LIMEN_MODULE_PATH"]) for _ in range(count)]
    for engine in engines:
        engine.load_text(policy(redis, mode, scene[1], scene[2], count))
        engine.wait_ready(10)
    row = run(redis, engines, scene)
    print("| %s | %d | %s | %.1f %% | %.1f %% | %s | %.3f | %.2f %% |" % (
        scene[0], count, mode, 100 * row["admitted"], 100 * row["early"],
        "-" if scene[5] else "%.2f" % row["least"], row["calls"], 100 * row["busy"]), flush=True)
    for engine in engines:
        engine.close()
    redis.kill()
    return row["over"]


def main():
    worst = 0
    for name, make, scenes in (("One Redis", One, SCENES), ("A cluster of three masters", Three, CLUSTERED)):
        print("\n%s:\n\n| load | limends | mode | admitted of the allowance | refused although tokens were left "
              "| least admitted by one, of an even share | scripts a decision | busiest Redis |" % name)
        print("|---|---|---|---|---|---|---|---|")
        for scene in scenes:
            for mode in ("lease", "strict"):
                for count in FLEETS:
                    worst = min(worst, measure(make, scene, mode, count))
    print("\nAt most %.0f tokens were admitted beyond an allowance." % max(0, -worst))
    sys.exit(worst < -1)


main()
