#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# "make demo": the three policies of README.md on the screen, and decisions under them. Needs
# LIMEN (the program), LIMEN_SRCDIR and LIMEN_BUILDDIR (the trees); LIMEN_MODULE_PATH names the
# modules of the build tree.

set -u
cd "$LIMEN_SRCDIR/docs/examples" || exit 1

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi
wrong=0

# A terminal folds between words.
wrap() {
	if [ -t 1 ]; then
		fold -s -w "$(tput cols 2> /dev/null || echo 80)"
	else
		cat
	fi
}

# policy FILE TEXT
policy() {
	printf '\n%s%s%s\n' "$bold" "$2" "$plain"
	printf '%s$ cat %s%s\n' "$dim" "$1" "$plain"
	wrap < "$1"
}

# show STATUS FILTER ARGUMENT...: runs limen and prints its output through FILTER. The exit
# status must be STATUS.
show() {
	expected=$1
	filter=$2
	shift 2
	printf '%s$ limen %s%s%s\n' "$dim" "$*" "${filter:+ | $filter}" "$plain"
	output=$("$LIMEN" "$@" 2>&1)
	status=$?
	[ "$status" -eq "$expected" ] || filter=
	printf '%s\n' "$output" | eval "${filter:-cat}" | wrap
	if [ "$status" -ne "$expected" ]; then
		printf 'demo: exit status %s, expected %s\n' "$status" "$expected"
		wrong=1
	fi
}

echo
echo 'Commands are run in docs/examples.'

policy readme/api.yaml '1. An API: ten requests a minute for each client, internal networks exempt'
show 0 '' check --policy readme/api.yaml --method GET --path /users/7 --client 10.1.2.3
show 0 'tail -n 1 | cut -d , -f 2-4' check --policy readme/api.yaml --batch readme/eleven.jsonl

policy readme/limit-range.yaml '2. Kubernetes: a LimitRange, checked before the cluster sees a manifest'
show 1 '' check --quiet --policy readme/limit-range.yaml kubernetes/web.yaml

policy readme/limits.conf '3. pScheduler: a limits.conf. Our hosts may run tests with little traffic'
show 0 'head -n 1' check --policy readme/limits.conf --hint requester=192.0.2.7 tasks/rtt.json
show 1 "sed -n '1p;\$p'" check --explain --policy readme/limits.conf --hint requester=192.0.2.7 \
	tasks/throughput.json

# Paths that are right in the build tree, where "make demo" was typed.
tree=
[ "$LIMEN_SRCDIR" = "$LIMEN_BUILDDIR" ] || tree=$LIMEN_SRCDIR/

cat << END

${bold}Next${plain}
  docs/words.md        the words: task, object, hint, application, limit
  docs/install.md      install limen, or use it where it was built
  docs/README.md       guides for an API, for Kubernetes, for perfSONAR
  make check           run all tests (installs what they need first)

${bold}Try it here${plain}
  ./limen check --explain --policy ${tree}docs/examples/readme/api.yaml \\
      --method GET --path /users/7 --client 192.0.2.7
END
exit "$wrong"
