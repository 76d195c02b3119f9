#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Pages that are what a command prints, and the figures of README.md. tests/docs runs what the
# pages show.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

mkdir bin
ln -s "$LIMEN" bin/limen
PATH=$PWD/bin:$PATH
export PATH

# All that follows "<!-- output: COMMAND -->" is what it prints.  A module of somebody
# else that is installed is explained, too, and stands on no page.
foreign=$("$LIMEN" modules --long 2> err | sed 1d | grep -vF " $LIMEN_MODULE_PATH/" | head -n 1)
for page in $(cd "$LIMEN_SRCDIR" && find docs -name '*.md' | sort); do
	sed -n 's/^<!-- output: \(.*\) -->$/\1/p' "$LIMEN_SRCDIR/$page" > cmd
	[ -s cmd ] || continue
	if [ -n "$foreign" ] && grep -Eq ' (explain|configuration)( |$)' cmd; then
		skip "$page is what its command prints" "a module of somebody else is installed"
		continue
	fi
	(cd "$LIMEN_SRCDIR" && sh "$work/cmd") > got 2>&1
	sed '1,/^<!-- output: .* -->$/d' "$LIMEN_SRCDIR/$page" > shown
	ok "$page is what its command prints (docs/reference/make.sh --write)" diff got shown
done

"$LIMEN" explain --format schema > got 2>&1
if [ -n "$foreign" ]; then
	skip "the schema in docs is that of limen" "a module of somebody else is installed"
else
	ok "docs/reference/policy.schema.json is that of limen (docs/reference/make.sh --write)" \
		diff "$LIMEN_SRCDIR/docs/reference/policy.schema.json" got
fi

# README.md is short, and its figures are those that were measured.
cat "$LIMEN_SRCDIR"/docs/performance/*.md > performance
ok "README.md has at most 120 lines" test "$(wc -l < "$LIMEN_SRCDIR/README.md")" -le 120
grep -oE '[0-9.]+ (µs|ns|MiB)' "$LIMEN_SRCDIR/README.md" | sort -u > figures
ok "README.md has figures" test -s figures
while read -r figure unit; do
	ok "$figure $unit of README.md is on the pages about performance" \
		grep -Eq "(^|[^0-9.])$figure (of [0-9.]+ )?$unit" performance
done < figures

# Nor does the writer put modules of others there.
mkdir -p tree/docs/reference
cp "$LIMEN_SRCDIR"/docs/reference/*.md "$LIMEN_SRCDIR/docs/reference/make.sh" tree/docs/reference/
cp -R tree before
status=0
(
	cd tree && PATH=$(dirname "$LIMEN"):$PATH \
		LIMEN_MODULE_PATH=$LIMEN_MODULE_PATH:$LIMEN_BUILDDIR/tests/modules \
		sh docs/reference/make.sh --write
) > out 2> err || status=$?
ended "make.sh --write refuses while there are modules of others" 1
mentions "and names them" err "$LIMEN_BUILDDIR/tests/modules/"
ok "and writes nothing" diff -r before tree

finish
