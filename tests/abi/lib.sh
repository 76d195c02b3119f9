# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# lib.sh - for tests that compile against the public headers: what they share.
# A script sources this file, runs checks, and ends with "finish"; one that dies
# on the way has printed no plan and so has failed.
#
#	compile COMPILER ARGUMENT...    compiles with the public headers alone
#	build_module KIND TYPE FILE [ARGUMENT...]
#	                        makes $work/modules/KIND/TYPE.so of FILE
#	find_module KIND TYPE   loads that module; the answer is in $work/out
#	have_compiler NAME WHAT is there one?  If not, the check WHAT is skipped
#	ok NAME COMMAND...      does COMMAND succeed?
#	report STATUS NAME TEXT FILE...     one check; TEXT and FILEs show why it failed
#	skip NAME WHY           one check that cannot be made here
#	finish                  prints the plan
#
# The variables CC, CXX and SANITIZE_CFLAGS are those of the build.

LC_ALL=C
export LC_ALL

: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}"
CC=${CC:-cc}
CXX=${CXX:-c++}
count=0
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
headers="-I$LIMEN_BUILDDIR/include -I$LIMEN_SRCDIR/include"
liblimen="-L$LIMEN_BUILDDIR/.libs -llimen -Wl,-rpath,$LIMEN_BUILDDIR/.libs"

report() {
	result=$1
	name=$2
	text=$3
	shift 3
	count=$((count + 1))
	if [ "$result" -eq 0 ]; then
		echo "ok $count - $name"
		return 0
	fi
	echo "not ok $count - $name"
	printf '%s\n' "$text" | sed 's/^/# /'
	for file in "$@"; do
		sed 's/^/# /' "$file"
	done
	return 0
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

ok() {
	name=$1
	shift
	"$@" > "$work/log" 2>&1
	report $? "$name" "$*" "$work/log"
}

# A compiler may be several words; it is a command if its first word is.
have_compiler() {
	if command -v "${1%% *}" > /dev/null 2>&1; then
		return 0
	fi
	skip "$2" "no $1"
	return 1
}

# Only the headers in $headers: neither GLib nor jansson is on the include path.
compile() {
	compiler=$1
	shift
	$compiler ${SANITIZE_CFLAGS-} $headers "$@"
}

build_module() {
	kind=$1
	type=$2
	source=$3
	shift 3
	mkdir -p "$work/modules/$kind"
	compile "$CC" -fPIC -shared -o "$work/modules/$kind/$type.so" "$source" "$@"
}

find_module() {
	"$LIMEN_BUILDDIR/tests/abi/find_module" "$work/modules" "$1" "$2" > "$work/out" 2>&1
}

finish() {
	echo "1..$count"
}
