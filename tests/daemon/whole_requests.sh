#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# whole_requests.sh - some of the requests of "make fuzz", always the same.
: "${LIMEN_SRCDIR:?}"

# The package is for the Python of the system, which need not be the first of $PATH.
python=python3
"$python" -c 'import h11' 2> /dev/null || python=/usr/bin/python3
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$LIMEN_SRCDIR/tests/fuzz/whole_requests.py" 1 2000
