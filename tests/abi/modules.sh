#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# modules.sh - the ABI rule of docs/abi.md on real modules: those of this number load
# and work, others are refused, and whatever is wrong is called by its name.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

source=$LIMEN_SRCDIR/tests/abi/module.c

# loads NAME KIND TYPE: is $work/expected what the module says of itself?
loads() {
	find_module "$2" "$3" && cmp -s "$work/expected" "$work/out"
	report $? "$1" "found:" "$work/out"
}

# refused NAME KIND TYPE TEXT: is the module refused with a line that has TEXT?
refused() {
	! find_module "$2" "$3" && grep -Fq -e "$4" "$work/out"
	report $? "$1" "wanted: $4" "$work/out"
}

# without TYPE: forgets a module, so that the next one is none of the old.
without() {
	rm -f "$work/modules/limit/$1.so"
}

printf '%s\n' 'limit/probe 7, ABI 1.0: Probes' 'max: The most (-)' 'word: Of what (-)' \
	> "$work/expected"
ok "a module compiles" build_module limit probe "$source"
loads "and loads" limit probe

ok "the embedder compiles" compile "$CC" "$LIMEN_SRCDIR/tests/embed/embed.c" \
	-o "$work/embed" $liblimen
sed -e 's/"cap"/"probe"/' -e 's/"path": "[^"]*", //' -e "s|\"schema\"|\"modules\": [\"$work/modules\",\
 \"$LIMEN_BUILDDIR/plugins\"], &|" "$LIMEN_SRCDIR/docs/examples/cap/limits.conf" > "$work/policy.conf"
answer=$("$work/embed" "$work/policy.conf" '{"n": 60}' 2>&1)
[ "$answer" = "admitted: application 'Short tasks' passes" ]
report $? "it admits" "$answer"
answer=$("$work/embed" "$work/policy.conf" '{"n": 61}' 2>&1)
[ "$answer" = "refused: application 'Short tasks' fails: limit 'short-tasks' failed: more than 60 units" ]
report $? "and refuses, its options filled and its fallback in place" "$answer"

# A module of each kind, compiled against the headers that were frozen; limen-sdk never is.
today=$headers
headers="-I$LIMEN_SRCDIR/tests/abi/1.0 -I$LIMEN_SRCDIR/include"
for source in "$LIMEN_SRCDIR"/docs/examples/modules/*/*.c \
	"$LIMEN_SRCDIR"/docs/examples/modules/admission/*/*.c "$LIMEN_SRCDIR/docs/examples/cap/cap.c"; do
	type=$(basename "$source" .c)
	kind=$(sed -n 's/^LIMEN_\([A-Z]*\)("'"$type"'",$/\1/p' "$source" | tr '[:upper:]' '[:lower:]')
	[ -n "$kind" ] || continue
	build_module "$kind" "$type" "$source" > "$work/log" 2>&1 && find_module "$kind" "$type" &&
		grep -q "^$kind/$type 1.0, ABI 1.0: " "$work/out"
	report $? "the $kind $type of 1.0 loads" "" "$work/log" "$work/out"
done
# And a program, which reads rows that may have grown since.
ok "a program of 1.0 compiles" compile "$CC" "$LIMEN_SRCDIR/tests/abi/find_module.c" \
	-o "$work/find_module" $liblimen
find_module limit at-most
"$work/find_module" "$work/modules" limit at-most > "$work/old" 2>&1 && cmp -s "$work/old" "$work/out"
report $? "and sees what a program of today sees" "" "$work/old"
headers=$today
source=$LIMEN_SRCDIR/tests/abi/module.c

# spoiled NAME TEXT ARGUMENT...: the module compiled so is refused with TEXT
spoiled() {
	name=$1
	text=$2
	shift 2
	without probe
	if build_module limit probe "$source" "$@" > "$work/log" 2>&1; then
		refused "$name" limit probe "$text"
	else
		report 1 "$name" "did not compile" "$work/log"
	fi
}

spoiled "a newer minor number" "built for ABI 1.1; this limen has 1.0" -DMINOR=1
grep -q '^hint: install a newer limen' "$work/out"
report $? "says to install a newer limen" "" "$work/out"
spoiled "another major number" "built for ABI 0.9; this limen has 1.0" -DMAJOR=0 -DMINOR=9
grep -q '^hint: build the module against the headers of this limen' "$work/out"
report $? "says to build the module again" "" "$work/out"
spoiled "another kind" "the module is of kind 'identifier', not 'limit'" -DKIND=LIMEN_KIND_IDENTIFIER
spoiled "an unknown kind" "the module is of kind 'unknown', not 'limit'" -DKIND=99
spoiled "too short a descriptor" "the module's descriptor is too short to be one" -DSIZE=16
spoiled "a reserved member" "'reserved' is not NULL" -DRESERVED=3
spoiled "no method" "the module has no method 'check'" -DCHECK=NULL
spoiled "a descriptor that ends before its method" "the module has no method 'check'" \
	-DSIZE='sizeof(limen_module_head)'
spoiled "no module at all" "is not a module: it does not export limen_module" -DNO_SYMBOL
spoiled "a symbol nobody has, bound lazily" "undefined symbol: limen_nobody_has_this" \
	-DNEEDS_SYMBOL -Wl,-z,lazy
spoiled "a symbol nobody has, bound at once" "undefined symbol: limen_nobody_has_this" \
	-DNEEDS_SYMBOL -Wl,-z,now

without probe
ok "a module under another name compiles" build_module limit other "$source"
refused "another name" limit other "the module calls itself 'probe', but its file is named 'other'"

# A dependency that was there when the module was built and is not any more.
echo 'void helper(void); void helper(void) { }' > "$work/helper.c"
# shellcheck disable=SC2086 # a compiler may be several words
ok "a library compiles" $CC -fPIC -shared -Wl,-soname,libhelper.so.9 \
	-o "$work/libhelper.so" "$work/helper.c"
ok "a module that needs it compiles" build_module limit probe "$source" -DNEEDS_LIBRARY \
	-L"$work" -lhelper
rm "$work/libhelper.so"
refused "a missing library" limit probe "libhelper.so.9: cannot open shared object file"

echo 'not an object' > "$work/modules/limit/text.so"
refused "a text file" limit text "text.so: "
refused "a module that is not there" limit nowhere "no such thing"
refused "a path for a name" limit ../limit/probe "no such thing"
finish
