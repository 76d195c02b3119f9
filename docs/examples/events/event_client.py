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
"""

import re
import threading
import time
from email.utils import parsedate_to_datetime

SENT, ABANDONED, FAILED = "sent", "abandoned", "failed"

# No server can silence a client for longer than this, in seconds.
SILENCE_MAX = 3600


def parse_retry_after(value, today=None):
    """Return the seconds that a Retry-After field stands for, or None if it makes no sense."""
    if value is None:
        return None
    if re.fullmatch(r"[ \t]*[0-9]+[ \t]*", value):
        return min(int(value), SILENCE_MAX) if len(value) < 1000 else SILENCE_MAX
    try:
        date = parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0, date - (time.time() if today is None else today))


class EventClient:
    """Knows whether events may be sent to a server."""

    def __init__(self, clock=time.monotonic):
        self._clock = clock
        self._lock = threading.Lock()
        self._silent_until = None

    def may_send(self):
        """May an event be sent?  If not, it is to be abandoned."""
        with self._lock:
            return self._silent_until is None or self._clock() >= self._silent_until

    def answered(self, status, retry_after=None):
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
