#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
fleet.py [SECONDS] - how well 2 to 64 limends share one allowance in a real Redis.  They are engines
of this process, each with a store, connections and leases of its own, and get requests as a load
balancer gives them.  A model of the allowance runs beside them: a refusal while the model has a
token, and what refills in 50 ms, is one too many, and more admissions than the model's would be an error.
"""
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.environ["LIMEN_SRCDIR"], "tests/daemon"))
from fleet_kit import Server
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


def policy(server, mode, rate, burst, count):
    return json.dumps({
        "schema": 4,
        "stores": {"default": {"type": "redis", "data": {
            "port": server.port, "mode": mode, "on-error": "deny", "connections": 1,
            "timeout": "PT2S", "replicas": count}}},
        "identifiers": [{"name": "all", "type": "always"}],
        "limits": [{"name": "few", "type": "rate", "data": {
            "rate": "%d/PT1S" % rate, "burst": burst, "key": ["hint:who"]}}],
        "applications": [{"identifier": "all", "apply": ["few"]}]})


def calls(server):
    """Scripts that Redis has run, and the time that it took for them, in microseconds."""
    found = {}
    for line in server.ask("INFO", "commandstats").splitlines():
        if line.startswith("cmdstat_evalsha:"):
            found = dict(part.split("=") for part in line.split(":")[1].split(","))
    return int(found.get("calls", 0)), float(found.get("usec", 0))


def choose(count, share):
    if share is None or random.random() >= share:
        return random.randrange(count)
    return 0


def run(server, engines, scene):
    """One row: what was offered, admitted and refused, by limend and key."""
    name, rate, burst, keys, offered, share = scene
    weights = [1 / (n + 1) for n in range(keys)]
    whos = random.choices(range(keys), weights, k=int(offered * SECONDS) + 1)
    admitted, refused, early = [0] * len(engines), 0, 0
    models = {}
    before = calls(server)
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
    after = calls(server)
    lasted = time.monotonic() - start
    most = sum(min(whos.count(who), burst + rate * lasted) for who in models)
    decisions = sum(admitted) + refused
    return {"admitted": sum(admitted) / most, "early": early / decisions,
            "least": min(admitted) * len(engines) / max(1, sum(admitted)),
            "calls": (after[0] - before[0]) / decisions,
            "busy": (after[1] - before[1]) / 1e6 / lasted,
            "over": min(model.left() for model in models.values())}


def main():
    print("| load | limends | mode | admitted of the allowance | refused although tokens were left "
          "| least admitted by one, of an even share | scripts a decision | Redis busy |")
    print("|---|---|---|---|---|---|---|---|")
    worst = 0
    for scene in SCENES:
        for mode in ("lease", "strict"):
            for count in FLEETS:
                server = Server()
                engines = [limen.Engine(module_path=os.environ["LIMEN_MODULE_PATH"])
                           for _ in range(count)]
                for engine in engines:
                    engine.load_text(policy(server, mode, scene[1], scene[2], count))
                    engine.wait_ready(10)
                row = run(server, engines, scene)
                print("| %s | %d | %s | %.1f %% | %.1f %% | %s | %.3f | %.2f %% |" % (
                    scene[0], count, mode, 100 * row["admitted"], 100 * row["early"],
                    "-" if scene[5] else "%.2f" % row["least"], row["calls"], 100 * row["busy"]),
                    flush=True)
                worst = min(worst, row["over"])
                for engine in engines:
                    engine.close()
                server.kill()
    print("\nAt most %.0f tokens were admitted beyond an allowance." % max(0, -worst))
    sys.exit(worst < -1)


main()
