#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_command.sh - limen test: what passes, what fails, where, in every format.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cp -R "$LIMEN_SRCDIR/conf.d" conf.d
chmod -R u+w conf.d
run test conf.d
prints 'the shipped policy does what its tests say' 0 << 'END'
conf.d/tests/policy.test.yaml: 19 of 19 passed
19 passed, 0 failed
END
run test --coverage conf.d
mentions 'and they exercise all of it' out 'coverage of conf.d: 22 of 22'
run test --coverage --format json conf.d
mentions 'as JSON, too' out '"kind":"application","name":"Let operators do anything","file":"conf.d/40-applications.conf","line":12,"exercised":true'
(cd conf.d/tests && "$LIMEN" test) > out 2> err
status=$?
mentions 'the policy is above the directory "tests"' out '19 passed, 0 failed'
ended 'wherever one stands' 0

# A policy by which one can be admitted, refused, or kept waiting.
cat > rate.yaml << 'END'
identifiers: [{ name: who, description: d, type: hint, data: { hint: user, match: { style: regex, match: . } } }]
classifiers: [{ name: who, description: d, identifiers: [ who ] }]
limits:
- { name: two, description: d, type: rate, data: { rate: 2/PT1H, key: [ "hint:user" ] } }
- { name: idle, description: d, type: test-type, data: { types: [ idle ] } }
applications: [{ description: All, classifier: who, apply: [{ require: all, limits: [ idle, two ] }] }]
END
cat > a.test.yaml << 'END'
policy: rate.yaml
defaults:
  hints: { user: ann }
  request: { test: { type: idle } }
tests:
- name: two an hour
  steps:
  - { repeat: 2, expect: { verdict: admitted } }
  - { expect: { verdict: refused, entry: two, retryAfter: 1800 } }
  - { hints: { user: bob }, expect: { verdict: admitted } }
  - { after: PT30M, expect: { verdict: admitted } }
  - { time: "2026-01-01T12:00:00Z", expect: { verdict: refused } }
- name: every test begins anew
  repeat: 2
  expect: { verdict: admitted, reason: "application 'All' passes", identifiers: [ who ] }
- name: nobody
  hints: { user: "" }
  expect: { verdict: refused, classifiers: [], warnings: [] }
- name: a table
  columns: [ name, /request/test/type, /hints/user, verdict, /expect/entry ]
  rows:
  - [ idle, null, null, admitted, null ]
  - [ rtt, rtt, carl, refused, idle ]
- name: patterns
  request: { test: { type: rtt } }
  expect:
    reason: { style: regex, match: "^application .*idle" }
    diagnostics:
    - "Identified as who"
    - { style: contains, match: "limit 'IDLE' failed", case-insensitive: true }
- name: a request in a file
  requestFile: request.json
  expect: { verdict: admitted }
- name: later
  skip: not yet
  expect: { verdict: error }
END
echo '{ "test": { "type": "idle" }, "#": "a comment" }' > request.json
run test -v a.test.yaml
prints 'every kind of test' 0 << 'END'
a.test.yaml: 7 of 8 passed
  ok: two an hour
  ok: every test begins anew
  ok: nobody
  ok: a table: idle
  ok: a table: rtt
  ok: patterns
  ok: a request in a file
  skipped: later: not yet
7 passed, 0 failed, 1 skipped
END

# The words of questions and answers.
cat > words.test.yaml << 'END'
defaults: { request: { test: { type: rtt } }, hints: { user: ann } }
tests:
- { name: a task, task: { test: { type: idle } }, expect: { admitted: true } }
- { name: refused, expect: { admitted: false } }
- { name: an object, object: { apiVersion: v1, kind: Pod, metadata: { name: p } }, expect: { admitted: false, verdict: error } }
- { name: a task like an object, task: { apiVersion: v1, kind: Pod }, expect: { admitted: false, code: 403 } }
- name: a table
  columns: [ /task/test/type, /expect/admitted ]
  rows: [ [ idle, true ], [ rtt, false ] ]
END
sed 1d words.test.yaml > no-defaults
echo 'defaults: { hints: { user: ann } }' | cat - no-defaults | sed '/refused, expect/d' > bare.test.yaml
run test --policy rate.yaml words.test.yaml bare.test.yaml
prints 'task, object and admitted' 0 << 'END'
words.test.yaml: 6 of 6 passed
bare.test.yaml: 5 of 5 passed
11 passed, 0 failed
END
cat > both.test.yaml << 'END'
tests:
- { name: both, task: {}, object: {}, expect: { admitted: 1 } }
END
run test --policy rate.yaml both.test.yaml
mentions 'admitted is true or false' err 'both.test.yaml:2:59: must be true or false'
sed 's/: 1 }/: true }/' both.test.yaml > x
mv x both.test.yaml
run test --policy rate.yaml both.test.yaml
mentions 'one of them' out "'task' and 'object' exclude each other"
rm words.test.yaml bare.test.yaml both.test.yaml
run test --run 'a.test.yaml: a table' --format tap a.test.yaml
prints 'some of them, as TAP' 0 << 'END'
TAP version 13
1..2
ok 1 - a table: idle
ok 2 - a table: rtt
END
run test --run nothing a.test.yaml
complains 'none of them' 2 << 'END'
limen: no test is called like 'nothing'
END
run test --coverage --run nobody a.test.yaml
prints 'what one test leaves' 0 << 'END'
a.test.yaml: 1 of 1 passed
1 passed, 0 failed
coverage of rate.yaml: 0 of 5
  rate.yaml:1: identifier 'who': never identified
  rate.yaml:4: limit 'two': never asked
  rate.yaml:5: limit 'idle': never asked
  rate.yaml:2: classifier 'who': never met
  rate.yaml:6: application 'All': never asked
END

# Applications that are called the same.
{
	sed '$d' rate.yaml
	echo 'applications:'
	echo '- { description: All, classifier: who, apply: [{ require: all, limits: [ idle, two ] }] }'
	echo '- { description: All, classifier: who, apply: [{ require: all, limits: [ idle ] }] }'
} > twice.yaml
sed 's/rate.yaml/twice.yaml/' a.test.yaml > twice.test.yaml
run test --coverage --run 'every test begins anew' twice.test.yaml
mentions 'the first of two of one name was asked' out 'coverage of twice.yaml: 5 of 6'
mentions 'and the second was not' out "  twice.yaml:8: application 'All': never asked"
run test --coverage --run 'a table' twice.test.yaml
mentions 'both were asked' out 'coverage of twice.yaml: 6 of 6'
# In one line, too.
{
	sed '$d' rate.yaml
	one='{ description: All, classifier: who, apply: [{ require: all, limits: [ idle, two ] }] }'
	echo "applications: [ $one, $one ]"
} > line.yaml
sed 's/rate.yaml/line.yaml/' a.test.yaml > line.test.yaml
run test --coverage --run 'every test begins anew' line.test.yaml
mentions 'and where they are in one line' out 'coverage of line.yaml: 5 of 6'

# Policies are read as an engine reads them: Python's NaN is a number there.
sed 's/^identifiers:.*/"#x": .nan/' rate.yaml > nan.yaml
sed -n 's/^identifiers:/&/p' rate.yaml >> nan.yaml
sed 's/rate.yaml/nan.yaml/' a.test.yaml > nan.test.yaml
run test --coverage nan.test.yaml
mentions 'all of a policy with NaN in it is known' out 'coverage of nan.yaml: 5 of 5'
sed '/^policy:/d' twice.test.yaml > x.test.yaml
echo 'tests: [{ name: all, hints: { user: ann }, request: { test: { type: idle } }, expect: { verdict: admitted } }]' \
	> plain.test.yaml
sed '/name: two/d; s/, two \]/ ]/' rate.yaml > plain.yaml
run_with plain.yaml test --policy - --coverage plain.test.yaml
mentions 'and of one that is no file' out 'coverage of -: 4 of 4'

# A path that begins as the text of a policy does.
cp rate.yaml '{l}.yaml'
mkdir '{d}' '{d}/tests'
cp rate.yaml '{d}/policy.yaml'
cp x.test.yaml request.json '{d}/tests'
for file in '{d}' x.test.yaml; do
	run test --policy '{l}.yaml' --coverage "$file"
	mentions "a policy named {l}.yaml for $file" out 'coverage of ./{l}.yaml: 5 of 5'
done
run test '{d}'
ended 'one in {d}' 0
{
	echo 'policy: "{l}.yaml"'
	cat x.test.yaml
} > y.test.yaml
run test y.test.yaml
ended 'one that a file of tests names {l}.yaml' 0
status=0
LIMEN_POLICY='{l}.yaml' "$LIMEN" test x.test.yaml > out 2> err || status=$?
ended 'and one that the environment names' 0

# Objects: the envelope, phases, what is filled in.
cat > objects.test.yaml << END
policy: $LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml
defaults:
  namespace: shop
  request: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [ { name: c, image: i } ] } }
tests:
- name: defaults are filled in
  user: ann
  groups: [ staff ]
  operation: CREATE
  expect:
    verdict: admitted
    rewrittenHas: { spec: { containers: [ { name: c, resources: { limits: { cpu: 500m } } } ] } }
- name: but not where they are only checked
  phase: validate
  expect: { verdict: refused, code: 403, entry: LimitRanger, rewritten: null, patch: null }
- name: too much
  columns: [ /request/spec/containers/0/resources/limits/cpu, verdict, messages ]
  rows:
  - [ 1, admitted, [] ]
  - [ "1.5", refused, [ { style: contains, match: "maximum cpu usage per Container is 1, but limit is 1500m" } ] ]
END
run test objects.test.yaml
ended 'objects' 0

# No entry looks at a kind that limen does not know.
cat > unknown.test.yaml << END
policy: $LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml
tests:
- { name: misspelt, object: { apiVersion: v1, kind: Podd }, expect: { admitted: true } }
- name: a rollout
  repeat: 2
  steps:
  - object: { apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: { template: { spec: { containers: [ { name: c } ] } } } }
    expect: { verdict: refused }
- name: the review of a workload
  request:
    apiVersion: admission.k8s.io/v1
    kind: AdmissionReview
    request:
      uid: u
      operation: CREATE
      kind: { group: apps, version: v1, kind: Deployment }
      resource: { group: apps, version: v1, resource: deployments }
      object: { apiVersion: apps/v1, kind: Deployment, metadata: { name: d } }
  expect: { admitted: true }
- { name: without LimitRanges, namespace: far, object: { apiVersion: v1, kind: Pod, metadata: { name: p } }, expect: { admitted: true } }
- { name: without pods, object: { apiVersion: v1, kind: ConfigMap, metadata: { name: m } }, expect: { admitted: true } }
END
run test unknown.test.yaml
prints 'an object of an unknown kind passes no test' 2 << 'END'
unknown.test.yaml: 2 of 5 passed
  CANNOT RUN: misspelt
    unknown.test.yaml:3:3: not judged: Kubernetes has no kind 'v1/Podd'; did you mean 'Pod'?
  CANNOT RUN: a rollout
    unknown.test.yaml:4:3: step 1: not judged: limen does not know the pods in spec.template of kind 'argoproj.io/Rollout'; check spec.template as the template of a Deployment
  CANNOT RUN: the review of a workload
    unknown.test.yaml:9:3: not judged: no entry of the policy looks at its pods; the API server sends reviews of them: check these
2 passed, 0 failed, 3 cannot run
END

# Runs: what a cell says of one counts, and what nobody knows is refused.
cat > minute.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits:
- { name: minute, description: d, type: run-daterange,
    data: { start: "2026-01-01T12:00:00Z", end: "2026-01-01T12:01:00Z" } }
applications: [{ description: All, classifier: all, apply: [{ require: all, limits: [ minute ] }] }]
END
cat > run.test.yaml << 'END'
policy: minute.yaml
defaults: { request: { test: { type: idle } }, run: { duration: PT80S } }
tests:
- name: run
  columns: [ name, run, /run/duration, verdict ]
  rows:
  - [ as the defaults say, null, null, refused ]
  - [ "true alone", true, null, refused ]
  - [ shorter, { duration: PT8S }, null, admitted ]
  - [ another day, { start: "2026-01-02T12:00:00Z", duration: PT8S }, null, refused ]
  - [ no run, false, null, admitted ]
  - [ both, { duration: PT8S }, PT90S, refused ]
END
run test run.test.yaml
prints 'a column of runs' 0 << 'END'
run.test.yaml: 6 of 6 passed
6 passed, 0 failed
END
cat > run.test.yaml << 'END'
policy: minute.yaml
defaults: { request: { test: { type: idle } }, run: { druation: PT80S } }
tests:
- { name: a, run: { start: 7 }, expect: { verdict: admitted } }
- name: b
  columns: [ run, "#run", verdict ]
  rows:
  - [ { strat: x }, 1, admitted ]
END
run test run.test.yaml
complains 'of runs what is not known is refused' 2 << 'END'
limen: run.test.yaml:2:55: unknown key 'druation' (did you mean 'duration'?)
limen: run.test.yaml:4:28: 'start' must be a string
limen: run.test.yaml:8:9: unknown key 'strat' (did you mean 'start'?)
END

# What fails, in every format, and how it can be accepted.
cat > 'b "<&>".test.yaml' << 'END'
policy: rate.yaml
tests:
- name: "odd <&> # name"
  hints: { user: ann }
  request: { test: { type: idle } }
  expect:
    # Comments stay.
    verdict: refused   # here, too
    code: 403
    identifiers: [ who, 'it''s' ]
    reason: { style: exact, match: nope }
    entry: 'two'
    classifiers:
    - who
    - more
- name: broken
  requestFile: nowhere.json
  expect: { verdict: admitted }
END
cp 'b "<&>".test.yaml' c_test.yaml
run test c_test.yaml
blur
prints 'what failed, and where' 2 << 'END'
c_test.yaml: 0 of 2 passed
  FAILED: odd <&> # name
    c_test.yaml:8:14: verdict
      expected "refused"
      found    "admitted"
    c_test.yaml:9:11: code
      expected 403
      found    200
    c_test.yaml:11:13: reason
      expected {"style":"exact","match":"nope"}
      found    "application 'All' passes"
    c_test.yaml:12:12: entry
      expected "two"
      found    null
    c_test.yaml:10:18: identifiers
      expected ["who","it's"]
      found    ["who"]
    c_test.yaml:14:5: classifiers
      expected ["who","more"]
      found    ["who"]
      because  application 'All' passes
        identifiers
          who (hint): match, N us, rate.yaml:1
        classifiers
          who (require any): match, rate.yaml:2
        applications
          1. All: pass, rate.yaml:6
            group 1, require all: pass
              idle (test-type): pass, N us, rate.yaml:5
              two (rate): pass, N us, rate.yaml:4
        rates
          two: 1 of 2 left, resets in PT30M
  CANNOT RUN: broken
    c_test.yaml:16:3: nowhere.json: No such file or directory
0 passed, 1 failed, 1 cannot run
END
run test --format tap c_test.yaml
mentions 'TAP keeps its own characters for itself' out 'not ok 1 - odd <&> \# name'
run test --format json c_test.yaml
mentions 'JSON' out '{"place":"c_test.yaml:9:11","what":"code","expected":403,"found":200}'
run test --format junit 'b "<&>".test.yaml'
if command -v python3 > /dev/null; then
	ok 'JUnit is XML' python3 -c '
import sys, xml.etree.ElementTree as tree
cases = tree.parse("out").findall(".//testcase")
assert [c.get("name") for c in cases] == ["odd <&> # name", "broken"]
assert cases[0].get("classname") == "b \"<&>\".test.yaml"
assert len(cases[0].findall("failure")) == 6 and cases[1].find("error") is not None'
else
	skip 'JUnit is XML' 'no python3'
fi
if command -v python3 > /dev/null; then
	printf '{"policy":"rate.yaml","tests":[{"name":"a\\uffff\\ufffe\\u0001\\ufffd","request":{},"expect":{"code":1}}]}' \
		> odd_test.json
	run test --format junit odd_test.json
	ok 'whatever a test is called' python3 -c '
import xml.etree.ElementTree as tree
assert tree.parse("out").find(".//testcase").get("name") == "a" + 7 * " " + "\ufffd"'
else
	skip 'whatever a test is called' 'no python3'
fi
run test --update --run odd c_test.yaml
ended 'what cannot be replaced is left' 1
cat > wanted << 'END'
limen: c_test.yaml:11:13: reason stays as it is (it is a pattern or a part); found: "application 'All' passes"
limen: c_test.yaml:14:5: classifiers stays as it is (it is not written in one piece); found: ["who"]
END
ok 'and named' cmp wanted err
cat > wanted << 'END'
policy: rate.yaml
tests:
- name: "odd <&> # name"
  hints: { user: ann }
  request: { test: { type: idle } }
  expect:
    # Comments stay.
    verdict: admitted   # here, too
    code: 200
    identifiers: ["who"]
    reason: { style: exact, match: nope }
    entry: null
    classifiers:
    - who
    - more
- name: broken
  requestFile: nowhere.json
  expect: { verdict: admitted }
END
ok 'the rest is replaced where it stands' cmp wanted c_test.yaml
printf '%s\n' '{ "policy": "rate.yaml", "defaults": { "expect": { "code": 1 } }, "tests": [' \
	'{ "name": "a", "request": {"test":{"type":"idle"}}, "hints": { "user": "ü" }, "expect": { "reason": "\u00fc\"" } },' \
	'{ "name": "b", "request": {} } ] }' > d_test.json
chmod 640 d_test.json
run test --update d_test.json
ended 'what tests share stays if they found different things' 1
mentions 'and that is said' err 'code stays as it is (other tests that share it have another result)'
ok 'the file is as readable as it was' test "$(stat -c %a d_test.json)" = 640
holds 'the others are replaced in JSON, too' d_test.json \
	'{ "name": "a", "request": {"test":{"type":"idle"}}, "hints": { "user": "ü" }, "expect": { "reason": "application '"'All'"' passes" } },'
# Long lines, and many of them: places are of lines and characters.
many() {
	printf '{ "policy": "rate.yaml", "tests": [ '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ $i -eq 1 ] || printf ',%s' "$1"
		printf '{ "name": "ü %d", "request": {"test":{"type":"idle"}}, "hints": { "user": "ü" }, "expect": { "code": %s, "entry": null } }' \
			$i "$2"
	done
	printf '] }\n'
}
for between in ' ' '

'; do
	many "$between" 1 > g_test.json
	many "$between" 200 > wanted
	run test --update g_test.json
	ended 'many are replaced' 0
	ok 'where they stand' cmp wanted g_test.json
done
# Parts, in any order, and lines.
cat > parts_test.yaml << 'END'
policy:
  identifiers: [{ name: who, description: d, type: always, data: {} }]
  classifiers: [{ name: who, description: d, identifiers: [ who ] }]
  rewrite: { script: '.a = { c: [1, 2, 3], b: 1, "": 2, bb: 3 } | change("made")' }
  limits: [{ name: good, type: pass-fail, data: { pass: true } }]
  applications: [{ description: All, classifier: who, apply: [{ require: all, limits: [ good ] }] }]
defaults: { request: { test: { type: idle, spec: {} } } }
tests:
- { name: parts, expect: { rewrittenHas: { a: { bb: 3, "": 2, c: [ 1, 2 ], b: 1 } } } }
- { name: all of it, expect: { rewrittenHas: { a: { c: [ 1, 2, 3 ], b: 1, "": 2, bb: 3 } } } }
- { name: nothing, expect: { rewrittenHas: {} } }
- { name: no such member, expect: { rewrittenHas: { a: { ba: 3 } } } }
- { name: no such last member, expect: { rewrittenHas: { a: { d: 3 } } } }
- { name: another value, expect: { rewrittenHas: { a: { b: 2 } } } }
- { name: more elements, expect: { rewrittenHas: { a: { c: [ 1, 2, 3, 4 ] } } } }
- { name: another type, expect: { rewrittenHas: { a: [] } } }
- name: lines
  expect: { diagnostics: [ { style: contains, match: "Limit 'good'" }, "Classified as who", "Identified as who" ] }
- { name: no lines, expect: { diagnostics: [] } }
- { name: a part of a line, expect: { diagnostics: [ "Classified as" ] } }
- { name: a number, expect: { diagnostics: [ { style: exact, match: "1" } ] } }
END
run test --verbose parts_test.yaml
ended 'parts and lines' 1
grep -E '^  (ok|FAILED):' out > got
cat > wanted << 'END'
  ok: parts
  ok: all of it
  ok: nothing
  FAILED: no such member
  FAILED: no such last member
  FAILED: another value
  FAILED: more elements
  FAILED: another type
  ok: lines
  ok: no lines
  FAILED: a part of a line
  FAILED: a number
END
ok 'and no others' cmp wanted got
# One test meets what another one does not: replacing it would only make the other one fail.
cat > e_test.yaml << 'END'
policy: rate.yaml
defaults: { hints: { user: ann }, expect: { verdict: admitted } }
tests:
- { name: met, request: { test: { type: idle } } }
- { name: not met, request: { test: { type: rtt } } }
- name: met at first
  request: { test: { type: idle } }
  repeat: 3
  expect: { code: 200 }
END
cp e_test.yaml wanted
run test --update e_test.yaml
ended 'what another test meets stays' 1
ok 'with the whole file' cmp wanted e_test.yaml
mentions 'and that is said of it' err 'e_test.yaml:2:54: verdict stays as it is (other tests that share it'
mentions 'and of what was met at first' err 'e_test.yaml:9:19: time 3: code stays as it is'

run test --update --run 'not met' e_test.yaml
ended 'nor is it replaced for some tests if another one meets it' 1
ok 'however few were asked for' cmp wanted e_test.yaml

# Who cannot tell says why, and a policy that does not load is told of once.
cat > f_test.yaml << 'END'
policy:
  identifiers: [{ name: who, description: d, type: always, data: {} }]
  classifiers: [{ name: who, description: d, identifiers: [ who ] }]
  limits: [{ name: fails, description: d, type: jq, data: { script: 'error("no <idea>")' } }]
  applications: [{ description: All, classifier: who, apply: [{ require: all, limits: [ fails ] }] }]
tests:
- name: an error
  request: { test: { type: idle } }
  expect: { verdict: admitted, code: 200 }
- { name: no policy, policy: { limits: 5 }, request: {}, expect: { code: 1 } }
- { name: again, policy: { limits: 5 }, request: {}, expect: { code: 1 } }
- { name: another, policy: { schema: 9 }, request: {}, expect: { code: 1 } }
END
run test f_test.yaml
cat > wanted << 'END'
f_test.yaml: 0 of 4 passed
  FAILED: an error
    f_test.yaml:9:22: verdict
      expected "admitted"
      found    "error"
    f_test.yaml:9:38: code
      expected 200
      found    500
      because  application 'All' fails: limit 'fails' failed: Failed to process task: no <idea>
        identifiers
          who (always): match, N us
        classifiers
          who (require any): match
        applications
          1. All: error
            group 1, require all: error
              fails (jq): error, N us
                reason: Failed to process task: no <idea>
  CANNOT RUN: no policy
    f_test.yaml:10:3: the policy does not load
  CANNOT RUN: again: likewise
  CANNOT RUN: another
    f_test.yaml:12:3: the policy does not load
0 passed, 1 failed, 3 cannot run
END
blur
sed 's/\(the policy does not load\): .*/\1/' out > told
ok 'why nothing could be told, and one word for a policy that does not load' cmp wanted told
red=$(printf '\033[1;31m') end=$(printf '\033[0m')
run test --color always f_test.yaml
holds 'a failure is red with --color=always' out "  ${red}FAILED$end: an error"
for format in tap json junit; do
	run test --format $format --run 'an error' f_test.yaml
	mentions "and as $format" out 'Failed to process task: no '
done

# What is no file of tests.
cat > wrong.test.yaml << 'END'
tets: []
tests:
- name: x
  requst: {}
  hints: 5
  expect: { verdit: admitted, verdict: maybe, reason: { style: regx, match: a }, warnings: 3 }
- request: {}
  expect: { verdict: admitted }
- name: v
  columns: [ /request/a, /expct, verdct ]
  rows: [ [ 1 ] ]
- name: w
  columns: [ verdict ]
  rows: [ [ 1 ], [ admitted, 3 ] ]
- name: z
  steps: []
- name: nothing
  request: {}
- name: file
  request: request.json
END
run test wrong.test.yaml
complains 'every mistake has its place' 2 << 'END'
limen: wrong.test.yaml:1:1: unknown key 'tets' (did you mean 'tests'?)
limen: wrong.test.yaml:4:3: unknown key 'requst' (did you mean 'request'?)
limen: wrong.test.yaml:5:10: 'hints' must be an object
limen: wrong.test.yaml:6:13: unknown key 'verdit' (did you mean 'verdict'?)
limen: wrong.test.yaml:6:40: a verdict is 'admitted', 'refused' or 'error', not "maybe"
limen: wrong.test.yaml:6:55: 'match' must be a string, and 'style' exact, contains or regex
limen: wrong.test.yaml:6:92: must be an array
limen: wrong.test.yaml:7:3: the test has no 'name'
limen: wrong.test.yaml:10:26: unknown key 'expct' (did you mean 'expect'?)
limen: wrong.test.yaml:10:34: unknown key 'verdct' (did you mean 'verdict'?)
limen: wrong.test.yaml:14:13: a verdict is 'admitted', 'refused' or 'error', not 1
limen: wrong.test.yaml:14:18: a row must be an array of 1, one cell a column
limen: wrong.test.yaml:16:10: there are no steps
limen: wrong.test.yaml:17:3: the test expects nothing
limen: wrong.test.yaml:20:12: 'request' must be a task or an object; 'requestFile' names a file
END
mkdir empty
run test empty
complains 'no tests at all' 2 << 'END'
limen: no tests found: no file is called *.test.yaml, *.test.json, *_test.yaml or *_test.json (or .yml)
END
i=0
for text in '' '[]' '{}' '5' '{"tests":5}' '{"tests":[]}' '{"tests":[5]}' '{"tests":[{"name":"a"}]}' \
	'{"tests":[{"name":"a","columns":[],"rows":[]}]}' '{' 'a: &a [*a]' \
	'{"tests":[{"name":"a","columns":["/"],"rows":[[1]]}]}' \
	'{"tests":[{"name":"a","columns":["/expect/"],"rows":[[1]]}]}' \
	'{"tests":[{"name":"a","columns":[5],"rows":[[1]]}]}' \
	'{"tests":[{"name":"a","steps":[5],"expect":{"code":1}}]}' \
	'{"tests":[{"name":"a","expect":{"reason":{"style":"regex","match":"("}}}]}'; do
	i=$((i + 1))
	printf '%s' "$text" > "hostile$i"
	run test "hostile$i"
	ended "no file of tests: $text" 2
done
# What stands behind a NUL would not be looked at.
for part in '"expect":{"verdict":"refused","code\u0000x":1}' \
	'"expect":{"reason":{"style":"contains","match":"","invert\u0000":true}}' \
	'"expect":{"code":200},"request\u0000":{}' '"expect":{"code":200},"user":"ann\u0000"' \
	'"expect":{"code":200},"policy":"rate.yaml\u0000"' \
	'"expect":{"code":200},"subject":"object","groups":["a\u0000"]'; do
	printf '{"policy":"rate.yaml","tests":[{"name":"a","request":{"a":1},%s}]}' "$part" \
		> hostile
	run test hostile
	ended "a NUL: $part" 2
done
# Cells that nobody would look at.
for column in /oldObject/spec/x /groups/0 /user/name /time/y /hints/a/b /run/begin /repeat/z; do
	printf '{"policy":"rate.yaml","tests":[{"name":"a","request":{},"columns":["%s","code"],"rows":[["x",200]]}]}' \
		"$column" > hostile
	run test hostile
	ended "a column that sets nothing: $column" 2
	mentions 'and it is named' err "a row has no way to set '$column'"
done
for column in /hints/user /run/start /run/duration; do
	printf '{"policy":"rate.yaml","tests":[{"name":"a","request":{},"columns":["%s","code"],"rows":[[5,200]]}]}' \
		"$column" > hostile
	run test hostile
	ended "a cell that is no text: $column" 2
done
# Files of tests whose tests cannot be run.
for part in '"request":{},"requestFile":"x"' '"request":{},"time":"never"' '"request":{},"subject":"x"' \
	'"request":{},"phase":"x"' '"request":{},"repeat":0' '"request":{},"repeat":1e30' \
	'"request":{},"user":"ann"' '"request":{"a":1},"subject":"object","groups":[5]' \
	'"http":{"method":"GET","path":"/"},"subject":"task"' '"task":{},"subject":"object"' \
	'"request":{},"steps":[{"after":"soon"}]' '"request":{},"policy":{"schema":9}' \
	'"request":{},"policy":"nowhere"' '"hints":{}' '"requestFile":"hostile1"' \
	'"request":{"kind":"PodList","apiVersion":"v1","items":[]}'; do
	printf '{"policy":"rate.yaml","tests":[{"name":"a","expect":{"code":1},%s}]}' "$part" \
		> hostile
	run test hostile
	ended "cannot be run: $part" 2
done
awk 'BEGIN { printf "{\"policy\":\"rate.yaml\",\"tests\":[{\"name\":\"deep\",\"request\":"
	for (i = 0; i < 900; i++) printf "{\"a\":"; printf "1"
	for (i = 0; i < 900; i++) printf "}"
	printf ",\"columns\":[\"/request/a/b~1c\",\"verdict\"],\"rows\":[[1,\"refused\"]]}]}" }' > deep
run test deep
ended 'deep requests with cells put into them' 0
awk 'BEGIN { printf "{\"policy\":\"rate.yaml\",\"tests\":[{\"name\":\"a\",\"columns\":[\"/request"
	for (i = 0; i < 300000; i++) printf "/a"
	printf "\",\"code\"],\"rows\":[[1,200]]}]}" }' > deep
run test deep
complains 'but no deeper cells than documents may be' 2 << 'END'
limen: deep:1:55: a column is at most 1000 levels deep
END
# Where cells are put, and where not.
cat > cells.test.json << 'END'
{ "policy": {
"identifiers": [ { "name": "who", "description": "d", "type": "hint",
  "data": { "hint": "a/b", "match": { "style": "exact", "match": "h\u0000i" } } } ],
"classifiers": [ { "name": "who", "description": "d", "identifiers": [ "who" ] } ],
"rewrite": { "script": ".h = 1 | change(\"made\")" },
"limits": [ { "name": "one", "description": "d", "type": "pass-fail", "data": { "pass": true } } ],
"applications": [ { "description": "All", "classifier": "who", "apply": [ { "require": "all", "limits": [ "one" ] } ] } ] },
"tests": [ { "name": "cells", "request": { "test": { "type": "idle", "spec": {} }, "a": 1, "a\u0000b": 2, "c": [ 3, { "d": 4 }, 5 ], "e~/f": 6 },
"columns": [ "/request/a", "/request/c/1/d", "/request/c/7", "/request/e~0~1f", "/request/n/~1/m",
"/request/n/k", "/request/a", "/hints/a~1b", "/expect/rewritten" ],
"rows": [ [ 11, 14, 9, 16, 17, 18, 19, "h\u0000i",
  { "test": { "type": "idle", "spec": {} }, "a": 11, "a\u0000b": 2, "c": [ 3, { "d": 14 }, 5 ], "e~/f": 16, "n": { "/": { "m": 17 }, "k": 18 }, "h": 1 } ],
[ null, null, null, null, null, 18, 19, "h\u0000i",
  { "test": { "type": "idle", "spec": {} }, "a": 19, "a\u0000b": 2, "c": [ 3, { "d": 4 }, 5 ], "e~/f": 6, "n": { "k": 18 }, "h": 1 } ] ] } ] }
END
run test cells.test.json
ended 'cells are put where their pointers lead' 0
run test --format xml a.test.yaml
ended 'an unknown format' 2
run test --run '(' a.test.yaml
ended 'an unfinished pattern' 2

# Of several columns for one hint the first counts, as for one place of a request.
cat > columns.yaml << 'END'
policy:
  identifiers: [{ name: ann, description: d, type: hint, data: { hint: user, match: { style: exact, match: ann } } }]
tests:
- name: columns
  request: {}
  columns: [ name, /hints/user, /hints/user, /hints, /expect/identifiers ]
  rows:
  - [ first, ann, bob, null, [ ann ] ]
  - [ second, bob, ann, { user: ann }, [] ]
  - [ whole, null, null, { user: ann }, [ ann ] ]
  - [ before whole, null, ann, { user: bob }, [ ann ] ]
END
run test columns.yaml
mentions 'the first of several columns for a hint counts' out '4 passed, 0 failed'
sed '/^policy:/d' a.test.yaml > x.test.yaml
run_with rate.yaml test --policy - x.test.yaml
ended 'a policy that counts, from the standard input' 2
mentions 'that it cannot be' out 'can be read only once'
finish
