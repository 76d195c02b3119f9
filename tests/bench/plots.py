#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what bench_growth measured.

    plots.py REPORT DIRECTORY     one SVG for each series
"""

import html
import json
import math
import pathlib
import sys

WIDTH, HEIGHT = 560, 340
LEFT, RIGHT, TOP, BOTTOM = 80, 20, 40, 70

AXES = {
    "identifiers": "identifiers of the policy",
    "limits": "limits of the application that passes",
    "CIDRs": "networks of one identifier",
    "containers": "containers of a pod",
    "LimitRanges": "LimitRanges for a pod of two containers",
    "buckets": "buckets of a table (one take, in random order)",
    "threads": "threads that decide at once",
}


def in_words(nanoseconds):
    for least, unit in ((1e6, "ms"), (1e3, "µs"), (0, "ns")):
        if nanoseconds >= least:
            return f"{nanoseconds / (least or 1):.3g} {unit}"
    return ""


def ticks(low, high):
    return [10.0 ** power for power in range(math.floor(math.log10(low)),
                                             math.ceil(math.log10(high)) + 1)]


def describe(report):
    """What it was measured on, and when."""
    return (f"{report['cores']} cores of {report['processor']}, Linux "
            f"{'.'.join(report['kernel'].split('.')[:2])}, {' '.join(report['compiler'].split()[:2])}, "
            f"{report['date'][:10]}, load {report['load']:.1f}")


def draw(series, points, machine):
    xs = [point[0] for point in points]
    across = ticks(min(xs), max(xs) if max(xs) > min(xs) else min(xs) * 10)
    up = ticks(min(p[2] for p in points), max(p[3] for p in points))
    if len(up) < 2:
        up.append(up[0] * 10)

    def at_x(value):
        span = math.log10(across[-1] / across[0])
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(value / across[0]) / span

    def at_y(value):
        span = math.log10(up[-1] / up[0])
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log10(value / up[0]) / span

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="14">Time of a decision by {AXES[series]}</text>'
           if series != "buckets" else
           f'<text x="{LEFT}" y="22" font-size="14">Time of a take by {AXES[series]}</text>']
    for value in up:
        y = at_y(value)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{in_words(value)}</text>')
    for value in across:
        x = at_x(value)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">'
                   f'{value:,.0f}</text>')
    # From the fastest round to the upper quartile, and the medians.
    upper = " ".join(f"{at_x(x):.1f},{at_y(high):.1f}" for x, _, _, high in points)
    lower = " ".join(f"{at_x(x):.1f},{at_y(low):.1f}" for x, _, low, _ in reversed(points))
    out.append(f'<polygon points="{upper} {lower}" fill="#1f77b4" fill-opacity="0.2"/>')
    line = " ".join(f"{at_x(x):.1f},{at_y(median):.1f}" for x, median, _, _ in points)
    out.append(f'<polyline points="{line}" fill="none" stroke="#1f77b4" stroke-width="2"/>')
    for x, median, _, _ in points:
        out.append(f'<circle cx="{at_x(x):.1f}" cy="{at_y(median):.1f}" r="3" fill="#1f77b4"/>')
        out.append(f'<text x="{at_x(x):.1f}" y="{at_y(median) - 8:.1f}" text-anchor="middle" '
                   f'font-size="10">{in_words(median)}</text>')
    out.append(f'<text x="{LEFT}" y="{HEIGHT - 14}" font-size="10" fill="#555">{machine}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    series = {}
    for row in report["rows"]:
        name, size = row["name"].rsplit(" ", 1)
        # The fastest round stands for a machine that does nothing else.
        series.setdefault(name, []).append((int(size), row["median"], row["best"], row["high"]))
    for name, points in series.items():
        path = pathlib.Path(sys.argv[2]) / f"{name.lower()}.svg"
        path.write_text(draw(name, points, html.escape(describe(report))))
        print(path)


main()
