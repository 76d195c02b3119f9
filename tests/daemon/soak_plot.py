# SPDX-License-Identifier: Apache-2.0
"""Draws what soak.py saw: memory, descriptors and threads, and requests, over time.

It looks as the plots of docs/performance do (tests/bench/plots.py), which stand on
white, whatever the page is.
"""
import datetime
import html
import math
import os
import platform

WIDTH, PANEL, LEFT, RIGHT, TOP, GAP, BOTTOM = 720, 140, 70, 30, 80, 56, 56
COLOURS = ("#1f77b4", "#d62728")


def round_up(value):
    """The next of 1, 2, 4, 6 or 8 times a power of ten, so that quarters are round, too."""
    power = 10 ** math.floor(math.log10(max(value, 1)))
    return next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= value)


def step_of_time(end):
    """Seconds between marks, of which there are ten at most; and their unit."""
    for seconds in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600):
        if end / seconds <= 10:
            return seconds
    return 3600 * math.ceil(end / 36000)


def in_words(seconds, step):
    return "%d s" % seconds if step < 60 else "%d min" % (seconds // 60)


def thin(points, combine):
    """One point for each place there is to draw one."""
    step = max(1, math.ceil(len(points) / (WIDTH - LEFT - RIGHT)))
    parts = [points[at:at + step] for at in range(0, len(points), step)]
    return [(part[-1][0], combine([value for _, value in part])) for part in parts]


def grid(top, most, end):
    bottom = top + PANEL
    out = []
    for part in range(5):
        y = bottom - PANEL * part / 4
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{most * part / 4:,g}</text>')
    step = step_of_time(end)
    # The last sample comes a little before the end.
    for mark in range(math.floor(end / step + 0.02) + 1):
        x = LEFT + (WIDTH - LEFT - RIGHT) * mark * step / end
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">'
                   f'{in_words(mark * step, step)}</text>')
    return out


def panel(top, end, columns):
    """One diagram; 'columns' are (name, points), each point a time and a value."""
    most = round_up(max(value for _, points in columns for _, value in points))
    out = grid(top, most, end)
    x = LEFT
    for colour, (name, points) in zip(COLOURS, columns):
        line = " ".join(f"{LEFT + (WIDTH - LEFT - RIGHT) * time / end:.1f},"
                        f"{top + PANEL * (1 - value / most):.1f}" for time, value in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" '
                   'stroke-width="1.5" stroke-linejoin="round"/>')
        out.append(f'<text x="{x}" y="{top - 8}" fill="{colour}">{name}</text>')
        x += 110
    return out


def rates(seen):
    """Requests a second, from each sample to the next."""
    return [(b.time, (b.asked - a.asked) / max(b.time - a.time, 1e-3))
            for a, b in zip(seen, seen[1:])] or [(seen[0].time, 0)]


def mean(values):
    return sum(values) / len(values)


def machine():
    """On what it ran, and when."""
    processor = platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            processor = next((line.split(":", 1)[1].strip() for line in file
                              if line.startswith("model name")), processor)
    except OSError:
        pass
    kernel = ".".join(platform.release().split(".")[:2])
    return (f"{os.cpu_count()} cores of {processor}, Linux {kernel}, "
            f"{datetime.date.today()}, load {os.getloadavg()[0]:.1f}")


def draw(path, seen, titles):
    """'seen': the samples, in order; 'titles': what ran, and how."""
    end = max(seen[-1].time, 1)
    panels = (
        [("MiB of memory (RSS)", thin([(one.time, one.memory / 1024) for one in seen], max))],
        [("descriptors", thin([(one.time, one.descriptors) for one in seen], max)),
         ("threads", thin([(one.time, one.threads) for one in seen], max))],
        [("requests a second", thin(rates(seen), mean))])
    height = TOP + len(panels) * (PANEL + GAP) - GAP + BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="14">{html.escape(titles[0])}</text>',
           f'<text x="{LEFT}" y="40" fill="#555">{html.escape(titles[1])}</text>']
    for number, columns in enumerate(panels):
        out += panel(TOP + number * (PANEL + GAP), end, columns)
    out.append(f'<text x="{LEFT}" y="{height - 14}" font-size="10" fill="#555">'
               f'{html.escape(machine())}</text>')
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
