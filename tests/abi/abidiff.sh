#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# abidiff.sh - what liblimen exports, and what modules define, has only grown since
# it was described in tests/abi/dump, as docs/abi.md demands.  libabigail (on Debian
# in abigail-tools) reads both from the debugging information.
# "abidiff.sh --freeze" describes it anew, for another major number.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

dump=$LIMEN_SRCDIR/tests/abi/dump
library=$LIMEN_BUILDDIR/.libs/liblimen.so
read_options="--headers-dir $LIMEN_SRCDIR/include/limen --drop-private-types
	--exported-interfaces-only --no-show-locs --no-comp-dir-path --no-corpus-path
	--no-elf-needed"

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v abidiff > /dev/null 2>&1 || skip_all "no abidiff (abigail-tools)"
case $($CC -dumpmachine) in
x86_64-*linux-gnu*) ;;
*) skip_all "the ABI is described for x86_64" ;;
esac
[ -z "${SANITIZE_CFLAGS-}" ] || skip_all "sanitizers have an ABI of their own"
readelf -S "$library" | grep -q '\.debug_info' || skip_all "built without -g"

# describe HEADERS: compiles what modules define, as HEADERS have it, to $work/descriptors.so
describe() {
	$CC -g -ffile-prefix-map="$LIMEN_SRCDIR/=" -fPIC -shared -I"$1" \
		-I"$LIMEN_BUILDDIR/include" -o "$work/descriptors.so" \
		"$LIMEN_SRCDIR/tests/abi/descriptors.c"
}

describe "$LIMEN_SRCDIR/include" || exit 99
if [ "${1-}" = --freeze ]; then
	mkdir -p "$dump"
	abidw $read_options --out-file "$dump/liblimen.abi" "$library" &&
		abidw $read_options --out-file "$dump/descriptors.abi" "$work/descriptors.so"
	exit
fi

# What a report says of anything but growth: structs may have more members behind the
# others, and enumerations more words.
loss='[1-9][0-9]* Removed|deletion|data member change|enumerator change|offset changed|type of '
loss=$loss"'|return type changed|parameter [0-9]+ .*(added|removed|changed)|type name changed"

# Types that public headers only declare, and that of the C library, may change.  libabigail
# takes a header for public by its name alone, and those of the core have the same names.
for type in _IO_FILE $(sed -n 's/^typedef struct \(limen_[a-z_]*\) [a-z_]*;.*/\1/p' \
	"$LIMEN_SRCDIR"/include/limen/*.h); do
	grep -Eq "^(typedef )?struct $type \{" "$LIMEN_SRCDIR"/include/limen/*.h ||
		printf '[suppress_type]\nname = %s\n' "$type"
done > "$work/suppressed"

# Prints the report in standard input without the members "reserved": a minor number may give
# them a meaning (docs/abi.md).
without_reserved() {
	awk '
		/there are data member changes:/ {
			head = $0; depth = match($0, /[^ ]/); inside = 1; drop = 0
			next
		}
		{ at = match($0, /[^ ]/) }
		inside && at <= depth { inside = 0 }
		inside && at == depth + 2 && !/^ *and / { drop = /::reserved. changed/ }
		inside && drop { next }
		inside && head != "" { print head; head = "" }
		{ print }'
}

# grown OLD NEW: is the object NEW what OLD was, or more?  Both are read in the same way.
grown() {
	abidw $read_options --out-file "$work/new.abi" "$2" > "$work/log" 2>&1 || return 1
	abidiff --suppressions "$work/suppressed" --no-added-syms --leaf-changes-only "$1" \
		"$work/new.abi" > "$work/log" 2>&1
	# 4 is a change; the rest are failures, or what nobody could use any more.
	case $? in
	0) return 0 ;;
	4) ! without_reserved < "$work/log" | grep -Eq "$loss" ;;
	*) return 1 ;;
	esac
}

grown "$dump/liblimen.abi" "$library"
report $? "functions and their types have only grown" "" "$work/log"
grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "what modules define has only grown" "" "$work/log"

# ---- does it see what is no growth? ----

sed 's/limen_engine_free/limen_engine_gone/g' "$dump/liblimen.abi" > "$work/old.abi"
! grown "$work/old.abi" "$library"
report $? "a function that is gone is found" "" "$work/log"

sed "s/'LIMEN_1'/'LIMEN_0'/g" "$dump/liblimen.abi" > "$work/old.abi"
! grown "$work/old.abi" "$library"
report $? "so is another version of the functions" "" "$work/log"

# changed EXPRESSION: describes what modules would define after this edit of the headers
changed() {
	rm -rf "$work/headers"
	mkdir "$work/headers"
	cp -R "$LIMEN_SRCDIR/include/limen" "$work/headers/limen" &&
		chmod -R u+w "$work/headers" &&
		sed -i "$1" "$work/headers/limen/module.h" "$work/headers/limen/option.h" &&
		! diff -r "$LIMEN_SRCDIR/include/limen" "$work/headers/limen" > "$work/log" &&
		describe "$work/headers"
}

changed 's/^} limen_store_module;/\tvoid (*more)(void);\n&/' &&
	grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "a member at the end is growth" "" "$work/log"
changed 's/^} limen_option;/\tint more;\n&/' &&
	grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "so is one at the end of what is pointed to" "" "$work/log"
changed 's/^typedef struct limen_store_module {/&\n\tvoid (*more)(void);/' &&
	! grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "a member at the beginning is not" "" "$work/log"
changed 's/^\tuint32_t offset; /\tuint64_t offset; /' &&
	! grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "nor is another type of one" "" "$work/log"
changed 's/LIMEN_OPTION_STRING = 1,/LIMEN_OPTION_STRING = 91,/' &&
	! grown "$dump/descriptors.abi" "$work/descriptors.so"
report $? "nor is another value of a word" "" "$work/log"
finish
