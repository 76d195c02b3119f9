#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# windows.sh - windows.py with few sequences; "make check-windows" has 10,000 of each window.
set -u
: "${LIMEN_SRCDIR:?}"

if ! command -v python3 > /dev/null; then
	echo "1..0 # SKIP there is no python3"
	exit 0
fi
PYTHONDONTWRITEBYTECODE=1 exec python3 "$LIMEN_SRCDIR/tests/plugins/store/windows.py" 10
