#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the documents of the decision service show is what limend answers: every
# line "$ curl ..." and "$ echo ..." of their console blocks is run, beside the
# files of docs/examples/service, and the lines below it compared.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

pages='docs/decision-service.md docs/pscheduler-remote.md'

for tool in curl jq python3; do
	if ! command -v "$tool" > /dev/null; then
		skip "the documents of the decision service" "no $tool"
		finish
		exit 0
	fi
done

limend=${LIMEND:-$LIMEN_BUILDDIR/limend}
if [ ! -x "$limend" ]; then
	skip "the documents of the decision service" "limend is not built"
	finish
	exit 0
fi

cp "$LIMEN_SRCDIR"/docs/examples/service/* .
"$limend" --policy limits.conf --unix limend.sock --address-file addresses > log 2>&1 &
daemon=$!
trap 'kill "$daemon" 2> /dev/null; rm -rf "$work"' EXIT
tries=0
while [ ! -e addresses ] && kill -0 "$daemon" 2> /dev/null && [ "$tries" -lt 600 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
ok "limend listens" test -S limend.sock
[ -S limend.sock ] || sed 's/^/# /' log

# Writes command N of FILE to cmd.N and what should follow to want.N; prints how many.
split_blocks() {
	awk -v dir="$PWD" '
		/^```console$/ { inside = 1; next }
		/^```$/ { inside = 0; next }
		!inside { next }
		/^\$ / {
			keep = ($0 ~ /^\$ (curl|echo) /)
			if (keep) {
				n++
				print substr($0, 3) > (dir "/cmd." n)
				printf "" > (dir "/want." n)
			}
			next
		}
		keep { print > (dir "/want." n) }
		END { print n + 0 }' "$1"
}

for page in $pages; do
	total=$(split_blocks "$LIMEN_SRCDIR/$page")
	ok "$page has commands" test "$total" -gt 0
	n=0
	while [ "$n" -lt "$total" ]; do
		n=$((n + 1))
		sh "./cmd.$n" > got 2>&1 < /dev/null
		ok "$page, command $n is as shown" diff "want.$n" got
	done
done

printf '{"test":{"type":"trace"}}' > task
status=0
python3 ask.py limend.sock 192.0.2.7 < task > out || status=$?
ok "the program says no" test "$status" -eq 1
kill "$daemon"
wait "$daemon" 2> /dev/null
status=0
python3 ask.py limend.sock 192.0.2.7 < task > out || status=$?
ok "and no if nobody answers" test "$status" -eq 1
ok "and says why" grep -q '^refused: limend gave no decision: ' out

finish
