#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# failures.sh - every row of docs/reference/failures.md names a test that exists, or
# several with "; " between them: a file of data, or a title in the file named before it.
set -u
page=${FAILURES_PAGE:-$LIMEN_SRCDIR/docs/reference/failures.md}
cd "$LIMEN_SRCDIR" || exit 1

# Prints, for each test of a row, "LINE<TAB>FILE<TAB>TITLE"; the file is "-" if none is named.
list_rows() {
	awk -F ' [|] ' '
		/^[|]---/ || /^[|] what fails / { next }
		/^[|] / {
			row = $NF
			sub(/ [|]$/, "", row)
			gsub(/; `/, "\t`", row)
			count = split(row, cells, "\t")
			for (i = 1; i <= count; i++) {
				cell = cells[i]
				file = "-"
				if (match(cell, /^`[^`]+`/)) {
					file = substr(cell, 2, RLENGTH - 2)
					cell = substr(cell, RLENGTH + 1)
					sub(/^: /, "", cell)
				}
				printf "%d\t%s\t%s\n", NR, file, cell
			}
		}' "$page"
}

# Is the title one of the file's, and is a title given where the file is no data?
is_backed() {
	[ -f "$1" ] || return 1
	case $1 in
	*.json) [ -z "$2" ] ;;
	*) [ -n "$2" ] && grep -qF "\"$2\"" "$1" ;;
	esac
}

rows=$(list_rows)
count=$(printf '%s\n' "$rows" | grep -c .)
wrong=$(printf '%s\n' "$rows" | while IFS='	' read -r line file title; do
	is_backed "$file" "$title" || echo "# line $line: $file: $title"
done)
if [ -n "${FAILURES_PAGE:-}" ]; then
	printf '%s\n' "$wrong"
	exit 0
fi

echo 1..3
[ "$count" -ge 40 ] || printf 'not '
echo "ok 1 - there are rows: $count"
[ -z "$wrong" ] || printf '%s\nnot ' "$wrong"
echo 'ok 2 - each names a test that is there'

# This script sees what is missing.
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT
cat > "$work" << 'PAGE'
| a | b | c | d | nothing |
| a | b | c | d | `tests/no/such/file.json` |
| a | b | c | d | `tests/core/engine/test_oom.c`: no such title |
| a | b | c | d | `tests/core/engine/test_oom.c` |
| a | b | c | d | `tests/cases/fail-closed/empty-policy.json`; `tests/cases/no-such.json` |
| a | b | c | d | `tests/cases/fail-closed/empty-policy.json` |
PAGE
found=$(FAILURES_PAGE="$work" sh "$LIMEN_SRCDIR/tests/meta/failures.sh" | grep -c '^# line')
[ "$found" -eq 5 ] || printf 'not '
echo "ok 3 - and would see five that are not: $found"
