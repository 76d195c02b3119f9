#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# module.sh - "limen module": its commands, what check says about modules that crash, end the
# process or hang, and about their place; cases of "test"; what install copies.  tests/abi/misuse.sh
# has mistakes in descriptors and calls.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

run module
complains 'no command' 2 << 'END'
limen: no command is given
Try 'limen module --help'.
END
run module chek
complains 'a mistyped command' 2 << 'END'
limen: unknown command 'module chek' (did you mean 'check'?)
Try 'limen module --help'.
END
run module --help
"$LIMEN" module --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' > commands
ok 'there are five' test "$(wc -l < commands)" -eq 5
while read -r command; do
	run module "$command" --help
	ended "help of $command" 0
	ok "is at most 80 wide" sh -c '! grep "^.\{81\}" out'
	mentions "with its line of the overview" commands "$command"
	cp out wanted
	run help module "$command"
	ok "'help module $command' is the same" cmp -s out wanted
done < commands
for pair in 'new-module:module new' 'modules:module list'; do
	run ${pair#*:} --help
	cp out wanted
	run "${pair%:*}" --help
	ok "${pair%:*} is ${pair#*:}" cmp -s out wanted
done

# ---- check ----

run module check
complains 'check of nothing' 2 << 'END'
limen: missing argument: FILE
Try 'limen module check --help'.
END
run module check nothing.so
complains 'check of a file that is not there' 2 << 'END'
limen: nothing.so: No such file or directory
END
run module check a b
complains 'check of two files' 2 << 'END'
limen: unexpected argument 'b'
Try 'limen module check --help'.
END

mkdir -p own/limit own/identifier
built=$LIMEN_BUILDDIR/tests/modules/limit/.libs/verdict.so
cp "$built" own/limit/verdict.so

# says NAME STATUS TEXT ARGUMENT...: what does check say about own/limit/verdict.so?
says() {
	name=$1
	wanted=$2
	text=$3
	shift 3
	run module check own/limit/verdict.so "$@"
	[ "$status" -eq "$wanted" ] && grep -Fqe "own/limit/verdict.so: $text" out
	report $? "$name: $text" out err
}

says 'a good module' 0 'no errors were found' --data '{"verdict": "pass"}'
ok 'what it is' grep -Eq ": the limit 'verdict' [0-9.]+ for ABI 1\.[0-9]+: Answers what its data says$" out
holds 'what it answers' out "own/limit/verdict.so: calling 'check' for a run: pass"
says 'a fail without a reason' 0 "warning: calling 'check' for {}: fail, without a reason" \
	--data '{"verdict": "fail"}'
says 'options that it does not take' 1 \
	"error: At /limits/0/data/verdict: 'pas' is not one of" --data '{"verdict": "pas"}'
says 'no JSON' 1 'error: ' --data '{'
says 'an unknown verdict' 1 "error: calling 'check' for {}: error: the module returned an unknown verdict" \
	--data '{"verdict": "odd"}'
says 'exit()' 1 "error: it ended the process with status 0 while limen was calling 'check': a module must not" \
	--data '{"verdict": "pass", "exits": true}'
says '_exit()' 1 "error: it ended the process with status " --data '{"verdict": "pass", "ends": "_exit"}'
says 'quick_exit()' 1 "error: it ended the process with status 0" \
	--data '{"verdict": "pass", "ends": "quick-exit"}'
says 'abort()' 1 "error: it crashed while limen was calling 'check': Aborted" \
	--data '{"verdict": "pass", "ends": "abort"}'
ok 'also where SIGCHLD is ignored' sh -c \
	'(trap "" CHLD; exec "$0" module check "$@") | grep -q "Aborted$"' "$LIMEN" \
	own/limit/verdict.so --data '{"verdict": "pass", "ends": "abort"}'
says 'a hang' 1 "error: limen was still calling 'check' after 1 seconds: the module hangs" \
	--data '{"verdict": "pass", "sleep": "PT1M"}' --timeout 1
says 'a hang in close' 1 "error: limen was still closing the instance ('close') after 1 seconds" \
	--data '{"verdict": "pass", "close-sleep": "PT1M"}' --timeout 1
if [ -n "${SANITIZE_CFLAGS:-}" ]; then
	skip 'a crash' 'the sanitizer reports crashes'
else
	says 'a crash' 1 "error: it crashed while limen was calling 'check': Segmentation fault" \
		--data '{"verdict": "pass", "ends": "crash"}'
fi
run module check own/limit/verdict.so --timeout 0
ended 'no time at all is wrong usage' 2

# The place of the file.
cp "$built" cap.so
run module check cap.so --data '{"verdict": "pass"}'
ended 'a file outside of a directory of its kind' 0
mentions 'where it belongs' out "warning: limen looks for the limit 'verdict' in limit/verdict.so below a module directory"
cp "$built" own/identifier/verdict.so
run module check own/identifier/verdict.so
ended 'a limit among identifiers' 1
holds 'is named' out "own/identifier/verdict.so: error: the module is of kind 'limit', not 'identifier'"
mv own/identifier/verdict.so own/limit/other.so
run module check own/limit/other.so
ended 'a file with the name of another' 1
holds 'is named, too' out \
	"own/limit/other.so: error: the module calls itself 'verdict', but its file is named 'other'"
rm own/limit/other.so
cp -R own first
says 'a file that another directory hides' 0 \
	"warning: limen uses first/limit/verdict.so for the limit 'verdict', and not this file: \
if that is an installed copy of it, install it again; else choose another name" \
	--module-path first --data '{"verdict": "pass"}'
run --module-path own:first module check own/limit/verdict.so --data '{"verdict": "pass"}'
ok 'the first of two is used' sh -c '! grep -q "limen uses" out'
chmod o+w own/limit
run module check own/limit/verdict.so
ended 'a directory that every user may change' 1
mentions 'is named' out "own/limit"
chmod o-w own/limit

echo text > own/limit/text.so
run module check own/limit/text.so
ended 'a text' 1
mentions 'has the reason of the linker' out "error: the module cannot be loaded: $PWD/own/limit/text.so: "
cp "$LIMEN_BUILDDIR/.libs/liblimen.so.1" own/limit/library.so
run module check own/limit/library.so
holds 'a library that is no module' out "own/limit/library.so: error: it is no module: it does not export \
limen_module, which LIMEN_LIMIT() and its siblings define (limen/module.h)"

# All that come with limen load; some need options that no table requires, such as one of two.
for file in "$LIMEN_BUILDDIR"/plugins/*/.libs/*.so; do
	run module check "$file"
	ok "check of $file" grep -Eq ": no errors were found$|: error: At /.*: " out
done

# ---- test ----

cat > cases.yaml << 'END'
data: { verdict: fail, reason: too many }
cases:
- name: it fails
  verdict: fail
  reason: many
- name: one with options of its own
  data: { verdict: skip }
  request: { test: { type: rtt } }
  hints: { user: ann }
  verdict: skip
END
run module test cap.so cases.yaml
prints 'cases that hold' 0 << 'END'
1..2
ok 1 - it fails
ok 2 - one with options of its own
END
sed 's/verdict: skip$/verdict: pass/; s/reason: many/reason: few/' cases.yaml > wrong.yaml
run module test own/limit/verdict.so wrong.yaml
prints 'cases that do not' 1 << 'END'
1..2
not ok 1 - it fails
# the reason is 'too many'
not ok 2 - one with options of its own
# the verdict is skip
END
sed 's/verdict: skip }/verdict: pass, ends: abort }/' cases.yaml > ends.yaml
run module test own/limit/verdict.so ends.yaml
ended 'a module that crashes in a case' 1
mentions 'is told' out "own/limit/verdict.so: error: it crashed while limen was calling 'check': Aborted"
cat > edit.json << 'END'
{ "cases": [ { "name": "changed", "verdict": "pass", "data": { "set": { "/a": 1 } },
    "request": { "b": 2 }, "document": { "b": 2, "a": 1 } } ] }
END
run module test "$LIMEN_BUILDDIR/tests/modules/rewriter/.libs/edit.so" edit.json
holds 'a changed document' out 'ok 1 - changed'
sed 's/"document": {/"document": { "c": 3,/' edit.json > other.json
run module test "$LIMEN_BUILDDIR/tests/modules/rewriter/.libs/edit.so" other.json
holds 'another document' out '# the document is {"b":2,"a":1}'
cat > fixed.json << 'END'
{ "cases": [ { "name": "nine", "verdict": "pass", "data": { "priority": 9 }, "priority": 9 },
  { "name": "ten", "verdict": "pass", "data": { "priority": 9 }, "priority": 10 } ] }
END
run module test "$LIMEN_BUILDDIR/tests/modules/prioritizer/.libs/fixed.so" fixed.json
prints 'a priority' 1 << 'END'
1..2
ok 1 - nine
not ok 2 - ten
# the priority is 9
END

# refused TEXT CASES
refused() {
	echo "$2" > bad.yaml
	run module test own/limit/verdict.so bad.yaml
	ended "wrong cases: $2" 2
	mentions 'where and why' err "bad.yaml$1"
}
refused ":1:1: 'cases' must be a list of cases" '{ data: {} }'
refused ":1:9: unknown key 'test'" '{ test: [] }'
refused ":1:12: an object is needed" '{ cases: [ 5 ] }'
refused ":1:12: a case needs a 'name'" '{ cases: [ { verdict: pass } ] }'
refused ":1:12: a case needs a 'verdict': pass, fail, skip or error" '{ cases: [ { name: a, verdict: passes } ] }'
refused "" '{'
run module test own/limit/verdict.so
complains 'no cases' 2 << 'END'
limen: missing argument: CASES
Try 'limen module test --help'.
END

# ---- install ----

run module install cap.so --directory there --data '{"verdict": "pass"}'
ended 'a good module is installed' 0
holds 'where limen looks for it' out 'installed there/limit/verdict.so'
ok 'as it is' cmp -s "$built" there/limit/verdict.so
(umask 077 && "$LIMEN" module install cap.so --directory masked --data '{"verdict": "pass"}') > out 2> err
ok 'for all to read' test "$(stat -c %a masked masked/limit masked/limit/verdict.so | tr '\n' ' ')" = '755 755 644 '
run --module-path there module list --kind limit --long
mentions 'and is found' out "$PWD/there/limit/verdict.so"
run module install cap.so --directory there --data '{"verdict": "pass"}'
holds 'and replaced' out 'replaced there/limit/verdict.so: restart programs that use it'
run module install cap.so --directory elsewhere --data '{"verdict": "pass", "ends": "abort"}'
ok 'one that crashes is not installed' test "$status" -eq 1 -a ! -e elsewhere
run module install cap.so --directory cases.yaml --data '{"verdict": "pass"}'
ended 'a directory that cannot be made' 2
mentions 'is named' err 'cases.yaml/limit'

run module install cap.so --directory ''
ended 'a directory without a name' 2
mkdir -p open/limit && chmod o+w open/limit
run module install cap.so --directory open --data '{"verdict": "pass"}'
ended 'a directory that every user may change' 1
mentions 'from which limen loads nothing' out "error: the module cannot be loaded: every user may change $PWD/open/limit"
mkdir strangers && cp "$LIMEN_BUILDDIR/tests/modules/limit/.libs/verdict.so" strangers/file.so
chmod o+w strangers/file.so
run module check strangers/file.so
ended 'a file that every user may change, under another name' 1
mentions 'is named before it is loaded' out "error: the module cannot be loaded: every user may change"
mkdir linked && ln -s "$PWD/kept.so" linked/verdict.so && mkdir -p linked-to && mv linked linked-to/limit
run module install cap.so --directory linked-to --data '{"verdict": "pass"}'
ok 'a link is replaced, and not the file behind it' test "$status" -eq 0 -a ! -e kept.so -a ! -L linked-to/limit/verdict.so
mkdir -p taken/limit/verdict.so
run module install cap.so --directory taken --data '{"verdict": "pass"}'
ended 'a directory with the name of the file' 2
ok 'nothing is left half written' test "$(ls -A taken/limit)" = verdict.so
finish
