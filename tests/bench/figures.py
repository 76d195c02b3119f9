#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reports of "make bench" and "make bench-http" as a page.

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


def main():
    results = pathlib.Path(sys.argv[1])
    reports = [json.loads((results / f"{name}.json").read_text()) for name in ORDER
               if (results / f"{name}.json").exists()]
    machine = next(report for report in reports if "processor" in report)
    loads = [report["load"] for report in reports if "load" in report]
    print("# The figures\n")
    print("Written by `make bench-figures`, which `make bench` and `make bench-http` measure for."
          "  [README.md](README.md) says what they mean.\n")
    print(f"Measured on {machine['cores']} cores of {machine['processor']}, Linux "
          f"{'.'.join(machine['kernel'].split('.')[:2])}, gcc {machine['compiler'].split()[0]}, on "
          f"{machine['date'][:10]}, while other programs kept the machine at a load of "
          f"{describe_range(loads)}: the fastest round stands for a machine of its "
          "own, and a goal counts as met if that meets it.\n")
    pace = find_pace(reports)
    print(f"The goals were set on a machine where jansson took {PEER_THERE / 1000:.0f} µs for the review "
          f"of 4.9 KB.  Here it took {pace:.2f} times as long; a time that meets its goal only at "
          "that pace says so.\n")
    for report in reports:
        unit_is_http = report["program"] == "http"
        print("| | goal | fastest | median |" if not unit_is_http else
              "| processor time of a request | goal | fastest | median | p99, one connection |")
        print("|---|---|---|---|" + ("---|" if unit_is_http else ""))
        for row in report["rows"]:
            goal = f"{show(row['goal'], row['unit'])}: {standing(row, pace)}" \
                if "goal" in row else ""
            cells = [row["name"], goal, show(fastest(row), row["unit"]),
                     show(row["median"], row["unit"])]
            if unit_is_http:
                cells.append(show(row["p99"], "us"))
            print("| " + " | ".join(cells) + " |")
        print()


main()
