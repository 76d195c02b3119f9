#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of each row of the programs that measure hot paths.

    instructions.py [--record] REPORT [PROGRAM...]

callgrind counts them, so they are the same in each run of a build.  Fails if a row takes more
instructions than instructions.txt allows; --record writes the counts there.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import machine

PROGRAMS = ("review", "quantity", "decide", "ranger", "events", "memory", "cidr")
# The function of harness.c around the calls of a row.
COUNTED = "bench_counted"
RECORDS = pathlib.Path(os.environ["LIMEN_SRCDIR"], "tests/bench/instructions.txt")
HEADER = "# Written by \"make bench-instructions RECORD=1\" on:\n# "
# A row may take so many times its record.
ALLOWED = 1.05
# Rows of other software change with its packages.
FOREIGN = re.compile("jansson$|json-c$|strtod")


def ask_compiler(option):
    shown = subprocess.run([*os.environ.get("CC", "cc").split(), option],
                           capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[0]


def describe_build():
    """What counts depend on besides the sources."""
    return ", ".join((platform.freedesktop_os_release()["PRETTY_NAME"], platform.machine(),
                      f"{ask_compiler('--version').split()[0]} {ask_compiler('-dumpversion')}",
                      " ".join(os.environ.get("BENCH_FLAGS", "").split())))


def read_records():
    """Returns the build that was recorded, and the count of each row."""
    build, *lines = RECORDS.read_text().removeprefix(HEADER).splitlines()
    return build, {name.strip(): int(value) for name, value in (line.rsplit(None, 1) for line in lines)}


def record(counts):
    build, records = read_records()
    records = {**records, **counts} if build == describe_build() else counts
    RECORDS.write_text(f"{HEADER}{describe_build()}\n" + "".join(
        f"{name:60} {value:7}\n" for name, value in records.items()))


def compare(counts):
    """Counts of another compiler or other flags say nothing about a change of the sources."""
    build, records = read_records()
    if build != describe_build():
        print(f"not compared with {RECORDS.name}: it is for {build}; this is {describe_build()}")
        return
    excess = [f"{name}: {value} instructions, recorded: {records.get(name, 'none')}"
              for name, value in counts.items() if value > ALLOWED * records.get(name, 0)]
    if excess:
        sys.exit("\n".join([f"more than {ALLOWED - 1:.0%} above {RECORDS.name}:", *excess,
                            "if the change is worth it: make bench-instructions RECORD=1"]))


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
    parser.add_argument("--record", action="store_true")
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
        {"program": "instructions", "compiler": ask_compiler("--version"), **machine.describe(),
         "rows": rows}, indent=2) + "\n")
    print(f"report: {told.report}")
    counts = {row["name"]: row["median"] for row in rows if not FOREIGN.search(row["name"])}
    (record if told.record else compare)(counts)


main()
