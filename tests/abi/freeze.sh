#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# freeze.sh - keeps the ABI as it is, in tests/abi: the headers under their numbers,
# the list of exported names, that of Debian, and abidiff's description.  "make freeze-abi" runs
# it, in a built tree: when docs/abi.md got a row, or a function was added.
set -eu
: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}" "${CC:?}"

# number WORD: LIMEN_ABI_WORD
number() {
	sed -n "s/^#define LIMEN_ABI_$1 //p" "$LIMEN_SRCDIR/include/limen/types.h"
}

frozen=$LIMEN_SRCDIR/tests/abi/$(number MAJOR).$(number MINOR)
rm -rf "$frozen"
mkdir "$frozen"
cp -R "$LIMEN_SRCDIR/include/limen" "$frozen/limen"
rm -f "$frozen"/limen/*.in
cp "$LIMEN_BUILDDIR/include/limen/version.h" "$frozen/limen/version.h"
sh "$LIMEN_SRCDIR/tests/abi/exports.sh" --list > "$LIMEN_SRCDIR/tests/abi/exports"

# New names have come with this version; those that are there keep theirs.
symbols=$LIMEN_SRCDIR/debian/liblimen$(number MAJOR).symbols
version=$(sed -n 's/^#define LIMEN_VERSION "\(.*\)"/\1/p' "$LIMEN_BUILDDIR/include/limen/version.h")
awk -v tail="@LIMEN_$(number MAJOR)" -v version="$version" '
	FILENAME == ARGV[1] && !/^ limen_/ { print }
	FILENAME == ARGV[1] && /^ limen_/ { since[$1] = $2 }
	FILENAME != ARGV[1] { name = $1 tail; print " " name " " (name in since ? since[name] : version) }
' "$symbols" "$LIMEN_SRCDIR/tests/abi/exports" > "$symbols.new" && mv "$symbols.new" "$symbols"

sh "$LIMEN_SRCDIR/tests/abi/abidiff.sh" --freeze
echo "frozen: $frozen, exports, $symbols, dump"
