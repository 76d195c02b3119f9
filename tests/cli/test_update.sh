#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_update.sh - limen test --update: what is put into files, what is left, and whose the
# files are afterwards.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

policy() {
	cat << END
identifiers: [{ name: who, description: d, type: always, data: {} }]
classifiers: [{ name: who, description: d, identifiers: [ who ] }]
limits: [{ name: one, description: d, type: pass-fail, data: { pass: $1 } }]
applications: [{ description: All, classifier: who, apply: [{ require: all, limits: [ one ] }] }]
END
}
policy true > admits.yaml
policy false > refuses.yaml

# What somebody saved while the tests ran is not lost.  The request is read when the file of
# tests has been, and is there when that was changed.
cat > a.test.yaml << 'END'
policy: admits.yaml
tests:
- { name: slow, requestFile: pipe, expect: { verdict: admitted } }
- { name: wrong, request: {}, expect: { verdict: refused, code: 403 } }
END
cp a.test.yaml wanted
echo '# my new comment' >> wanted
mkfifo pipe
{
	echo '# my new comment' >> a.test.yaml
	echo '{}'
} > pipe &
run test --update a.test.yaml
exec 3<> pipe; wait; exec 3>&- # whoever would still wait for a reader
ended 'a file that was changed meanwhile' 1
ok 'stays as it is' cmp wanted a.test.yaml
holds 'that is said' err 'limen: a.test.yaml: it was changed meanwhile, so it stays as it is'
holds 'and counted' out '0 expectations replaced, 2 left as they are'

# Neither is there anything to be written where there is no file.
printf 'policy: admits.yaml\ntests: [ { name: a, request: {}, expect: { code: 1 } } ]\n' > plain
run_with plain test --update -
ended 'standard input' 1
mentions 'is no file' err 'limen: -: it is not a file that can be changed, so it stays as it is'
cat plain > pipe &
run test --update pipe
exec 3<> pipe; wait; exec 3>&- # whoever would still wait for a reader
ended 'nor is a pipe' 1
mentions 'and that is said of it, too' err 'limen: pipe: it is not a file that can be changed'

# One file that has two names: what is found by one of them is not what the other one finds.
mkdir -p admits.d/tests refuses.d/tests
cp admits.yaml admits.d/policy.yaml
cp refuses.yaml refuses.d/policy.yaml
cat > admits.d/tests/x.test.yaml << 'END'
tests:
- { name: a, request: {}, expect: { verdict: error, code: 1, entry: nobody } }
END
ln -s ../../admits.d/tests/x.test.yaml refuses.d/tests/x.test.yaml
cp admits.d/tests/x.test.yaml wanted
run test --update admits.d refuses.d
ended 'what is found under two names of a file' 1
ok 'is not put there' cmp wanted admits.d/tests/x.test.yaml
grep 'stays as it is' err > said
cat > wanted << 'END'
limen: admits.d/tests/x.test.yaml:2:46: verdict stays as it is (other tests that share it have another result); found: "admitted"
limen: admits.d/tests/x.test.yaml:2:59: code stays as it is (other tests that share it have another result); found: 200
limen: admits.d/tests/x.test.yaml:2:69: entry stays as it is (other tests that share it have another result); found: null
END
ok 'but said, once' cmp wanted said
cp refuses.yaml admits.d/policy.yaml
run test --update admits.d refuses.d admits.d/tests/x.test.yaml
ended 'unless it is the same' 0
holds 'which is counted once' out '3 expectations replaced, 0 left as they are'
holds 'and put there' admits.d/tests/x.test.yaml \
	'- { name: a, request: {}, expect: { verdict: refused, code: 403, entry: "one" } }'
ok 'while the link stays one' test -h refuses.d/tests/x.test.yaml
run test admits.d refuses.d
ended 'so that both pass' 0

# Texts that YAML takes for something else than JSON does (YAML 1.1, 5.1 and 5.4).
for pod in 'x\u0085y' 'x \u2028 y' 'x\u007fy' 'x\u2029\ufeff\uffff\u009fy'; do
	for form in yaml json; do
		cat > "n.test.$form" << END
{ "policy": "$LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml", "tests": [ { "name": "odd",
"namespace": "shop", "request": { "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "$pod" },
"spec": { "containers": [ { "name": "c", "image": "i", "resources": { "limits": { "cpu": "1" } } } ] } },
"expect": { "rewritten": null } } ] }
END
		run test --update "n.test.$form"
		ended "the name $pod in $form is replaced" 0
		mentions 'as what is one in YAML and in JSON' "n.test.$form" "\"name\":\"$pod\""
		run test "n.test.$form"
		ended 'and found again' 0
	done
done

# An alias stands for what it is of, which is replaced for both.
cat > c.test.yaml << 'END'
policy: admits.yaml
tests:
- { name: a, request: {}, expect: &all { verdict: refused, identifiers: [ a, b ] } }
- { name: b, request: {}, expect: *all }
END
run test --update c.test.yaml
ended 'an alias' 0
holds 'and what it is of' c.test.yaml \
	'- { name: a, request: {}, expect: &all { verdict: admitted, identifiers: ["who"] } }'

# Matches, wherever they stand, are their author's.
cat > d.test.yaml << 'END'
policy: admits.yaml
tests:
- name: matches
  request: {}
  expect:
    messages: [ { style: contains, match: "maximum memory" } ]
    warnings: [ none, { style: exact, match: none } ]
- { name: texts, request: {}, expect: { messages: [ none ], entry: null, code: 200 } }
END
sed 's/\[ none \]/[]/' d.test.yaml > wanted
run test --update d.test.yaml
ended 'matches in an array' 1
ok 'stay' cmp wanted d.test.yaml
mentions 'and are named' err 'd.test.yaml:6:15: messages stays as it is (it is a pattern or a part)'
mentions 'beside texts, too' err 'd.test.yaml:7:15: warnings stays as it is (it is a pattern or a part)'

# A null that YAML writes as nothing, also at the end of the file.
cat > u.test.yaml << 'END'
policy: refuses.yaml
tests:
- { name: a, request: {}, expect: { code: 1, entry: , retryAfter: } }
- { name: b, request: {}, expect: { entry } }
- name: c
  request: {}
  expect:
    code: # any
END
printf '    entry:' >> u.test.yaml
run test --update u.test.yaml
ended 'a null without a colon' 1
mentions 'stays' err 'u.test.yaml:4:43: entry stays as it is (it is not written in one piece)'
sed -i 4d u.test.yaml
cat > wanted << 'END'
policy: refuses.yaml
tests:
- { name: a, request: {}, expect: { code: 403, entry: "one", retryAfter: } }
- name: c
  request: {}
  expect:
    code: 403 # any
END
printf '    entry: "one"' >> wanted
ok 'others are replaced' cmp wanted u.test.yaml

# Quotes in quotes, and more of them than a stack is deep.
awk 'BEGIN { printf "policy: admits.yaml\ntests:\n- { name: a, request: {}, expect: { reason: '\''"
	for (i = 0; i < 2000000; i++) printf "'\'\''"; print "'\'', code: 200 } }" }' > e.test.yaml
run test --update --format tap e.test.yaml
ended 'a text of nothing but quotes' 0
holds 'is replaced as any other' e.test.yaml \
	'- { name: a, request: {}, expect: { reason: "application '"'All'"' passes", code: 200 } }'

# Whoever could read and write the file still can.
wrong='tests: [ { name: a, policy: admits.yaml, request: {}, expect: { code: 1 } } ]'
for mask in 022 077; do
	for mode in 664 600 444 640; do
		rm -f m.test.yaml
		echo "$wrong" > m.test.yaml
		chmod $mode m.test.yaml
		(umask $mask && exec "$LIMEN" test --update m.test.yaml) > out 2> err
		ok "a file keeps its mode: $mode, umask $mask" test "$(stat -c %a m.test.yaml)" = $mode
		mentions 'and is written' m.test.yaml 'code: 200'
	done
done
ok 'nothing else is left beside it' test "$(echo m.test.yaml*)" = m.test.yaml
echo "$wrong" > m.test.yaml
if chown 65534:65533 m.test.yaml 2> /dev/null; then
	run test --update m.test.yaml
	ok 'and its owner and group' test "$(stat -c %u:%g m.test.yaml)" = 65534:65533
else
	skip 'and its owner and group' 'only root gives files away'
fi
# A group that could not be kept may do no more than everybody: the one the file has now is another.
mkdir other
cp admits.yaml other
chmod 755 .
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
echo "$wrong" > other/m.test.yaml
chmod 664 other/m.test.yaml
if chown 65534 other && $nobody "$LIMEN" --version > /dev/null 2>&1; then
	$nobody "$LIMEN" test --update other/m.test.yaml > out 2> err
	ok "another group gets no rights that its own had" \
		test "$(stat -c '%a %u:%g' other/m.test.yaml)" = '644 65534:65534'
else
	skip "another group gets no rights that its own had" 'only root can be somebody else'
fi

# With a list of who else may do what (acl(5)), the rights of the group are what that list may
# give: without it they would be the group's own.
set_list() {
	python3 - "$1" "$2" << 'END'
import os, struct, sys
entries = [(1, 6, -1), (2, 6, 1234), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
os.setxattr(sys.argv[1], "system.posix_acl_" + sys.argv[2], struct.pack("<I", 2) +
            b"".join(struct.pack("<HHI", *e[:2], e[2] & 0xffffffff) for e in entries))
END
}
list_of() {
	python3 -c 'import os, sys
print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())' "$1" 2> /dev/null
}
echo "$wrong" > m.test.yaml
if set_list m.test.yaml access 2> /dev/null; then
	before=$(list_of m.test.yaml)
	run test --update m.test.yaml
	ok 'its list of who else may do what' test "$(list_of m.test.yaml)" = "$before"
	mkdir lists
	cp admits.yaml lists
	echo "$wrong" > lists/m.test.yaml
	chmod 660 lists/m.test.yaml
	set_list lists default
	run test --update lists/m.test.yaml
	ok 'the list that a directory gives what is made in it' test -z "$(list_of lists/m.test.yaml)"
	ok 'and its rights' test "$(stat -c %a lists/m.test.yaml)" = 660
	if chown 65534 lists lists/m.test.yaml m.test.yaml 2> /dev/null &&
		$nobody "$LIMEN" --version > /dev/null 2>&1; then
		echo "$wrong" > lists/m.test.yaml
		set_list lists/m.test.yaml access
		$nobody "$LIMEN" test --update lists/m.test.yaml > out 2> err
		ok "a list is not kept for another group" test -z "$(list_of lists/m.test.yaml)"
		ok "which gets nothing of it" test "$(stat -c %a lists/m.test.yaml)" = 600
	else
		skip "a list is not kept for another group" 'only root can be somebody else'
		skip "which gets nothing of it" 'only root can be somebody else'
	fi
else
	for test in 'its list of who else may do what' 'the list that a directory gives' \
		'and its rights' 'a list is not kept for another group' 'which gets nothing of it'; do
		skip "$test" 'no such lists in this file system'
	done
fi
finish
