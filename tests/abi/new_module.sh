#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What "limen new-module" writes, under names that C, its library or limen has for something
# else: it compiles as its makefile says, and the core finds and takes it.

. "$LIMEN_SRCDIR/tests/abi/lib.sh"

have_compiler "$CC" "modules of odd names" || { finish && exit; }
kinds="identifier rewriter limit admission prioritizer store"
strict="-std=gnu11 -Wall -Wextra -Werror"

# makes KIND NAME: writes it to $work/KIND/NAME
makes() {
	"$LIMEN_BUILDDIR/limen" new-module "$1" "$2" --directory "$work/$1/$2" > /dev/null 2>&1
}

for name in asm typeof INT64-MAX PRId64 limen limen-store int64-t static-assert table a-- A-b-c; do
	for kind in $kinds; do
		makes "$kind" "$name" || echo "$kind" >> "$work/unwritten"
	done
	ok "all kinds of $name compile" compile "$CC" -fsyntax-only $strict "$work"/*/"$name"/*.c
done
ok "all are written" test ! -e "$work/unwritten"

for pair in identifier/asm rewriter/typeof limit/INT64-MAX admission/PRId64 prioritizer/a-- \
	store/limen limit/"$(printf '%064d' 0 | tr 0 x)"; do
	kind=${pair%/*}
	name=${pair#*/}
	[ -d "$work/$pair" ] || makes "$kind" "$name"
	build_module "$kind" "$name" "$work/$pair/$name.c" $strict $liblimen > "$work/log" 2>&1 &&
		find_module "$kind" "$name" && grep -q "^$pair 1.0, ABI " "$work/out"
	report $? "the core takes the $kind $name" "" "$work/log" "$work/out"
done
finish
