#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# python.sh - bindings/python/limen/events.py does as limen-client/event_client.h does.
set -u
: "${LIMEN_SRCDIR:?}"

if ! command -v python3 > /dev/null; then
	echo "1..0 # SKIP there is no python3"
	exit 0
fi
# A date is UTC, wherever the client runs.
TZ=America/New_York
export TZ
PYTHONPATH=$LIMEN_SRCDIR/bindings/python/limen PYTHONDONTWRITEBYTECODE=1 exec python3 - << 'END'
from events import ABANDONED, FAILED, SENT, SILENCE_MAX, EventClient, parse_retry_after

EXAMPLE = 784111777  # 1994-11-06T08:49:37Z, the moment of the examples in RFC 9110
checks = []


def is_equal(name, found, wanted):
    checks.append((name, found, wanted))


for value, today, seconds in (
    (None, 0, None),
    ("", 0, None),
    ("0", 0, 0),
    (" 120\t", 0, 120),
    ("-1", 0, None),
    ("1.5", 0, None),
    ("soon", 0, None),
    ("9" * 5000, 0, SILENCE_MAX),
    ("\u0663", 0, None),
    ("Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE - 60, 60),
    ("Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE + 1, 0),
    (" \tSun, 06 Nov 1994 08:49:37 GMT", EXAMPLE - 60, 60),
    ("Sunday, 06-Nov-94 08:49:37 GMT", EXAMPLE - 60, 60),
    ("Sun Nov  6 08:49:37 1994", EXAMPLE - 60, 60),
    ("Sunday, 06-Nov-69 08:49:37 GMT", EXAMPLE, 3150953377 - EXAMPLE),
    ("Sun, 06 Nov 1994 08:49:37 +0200", EXAMPLE, None),
    ("Sun, 06 Nov 1994 08:49:37 -0000", EXAMPLE, None),
    ("Sun, 06 Nov 1994 08:49:37 GMT ", EXAMPLE, None),
    ("Sun, 06 Nov 1994 24:49:37 GMT", EXAMPLE, None),
    ("Sun, 32 Nov 1994 08:49:37 GMT", EXAMPLE, None),
    ("Sun, 06 Nov 1969 08:49:37 GMT", EXAMPLE, None),
    ("Sun, 06 Nox 1994 08:49:37 GMT", EXAMPLE, None),
    ("00000000010", 0, SILENCE_MAX),
):
    is_equal("Retry-After: %.40r" % (value,), parse_retry_after(value, today), seconds)

now = 0.0
client = EventClient(clock=lambda: now)
is_equal("a new client may send", client.may_send(), True)
is_equal("201", client.answered(201, "10"), SENT)
is_equal("503", client.answered(503, "10"), FAILED)
is_equal("they silence nothing", client.may_send(), True)
is_equal("429 without Retry-After", client.answered(429), ABANDONED)
is_equal("silences nothing", client.may_send(), True)
is_equal("429 with it", client.answered(429, "10"), ABANDONED)
now = 9.999
is_equal("silences for its time", client.may_send(), False)
now = 1.0
client.answered(429, "2")
now = 9.0
is_equal("which a shorter one does not cut", client.may_send(), False)
now = 10.0
is_equal("and no longer", client.may_send(), True)
client.answered(429, str(10 * SILENCE_MAX))
now = 10.0 + SILENCE_MAX
is_equal("nor for ever", client.may_send(), True)

for number, (name, found, wanted) in enumerate(checks, 1):
    print("%sok %d - %s" % ("" if found == wanted else "not ", number, name))
    if found != wanted:
        print("# %r, not %r" % (found, wanted))
print("1..%d" % len(checks))
END
