#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# freeze.sh - keeps the ABI as it is, in tests/abi: the headers under their numbers,
# the list of exported names, and abidiff's description.  Run it in a built tree when
# docs/abi.md got a row, with the variables of the tests:
#
#	LIMEN_SRCDIR=$PWD LIMEN_BUILDDIR=$PWD CC=gcc sh tests/abi/freeze.sh
set -eu
: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}" "${CC:?}"

# number WORD: LIMEN_ABI_WORD
number() {
	sed -n "s/^#define LIMEN_ABI_$1 //p" "$LIMEN_SRCDIR/include/limen/module.h"
}

frozen=$LIMEN_SRCDIR/tests/abi/$(number MAJOR).$(number MINOR)
rm -rf "$frozen"
mkdir "$frozen"
cp -R "$LIMEN_SRCDIR/include/limen" "$frozen/limen"
rm -f "$frozen"/limen/*.in
cp "$LIMEN_BUILDDIR/include/limen/version.h" "$frozen/limen/version.h"
sh "$LIMEN_SRCDIR/tests/abi/exports.sh" --list > "$LIMEN_SRCDIR/tests/abi/exports"
sh "$LIMEN_SRCDIR/tests/abi/abidiff.sh" --freeze
echo "frozen: $frozen, exports, dump"
