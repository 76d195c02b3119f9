# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# lib.sh - tests of the command line: runs $LIMEN in a directory of its own and
# prints TAP.  A script sources this file, runs checks, and ends with "finish".
# A script that dies on the way has printed no plan and so has failed.
#
#	run ARGUMENT...         runs limen; the results are in the files out and err
#	                        and in $status; standard input is empty
#	run_with FILE ARGUMENT...   the same with FILE as standard input
#	prints NAME STATUS      was that the exit status, and was exactly what stands
#	                        on our standard input printed, and no error?
#	complains NAME STATUS   the same for standard error, and no output
#	ended NAME STATUS       the exit status alone
#	holds NAME FILE TEXT    is there a line of FILE that is exactly TEXT?
#	mentions NAME FILE TEXT     does FILE have a line with TEXT in it?
#	ok NAME COMMAND...      does COMMAND succeed?
#	blur                    makes times in the output equal to "N us"
#	skip NAME WHY           counts a check that cannot be made here

set -u
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset LIMEN_POLICY NO_COLOR COLUMNS TERM CLICOLOR_FORCE

: "${LIMEN:?}" "${LIMEN_SRCDIR:?}" "${LIMEN_MODULE_PATH:?}"

count=0
status=0
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99

run() {
	run_with /dev/null "$@"
}

run_with() {
	input=$1
	shift
	status=0
	"$LIMEN" "$@" < "$input" > out 2> err || status=$?
}

blur() {
	sed 's/, [0-9][0-9]* us/, N us/' out > blurred
	mv blurred out
}

# Reports the check $2 as passed if $1 is 0; further arguments are files to show if not.
report() {
	result=$1
	name=$2
	shift 2
	count=$((count + 1))
	if [ "$result" -eq 0 ]; then
		echo "ok $count - $name"
		return 0
	fi
	echo "not ok $count - $name"
	echo "# exit status: $status"
	for file in "$@"; do
		echo "# $file:"
		sed 's/^/#   /' "$file"
	done
	return 0
}

ok() {
	name=$1
	shift
	"$@" > ok.log 2>&1
	report $? "$name" ok.log out err
}

compare() {
	cat > wanted
	if [ "$status" -eq "$2" ] && cmp -s wanted "$3" && [ ! -s "$4" ]; then
		report 0 "$1"
	else
		diff wanted "$3" > difference
		report 1 "$1 (wanted status $2)" difference "$4"
	fi
}

prints() {
	compare "$1" "$2" out err
}

complains() {
	compare "$1" "$2" err out
}

ended() {
	[ "$status" -eq "$2" ]
	report $? "$1 (wanted status $2)" out err
}

holds() {
	grep -Fqx -e "$3" "$2"
	report $? "$1" "$2"
}

mentions() {
	grep -Fq -e "$3" "$2"
	report $? "$1" "$2"
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish() {
	echo "1..$count"
}
