# SPDX-License-Identifier: Apache-2.0
"""What soak.py goes by sees wrong answers, and buckets that let pass too many or too few."""
import xml.dom.minidom

import soak_plot
from soak_report import *

KNOWN = {
    "A": {"task": [[{"id": MARK, "admitted": True}]], "batch": [[{"n": 1}, {"n": 2}]],
          "event": [[{"allowed": True}], [{"code": 429, "wait": 1}]]},
    "B": {"task": [[{"id": MARK, "admitted": False}]], "batch": [[{"n": 3}, {"n": 4}]],
          "event": [[{"allowed": True}], [{"code": 429}]]},
}
judge = Judge(KNOWN)


def judged(name, *lines, in_force=None):
    return judge.is_right(name, "\n".join(map(json.dumps, lines)) + "\n", in_force)


def check_answers():
    ours = KNOWN["A"]["task"][0][0]
    is_true("an answer of a version is right", judged("task", ours))
    is_true("in any order of its members",
            judge.is_right("task", '{"admitted":true,"id":"%s"}' % MARK, "A"))
    is_true("but not while another version was in force", not judged("task", ours, in_force="B"))
    for name, other in (("another id", dict(ours, id="x")),
                        ("a number for true", dict(ours, admitted=1)),
                        ("a member more", dict(ours, more=None))):
        is_true("it is wrong with " + name, not judged("task", other))
    is_true("and if it is cut off", not judge.is_right("task", json.dumps(ours)[:-1]))
    is_true("or empty", not judge.is_right("task", ""))
    is_true("or given to another question", not judged("batch", ours))


def check_batches():
    is_true("a batch may be of both versions", judged("batch", {"n": 1}, {"n": 4}))
    is_true("but not while one was in force", not judged("batch", {"n": 1}, {"n": 4}, in_force="A"))
    is_true("every line has to be right", not judged("batch", {"n": 1}, {"n": 9}))
    is_true("its lines have an order", not judged("batch", {"n": 2}, {"n": 1}))
    is_true("and a number", not judged("batch", {"n": 1}))


def check_events():
    is_true("an event may be admitted", judged("event", {"allowed": True}, in_force="A"))
    is_true("or refused", judged("event", {"code": 429, "wait": 1}, in_force="A"))
    is_true("in no other form", not judged("event", {"code": 403}))
    is_true("nor in that of another version", not judged("event", {"code": 429}, in_force="A"))
    is_true("what was refused is known", judge.judge("event", '{"code":429}').refused and
            not judge.judge("event", '{"allowed":true}').refused)


def simulate(seconds, demand, pause=(0, 0), gain=5, burst=20):
    """What two clients see of a bucket in turn, which they take to have 5 a second and 20."""
    clients = [Takes(5, 20), Takes(5, 20)]
    level, last = burst, 0
    for number in range(int(seconds * demand)):
        now = number / demand
        if pause[0] <= now < pause[1]:
            continue
        level = min(burst, level + gain * (now - last))
        last = now
        refused = level < 1
        level -= not refused
        clients[number % 2].add(now - 0.001, now + 0.001, refused)
    return sum(one.admitted for one in clients), *bound_takes(clients)


def check_buckets():
    admitted, least, most = simulate(60, 50)
    is_true("a bucket lets pass what it has: %.1f <= %d <= %.1f" % (least, admitted, most),
            least <= admitted <= most)
    is_true("which is known to a token or two", most - least < 3, (least, most))
    admitted, least, most = simulate(60, 20)
    is_true("and to a few where less was asked", least <= admitted <= most < least + 8,
            (least, admitted, most))
    admitted, least, most = simulate(60, 50, pause=(20, 40))
    is_true("it is full after a pause: %.1f <= %d <= %.1f" % (least, admitted, most),
            least <= admitted <= most)
    for what, other in (("burst", dict(burst=23)), ("rate", dict(gain=5.2))):
        admitted, _, most = simulate(60, 50, **other)
        is_true("too large a %s shows: %d > %.1f" % (what, admitted, most), admitted > most)
    for what, other in (("burst", dict(burst=17)), ("rate", dict(gain=4.8))):
        admitted, least, _ = simulate(60, 50, **other)
        is_true("too small a %s shows: %d < %.1f" % (what, admitted, least), admitted < least)
    admitted, least, most = simulate(60, 2)
    is_true("where nothing is refused anything less is right", least == 0 and admitted <= most)


def found_of(**counts):
    takes = {user: Takes(**EVENTS) for user in BUCKETS.values() if user}
    for one in takes.values():
        for number in range(EVENTS["burst"] + 1):
            one.add(0, 0.01, number == EVENTS["burst"])
    seen = [Sample(second + 1.0, 1000 * second, 20, 25, 30000) for second in range(30)]
    found = Found([dict(no_counts(), answers=30000, A=15000, B=15000, takes=takes, **counts)],
                  30.0, 30, seen)
    found.deeds = 100
    found.read_metrics('limend_decision_log_lines_total{result="lost"} 0\n')
    return found


def check_report():
    table = found_of(lost=["a", "b"]).table()
    is_true("what was lost stands in the table", "| wrong, lost | 0, 2 |" in table, table)
    found = found_of()
    for name, seen in (("many", found.seen), ("one", found.seen[:1])):
        soak_plot.draw("plot.svg", seen, (found.titles()[0], "<&>"))
        root = xml.dom.minidom.parse("plot.svg").documentElement
        is_equal("a plot of %s has a line for each figure" % name,
                 len(root.getElementsByTagName("polyline")), 4)


check_answers()
check_batches()
check_events()
check_buckets()
check_report()
finish()
