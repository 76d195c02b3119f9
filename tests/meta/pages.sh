#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pages.sh - the tests of pages (tests/docs) find each fault of a page that has all of them.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

for tool in python3 "${CC:-cc}"; do
	if ! command -v "${tool%% *}" > /dev/null; then
		skip 'the tests of pages' "no $tool"
		finish
		exit 0
	fi
done
mkdir -p tree/docs/examples tree/tests/docs tree/conf.d
ln -s "$LIMEN_SRCDIR/include" tree/include
cp "$LIMEN_SRCDIR/tests/docs/fragment.h" tree/tests/docs/
printf '*\n\tuse nowhere -> somewhere\n\tskip gone * :: it is gone\n\tskip elsewhere * :: tests/none.sh\n' > tree/tests/docs/pages.txt
echo 'other: text' > tree/docs/examples/other.yaml
cat > tree/docs/README.md << 'END'
# Page
```console
$ echo right
right
$ echo printed
shown
$ cd missing 2> errors
```
```console
echo no prompt
```
```sh
echo "$(exit 1)" && false
rm -f important
make install
elsewhere a test
```
```yaml
limitss: []
```
<!-- include: docs/examples/other.yaml -->
```text
the block
```
```c
int x = undeclared;
```
```perl
print
```
```text
said by a program
```
END
tests=$LIMEN_SRCDIR/tests/docs
for test in commands policies sources; do
	LIMEN_SRCDIR=$PWD/tree python3 "$tests/$test.py" > "$test" 2>&1
	sed -n 's/^not ok [0-9]* - //p' "$test" > "$test.faults"
done
faults() {
	ok "$1: as many faults as there are" diff - "$1.faults"
}
holds 'a command that prints what is shown' commands 'ok 1 - docs/README.md:3: echo right'
faults commands << 'END'
docs/README.md:3: echo printed
docs/README.md:3: cd missing 2> errors
docs/README.md:13: rm -f important
docs/README.md:13: make install
END
if python3 -c 'import yaml' 2> /dev/null; then
	faults policies << 'END'
docs/README.md:19: limitss: []
docs/README.md: each block has its test
*: 'use nowhere' is needed
*: 'skip gone *' is needed
tests/none.sh is there
END
	for fault in 'line 10: no command' 'line 23: it is not docs/examples/other.yaml' "line 29: no test knows 'perl'" \
		'line 32: no row of pages.txt'; do
		holds "a page without a test: $fault" policies "# $fault"
	done
fi
faults sources << 'END'
docs/README.md:26: int x = undeclared;
END
# The first command of the block with rm is run where rm is not.
sed -i '/^rm/d; /^make/d' tree/docs/README.md
LIMEN_SRCDIR=$PWD/tree python3 "$tests/commands.py" > commands 2>&1
mentions 'a command that fails' commands 'not ok 4 - docs/README.md:13: echo'

# A test that is ended, as by its time limit, takes with it what it has started.
mkdir tmp
printf '# Page\n```sh\necho $$ > "$WORK/../begun"; while :; do sleep 1; done\n```\n' > tree/docs/README.md
TMPDIR=$PWD/tmp LIMEN_SRCDIR=$PWD/tree python3 "$tests/commands.py" > commands 2>&1 &
until [ -s tmp/begun ]; do sleep 0.02; done
kill $!
wait $!
ok 'nothing is left of a test that is ended' sh -c '[ "$(ls tmp)" = begun ] && ! kill -0 "$(cat tmp/begun)"'

finish
