#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# "make demo": the shipped policy decides real requests on screen.
# Needs LIMEN (the program) and LIMEN_SRCDIR (the source tree); LIMEN_MODULE_PATH
# says where the modules of the build tree are.  With LIMEN_LAB (tests/kit/in_lab)
# another policy is shown that asks name servers and web servers; they are started
# for it, and it is this script again, told "everything", that uses them.

set -u
cd "$LIMEN_SRCDIR" || exit 1

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$(printf '\033[1m') plain=$(printf '\033[0m')
else
	bold= plain=
fi
tasks=docs/examples/tasks
wrong=0

# run STATUS WORDS...: shows the command, runs it, and expects STATUS.
run() {
	expected=$1
	shift
	printf '\n%s$ limen' "$bold"
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./:=+-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '%s\n' "$plain"
	"$LIMEN" "$@" 2>&1
	status=$?
	if [ "$status" -ne "$expected" ]; then
		printf 'demo: exit status %s, expected %s\n' "$status" "$expected"
		wrong=1
	fi
}

# say TEXT: what comes next.
say() {
	printf '\n%s# %s%s\n' "$bold" "$1" "$plain"
}

everything=docs/examples/everything
if [ "${1-}" = everything ]; then
	say 'A policy of all types, with a name server and a web server of its own.'
	run 0 validate
	run 0 check --hint requester=192.0.2.11 --hint server=192.0.2.200 --explain "$everything/task.json"

	say 'Too much, for a friend as well.'
	run 1 check --hint requester=192.0.2.11 --hint server=192.0.2.200 "$everything/greedy.json"

	say 'An address that nobody should have, says the name server.'
	run 1 check --hint requester=192.0.2.1 --hint server=192.0.2.200 "$everything/task.json"
	exit "$wrong"
fi

say 'Is the shipped policy valid?'
run 0 validate conf.d

say 'A partner wants a modest throughput test.'
run 0 check --policy conf.d --hint requester=198.51.100.17 "$tasks/throughput.json"

say 'The same partner wants far more.'
run 1 check --policy conf.d --hint requester=198.51.100.17 "$tasks/greedy-throughput.json"

say 'A test that is too short, and does not say how fast: it is rewritten.'
run 0 check --policy conf.d --hint requester=198.51.100.17 "$tasks/short-throughput.json"

say 'The modest test as a run on a Tuesday, which gets a priority.'
run 0 check --policy conf.d --hint requester=198.51.100.17 \
	--start 2026-11-24T05:00:00Z --duration PT1M "$tasks/throughput.json"

say 'The modest test again, as a run on a Wednesday at five in the morning: maintenance.'
run 1 check --policy conf.d --hint requester=198.51.100.17 \
	--start 2026-11-25T05:00:00Z --duration PT1M "$tasks/throughput.json"

say 'A host that misbehaved asks for something harmless.'
run 1 check --policy conf.d --hint requester=203.0.113.66 "$tasks/rtt.json"

say 'A stranger asks for the same.  What was run to decide it?'
run 0 check --policy conf.d --hint requester=203.0.113.9 --explain "$tasks/rtt.json"

say 'The same as a program would read it.'
run 0 check --policy conf.d --hint requester=203.0.113.9 --format json "$tasks/rtt.json"

say 'Which modules are there, and what does one of them take?'
run 0 modules
run 0 explain limit/run-schedule

if [ -n "${LIMEN_LAB:-}" ]; then
	"$LIMEN_LAB" "$everything/limits.conf" sh tests/demo.sh everything
	case $? in
	0) ;;
	77) say 'The servers for a policy of all types are not there.' ;;
	*) wrong=1 ;;
	esac
fi
exit "$wrong"
