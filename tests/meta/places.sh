#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# places.sh - what has the directories of the installation compiled in is compiled
# again when a ./configure has chosen others: "make -n" says what it would do.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
macros='LIMEN_MODULEDIR|LIMEN_CONFDIR|LIMEN_JQDIR|LIMEN_JQ_SANDBOX'

(cd "$LIMEN_SRCDIR" && grep -rlE --include='*.c' "(^|[^\"A-Z_])($macros)([^\"A-Z_]|\$)" \
	core plugins programs) > sources
ok "some sources have a directory compiled in" test -s sources
"${MAKE:-make}" -n -C "$LIMEN_BUILDDIR" -W places.stamp all-am > plan 2> err
while read -r source; do
	ok "$source is compiled again" grep -qF "$source" plan
done < sources

finish
