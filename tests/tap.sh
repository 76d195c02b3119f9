# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# tap.sh - for the check.sh of packages, images and releases, which source it: $work is a directory
# that goes away at the end.  They end with "finish".
set -u
LC_ALL=C
export LC_ALL

count=0
failed=0
work=$(mktemp -d) || exit 99
log=$work/log
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 99' HUP INT TERM

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# ok NAME COMMAND...: does COMMAND succeed?
ok() {
	title=$1
	shift
	count=$((count + 1))
	if "$@" > "$log" 2>&1 < /dev/null; then
		echo "ok $count - $title"
		return 0
	fi
	echo "not ok $count - $title"
	tail -n 60 "$log" | sed 's/^/# /'
	failed=1
	return 1
}

finish() {
	echo "1..$count"
	exit $failed
}
