#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# embed.sh - the program of docs/embedders.md, compiled as C and as C++ against
# the build tree with the public headers only, decides as the guide says.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

policy=$work/conf.d
mkdir -p "$policy"
cp "$LIMEN_SRCDIR/docs/examples/cap/limits.conf" "$policy/limits.conf"
printf '{"modules": ["%s", "%s"]}\n' "$work/modules" "$LIMEN_BUILDDIR/plugins" \
	> "$policy/modules.conf"
ok "the example module compiles" build_module limit cap "$LIMEN_SRCDIR/docs/examples/cap/cap.c"

# answers NAME STATUS TEXT TASK: what does the program say about TASK?
answers() {
	said=$("$work/embed" "$policy" "$4" 2> "$work/err")
	got=$?
	[ "$got" -eq "$2" ] && [ "$said" = "$3" ]
	report $? "$1" "$said (status $got)" "$work/err"
}

check_answers() {
	answers "$1: admitted" 0 "admitted: application 'Short tasks' passes" \
		'{"test": {"spec": {"count": 60}}}'
	answers "$1: refused" 1 \
		"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
		'{"test": {"spec": {"count": 61}}}'
	answers "$1: what is no JSON has no decision" 2 "" '{'
}

if have_compiler "$CC" "compiled as C11"; then
	ok "compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
		"$LIMEN_SRCDIR/tests/embed/embed.c" -o "$work/embed" $liblimen
	check_answers "C11"
fi
if have_compiler "$CXX" "compiled as C++17"; then
	ok "compiles as C++17" compile "$CXX" -std=c++17 -x c++ -pedantic -Wall -Wextra -Werror \
		"$LIMEN_SRCDIR/tests/embed/embed.c" -x none -o "$work/embed" $liblimen
	check_answers "C++17"
fi

# serves NAME: the second program of the guide, with hints and the account.
serves() {
	"$work/server" "$policy" 192.0.2.1 '{"test": {"spec": {"count": 61}}}' '[' > "$work/out" 2>&1
	{ head -n 3 "$work/out"; tail -n 1 "$work/out"; } > "$work/ends"
	printf '%s\n' 403 Hints: '  requester: 192.0.2.1' '400 the task is not JSON' |
		cmp -s - "$work/ends"
	report $? "$1" '' "$work/out"
}

ok "the server compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
	"$LIMEN_SRCDIR/tests/embed/server.c" -o "$work/server" $liblimen
serves "the server tells who asked, and answers for what is no JSON"
finish
