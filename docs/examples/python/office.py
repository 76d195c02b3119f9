# SPDX-License-Identifier: Apache-2.0
"""Decide about a task by a limit in Python: office.py POLICY [REQUESTER]"""
import sys

import limen


def office(request: limen.Request, options: limen.modules.Options) -> limen.modules.Verdict:
    """Passes during office hours, in UTC"""
    if options["from"] <= request.now.hour < options["to"]:
        return True
    return "only from %d to %d o'clock" % (options["from"], options["to"])


OFFICE = limen.limit("office", check=office, options=[
    limen.option("from", int, default=8, minimum=0, maximum=24, help="The first hour"),
    limen.option("to", int, default=18, minimum=0, maximum=24, help="The hour that ends it"),
])

if __name__ == "__main__":
    with limen.Engine(sys.argv[1], modules=[OFFICE]) as engine:
        hints = {"requester": sys.argv[2]} if len(sys.argv) > 2 else {}
        decision = engine.decide({"test": {"type": "rtt"}}, hints=hints)
        print("admitted" if decision else "refused", "-", decision.reason)
