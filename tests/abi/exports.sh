#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh - what the library and the modules export, under which version.  The lists in
# tests/abi/exports and debian/liblimen1.symbols grow with the ABI; a name never leaves them within
# a major number.  "exports.sh --list" prints what the first should be, and "make freeze-abi"
# writes both.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

# Names of the compiler's, the linker's and the sanitizers' own begin with "_", but for one
# of libgcov's, which a build that measures coverage has.
exported() {
	versioned "$1" | sed 's/@.*//'
}
versioned() {
	nm -D --defined-only "$1" | awk '$2 != "A" && $3 !~ /^_/ && $3 != "mangle_path" { print $3 }' | sort
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

major=$(sed -n 's/^#define LIMEN_ABI_MAJOR //p' "$LIMEN_SRCDIR/include/limen/types.h")
! versioned "$library" | grep -v "@@LIMEN_$major\$" > "$work/odd"
report $? "each has the version of the major number" "" "$work/odd"
versioned "$library" | sed 's/@@/@/' > "$work/versioned"
sed -n "s/^ \(limen_[^ ]*\) [0-9].*/\1/p" "$LIMEN_SRCDIR/debian/liblimen$major.symbols" | sort > "$work/debian"
same "$work/debian" "$work/versioned" "and a line of its own in debian/liblimen$major.symbols"
versioned "$LIMEN_BUILDDIR/.libs/liblimen-testkit.so" > "$work/kit"
[ -s "$work/kit" ] && ! grep -v '^limen_kit_[a-z_]*@@LIMEN_TESTKIT_0$' "$work/kit" > "$work/odd"
report $? "those of the test kit have a version of their own" "" "$work/odd"

echo limen_module > "$work/one"
for module in "$LIMEN_BUILDDIR"/plugins/*/.libs/*.so; do
	exported "$module" > "$work/found"
	kind=$(basename "$(dirname "$(dirname "$module")")")
	same "$work/one" "$work/found" "$kind/$(basename "$module" .so) exports its descriptor alone"
done
finish
