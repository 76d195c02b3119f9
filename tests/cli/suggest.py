# SPDX-License-Identifier: Apache-2.0
"""Checks what limen suggest proposes against a simulation of its own.

    suggest.py LIMEN SEED

Makes a decision log, has rates proposed, and counts with exact fractions what token
buckets of those rates would have refused; and that less would not have done.
"""
import json
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction

TYPES = ["Server", "Namespace", "User", "SourceAndObject"]


def make_log(dice):
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    events = []
    for _ in range(dice.choice([1, 40, 700])):
        now += timedelta(microseconds=dice.choice([0, 1, 900, 250000, 1500000, 20000000]))
        events.append((now, dice.choice("abc"), dice.choice("uvwxyz"),
            (dice.choice(["k", "l"]), str(dice.randrange(30)))))
    lines = [json.dumps({"time": time.isoformat(), "endpoint": "/admission/validate",
        "resource": "events", "namespace": namespace, "user": user,
        "event": {"source": pair[0], "object": pair[1]}, "verdict": "admitted"})
        for time, namespace, user, pair in events]
    lines += [json.dumps({"time": "2026-01-01T00:00:00Z", "endpoint": "/admission/validate",
        "resource": "pods", "verdict": "refused"}), "", "{\"torn"]
    dice.shuffle(lines[:-3])
    return events, "\n".join(lines)


def keys(event, type):
    return {"Server": "", "Namespace": event[1], "User": event[2],
        "SourceAndObject": event[3]}[type]


def refused(events, type, qps, burst):
    """The indices of the events that find no token."""
    buckets = {}
    found = set()
    for index, event in enumerate(events):
        last, level = buckets.get(keys(event, type), (event[0], Fraction(burst)))
        passed = (event[0] - last) // timedelta(microseconds=1)
        level = min(Fraction(burst), level + Fraction(passed * qps, 1000000))
        if level >= 1:
            level -= 1
        else:
            found.add(index)
        buckets[keys(event, type)] = (event[0], level)
    return found


def check(limen, dice):
    events, log = make_log(dice)
    share = dice.choice([100, 99, 90])
    headroom = dice.choice([1, 1.5])
    window = dice.choice([1, 60])
    answer = json.loads(subprocess.run([limen, "suggest", "--format", "json", "--share", str(share),
        "--headroom", str(headroom), "--window", str(window), "-"], input=log.encode(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
    most = len(events) * (100 - share) // 100
    union = set()
    assert [one["type"] for one in answer["configuration"]["limits"]] == TYPES
    for limit, seen in zip(answer["configuration"]["limits"], answer["types"]):
        name, qps, burst = limit["type"], limit["qps"], limit["burst"]
        found = refused(events, name, qps, burst)
        union |= found
        assert seen["refused"] == len(found), (name, seen, len(found))
        assert seen["keys"] == len({keys(event, name) for event in events})
        assert len(found) <= most
        if headroom == 1:
            less = qps - 1
            assert less == 0 or len(refused(events, name, less, less * window)) > most, name
            assert burst <= qps * window
            assert burst == 1 or len(refused(events, name, qps, burst - 1)) > most, name
    assert answer["refused"] == len(union)
    assert answer["events"] == len(events)


def main():
    dice = random.Random(int(sys.argv[2]))
    for _ in range(15):
        check(sys.argv[1], dice)


main()
