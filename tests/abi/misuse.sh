#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# misuse.sh - mistakes of modules: "limen module check" survives each and names it.  A mistake that
# it does not find does no harm, or is the business of a sanitizer.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"
LIMEN=$LIMEN_BUILDDIR/limen
source=$LIMEN_SRCDIR/tests/abi/mistakes.c
have_compiler "$CC" "modules with mistakes" || { finish && exit; }
library=$liblimen
# ALLOCATES asks for more than there is: AddressSanitizer gives NULL, as malloc() does.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1
export ASAN_OPTIONS

# Each line: the mistake, the exit status, the text wanted, the row or the members of the descriptor.
cat > "$work/table" << 'END'
NONE|0|no errors were found|
NO_KEY|1|error: the module limit/misuse is refused: option 2: 'key' is missing|-DROW=.type=LIMEN_OPTION_BOOL
SAME_KEY|1|option 2 'flag': 'key' is that of option 1|-DROW=.type=LIMEN_OPTION_BOOL,.key="flag"
COMMENT_KEY|1|policies have comments under keys that begin with '#'|-DROW=.type=LIMEN_OPTION_BOOL,.key="#a"
NO_TYPE|1|option 2 'k': 'type' 999 does not exist|-DROW=.type=999,.key="k"
NO_CHOICES|1|option 2 'k': 'choices' is missing|-DROW=.type=LIMEN_OPTION_ENUM,.key="k"
BAD_FALLBACK|1|option 2 'k': 'fallback': Invalid JSON|-DROW=.type=LIMEN_OPTION_BOOL,.key="k",.fallback="abc"
BAD_PATTERN|1|option 2 'k': 'pattern': Invalid regular expression|-DROW=.type=LIMEN_OPTION_STRING,.key="k",.pattern="("
BAD_BOUNDS|1|option 2 'k': 'minimum' 5 is above 'maximum' 1|-DROW=.type=LIMEN_OPTION_INT,.key="k",.minimum=5,.maximum=1
UNALIGNED|1|option 2 'k': 'offset' 1 is not a multiple of 8|-DROW=.type=LIMEN_OPTION_STRING,.offset=1,.key="k"
OUTSIDE|1|option 2 'k': 'offset' 4096 is outside of the instance|-DROW=.type=LIMEN_OPTION_STRING,.offset=4096,.key="k"
RESERVED_BYTE|1|option 2 'k': 'reserved' is not 0|-DROW=.type=LIMEN_OPTION_BOOL,.key="k",.reserved={1}
NO_TABLE|1|option 2 'k': 'rows' is missing|-DROW=.type=LIMEN_OPTION_ROWS,.key="k",.row_size=8
OWN_TABLE|1|its tables are more than 4 deep|-DROW=.type=LIMEN_OPTION_ROWS,.key="k",.row_size=16,.rows=own_table
NO_HELP|0|warning: the option 'k' has no 'help'|-DROW=.type=LIMEN_OPTION_BOOL,.key="k",.help=NULL
NEWER|1|install a newer limen, or build the module against this one|-DHEAD=.abi_minor=99
OTHER_MAJOR|1|the module was built for ABI 2.0|-DHEAD=.abi_major=2
SHORT|1|the module's descriptor is too short to be one|-DHEAD=.size=40
SHORT_ROWS|1|the module's descriptor is too short to be one|-DHEAD=.option_size=8
NO_NAME|1|the module calls itself '', but its file is named 'misuse'|-DHEAD=.name=NULL
UNKNOWN_FLAG|1|'flags' has the unknown bits 0x10000000000|-DHEAD=.flags=1ULL<<40
RESERVED_POINTER|1|'reserved' is not NULL|-DHEAD=.reserved={"x"}
NO_METHOD|1|the module has no method 'check'|
HUGE_INSTANCE|0|warning: each instance takes 2097152 bytes|-DHEAD=.instance_size=2097152
CLOSES|1|error: it closed file descriptors that it did not open|
CLOSES_ALL|1|error: it closed file descriptors that it did not open|
LEAVES|0|no errors were found|
FORKS|1|error: it called fork(), and the child returned to limen|
EXECUTES|1|error: it ended the process with status 0 while limen was calling 'check'|
ENDS_THREAD|1|while limen was calling 'check'|
KILLS|1|error: it crashed while limen was calling 'check': Killed|
NO_VERDICT|1|error: calling 'check' for {}: error: the module returned an unknown verdict|
NO_REASON|1|error: calling 'check' for {}: error: the module failed and gave no reason|
SILENT_FAIL|0|warning: calling 'check' for {}: fail, without a reason|
VIOLATES|1|error: limen_reply_violation: only an admission module reports violations|
PRIORITIZES|1|error: limen_reply_priority: only a prioritizer sets a priority|
CHANGES|1|error: limen_reply_set: only a rewriter, or 'mutate' of an admission module, changes|
BAD_TAKE|1|error: limen_reply_take: |
BAD_TABLE|1|while limen was calling 'check'|
ATTACHES_TWICE|0|no errors were found|
ALLOCATES|0|no errors were found|
NULLS|0|no errors were found|
ENGINE|0|no errors were found|
PRINTS|0|no errors were found|
OPEN_EXITS|1|error: it ended the process with status 0 while limen was opening an instance ('init' and 'open')|
OPEN_HANGS|1|error: limen was still opening an instance ('init' and 'open') after 1 seconds|
OPEN_SILENT|1|the module misuse could not be opened|
OPEN_REPORTS|1|but it goes on|
OPEN_FLAGS|1|limen_opening_add_flags() was given the unknown bits|
OPEN_COUNTERS|0|there is no counter 'No Name'|
INIT_EXITS|1|error: it ended the process with status 3 while limen was opening an instance|
INIT_FAILS|1|the module misuse could not be opened: malformed argument|
STATUS_ENDS|1|error: 'status' wrote an invalid status|
STATUS_FREES|1|error: 'status' wrote an invalid status|
CLOSE_CRASHES|1|error: it crashed while limen was closing the instance ('close'): Aborted|
LOADING_HANGS|1|error: limen was still loading the file after 1 seconds|
END_CRASHES|1|error: it crashed while limen was ending the process (atexit()): Aborted|
END

# make_all: compiles all modules, two at a time
make_all() {
	while IFS='|' read -r mistake _ _ argument; do
		mkdir -p "$work/$mistake/limit"
		compile "$CC" -w -fPIC -shared -o "$work/$mistake/limit/misuse.so" "$source" \
			-DMISTAKE="$mistake" ${argument:+"$argument"} $library &
		even=$((1 - ${even:-0}))
		[ $even -eq 0 ] && wait
	done < "$work/table"
	wait
}
ok "all compile" make_all

while IFS='|' read -r mistake wanted text _; do
	# AddressSanitizer has a word of its own for what it does not survive.
	case "$mistake ${SANITIZE_CFLAGS-}" in
	"BAD_TABLE "*-fsanitize* | "FORKS "*-fsanitize=thread* | "LEAVES "*-fsanitize=thread*)
		skip "$mistake" "the sanitizer reports it"
		continue
		;;
	esac
	seconds=10
	case $mistake in
	*_HANGS) seconds=1 ;;
	esac
	"$LIMEN" module check "$work/$mistake/limit/misuse.so" --timeout $seconds > "$work/out" 2>&1 < /dev/null
	status=$?
	[ "$status" -eq "$wanted" ] && grep -Fqe "$text" "$work/out"
	report $? "$mistake: $text" "status $status" "$work/out"
done < "$work/table"

"$LIMEN" module check "$work/LEAVES/limit/misuse.so" < /dev/null 2>&1 | cat > "$work/out"
ok "processes that a module leaves behind are ended" sh -c '! grep -q "left behind" "$1"' sh "$work/out"

cp "$work/LOADING_HANGS/limit/misuse.so" "$work/open.so" && chmod o+w "$work/open.so"
"$LIMEN" module check "$work/open.so" --timeout 5 > "$work/out" 2>&1 < /dev/null
[ $? -eq 1 ] && grep -q "every user may change" "$work/out" && ! grep -q "loading" "$work/out"
report $? "a file that every user may change is not loaded" "" "$work/out"

printf '{ "cases": [ { "name": "it passes", "verdict": "pass" } ] }\n' > "$work/cases.json"
"$LIMEN" module test "$work/PRINTS/limit/misuse.so" "$work/cases.json" > "$work/out" 2> "$work/log"
[ "$(cat "$work/out")" = "1..1
ok 1 - it passes" ] && grep -q "words of the module" "$work/log"
report $? "the output of a module is apart from that of a test" "$work/out" "$work/log"
finish
