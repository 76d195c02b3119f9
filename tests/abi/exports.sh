#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh - what the library and the modules export.  The list in
# tests/abi/exports grows with the ABI; a name never leaves it within a major
# number.  "exports.sh --list" prints what it should be.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

# Names of the compiler's, the linker's and the sanitizers' own begin with "_", but for one
# of libgcov's, which a build that measures coverage has.
exported() {
	nm -D --defined-only "$1" | awk '$3 !~ /^_/ && $3 != "mangle_path" { sub(/@.*/, "", $3); print $3 }' | sort
}

# The functions that headers declare with LIMEN_API, all but those of the kit.
declared() {
	for header in "$LIMEN_SRCDIR"/include/limen/*.h; do
		case $header in
		*/testkit.h | */json.h) ;;
		*) echo "#include <limen/$(basename "$header")>" ;;
		esac
	done > "$work/all.c"
	{
		compile "$CC" -E -P "$work/all.c"
		sed 's/LIMEN_API/__attribute__((visibility("default")))/' \
			"$LIMEN_SRCDIR/include/limen/json.h"
	} | tr '\n' ' ' | sed 's/__attribute__((visibility("default")))/\n@/g' |
		sed -n 's/^@[^(;]*[ *]\(limen_[a-z0-9_]*\) *(.*/\1/p' | sort
}

library=$LIMEN_BUILDDIR/.libs/liblimen.so
if [ "${1-}" = --list ]; then
	exported "$library"
	exit
fi

# The same lists, or how they differ.
same() {
	diff "$1" "$2" > "$work/difference"
	report $? "$3" "${4-}" "$work/difference"
}

exported "$library" > "$work/found"
same "$LIMEN_SRCDIR/tests/abi/exports" "$work/found" "the library exports what the list says" \
	"(see tests/abi/exports.sh)"
declared > "$work/declared"
same "$work/declared" "$work/found" "the library exports what its headers declare"
! grep -v '^limen_' "$work/found" > "$work/odd"
report $? "every exported name begins with limen_" "" "$work/odd"

echo limen_module > "$work/one"
for module in "$LIMEN_BUILDDIR"/plugins/*/.libs/*.so; do
	exported "$module" > "$work/found"
	kind=$(basename "$(dirname "$(dirname "$module")")")
	same "$work/one" "$work/found" "$kind/$(basename "$module" .so) exports its descriptor alone"
done
finish
