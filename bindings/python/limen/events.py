# SPDX-License-Identifier: Apache-2.0
"""What a program that sends events asks before it sends one, and tells afterwards.

An event that is answered 429 is abandoned, and so are all others for as long as
the answer's Retry-After says (event-rate-limit, "Client Behavior").

    client = EventClient()
    if client.may_send():
        answer = post(event)
        if client.answered(answer.status, answer.headers.get("Retry-After")) == FAILED:
            keep(event)

One client stands for one server and may be used by any number of threads.
This file needs no other: copy it to where liblimen is not.
"""

from __future__ import annotations

import calendar
import re
import threading
import time
from typing import Callable, Optional

SENT, ABANDONED, FAILED = "sent", "abandoned", "failed"

# No server can silence a client for longer than this, in seconds.
SILENCE_MAX = 3600


# The three forms of a date in RFC 9110, 5.6.7; all of them are UTC.
DATES = (
    r"[A-Za-z]{1,3}, (?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>\d{4}) TIME GMT",
    r"[A-Za-z]{1,9}, (?P<day>\d{1,2})-(?P<month>[A-Z][a-z]{2})-(?P<year>\d{2}) TIME GMT",
    r"[A-Za-z]{1,3} (?P<month>[A-Z][a-z]{2}) {1,2}(?P<day>\d{1,2}) TIME (?P<year>\d{4})",
)
TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2}):(?P<second>\d{1,2})"
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def parse_date(value: str) -> Optional[int]:
    """Return the seconds since 1970 of a date, or None if it is none."""
    for form in DATES:
        found = re.fullmatch(form.replace("TIME", TIME), value, re.ASCII)
        if found is not None and found["month"] in MONTHS:
            break
    else:
        return None
    day, hour, minute, second = (int(found[k]) for k in ("day", "hour", "minute", "second"))
    year = int(found["year"])
    if len(found["year"]) == 2:
        year += 2000 if year < 70 else 1900
    if year < 1970 or not 1 <= day <= 31 or hour > 23 or minute > 59 or second > 60:
        return None
    return calendar.timegm((year, MONTHS.index(found["month"]) + 1, day, hour, minute, second))


def parse_retry_after(value: Optional[str], today: Optional[float] = None) -> Optional[float]:
    """Return the seconds that a Retry-After field stands for, or None if it makes no sense."""
    if value is None:
        return None
    if re.fullmatch(r"[ \t]*[0-9]+[ \t]*", value):
        value = value.strip(" \t")
        return min(int(value), SILENCE_MAX) if len(value) <= 10 else SILENCE_MAX
    date = parse_date(value.lstrip(" \t"))
    if date is None:
        return None
    return max(0, date - (time.time() if today is None else today))


class EventClient:
    """Knows whether events may be sent to a server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._silent_until: Optional[float] = None

    def may_send(self) -> bool:
        """May an event be sent?  If not, it is to be abandoned."""
        with self._lock:
            return self._silent_until is None or self._clock() >= self._silent_until

    def answered(self, status: int, retry_after: Optional[str] = None) -> str:
        """Tell how an event was answered; return what becomes of it."""
        if 200 <= status < 300:
            return SENT
        if status != 429:
            return FAILED
        wait = parse_retry_after(retry_after)
        if wait:
            until = self._clock() + min(wait, SILENCE_MAX)
            with self._lock:
                self._silent_until = max(until, self._silent_until or until)
        return ABANDONED
