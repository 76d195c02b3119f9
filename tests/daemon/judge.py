# SPDX-License-Identifier: Apache-2.0
"""Tells whether an answer is right, and whether a bucket let pass as many as it may."""
import json
from typing import FrozenSet, NamedTuple

# Stands in questions and answers for what is another text each time it is asked.
MARK = "0123456789abcdef"


class Verdict(NamedTuple):
    right: bool
    letters: FrozenSet[str]  # the versions whose answer it is as a whole
    refused: bool            # by a bucket


WRONG = Verdict(False, frozenset(), False)


def canonical(text):
    """The same for whatever is the same JSON; None for what is none."""
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return None


class Judge:
    """Knows, by version and question, the forms of an answer, each a list of lines.

    The second form, where there is one, is the refusal by an empty bucket.
    """

    def __init__(self, known):
        self.known = {letter: {name: [[json.dumps(line, sort_keys=True) for line in form]
                                      for form in forms] for name, forms in answers.items()}
                      for letter, answers in known.items()}
        self.seen = {}

    def judge(self, name, body):
        """Answers are few, so each is read only once."""
        found = self.seen.get((name, body))
        if found is None:
            found = self.compare(name, body)
            if found.right:
                self.seen[name, body] = found
        return found

    def compare(self, name, body):
        lines = [canonical(line) for line in body.splitlines()]
        count = max(len(answers[name]) for answers in self.known.values())
        for number in range(count):
            forms = {letter: answers[name][number] for letter, answers in self.known.items()
                     if len(answers[name]) > number and len(answers[name][number]) == len(lines)}
            # Each line of a batch is a decision of its own.
            matches = [frozenset(letter for letter, form in forms.items() if form[at] == line)
                       for at, line in enumerate(lines)]
            if matches and all(matches):
                return Verdict(True, frozenset.intersection(*matches), number == 1)
        return WRONG

    def is_right(self, name, body, in_force=None):
        """'in_force': the version that alone was in force while it was asked, or None."""
        found = self.judge(name, body)
        return found.right and (in_force is None or in_force in found.letters)


class Takes:
    """What one client saw of one bucket.  Times are those of CLOCK_MONOTONIC, in seconds.

    A decision was made some time between 'sent' and 'answered'.
    """

    def __init__(self, qps, burst):
        self.qps = qps
        self.burst = burst
        self.admitted = self.refused = 0
        self.first = self.last = None
        self.refusals = []  # one or two a second, and the last

    def add(self, sent, answered, refused):
        if self.first is None:
            self.first = (sent, answered)
        self.last = answered
        self.admitted += not refused
        self.refused += refused
        if refused:
            if len(self.refusals) > 1 and sent - self.refusals[-2][0] < 1:
                self.refusals.pop()
            self.refusals.append((sent, answered))


def count_spilt(refusals, first, qps, burst):
    """What the bucket may have lost between refusals for being full.

    It has less than a token when it refuses, so it is full only so much later; and not
    at all before it has gained the first token that was taken.
    """
    spilt = max(0, qps * (refusals[0][1] - first) - 1)
    for (sent, _), (_, answered) in zip(refusals, refusals[1:]):
        spilt += max(0, qps * (answered - sent) - (burst - 1))
    return spilt


def bound_takes(all_takes):
    """How few and how many may have passed, of all that clients saw of one bucket.

    It was full when it was first asked, and gains qps tokens a second.  Whatever it
    gained until it last refused was taken, but for what it may have spilt.
    """
    used = [takes for takes in all_takes if takes.first is not None]
    if not used:
        return 0, 0
    qps, burst = used[0].qps, used[0].burst
    first = min(takes.first[0] for takes in used)
    most = burst + qps * (max(takes.last for takes in used) - first)
    refusals = sorted(one for takes in used for one in takes.refusals)
    least = 0
    if refusals:
        start = min(takes.first[1] for takes in used)
        least = burst + qps * (refusals[-1][0] - start) - 1 - count_spilt(refusals, first, qps,
                                                                        burst)
    # The engine counts in microseconds.
    return max(0, least - 0.001), most + 0.001
