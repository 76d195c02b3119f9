#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of each row of the programs that measure hot paths.

    instructions.py REPORT [PROGRAM...]

callgrind counts them, so they are the same in each run of a build.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import machine

PROGRAMS = ("review", "quantity", "decide", "ranger", "events", "cidr")
# The function of harness.c around the calls of a row.
COUNTED = "bench_counted"


def describe_compiler():
    shown = subprocess.run([*os.environ.get("CC", "cc").split(), "--version"],
                           capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[0]


def run(program, scratch):
    """Each row is a dump of its own, numbered in the order of the rows."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out",
         f"--toggle-collect={COUNTED}", f"--dump-after={COUNTED}",
         pathlib.Path(os.environ["LIMEN_BUILDDIR"], "tests/bench", f"bench_{program}"),
         "--count", "--json", f"{scratch}/report.json"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench_{program} under valgrind ended with {done.returncode}:\n{done.stderr}")
    rows = json.loads((scratch / "report.json").read_text())["rows"]
    return [row for row in rows if row["unit"] == "instructions"]


def read_total(dump):
    for line in dump.read_text().splitlines():
        if line.startswith(("totals:", "summary:")):
            return int(line.split()[1])
    sys.exit(f"{dump} has no total")


def count(program):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        rows = run(program, scratch)
        for number, row in enumerate(rows, 1):
            dump = scratch / f"out.{number}"
            value = round(read_total(dump) / row["calls"])
            yield {"name": row["name"], "unit": "instructions", "median": value}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    told = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is needed: build-aux/install-packages --bench")
    rows = []
    for program in told.programs or PROGRAMS:
        for row in count(program):
            print(f"{row['name']:52} {row['median']:10,}", flush=True)
            rows.append(row)
    told.report.write_text(json.dumps(
        {"program": "instructions", "compiler": describe_compiler(), **machine.describe(),
         "rows": rows}, indent=2) + "\n")
    print(f"report: {told.report}")


main()
