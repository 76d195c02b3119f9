#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Windows against an oracle in fractions and zoneinfo: verdict, remaining and reset of each take.

    windows.py [SEQUENCES]

Random sequences of takes, for each window, unit and zone, in memory and in Redis.
"""

import datetime
import fractions
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zoneinfo

STEPS = os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/plugins/store/window_steps")
SECOND = 1000000
FIXED, SLIDING, CALENDAR = 1, 2, 3
DAY, WEEK, MONTH, YEAR = 1, 2, 3, 4
PERIODS = (1, 7, 1000, 60 * SECOND, 3600 * SECOND, 25200 * SECOND, 86400 * SECOND, 604800 * SECOND)
# Half an hour, no midnight, two midnights, a day left out, and clocks that go back over midnight.
ZONES = ("UTC", "Europe/Berlin", "America/Sao_Paulo", "America/St_Johns", "America/Havana",
         "Pacific/Apia", "Australia/Lord_Howe", "Asia/Kolkata")
EPOCH = datetime.date(1970, 1, 1)
CALENDARS = {}  # by unit and zone: days are looked for once
FROM, TO = 473385600, 2051222400  # 1985 to 2035


class Calendar:
    """Local periods: a day begins when clocks first show it."""

    def __init__(self, unit, zone):
        self.unit, self.zone, self.begins = unit, zoneinfo.ZoneInfo(zone), {}

    def local(self, seconds):
        moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
        return moment.astimezone(self.zone).replace(tzinfo=None)

    def offset(self, seconds):
        moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
        return int(moment.astimezone(self.zone).utcoffset().total_seconds())

    def begin(self, day):
        if day not in self.begins:
            wall = (day - EPOCH).days * 86400
            # Not by hours: clocks may show the day for a minute, and then the day before again.
            seconds = wall - max(self.offset(wall + hour * 3600) for hour in range(-26, 27))
            while self.local(seconds).date() < day:
                seconds += 60
            self.begins[day] = seconds * SECOND
        return self.begins[day]

    def first(self, day):
        if self.unit == WEEK:
            return day - datetime.timedelta(days=day.isoweekday() - 1)
        if self.unit == MONTH:
            return day.replace(day=1)
        return day.replace(month=1, day=1) if self.unit == YEAR else day

    def next(self, day):
        if self.unit == MONTH:
            return (day.replace(day=28) + datetime.timedelta(days=7)).replace(day=1)
        if self.unit == YEAR:
            return day.replace(year=day.year + 1)
        return day + datetime.timedelta(days=7 if self.unit == WEEK else 1)

    def period(self, now):
        day = self.first(self.local(now // SECOND).date())
        while self.begin(self.next(day)) <= now:
            day = self.next(day)
        return (day - EPOCH).days, self.begin(day), self.begin(self.next(day))


class Aligned:
    def __init__(self, length):
        self.length = length

    def period(self, now):
        number = now // self.length
        return number, number * self.length, (number + 1) * self.length


class Window:
    """What one key has used, as the definitions have it.

    A store that is lazy writes nothing if nothing is charged, so it does not know of that time.
    """

    def __init__(self, kind, limit, periods, lazy):
        self.kind, self.limit, self.periods, self.lazy = kind, limit, periods, lazy
        self.latest, self.used, self.before = None, 0, 0
        self.written = (None, 0, 0)

    def move(self, now):
        period = self.periods.period(now)
        if self.latest is not None and period[0] <= self.latest[0]:
            return
        follows = self.latest is not None and period[0] == self.latest[0] + 1
        self.before = self.used if follows and self.kind == SLIDING else 0
        self.latest, self.used = period, 0

    def weighted(self, now):
        if self.kind != SLIDING:
            return self.used
        share = fractions.Fraction(now - self.latest[1], self.periods.length)
        return self.before * (1 - max(share, 0)) + self.used

    def passes(self, now, cost):
        later = Window(self.kind, self.limit, self.periods, self.lazy)
        later.latest, later.used, later.before = self.latest, self.used, self.before
        later.move(now)
        return later.weighted(now) + cost <= self.limit

    def take(self, now, cost):
        if self.lazy:
            self.latest, self.used, self.before = self.written
        self.move(now)
        granted = cost == 0 or self.passes(now, cost)
        if granted:
            self.used += cost
        if granted and cost > 0:
            self.write()
        return granted, max(0, math.floor(self.limit - self.weighted(now))), self.reset(now)

    def reset(self, now):
        if self.kind != SLIDING:
            return self.latest[2] - now
        low, high = now - 1, max(now, self.latest[1]) + 3 * self.periods.length
        while high - low > 1:
            middle = (low + high) // 2
            if self.passes(middle, 1):
                high = middle
            else:
                low = middle
        return high - now

    def write(self):
        self.written = (self.latest, self.used, self.before)

    def give(self, cost, number):
        if number == self.latest[0]:
            self.used -= cost
        elif self.kind == SLIDING and number + 1 == self.latest[0]:
            self.before -= cost
        if self.written[0] is not None:
            self.write()


def next_time(window, now):
    begin, end = window.periods.period(now)[1:]
    return max(FROM * SECOND // 2, random.choice((
        now, now + random.randrange(10), now + random.randrange(end - begin), end, end - 1, begin,
        end + random.randrange(end - begin), end + 3 * (end - begin), now - SECOND,
        now - 30 * 86400 * SECOND)))


def sequence(kind, unit, zone, periods, lazy):
    """Returns the lines of one sequence and what the takes must find."""
    limit = random.choice((1, 2, 3, 10, random.randrange(1, 100), 10 ** 6, 2 ** 45 + 1))
    length = 0 if kind == CALENDAR else periods.length
    window = Window(kind, limit, periods, lazy)
    now = random.randrange(FROM, TO) * SECOND + random.randrange(SECOND)
    lines, wanted = [f"window {kind} {unit} {zone} {limit} {length}"], []
    for _ in range(random.randrange(2, 14)):
        cost = random.choice((0, 1, 1, limit, limit + 1, random.randrange(limit + 1),
                              random.randrange(limit // 3 + 1)))
        found = window.take(now, cost)
        lines.append(f"{now} {cost}")
        wanted.append((lines[-1], found))
        number = window.latest[0]
        if random.random() < 0.5:
            now = next_time(window, now)
        if random.random() < 0.15:
            lines.append("give")
            if found[0]:
                window.give(cost, number)
    return lines, wanted


def make(count, lazy=False):
    sequences = []
    for kind in (FIXED, SLIDING):
        for _ in range(count):
            sequences.append(sequence(kind, 0, "-", Aligned(random.choice(PERIODS)), lazy))
    for unit in (DAY, WEEK, MONTH, YEAR):
        for zone in ZONES:
            periods = CALENDARS.setdefault((unit, zone), Calendar(unit, zone))
            sequences += [sequence(CALENDAR, unit, zone, periods, lazy) for _ in range(count)]
    return sequences


def compare(name, sequences, arguments):
    text = "\n".join(line for lines, _ in sequences for line in lines) + "\n"
    found = iter(subprocess.run([STEPS, *arguments], input=text, text=True, check=True,
                                capture_output=True).stdout.splitlines())
    for lines, wanted in sequences:
        for line, (granted, remaining, reset) in wanted:
            if next(found) != f"{granted:d} {remaining} {reset}":
                print(f"not ok - {name}: {line} of:", *lines, sep="\n# ")
                print(f"# wanted {granted:d} {remaining} {reset}")
                return False
    print(f"ok - {name}: {sum(len(wanted) for _, wanted in sequences)} takes")
    return True


def policy(socket):
    rates = {"fixed": {"rate": "3/h", "window": "fixed"},
             "sliding": {"rate": "4/h", "window": "sliding"},
             "month": {"rate": "5/month", "timezone": "America/Argentina/Buenos_Aires"}}
    limits = [{"name": name, "type": "rate", "data": {**rate, "key": ["requester", "test-type"]}}
              for name, rate in rates.items()]
    return json.dumps({
        "stores": {"default": {"type": "redis", "data": {"path": socket, "mode": "strict",
                                                         "timeout": "PT10S", "on-error": "deny"}}},
        "identifiers": [{"name": "everybody", "type": "always"}], "limits": limits,
        "applications": [{"identifier": "everybody", "apply": list(rates)}]})


def look_at_keys(folder, socket):
    """Keys of windows are at most 300 bytes and expire an hour after they cease to matter."""
    def ask(*words):
        return subprocess.run(["redis-cli", "-s", socket, *words], check=True, text=True,
                              capture_output=True).stdout.splitlines()

    ask("FLUSHALL")
    pathlib.Path(folder, "policy.json").write_text(policy(socket), "utf-8")
    pathlib.Path(folder, "task.json").write_text('{"test": {"type": "throughput"}}', "utf-8")
    check = subprocess.run(
        [os.path.join(os.environ["LIMEN_BUILDDIR"], "limen"), "check", "--policy",
         f"{folder}/policy.json", "--live-stores", "--hint", "requester=2001:db8:100:200::",
         f"{folder}/task.json"], check=False, capture_output=True, text=True)
    keys = [key for key in ask("KEYS", "*") if "mark" not in key]
    sizes = [int(ask("MEMORY", "USAGE", key)[0]) for key in keys]
    lives = {key.split("/")[2]: int(ask("PTTL", key)[0]) / 3600000 for key in keys}
    good = (check.returncode == 0 and len(keys) == 3 and max(sizes) <= 300 and
            1 < lives["fixed"] <= 2 and 2 < lives["sliding"] <= 3 and
            1 < lives["month"] <= 31 * 24 + 1)
    print("ok" if good else f"not ok # {keys} {sizes} {lives} {check.stdout}{check.stderr}",
          "- keys in Redis")
    return good


def with_redis(sequences):
    if shutil.which("redis-server") is None:
        print("ok - in Redis # SKIP no redis-server\nok - keys in Redis # SKIP no redis-server")
        return True
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/redis"
        server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--save",
                                   "", "--dir", folder, "--logfile", f"{folder}/log"])
        try:
            for _ in range(500):
                if pathlib.Path(socket).exists():
                    break
                time.sleep(0.02)
            same = compare("in Redis", sequences, [socket])
            return look_at_keys(folder, socket) and same
        finally:
            server.terminate()
            server.wait()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(os.environ.get("SEED", "1"))
    random.seed(seed)
    print("1..3")
    good = compare("in memory", make(count), [])
    sys.exit(not (with_redis(make(count, lazy=True)) and good))


if __name__ == "__main__":
    main()
