#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures EventRateLimit and LimitRanger beside Kubernetes' own code in Go.

    peers.py TREE        ("make bench-peers GO=TREE")

TREE is a source tree of Kubernetes that holds its vendored packages, or a directory with one
at gopath/src/k8s.io/kubernetes.  The files in tests/bench/go are compiled into its packages
with "go test -overlay", so the tree stays as it is.  Each round measures a row of limen, then
the same row of Kubernetes.  The table has the medians of the rounds, and of their ratios.

    BENCH_TIME=SECONDS   for each row and round (0.4)
    BENCH_ROUNDS=NUMBER  rounds of a row (9); rows with two threads take 20
"""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import machine

SOURCES = pathlib.Path(os.environ["LIMEN_SRCDIR"], "tests/bench")
PROGRAMS = pathlib.Path(os.environ["LIMEN_BUILDDIR"], "tests/bench")
SCRATCH = pathlib.Path(os.environ["LIMEN_BUILDDIR"], "bench/peers")
TIME = os.environ.get("BENCH_TIME", "0.4")
PACKAGES = {"events": "eventratelimit", "ranger": "limitranger"}
# A row of tests/bench/bench_PROGRAM.c, and what it is in tests/bench/go.
ROWS = (
    ("events", "EventRateLimit: Server and Namespace", "Two"),
    ("events", "EventRateLimit: all four", "Four"),
    ("events", "EventRateLimit: refuse", "Refuse"),
    ("ranger", "LimitRanger: mutate and validate", "Both"),
    ("ranger", "LimitRanger: refuse", "Refuse"),
    ("ranger", "LimitRanger: mutate and validate, from bytes to bytes", "Bytes"),
    ("events", "EventRateLimit: beside a second thread: wall", "Beside"),
)


def find_tree():
    if len(sys.argv) < 2 or not sys.argv[1]:
        sys.exit("bench-peers needs a source tree of Kubernetes: make bench-peers GO=TREE "
                 "(docs/performance/README.md)")
    for tree in (pathlib.Path(sys.argv[1], "gopath/src/k8s.io/kubernetes"), pathlib.Path(sys.argv[1])):
        if (tree / "plugin/pkg/admission/limitranger").is_dir() and (tree / "vendor").is_dir():
            return tree.resolve()
    sys.exit(f"{sys.argv[1]} is no source tree of Kubernetes: plugin/pkg/admission/limitranger and "
             "vendor are not there")


def compile_package(tree, package):
    """Compiles in a GOPATH of its own: the tree may be anywhere."""
    place = SCRATCH / "gopath/src/k8s.io/kubernetes"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(tree)
    overlay = SCRATCH / f"{package}.json"
    overlay.write_text(json.dumps({"Replace": {
        f"{place}/plugin/pkg/admission/{package}/limen_bench_test.go":
        f"{SOURCES}/go/{package}_test.go"}}))
    subprocess.run(
        ["go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", SCRATCH / f"{package}.test",
         f"k8s.io/kubernetes/plugin/pkg/admission/{package}"],
        cwd=place, check=True,
        env={**os.environ, "PWD": str(place), "GOPATH": str(SCRATCH / "gopath"), "GOFLAGS": "",
             "GO111MODULE": "off", "GOPROXY": "off", "CGO_ENABLED": "0"})


def run_limen(program, row):
    report = SCRATCH / "report.json"
    subprocess.run([PROGRAMS / f"bench_{program}", "--only", row, "--time", TIME, "--json", report],
                   stdout=subprocess.DEVNULL, check=True)
    return next(found["mean"] for found in json.loads(report.read_text())["rows"]
                if found["name"] == row)


def run_go(program, benchmark, has_threads):
    """One thread runs on the core that the programs in C choose."""
    core = max(os.sched_getaffinity(0))
    done = subprocess.run(
        [SCRATCH / f"{PACKAGES[program]}.test", "-test.run=^$", f"-test.bench=^BenchmarkLimen{benchmark}$",
         f"-test.benchtime={TIME}s", f"-test.cpu={2 if has_threads else 1}"],
        env={**os.environ, "LIMEN_BENCH_DIR": str(SOURCES)}, stdout=subprocess.PIPE, text=True,
        preexec_fn=None if has_threads else lambda: os.sched_setaffinity(0, {core}))
    found = re.search(r"([\d.]+) " + ("ns/op" if has_threads else "cpu-ns/op"), done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{benchmark} of {PACKAGES[program]} failed:\n{done.stdout}")
    return float(found.group(1))


def show(name, limen, go, ratio):
    cells = [f"{value / 1000:.2f} µs" if value >= 1000 else f"{value:.0f} ns" for value in (limen, go)]
    print(f"| {name} | {cells[0]} | {cells[1]} | {ratio:.2f} |", flush=True)


def measure(program, row, benchmark):
    has_threads = row.endswith(": wall")
    rounds = 20 if has_threads else int(os.environ.get("BENCH_ROUNDS", "9"))
    pairs = [(run_limen(program, row), run_go(program, benchmark, has_threads)) for _ in range(rounds)]
    ratios = [go / limen for limen, go in pairs]
    limen, go = zip(*pairs)
    show(row, *map(statistics.median, (limen, go, ratios)))
    if has_threads:
        show(f"the same, the worst of {rounds}", max(limen), max(go), min(ratios))


def main():
    tree = find_tree()
    if shutil.which("go") is None:
        sys.exit("go is needed: the Debian package golang-go")
    for package in PACKAGES.values():
        compile_package(tree, package)
    here = machine.describe()
    version = subprocess.run(["go", "env", "GOVERSION"], stdout=subprocess.PIPE, text=True, check=True)
    print(f"{here['cores']} cores of {here['processor']}, Linux {here['kernel']}, "
          f"{version.stdout.strip()}, {here['date'][:10]}, load {here['load']:.0f}\n\n"
          "| row | limen | Kubernetes | Kubernetes ÷ limen |\n|---|---|---|---|")
    for row in ROWS:
        measure(*row)


main()
