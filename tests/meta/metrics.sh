#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# metrics.sh - every family of docs/observability.md, which are all there are
# (tests/daemon/test_metrics.c), stands in a test that looks at its value.
set -u
page=${METRICS_PAGE:-$LIMEN_SRCDIR/docs/observability.md}
cd "$LIMEN_SRCDIR" || exit 1

list_families() {
	sed -n 's/^| `\([a-z_]*_[a-z_]*\)` | \(gauge\|counter\|histogram\) |.*/\1/p' "$page"
}

# A family is a whole word, or one with the ending of a part of a histogram.
is_tested() {
	grep -qE "(^|[^a-z_])$1(_bucket|_sum|_count)?([^a-z_]|\$)" tests/daemon/*.c tests/daemon/*.py
}

wrong=$(list_families | while read -r family; do
	is_tested "$family" || echo "# $family is in no test"
done)
if [ -n "${METRICS_PAGE:-}" ]; then
	printf '%s\n' "$wrong"
	exit 0
fi

echo 1..3
count=$(list_families | grep -c .)
[ "$count" -ge 30 ] || printf 'not '
echo "ok 1 - there are families: $count"
[ -z "$wrong" ] || printf '%s\nnot ' "$wrong"
echo 'ok 2 - each is in a test'

# This script sees what is missing.
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT
cat > "$work" << 'PAGE'
| `limend_draining` | gauge | | 1 once the daemon is about to end |
| `limend_drain` | gauge | | a part of a word |
PAGE
printf '| `limend_%s_total` | counter | | one that no test has |\n' absent >> "$work"
found=$(METRICS_PAGE="$work" sh "$LIMEN_SRCDIR/tests/meta/metrics.sh" | grep -c '^# limend_')
[ "$found" -eq 2 ] || printf 'not '
echo "ok 3 - and would see two that are in none: $found"
