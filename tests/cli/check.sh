#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh - limen check of files.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
cp "$data/limits.conf" "$data/bad.conf" "$data/idle.json" "$data/trace.json" "$data/pod.json" .
friend=requester=10.0.0.1
stranger=requester=192.0.2.1

run check --policy limits.conf --hint $friend idle.json
prints 'an admitted task' 0 << 'END'
admitted: application 'Friends do as they like' passes
Hints:
  requester: 10.0.0.1
Identified as everybody, friends
Classified as friendlies, default
Application: Friends do as they like
  Group 1: Limit 'always' passed
  Group 1: Want all, 1/1 passed, 0/1 failed: PASS
  Application PASSES
Passed one application.  Stopping.
Proposal meets limits
Priority set to default of 0
Priority: default of 0, not computed (by default only runs get one)
END
cp out admitted
run_with idle.json check --policy limits.conf --hint $friend -
ok 'standard input gives the same' cmp out admitted
run_with limits.conf check --policy - --hint $friend idle.json
ok 'so does a policy from standard input' cmp out admitted
mkdir conf.d
cp limits.conf conf.d
run check --policy conf.d --hint $friend idle.json
ok 'and a policy in a directory' cmp out admitted
LIMEN_POLICY=conf.d
export LIMEN_POLICY
run check --hint $friend idle.json
ok 'and LIMEN_POLICY' cmp out admitted
unset LIMEN_POLICY
run check idle.json --hint=$friend --policy=limits.conf
ok 'the order of the arguments does not matter' cmp out admitted

run check --policy limits.conf --hint $stranger --hint server=192.0.2.2 trace.json
prints 'a refused task' 1 << 'END'
refused: application 'Others idle in the morning' fails: limit 'idlers' failed: Test type not in list
Hints:
  requester: 192.0.2.1
  server: 192.0.2.2
Identified as everybody
Classified as default
Application: Others idle in the morning
  Group 1: Limit 'idlers' failed: Test type not in list
  Group 1: Limit 'mornings' passed
  Group 1: Want all, 1/2 passed, 1/2 failed: FAIL
  Application FAILS
Proposal does not meet limits
Priority set to default of 0
END

echo null > null.json
run check --policy limits.conf null.json
complains 'a task that is no object is no request' 2 << 'END'
limen: null.json:1:1: the task is not an object
END
run check --policy limits.conf --format json null.json
ended '  to a program, too' 2
ok '  as JSON' grep -qxF '{"error":{"message":"the task is not an object","problems":[{"severity":"error","file":null,"line":1,"column":1,"pointer":"","text":"the task is not an object","hint":null}]}}' out
printf '# tasks\n---\ntest: {type: idle, spec: {}}\n---\n- test\n' > tasks.yaml
run check --policy limits.conf --hint $friend tasks.yaml
complains '  nor is it one in a file with others' 2 << 'END'
limen: tasks.yaml:5:1: the task is not an object
END

run check --policy limits.conf --hint $friend idle.json trace.json
ended 'several requests: both admitted' 0
holds 'several requests: the first has its name' out '==> idle.json <=='
holds 'several requests: so has the second' out '==> trace.json <=='
run check --policy limits.conf --hint $stranger idle.json trace.json
ended 'one refused: the worst counts' 1
run check --policy limits.conf --quiet --hint $stranger idle.json trace.json
prints 'a refusal is one line with --quiet' 1 << 'END'
trace.json: refused: application 'Others idle in the morning' fails: limit 'idlers' failed: Test type not in list
2 requests: 1 refused, 1 admitted
END
run check --policy limits.conf --quiet --hint $friend idle.json
prints 'and nothing but the count if all is well' 0 << 'END'
1 request: 1 admitted
END
run check --policy limits.conf --hint $stranger trace.json null.json idle.json
ended 'one that cannot be told is worse' 2
run check --policy limits.conf --hint $stranger trace.json nowhere idle.json
ended 'so is one that cannot be read' 2
holds 'the message names it' err 'limen: nowhere: No such file or directory'
ok 'and the others are decided' test "$(grep -c '^admitted: \|^refused: ' out)" -eq 2

# Runs.  "mornings" looks at the hour of their start.
run check --policy limits.conf --hint $stranger --start 2026-11-21T15:00:00Z idle.json
ended 'a start makes a run, which is refused in the afternoon' 1
mentions 'the reason' out "Limit 'mornings' failed: Mismatch on hour"
run check --policy limits.conf --hint $stranger --start 2026-11-21T09:00:00Z idle.json
ended 'and admitted in the morning' 0
holds 'runs have a priority' out 'Priority: 0'
run check --policy limits.conf --hint $stranger --start 2026-11-21T11:59:55Z idle.json
ended 'PT10S is the duration of a run without one' 1
run check --policy limits.conf --hint $stranger --start 2026-11-21T11:59:45Z idle.json
ended 'no more than that' 0
run check --policy limits.conf --hint $stranger --start 2026-11-21T11:59:55Z --duration PT2S \
	idle.json
ended 'a duration replaces it' 0
for duration in 2s +2s 0.5s1500ms; do
	run check --policy limits.conf --hint $stranger --start 2026-11-21T11:59:55Z \
		--duration $duration idle.json
	ended "a duration with units does, too: $duration" 0
done
for time in 2026-11-21T15:00:00Z 1795273200; do
	run check --policy limits.conf --hint $stranger --time $time --duration PT2S idle.json
	ended "a run without a start starts at the decision time, $time" 1
	run check --policy limits.conf --hint $stranger --time $time --run idle.json
	ended "so does --run, at $time" 1
done
run check --policy limits.conf --hint $stranger --time 2026-11-21T09:00:00Z --run idle.json
ended '--run in the morning' 0
run check --policy limits.conf --hint $stranger --time 2026-11-21T15:00:00Z idle.json
ended 'a task is no run, whatever the time' 0
run check --policy limits.conf --hint $stranger --run idle.json
mentions 'a run now has a priority or is refused' out 'Priority'
run check --policy limits.conf --hint $friend --run --no-prioritize idle.json
holds '--no-prioritize' out 'Priority: default of 0, not computed (--no-prioritize)'
run check --policy limits.conf --hint $friend --prioritize idle.json
holds '--prioritize' out 'Priority: 0'
echo '{"test":{"type":"idle","spec":{"x":NaN}}, "#":1}' > nan.json
run check --policy limits.conf --hint $friend nan.json
mentions 'a task is read as pScheduler reads it' out 'admitted: '
cp out before
run check --policy limits.conf --hint $friend --task nan.json
ok 'with --task and without' cmp out before
run check --policy limits.conf --hint $friend --object nan.json
complains 'an object is not' 2 << 'END'
limen: nan.json:1:36: Invalid JSON: Expecting value: line 1 column 36 (char 35)
END
run check --policy limits.conf --run null.json
complains 'a run that is no object is none, either' 2 << 'END'
limen: null.json:1:1: the task is not an object
END
run check --policy limits.conf --hint $stranger --start soon idle.json
complains 'a start that is no time' 2 << 'END'
limen: --start takes a time (2026-01-31T12:00:00Z), not 'soon'
Try 'limen check --help'.
END
run check --policy limits.conf --hint $stranger --duration -PT5S idle.json
complains 'a duration that is none' 2 << 'END'
limen: --duration takes a duration (30s, PT30S, PT1H), not '-PT5S'
Try 'limen check --help'.
END

run check --policy limits.conf --hint $stranger --explain --start 2026-11-21T15:00:00Z idle.json
blur
sed '1,/^Explanation:/d' out > tree
cp tree out
prints 'the explanation' 1 << 'END'
  identifiers
    everybody (always): match, N us, limits.conf:5
    friends (ip-cidr-list): no match, N us, limits.conf:11
      missed: requester is 192.0.2.1, must be one of 10.0.0.0/8
  classifiers
    default (require any): match, limits.conf:24
    no match: friendlies
  applications
    2. Others idle in the morning: fail, limits.conf:56
      group 1, require all: fail
        idlers (test-type): pass, N us, limits.conf:37
        mornings (run-schedule): fail, N us, limits.conf:43
          reason: Mismatch on hour
    skip: 1. Friends do as they like (not friendlies)
  nearest application: 2. Others idle in the morning
    limit 'mornings' does not say what would pass, only: Mismatch on hour
END
sed 's/"data": { "types"/"invert": true, &/' limits.conf > inverted.conf
run check --policy inverted.conf --hint $stranger --explain idle.json
blur
holds 'an inverted entry' out '        idlers (test-type): fail, inverted from pass, N us, inverted.conf:37'

run check --policy limits.conf --hint $stranger --format json trace.json idle.json
ended 'JSON has the same exit status' 1
ok 'one line a request' test "$(wc -l < out)" -eq 2
mentions 'the first is refused' out '{"admitted":false,"code":403,"reason":"application '
mentions 'the second is admitted' out '{"admitted":true,"code":200,"reason":"application '
ok 'nothing on standard error' test ! -s err
run check --policy limits.conf --format json nowhere idle.json
ended 'an unreadable request in JSON' 2
holds 'has an answer, too' out '{"error":{"message":"nowhere: No such file or directory","problems":[]}}'
ok 'so that answers and requests can be paired' test "$(wc -l < out)" -eq 2
run check --policy limits.conf --format json --explain idle.json
mentions 'JSON with an explanation' out '"trace":[{"kind":"identifier","type":"always","name":"everybody"'

unusable() {
	name=$1
	run check --policy limits.conf request.json
	complains "$name" 2
}

printf '{ "a": 1,\n  "b": }' > request.json
unusable 'a request that is not JSON' << 'END'
limen: request.json:2:8: Invalid JSON: Expecting value: line 2 column 8 (char 17)
END
printf '{ "a":\n "\377" }' > request.json
run check --policy limits.conf request.json
ended 'a request that is not UTF-8' 2
mentions 'has its place' err 'limen: request.json:2:3: Invalid JSON: '
: > request.json
unusable 'an empty request' << 'END'
limen: request.json:1:1: Invalid JSON: Expecting value: line 1 column 1 (char 0)
END
head -c 3000000 /dev/zero | tr '\0' '[' > request.json
run check --policy limits.conf request.json
ended 'three million brackets' 2
mentions 'are told where they are too many' err 'limen: request.json:1:1001: '
mkdir empty requests
run check --policy limits.conf empty
complains 'a directory without requests' 2 << 'END'
limen: empty: no file in this directory ends in .json, .yaml or .yml
END
cp trace.json requests/b.json
cp idle.json requests/a.json
cp bad.conf requests/c.conf
cp idle.json requests/.d.json
run check --policy limits.conf --hint $friend requests
ended 'a directory of requests' 0
ok 'its files of data, in order' sh -c 'grep "^==>" out | tr "\n" " " |
	grep -Fqx "==> requests/a.json <== ==> requests/b.json <== "'

mkdir -p requests/deeper/still
cp idle.json requests/deeper/still/e.json
ln -s .. requests/deeper/loop
run check --policy limits.conf --quiet --hint $friend requests
prints 'and those of the directories below' 0 << 'END'
3 requests: 3 admitted
END

# Files that are no requests say what they look like.
looks() {
	printf '%s' "$2" > request.json
	run check --policy limits.conf request.json
	complains "$2 looks like $1" 2 << END
limen: request.json:1:1: not a task, which has a 'test': this looks like $1
END
	run check --policy limits.conf --task request.json
	ended '  and is a task if it is called so' 1
}
looks "a question to limend; --batch decides lines of them" '{"task":{"test":{"type":"idle"}}}'
looks "a question to limend; --batch decides lines of them" '{"id":1,"object":{}}'
looks "a kustomization; check what 'kubectl kustomize' prints" '{"resources":["all.yaml"]}'
looks 'a package.json' '{"name":"x","version":"1.0","scripts":{}}'
looks "a file of tests; run it with 'limen test'" '{"tests":[]}'
printf 'resources: [all.yaml]\n' > kustomization.yaml
run check --policy limits.conf kustomization.yaml
mentions 'in YAML, too' err 'kustomization.yaml:1:1: not a task'
printf 'kind: Pod\napiVersion: v1\nmetadata: {name: {{ .Values.x }}}\n' > helm.yaml
run check --policy limits.conf helm.yaml
ended 'a Helm template is an error' 2
holds '  and is called one' err "limen: helm.yaml: this looks like a Helm template; check what 'helm template' prints"

run check --policy bad.conf idle.json
complains 'a bad policy' 2 << 'END'
Invalid limit file: At /limits/2/data: 'pass' is a required property
  bad.conf:10:21
  hint: pass: Whether the limit passes
END
run check limits.conf idle.json
complains 'a policy without --policy' 2 << 'END'
limen: limits.conf is a policy, not a request: write --policy limits.conf
END
echo '{"limits": []}' > part.yaml
for file in limits.conf part.yaml; do
	run check --policy limits.conf "$file"
	ended "$file as a request" 2
	mentions '  is a mistake' err ':1: a policy is not a request: name it with --policy'
done
run check --policy limits.conf part.yaml idle.json
mentions '  and the task after it is decided' out 'idle.json'
run check --policy nowhere idle.json
complains 'no policy' 2 << 'END'
limen: Unable to read input: nowhere: No such file or directory
END
run check --policy bad.conf --format json idle.json
mentions 'a bad policy in JSON' out '{"error":{"message":"'"'pass'"' is a required property","problems":[{"severity":"error"'

run check --policy limits.conf --hint requestor=10.0.0.1 --hint service=x --quiet idle.json
holds 'a misspelt hint has a warning' err "limen: warning: hint 'requestor': did you mean 'requester'?"
ok 'and no other' test "$(wc -l < err)" -eq 1

# Which subject a request is.
run check --policy limits.conf pod.json
ended 'a manifest is an object, which this policy knows nothing about' 2
mentions 'the reason' out 'error: the policy has no admission section'
run check --policy limits.conf --hint $friend --task pod.json
ended 'unless it is called a task' 0
run check --policy limits.conf --object idle.json
ended 'a task may be called an object' 2
run check --policy limits.conf --run pod.json
complains 'an object is no run' 2 << 'END'
limen: --run, --start and --duration are for tasks
END
echo '{ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview" }' > request.json
run check --policy limits.conf request.json
ended 'an AdmissionReview without a request' 2
mentions 'is told so' err "limen: request.json:1:1: an AdmissionReview without a 'request'"

# What strangers wrote must not reach the terminal as an escape sequence.
escape=$(printf '\033')
run check --policy limits.conf --hint "requester=${escape}[2J" --color=never idle.json
ok 'control characters are spelled out' sh -c "! grep -q '$escape' out"
mentions 'as in JSON' out 'requester: \u001b[2J'

run check --policy limits.conf --hint $friend --color=always idle.json
holds '--color=always' out "${escape}[1;32madmitted${escape}[0m: application 'Friends do as they like' passes"
run check --policy limits.conf --hint $friend --color=always --format json idle.json
ok 'JSON is never coloured' sh -c "! grep -q '$escape' out"
if script -qec true /dev/null > script.log 2>&1 < /dev/null; then
	line="'$LIMEN' check --policy limits.conf --hint $friend idle.json"
	TERM=xterm script -qec "$line" /dev/null > out 2>&1 < /dev/null
	mentions 'a terminal is coloured' out "${escape}[1;32madmitted${escape}[0m: "
	ok 'a short answer has one verdict' test "$(grep -c admitted out)" -eq 1
	long="'$LIMEN' check --policy limits.conf --hint $stranger --explain idle.json"
	TERM=xterm script -qec "$long" /dev/null > out < /dev/null
	ok 'a long one repeats it at the end' sh -c "tail -n 1 out | grep -q 'admitted.*: application'"
	mentions 'an identifier that does not match is grey' out "${escape}[90mno match${escape}[0m"
	TERM=xterm script -qec "$line" /dev/null > out 2>&1 < /dev/null
	TERM=xterm NO_COLOR=1 script -qec "$line" /dev/null > out 2>&1 < /dev/null
	ok 'unless NO_COLOR is set' sh -c "grep -q '^admitted: ' out"
	TERM=xterm NO_COLOR='' script -qec "$line" /dev/null > out 2>&1 < /dev/null
	mentions 'and not empty' out "${escape}[1;32madmitted${escape}[0m: "
	TERM=dumb script -qec "$line" /dev/null > out 2>&1 < /dev/null
	ok 'or the terminal cannot do it' sh -c "grep -q '^admitted: ' out"
else
	skip 'a terminal is coloured' 'no script(1)'
fi

# What a request is made to miss by the thousand is told of up to a bound.
crowd() {
	awk -v n="$1" 'BEGIN { printf "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":["
		for (i = 1; i <= n; i++) printf "%s{\"name\":\"c%d\",\"resources\":{\"limits\":{\"cpu\":\"5\",\"memory\":\"300Mi\"}}}", (i > 1 ? "," : ""), i
		printf "]}}" }' > crowd.json
	run check --policy "$LIMEN_SRCDIR/plugins/admission/LimitRanger/example.json" --explain crowd.json
}
crowd 497
ok 'a change of 998 bounds is told' test "$(sed '1,/^  smallest change/d' out | grep -c 'must be at most')" -eq 998
crowd 498
ok 'a thousand bounds are listed' test "$(grep -c '      missed: ' out)" -eq 1000
ok 'and there are no more, but no change is told' sh -c '! grep -Eq "more bounds|smallest change" out'
crowd 499
ok 'no more than that are listed' test "$(grep -c '      missed: ' out)" -eq 1000
holds 'and the others are counted' out '      note: 2 more bounds were missed'

finish
