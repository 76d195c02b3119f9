# SPDX-License-Identifier: Apache-2.0
"""What a soak found: the checks of its counts, and a table of them for docs/testing.md."""
import math
from typing import NamedTuple

from judge import bound_takes
from traffic import *


class Sample(NamedTuple):
    """What there was at a time, in seconds of the soak."""

    time: float
    asked: int
    descriptors: int
    threads: int
    memory: int  # KiB


class Found:
    """What clients counted, and the samples."""

    def __init__(self, counts, elapsed, loads, seen):
        self.counts = counts
        self.elapsed = elapsed
        self.loads = loads
        self.seen = seen
        self.warm = seen[min(len(seen) - 1, max(10, len(seen) // 5))] if seen else None
        self.answers = sum(one["answers"] for one in counts)
        self.wrong = sum((one["wrong"] for one in counts), [])
        self.lost = sum((one["lost"] for one in counts), [])
        self.deeds = 0
        self.faults = {}
        self.lines = {}

    def read_metrics(self, text):
        self.lines = dict(re.findall(
            r'limend_decision_log_lines_total\{result="(\w+)"\} (\d+)', text))

    def buckets(self):
        """By user: how many events passed, how many did not, how few and how many may have."""
        rows = {}
        for user in sorted(set(filter(None, BUCKETS.values()))):
            takes = [one["takes"][user] for one in self.counts if user in one["takes"]]
            rows[user] = (sum(one.admitted for one in takes), sum(one.refused for one in takes),
                          *bound_takes(takes))
        return rows

    def check(self):
        is_equal("no answer was wrong", self.wrong[:20], [])
        is_equal("no answer was lost", self.lost[:20], [])
        is_true("there were answers of both versions to everybody",
                all(one["A"] > 5 and one["B"] > 5 for one in self.counts),
                [(one["A"], one["B"]) for one in self.counts])
        buckets = self.buckets()
        for user, (admitted, _, least, most) in buckets.items():
            is_true("as many events of %s were admitted as the bucket had" % user,
                    least <= admitted <= most,
                    "%d, not from %.3f to %.3f" % (admitted, least, most))
        is_true("and some were refused", any(refused for _, refused, _, _ in buckets.values()),
                buckets)
        is_true("and much was hostile", self.deeds > 20, self.deeds)
        is_equal("no line of the decision log was lost", self.lines.get("lost"), "0")

    def titles(self):
        return ("limend in a soak of {:,} s: {:,} answers, {} wrong, {} lost".format(
            round(self.elapsed), self.answers, len(self.wrong), len(self.lost)),
                "each second another version of the policy; certificates replaced; slow and "
                "hostile clients besides")

    def rows(self):
        thousands = "{:,}".format
        yield "loads of the policy", "%s, and %s broken ones" % (
            thousands(self.loads), thousands(self.loads // 3))
        yield "certificates replaced", thousands((self.loads + 1) // 2)
        asked = self.answers + len(self.wrong) + len(self.lost)
        yield "requests", "%s, %s a second" % (thousands(asked),
                                               thousands(round(asked / self.elapsed)))
        yield "answers, all checked", thousands(self.answers)
        yield "wrong, lost", "%d, %d" % (len(self.wrong), len(self.lost))
        yield "slowest", "%.2f s" % max(one["slowest"] for one in self.counts)
        for user, (admitted, refused, least, most) in self.buckets().items():
            yield "events of `%s` admitted, refused" % user, "%s (right: %s to %s), %s" % (
                thousands(admitted), thousands(math.ceil(least)), thousands(math.floor(most)),
                thousands(refused))
        yield "hostile connections", thousands(self.deeds)
        yield "answers in faults, by code", ", ".join(
            "%s: %s" % (name, thousands(count)) for name, count in sorted(self.faults.items()))
        yield "lines of the decision log written, dropped, lost", ", ".join(
            thousands(int(self.lines.get(name, 0))) for name in ("written", "dropped", "lost"))
        yield from self.sizes()

    def sizes(self):
        points = [self.seen[0], self.warm, self.seen[-1]] if self.seen else []
        for name, what in (("KiB of memory", "memory"), ("descriptors", "descriptors"),
                           ("threads", "threads")):
            values = [getattr(one, what) for one in points]
            most = max((getattr(one, what) for one in self.seen), default=0)
            yield name + " at the start, when warm, at the end, maximum", ", ".join(
                format(value, ",") for value in values + [most])

    def table(self):
        lines = ["| | soak, %.0f s |" % self.elapsed, "|---|---|"]
        return "\n".join(lines + ["| %s | %s |" % row for row in self.rows()])
