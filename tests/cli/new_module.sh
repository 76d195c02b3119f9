#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# "limen new-module": what it writes and what it does not.  That this compiles and
# works is the business of tests/out-of-tree.sh.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

run new-module limit one
ok "it makes a directory" test "$status" -eq 0
for file in Makefile README.md example.json one.c request.json test-one.c; do
	ok "with $file" test -s "one/$file"
	ok "which it names" grep -qx "one/$file" out
done
ok "and nothing else" test "$(ls -A one | wc -l)" -eq 6
ok "nothing is called as in the example" sh -c '! grep -rq "at[-_]most" one'
ok "nor has its licence" sh -c '! grep -rq SPDX one'
ok "its policy is one of this type" grep -q '"type": "one"' one/example.json

cp -R one before
run new-module limit one
ok "a second time is refused" test "$status" -eq 1
ok "with the name of what is there" grep -q 'one/Makefile: the file exists' err
ok "and changes nothing" diff -r before one

mkdir some && echo mine > some/two.c
run new-module store two --directory some
ok "one file is enough" test "$status" -eq 1
ok "then nothing is written" test "$(ls some)" = two.c
ok "and what is there stays" grep -qx mine some/two.c
run new-module store three --directory some
ok "beside others it may stand" test "$status" -eq 0
ok "in the directory given" test -s some/three.c
ln -s nowhere some/four.c
run new-module store four --directory some
ok "a link is never followed" test "$status" -eq 1 -a ! -e some/nowhere
run new-module limit deep --directory a/b/c
ok "directories are made" test -s a/b/c/deep.c

# refused TEXT ARGUMENT...: is this wrong usage, with TEXT?
refused() {
	text=$1
	shift
	run new-module "$@"
	ok "wrong usage: $*" test "$status" -eq 2
	ok "says: $text" grep -Fq -e "$text" err
}

run new-module limit rate --directory taken
ok "the name of a module that is there is refused" test "$status" -eq 1 -a ! -e taken
ok "which is named" grep -q "the limit 'rate' exists already: $LIMEN_MODULE_PATH/limit/" err
run new-module store rate --directory taken
ok "but one of another kind is another" test "$status" -eq 0 -a -s taken/rate.c

refused "a kind and a name are needed"
refused "a kind and a name are needed" limit
refused "unexpected argument 'three'" limit two three
refused "did you mean 'limit'?" limt two
for name in '' 1st -x a/b ../x 'a b' a.b a_b 'a"b' "$(printf 'n\303\251e')" \
	"$(printf '%065d' 0 | tr 0 x)"; do
	refused "a name consists of letters" limit -- "$name"
done
for name in and-eq not-eq or-eq static-assert thread-local typeof-unqual xor-eq; do
	run new-module limit $name --directory own/$name
	ok "$name is a word of C or its headers" \
		grep -q "my_$(echo $name | tr - _)" own/$name/$name.c
done
run new-module limit "$(printf '%064d' 0 | tr 0 x)"
ok "64 bytes are not too many" test "$status" -eq 0
if [ "$(id -u)" -ne 0 ]; then
	mkdir closed && chmod 500 closed
	run new-module limit five --directory closed
	ok "what cannot be written is an error" test "$status" -eq 2
fi
echo text > file
run new-module limit six --directory file/below
ok "nor is a directory made below a file" test "$status" -eq 2

finish
