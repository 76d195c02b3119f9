#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# "make demo": six decisions on the screen, excerpts of what the command prints. Needs LIMEN
# (the program), LIMEN_SRCDIR and LIMEN_BUILDDIR (the trees); LIMEN_MODULE_PATH names the modules
# of the build tree.

set -u
cd "$LIMEN_SRCDIR/docs/examples" || exit 1

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi
event=events/review.json
wrong=0

# show TEXT STATUS LINES ARGUMENT...: runs limen and shows those LINES of its output (a script
# for sed -n). The exit status must be STATUS.
show() {
	printf '\n%s%s%s\n' "$bold" "$1" "$plain"
	expected=$2
	lines=$3
	shift 3
	printf '%s$ limen %s%s\n' "$dim" "$*" "$plain"
	output=$("$LIMEN" "$@" 2>&1)
	status=$?
	[ "$status" -eq "$expected" ] || lines='p'
	printf '%s\n' "$output" | sed -n "$lines"
	if [ "$status" -ne "$expected" ]; then
		printf 'demo: exit status %s, expected %s\n' "$status" "$expected"
		wrong=1
	fi
}

echo
echo 'Commands are run in docs/examples; only the lines that matter are shown.'

show '1. An HTTP request: a client may send ten a minute, and this is its first.' 0 p \
	check --policy gateways/limits.yaml --method GET --path /users/7 --client 192.0.2.7

show '2. A host asks for a throughput test of 40 Mb/s and 30 seconds: admitted.
Hosts of our network may ask for up to 50 Mb/s and one minute.' 0 '1p;/^Identified/,/Limit/p' \
	check --policy demo/limits.yaml --hint requester=192.0.2.7 tasks/throughput.json

show '3. It asks for 2 Gb/s and five minutes: refused, with the smallest change that would pass.' \
	1 '1p;/smallest change/,$p' check --explain --policy demo/limits.yaml \
	--hint requester=192.0.2.7 tasks/greedy-throughput.json

show '4. It names no bandwidth: the policy rewrites the task.' 0 \
	'1p;/^Rewriter/,/^  /p;/"spec"/,/}/p' check --policy demo/limits.yaml \
	--hint requester=192.0.2.7 tasks/short-throughput.json

show '5. A Kubernetes pod names no resources: it gets the defaults of a LimitRange.' 0 p \
	check --policy kubernetes/limits.yaml demo/pod.yaml

show '6. A node sends three Kubernetes events at once: the third is refused with code 429.' 1 \
	'/^admitted/p;/^refused/,$p' check --time 2026-11-24T12:00:00Z --policy events/limits.yaml \
	"$event" "$event" "$event"

# Paths that are right in the build tree, where "make demo" was typed.
tree=
[ "$LIMEN_SRCDIR" = "$LIMEN_BUILDDIR" ] || tree=$LIMEN_SRCDIR/

cat << END

${bold}Next${plain}
  README.md            who limen is for, and how it compares
  docs/install.md      install limen, or use it where it was built
  docs/tour.md         the commands in ten minutes
  docs/operators.md    write your first policy
  make check           run all tests (installs what they need first)

${bold}Try it here${plain}
  ./limen check --explain --policy ${tree}docs/examples/demo/limits.yaml \\
      --hint requester=192.0.2.7 ${tree}docs/examples/tasks/throughput.json
END
exit "$wrong"
