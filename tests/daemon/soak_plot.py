# SPDX-License-Identifier: Apache-2.0
"""Draws what soak.py saw each second: memory above, descriptors and threads below."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP = 720, 170, 70, 40, 36, 40
COLOURS = ("#1f77b4", "#d62728")


def round_up(value):
    """The next of 1, 2 or 5 times a power of ten, so that lines stand at round numbers."""
    power = 10 ** math.floor(math.log10(max(value, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def panel(top, title, columns):
    """One diagram; 'columns' are (name, values), each value a second after the one before."""
    count = len(columns[0][1])
    most = round_up(max(max(values) for _, values in columns))
    bottom = top + TOP + HEIGHT

    def place(second, value):
        return "%.1f,%.1f" % (LEFT + (WIDTH - LEFT - RIGHT) * second / max(count - 1, 1),
                              bottom - HEIGHT * value / most)

    out = ['<text x="%d" y="%d" font-size="14">%s</text>' % (LEFT, top + 22, title)]
    for part in range(6):
        y = bottom - HEIGHT * part / 5
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (
            LEFT, WIDTH - RIGHT, y, y))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (
            LEFT - 8, y + 4, most * part / 5))
        x = LEFT + (WIDTH - LEFT - RIGHT) * part / 5
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d s</text>' % (
            x, bottom + 18, round((count - 1) * part / 5)))
    for number, (name, values) in enumerate(columns):
        # One point for each place there is to draw one.
        step = max(1, count // (WIDTH - LEFT - RIGHT))
        out.append('<polyline fill="none" stroke="%s" points="%s"/>' % (
            COLOURS[number], " ".join(place(second, max(values[second:second + step]))
                                      for second in range(0, count, step))))
        out.append('<text x="%d" y="%d" text-anchor="end" fill="%s">%s</text>' % (
            WIDTH - RIGHT - 110 * (len(columns) - 1 - number), top + 22, COLOURS[number], name))
    return out


def draw(path, seen):
    """'seen': descriptors, threads and KiB of memory, one row a second."""
    descriptors, threads, memory = zip(*seen)
    height = 2 * (TOP + HEIGHT + GAP)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
           'font-family="sans-serif" font-size="12">' % (WIDTH, height),
           '<rect width="%d" height="%d" fill="white"/>' % (WIDTH, height)]
    out += panel(0, "limend in a soak", [("MiB of memory", [kib / 1024 for kib in memory])])
    out += panel(TOP + HEIGHT + GAP, "", [("descriptors", descriptors), ("threads", threads)])
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
