#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reports that "make bench-all" leaves as a page.

    figures.py RESULTS > docs/performance/figures.md
"""

import json
import pathlib
import sys

ORDER = ("review", "quantity", "decide", "ranger", "events", "memory", "cidr", "load", "dns",
         "redis", "limend", "http")
# What jansson took for the larger review where the goals were set, in nanoseconds.
PEER = "review of 4.9 KB: jansson"
PEER_THERE = 71000


def show(value, unit):
    if unit == "ns":
        for least, name in ((1e6, "ms"), (1e3, "µs"), (0, "ns")):
            if value >= least:
                return f"{value / (least or 1):.3g} {name}"
    if unit == "KiB":
        return f"{value / 1024:.1f} MiB"
    if unit == "us":
        return f"{value:.1f} µs"
    if unit == "bytes":
        return f"{value:,.0f} bytes"
    return f"{value:g}"


def describe_range(loads):
    least, most = f"{min(loads):.0f}", f"{max(loads):.0f}"
    return least if least == most else f"{least} to {most}"


def fastest(row):
    return row.get("best", row.get("low", row["median"]))


def find_pace(reports):
    """How many times as long the peer takes here as where the goals were set."""
    for report in reports:
        for row in report["rows"]:
            if row["name"] == PEER:
                return max(fastest(row) / PEER_THERE, 1)
    return 1


def standing(row, pace):
    best, goal = fastest(row), row["goal"]
    if best <= goal:
        return "met"
    if row["unit"] in ("ns", "us") and best <= goal * pace:
        return f"{best / goal:.1f} times, met at that pace"
    return f"{best / goal:.1f} times" if goal else "missed"


def beside(value, times, of, name):
    """How it stands with a goal that is so many times what another row takes."""
    verdict = "met" if value <= times * of else "missed"
    return f"{times:g} × {name.split(': ', 1)[-1]}: {verdict}, {value / of:.2f} ×"


def tell_goal(row, rows, pace):
    if "goal" in row:
        return f"{show(row['goal'], row['unit'])}: {standing(row, pace)}"
    if "times" not in row or row.get("peer") not in rows:
        return ""
    return beside(fastest(row), row["times"], fastest(rows[row["peer"]]), row["peer"])


def tell_p99(row, rows):
    shown = show(row["p99"], "us")
    if row.get("p99_peer") not in rows:
        return shown
    peer = rows[row["p99_peer"]]
    return f"{shown}; {beside(row['p99'], row['p99_times'], peer['p99'], peer['name'])}"


def show_table(report, pace):
    rows = {row["name"]: row for row in report["rows"]}
    is_http = report["program"] == "http"
    print("| | goal | fastest | median |" if not is_http else
          "| processor time of a request | goal | fastest | median | p99, one connection |")
    print("|---|---|---|---|" + ("---|" if is_http else ""))
    for row in report["rows"]:
        cells = [row["name"], tell_goal(row, rows, pace), show(fastest(row), row["unit"]),
                 show(row["median"], row["unit"])]
        if is_http:
            cells.append(tell_p99(row, rows))
        print("| " + " | ".join(cells) + " |")
    print()


def describe_days(reports):
    days = sorted(report["date"][:10] for report in reports)
    return f"on {days[0]}" if days[0] == days[-1] else f"from {days[0]} to {days[-1]}"


def describe_machine(reports):
    """Of all reports, which must be those of one machine."""
    machines = {(report["cores"], report["processor"], report["kernel"]) for report in reports}
    if len(machines) > 1:
        sys.exit(f"the reports are of several machines: {sorted(machines)}")
    cores, processor, kernel = machines.pop()
    compilers = {" ".join(report["compiler"].split()[:2]) for report in reports if "compiler" in report}
    return (f"Measured on {cores} cores of {processor}, Linux {'.'.join(kernel.split('.')[:2])}, "
            f"{' and '.join(sorted(compilers))}, {describe_days(reports)}")


def main():
    results = pathlib.Path(sys.argv[1])
    reports = [json.loads((results / f"{name}.json").read_text()) for name in ORDER
               if (results / f"{name}.json").exists()]
    print("# The figures\n")
    print("Written by `make bench-figures`, which `make bench-all` measures for.  "
          "[README.md](README.md) says what they mean.\n")
    print(f"{describe_machine(reports)}, while other programs kept the machine at a load of "
          f"{describe_range([report['load'] for report in reports])}: the fastest round stands "
          "for a machine of its own, and a goal counts as met if that meets it.\n")
    pace = find_pace(reports)
    print(f"The goals were set on a machine where jansson took {PEER_THERE / 1000:.0f} µs for the "
          f"review of 4.9 KB.  Here it took {pace:.2f} times as long; a time that meets its goal "
          "only at that pace says so.  Goals that are so many times another row compare the "
          "fastest rounds of both, and the medians where there is no other figure.\n")
    for report in reports:
        show_table(report, pace)


main()
