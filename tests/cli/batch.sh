#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# batch.sh - limen check --batch.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
cp "$data/limits.conf" "$data/bad.conf" .
friend='"hints":{"requester":"10.0.0.1"}'
stranger='"hints":{"requester":"192.0.2.1"}'
idle='"request":{"test":{"type":"idle","spec":{}}}'
trace='"request":{"test":{"type":"trace","spec":{}}}'

# The beginning of every answer tells enough.
heads() {
	sed 's/,"reason":.*/,.../; s/,"problems":.*/,.../' out > heads
	mv heads out
}

cat > lines << END
{"id":1,$friend,$idle}
{"id":"two",$stranger,$trace}
{"id":{"three":[3]},$friend,$trace}
{$friend,$idle}
{"id":null,$stranger,$idle,"#":"ignored"}
END
run check --policy limits.conf --batch lines
heads
prints 'good lines, in order' 0 << 'END'
{"id":1,"admitted":true,"code":200,...
{"id":"two","admitted":false,"code":403,...
{"id":{"three":[3]},"admitted":true,"code":200,...
{"id":null,"admitted":true,"code":200,...
{"id":null,"admitted":true,"code":200,...
END
run_with lines check --policy limits.conf --batch -
heads
mv out before
run check --policy limits.conf --batch lines
heads
ok 'standard input gives the same' cmp out before
head -n 1 lines > one
run check --policy limits.conf --batch one
sed 's/"id":1,//' out > from-batch
echo '{"test":{"type":"idle","spec":{}}}' > idle.json
run check --policy limits.conf --hint requester=10.0.0.1 --format json idle.json
ok 'an answer is the decision object with an id' cmp out from-batch
run check --policy limits.conf --batch /dev/null
prints 'no line at all' 0 < /dev/null
printf '%s' "{\"id\":1,$friend,$idle}" > lines
run check --policy limits.conf --batch lines
heads
prints 'a last line without its newline' 0 << 'END'
{"id":1,"admitted":true,"code":200,...
END

{
	echo "{\"id\":1,$friend,\"request\":{\"x\":NaN}}"
	echo '{"id":2'
	echo '[]'
	echo ''
	echo '{"id":5}'
	echo "{\"id\":6,\"policy\":7,$idle}"
	echo "{\"id\":7,\"hints\":[],$idle}"
	echo "{\"id\":8,\"rewrite\":\"no\",$idle}"
	echo "{\"id\":9,\"prioritize\":0,$idle}"
	echo "{\"id\":10,\"run\":1,$idle}"
	echo "{\"id\":11,\"time\":true,$idle}"
	echo "{\"id\":12,\"time\":\"later\",$idle}"
	echo "{\"id\":13,\"time\":1e99,$idle}"
	echo "{\"id\":14,\"subject\":\"pod\",$idle}"
	echo "{\"id\":15,\"explain\":[],$idle}"
	echo "{\"id\":16,\"dry_run\":{},$idle}"
	echo "{\"id\":17,\"policy\":\"nowhere\",$idle}"
	printf '%s\n' "{\"id\":18,\"policy\":\"a\\u0000b\",$idle}"
	echo "{\"id\":19,\"policy\":\"-\",$idle}"
	printf '{"id":"\377",%s}\n' "$idle"
	printf '{"id":"\000",%s}\n' "$idle"
	echo "{\"id\":22,$friend,$idle}"
	echo '{"id":23,"request":null}'
	echo "{\"id\":24,$friend,$idle,\"polcy\":\"limits.conf\"}"
	printf '%s\n' "{\"id\":25,$friend,$idle,\"\\u0000\\n'\":1}"
	printf '%s\n' "{\"id\":26,$friend,$idle,\"policy\\u0000\":\"bad.conf\"}"
} > lines
run check --policy limits.conf --batch lines
heads
prints 'broken lines are errors of their own' 2 << 'END'
{"id":null,"error":{"message":"Invalid JSON: Expecting value: line 1 column 57 (char 56)","line":1}}
{"id":null,"error":{"message":"Invalid JSON: Expecting ',' delimiter: line 1 column 8 (char 7)","line":2}}
{"id":null,"error":{"message":"a question must be an object with 'task', 'object' or 'http'","line":3}}
{"id":null,"error":{"message":"Invalid JSON: Expecting value: line 1 column 1 (char 0)","line":4}}
{"id":5,"error":{"message":"there must be 'task', 'object' or 'http'","line":5}}
{"id":6,"error":{"message":"'policy' must be a path or an object","line":6}}
{"id":7,"error":{"message":"'hints' must be an object","line":7}}
{"id":8,"error":{"message":"'rewrite' must be true or false","line":8}}
{"id":9,"error":{"message":"'prioritize' must be true or false","line":9}}
{"id":10,"error":{"message":"'run' must be true or false","line":10}}
{"id":11,"error":{"message":"'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since 1970","line":11}}
{"id":12,"error":{"message":"'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since 1970","line":12}}
{"id":13,"error":{"message":"'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since 1970","line":13}}
{"id":14,"error":{"message":"'subject' must be \"task\" or \"object\"","line":14}}
{"id":15,"error":{"message":"'explain' must be true or false","line":15}}
{"id":16,"error":{"message":"'dry_run' must be true or false","line":16}}
{"id":17,"error":{"message":"Unable to read input: nowhere: No such file or directory","line":17,...
{"id":18,"error":{"message":"'policy' is not a path","line":18}}
{"id":19,"error":{"message":"'policy' is not a path","line":19}}
{"id":null,"error":{"message":"Invalid JSON: Invalid UTF-8: line 1 column 8 (char 7)","line":20}}
{"id":null,"error":{"message":"Invalid JSON: Invalid control character at: line 1 column 8 (char 7)","line":21}}
{"id":22,"admitted":true,"code":200,...
{"id":23,"error":{"message":"there must be 'task', 'object' or 'http'","line":23}}
{"id":24,"error":{"message":"unknown member 'polcy'; did you mean 'policy'?","line":24}}
{"id":25,"error":{"message":"unknown member '\\u0000\\n''","line":25}}
{"id":26,"error":{"message":"unknown member 'policy\\u0000'; did you mean 'policy'?","line":26}}
END

# A line has one answer, so what stands for several objects is an error and is never
# admitted without a look at them.
cat > limits.yaml << 'END'
{apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{type: Container, max: {cpu: "1"}}]}}
END
bad='"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"2"}}}]}'
object='"subject":"object","request":{"apiVersion":'
{
	echo "{\"id\":1,$object\"v1\",\"kind\":\"Pod\",$bad}}"
	echo "{\"id\":2,$object\"v1\",\"kind\":\"List\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",$bad}]}}"
	echo "{\"id\":3,$object\"v1\",\"kind\":\"PodList\",\"items\":null}}"
	echo "{\"id\":4,$object\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"template\":{$bad}}}}"
	echo "{\"id\":5,$object\"batch/v1\",\"kind\":\"CronJob\"}}"
	echo "{\"id\":6,$object\"example.com/v1\",\"kind\":\"Deployment\",\"spec\":{}}}"
	printf '%s\n' "{\"id\":7,$object\"v1\",\"kind\":\"Pod\\u0000\",$bad}}"
	echo "{\"id\":8,$object\"v1\",$bad}}"
	printf '%s\n' "{\"id\":9,$object\"v1\",\"kind\":\"AdmissionReview\",\"request\":{\"namespace\":\"a\\u0000\"}}}"
} > lines
run check --policy limits.yaml --batch lines
heads
prints 'a line is about one object' 2 << 'END'
{"id":1,"admitted":false,"code":403,...
{"id":2,"error":{"message":"a List has several objects: check each of them, or run 'limen check FILE', which finds them","line":2}}
{"id":3,"error":{"message":"a PodList has several objects: check each of them, or run 'limen check FILE', which finds them","line":3}}
{"id":4,"error":{"message":"a Deployment has several objects: check each of them, or run 'limen check FILE', which finds them","line":4}}
{"id":5,"error":{"message":"a CronJob has several objects: check each of them, or run 'limen check FILE', which finds them","line":5}}
{"id":6,"admitted":true,"code":200,...
{"id":7,"error":{"message":"kind: must not hold a NUL","line":7}}
{"id":8,"admitted":false,"code":500,...
{"id":9,"error":{"message":"request.namespace: must not hold a NUL","line":9}}
END

# What no entry looked at is neither admitted nor refused.
{
	echo '{"id":1,"object":{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop"},"spec":{"containers":[{"name":"c"}]}}}'
	echo '{"id":2,"object":{"apiVersion":"v1","kind":"Podd"}}'
	echo '{"id":3,"object":{"apiVersion":"v1","kind":"ConfigMap"}}'
} > lines
echo '{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: other}, spec: {limits: [{type: Container, max: {cpu: 1}}]}}' > others.yaml
run check --policy others.yaml --batch lines
heads
prints 'what was not judged is not admitted' 0 << 'END'
{"id":1,"judged":false,"admitted":null,...
{"id":2,"judged":false,"admitted":null,...
{"id":3,"admitted":true,"code":200,...
END
run check --policy others.yaml --batch lines --strict
ended '  and fails with --strict' 1
tail -n 1 lines > concerned
run check --policy others.yaml --batch concerned --strict
ended '  which takes what is not concerned' 0

# The names of the decision service (docs/decision-service.md) mean the same here.
task='"task":{"test":{"type":"idle","spec":{}}}'
pod='"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},'
good='"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1"}}}]}'
{
	echo "{\"id\":1,$friend,$task,\"diagnostics\":false}"
	echo "{\"id\":2,$friend,$task,\"dryRun\":true,\"request\":null,\"object\":null}"
	echo "{\"id\":3,$friend,$task,$idle}"
	echo "{\"id\":4,$friend,$task,$pod$good}}"
	echo "{\"id\":5,$friend,$task,\"subject\":\"task\"}"
	echo "{\"id\":6,$friend,$task,\"user\":\"me\"}"
	echo "{\"id\":7,$friend,$task,\"namespace\":\"here\"}"
	echo "{\"id\":8,$friend,$task,\"diagnostics\":1}"
	echo "{\"id\":9,$friend,\"task\":[]}"
	echo "{\"id\":10,$friend,\"task\":null}"
} > lines
run check --policy limits.conf --batch lines
sed 's/"reason":.*"diagnostics":null,.*/diagnostics: none/; s/,"reason":.*/,.../' out > heads
mv heads out
prints 'tasks as limend takes them' 2 << 'END'
{"id":1,"admitted":true,"code":200,diagnostics: none
{"id":2,"admitted":true,"code":200,...
{"id":3,"error":{"message":"there must be 'task', 'object' or 'http', not several of them","line":3}}
{"id":4,"error":{"message":"there must be 'task', 'object' or 'http', not several of them","line":4}}
{"id":5,"error":{"message":"'subject' is for 'request'","line":5}}
{"id":6,"error":{"message":"'user' is for objects","line":6}}
{"id":7,"error":{"message":"'namespace' is for objects","line":7}}
{"id":8,"error":{"message":"'diagnostics' must be true or false","line":8}}
{"id":9,"error":{"message":"'task' must be an object","line":9}}
{"id":10,"error":{"message":"there must be 'task', 'object' or 'http'","line":10}}
END
cat > claims.conf << 'END'
{
  "identifiers": [
    {"name": "ops", "description": "x", "type": "hint",
     "data": {"hint": "user", "match": {"style": "exact", "match": "ops"}}},
    {"name": "lead", "description": "x", "type": "jq", "data": {"script": ".groups == [\"lead\"]"}},
    {"name": "gone", "description": "x", "type": "hint",
     "data": {"hint": "operation", "match": {"style": "exact", "match": "DELETE"}}}
  ],
  "classifiers": [
    {"name": "may", "description": "x", "identifiers": ["ops", "lead", "gone"], "require": "one"}
  ],
  "limits": [{"name": "yes", "description": "x", "type": "pass-fail", "data": {"pass": true}}],
  "applications": [{"description": "A", "classifier": "may",
                    "apply": [{"require": "all", "limits": ["yes"]}]}],
  "applications-on": ["tasks", "objects"],
  "admission": [{"name": "l", "plugin": "LimitRanger", "match": {"namespaces": ["shop"]},
                 "data": {"manifests": [{"apiVersion": "v1", "kind": "LimitRange",
                   "metadata": {"name": "l", "namespace": "shop"},
                   "spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}}]}}]}}]
}
END
pod2="$pod$bad}"
{
	echo "{\"id\":1,$pod$good}}"
	echo "{\"id\":2,\"user\":\"ops\",$pod$good}}"
	echo "{\"id\":3,\"user\":\"ops\",\"hints\":{\"user\":\"other\"},$pod$good}}"
	echo "{\"id\":4,\"groups\":[\"lead\"],$pod$good}}"
	echo "{\"id\":5,\"operation\":\"DELETE\",\"oldObject\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}}"
	echo "{\"id\":6,\"user\":\"ops\",$pod2}"
	echo "{\"id\":7,\"user\":\"ops\",\"namespace\":\"shop\",$pod2}"
	echo "{\"id\":8,\"operation\":\"LIST\",$pod2}"
	echo "{\"id\":9,\"groups\":\"lead\",$pod2}"
	echo "{\"id\":10,\"user\":7,$pod2}"
	echo "{\"id\":11,\"oldObject\":[],$pod2}"
	echo "{\"id\":12,\"user\":\"ops\",\"object\":{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{}}}"
	echo "{\"id\":13,\"subject\":\"object\",\"user\":\"ops\",\"request\"${pod#\"object\"}$good}}"
} > lines
run check --policy claims.conf --batch lines
heads
prints 'objects, and what is said of them' 2 << 'END'
{"id":1,"admitted":false,"code":403,...
{"id":2,"admitted":true,"code":200,...
{"id":3,"admitted":false,"code":403,...
{"id":4,"admitted":true,"code":200,...
{"id":5,"admitted":true,"code":200,...
{"id":6,"admitted":true,"code":200,...
{"id":7,"admitted":false,"code":403,...
{"id":8,"error":{"message":"'operation' must be CREATE, UPDATE, DELETE or CONNECT","line":8}}
{"id":9,"error":{"message":"'groups' must be an array of strings","line":9}}
{"id":10,"error":{"message":"'user' must be a string without a NUL","line":10}}
{"id":11,"error":{"message":"'oldObject' must be an object","line":11}}
{"id":12,"error":{"message":"'user' is not for an AdmissionReview, which says so itself","line":12}}
{"id":13,"admitted":true,"code":200,...
END

# Policies.
inline='"policy":{"#":"x","schema":4,"identifiers":[{"name":"i","description":"I","type":"always","data":{}}],"classifiers":[{"name":"c","description":"C","identifiers":["i"]}],"limits":[{"name":"l","description":"L","type":"pass-fail","data":{"pass":false}}],"applications":[{"description":"A","apply":[{"require":"any","limits":["l"]}]}]}'
{
	echo "{\"id\":1,\"policy\":\"limits.conf\",$friend,$idle}"
	echo "{\"id\":2,$inline,$idle}"
	echo "{\"id\":3,\"policy\":\"bad.conf\",$idle}"
	echo "{\"id\":4,\"policy\":{\"limits\":[{\"name\":\"l\",\"description\":\"L\",\"type\":\"pass-fail\",\"data\":{}}]},$idle}"
	echo "{\"id\":5,\"policy\":\"bad.conf\",$idle}"
} > lines
run check --batch lines
sed 's/,"reason":.*/,.../; s/},{"severity":"note".*/},.../' out > heads
mv heads out
prints 'policies by path and inline' 2 << 'END'
{"id":1,"admitted":true,"code":200,...
{"id":2,"admitted":false,"code":403,...
{"id":3,"error":{"message":"the policy does not load: 'pass' is a required property","line":3,"problems":[{"severity":"error","file":"bad.conf","line":10,"column":21,"pointer":"/limits/2/data","text":"'pass' is a required property","hint":"pass: Whether the limit passes"},...
{"id":4,"error":{"message":"the policy does not load: 'pass' is a required property","line":4,"problems":[{"severity":"error","file":null,"line":null,"column":null,"pointer":"/limits/0/data","text":"'pass' is a required property","hint":"pass: Whether the limit passes"},...
{"id":5,"error":{"message":"the policy does not load: 'pass' is a required property","line":5,"problems":[{"severity":"error","file":"bad.conf","line":10,"column":21,"pointer":"/limits/2/data","text":"'pass' is a required property","hint":"pass: Whether the limit passes"},...
END
LIMEN_POLICY=limits.conf
export LIMEN_POLICY
echo "{\"id\":1,$friend,$idle}" > lines
run check --batch lines
ended 'LIMEN_POLICY is the default' 0
unset LIMEN_POLICY

# One engine a policy: a policy that is replaced on the way is not read again.
mkfifo questions
"$LIMEN" check --batch - --policy moving.conf < questions > answers 2> err &
cat limits.conf > moving.conf
exec 3> questions
echo "{\"id\":1,$friend,$idle}" >&3
i=0
while [ ! -s answers ] && [ $i -lt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
ok 'an answer comes before the next question' grep -q '^{"id":1,"admitted":true' answers
cat bad.conf > moving.conf
echo "{\"id\":2,$friend,$idle}" >&3
exec 3>&-
wait $!
status=$?
: > out
ended 'the end of the questions ends the program' 0
ok 'lines of one policy share one engine' grep -q '^{"id":2,"admitted":true' answers

# "run", "rewrite" and "prioritize"; "time"; "explain"; "subject".
when='"run_schedule":{"start":"2026-11-21T15:00:00Z","duration":"PT2S"}'
{
	echo "{\"id\":1,$stranger,$idle}"
	echo "{\"id\":2,$stranger,\"run\":true,\"request\":{$when,\"test\":{\"type\":\"idle\",\"spec\":{}}}}"
	echo "{\"id\":3,$stranger,\"run\":true,$idle}"
	echo "{\"id\":4,$stranger,\"run\":null,\"time\":1795273200.25,$idle}"
	echo "{\"id\":5,\"subject\":\"object\",\"request\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}}"
	echo "{\"id\":6,$friend,\"request\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}}"
} > lines
run check --policy limits.conf --batch lines
heads
prints 'runs and subjects' 0 << 'END'
{"id":1,"admitted":true,"code":200,...
{"id":2,"admitted":false,"code":403,...
{"id":3,"admitted":true,"code":200,...
{"id":4,"admitted":true,"code":200,...
{"id":5,"admitted":false,"code":500,...
{"id":6,"admitted":true,"code":200,...
END
echo "{\"id\":1,\"explain\":true,$friend,$idle}" > lines
run check --policy limits.conf --batch lines
mentions 'an explanation' out '"trace":[{"kind":"identifier"'
echo "{\"id\":1,$idle}" > lines
run check --policy limits.conf --batch lines --hint requester=10.0.0.1
mentions '--hint is the default' out 'requester: 10.0.0.1'
echo "{\"id\":1,\"hints\":{\"server\":\"10.0.0.2\"},$idle}" > lines
run check --policy limits.conf --batch lines --hint requester=10.0.0.1
ok 'and replaced by the hints of a line' sh -c '! grep -q requester out'
echo "{\"id\":1,$friend,\"request\":{\"#\":{\"a\":1},\"test\":{\"type\":\"idle\",\"spec\":{}}}}" > lines
run check --policy limits.conf --batch lines
ended 'comments in a task' 0

# Long lines: 16 MiB are fine, one byte more is not, and the rest goes on.
padded() {
	printf '{"id":%s,%s,%s' "$1" "$friend" "$idle"
	head -c $((16777216 + $2 - 9 - ${#1} - ${#friend} - ${#idle})) /dev/zero | tr '\0' ' '
	echo '}'
}
padded 1 0 > lines
ok 'the padded line has the length it should' test "$(wc -c < lines)" -eq 16777217
{
	padded 2 1
	echo "{\"id\":3,$friend,$idle}"
	padded 4 1 | tr -d '\n'
} >> lines
run_with lines check --policy limits.conf --batch -
heads
prints 'long lines' 2 << 'END'
{"id":1,"admitted":true,"code":200,...
{"id":null,"error":{"message":"the line is longer than 16 MiB","line":2}}
{"id":3,"admitted":true,"code":200,...
{"id":null,"error":{"message":"the line is longer than 16 MiB","line":4}}
END

# Many lines, and many policies: more than are kept.
awk -v friend="$friend" -v stranger="$stranger" -v idle="$idle" -v trace="$trace" 'BEGIN {
	for (i = 0; i < 20000; i++)
		printf "{\"id\":%d,%s,%s}\n", i, i % 2 ? friend : stranger, trace
}' > lines
run_with lines check --policy limits.conf --batch -
ended '20000 lines' 0
sed 's/,"code".*//' out > heads
awk 'BEGIN {
	for (i = 0; i < 20000; i++)
		printf "{\"id\":%d,\"admitted\":%s\n", i, i % 2 ? "true" : "false"
}' > wanted
ok '20000 answers in order' cmp heads wanted
: > out
awk -v policy="$inline" -v idle="$idle" 'BEGIN {
	for (i = 0; i < 1200; i++) {
		one = policy
		sub(/"A"/, "\"" i % 1100 "\"", one)
		printf "{\"id\":%d,%s,%s}\n", i, one, idle
	}
}' > lines
run check --batch lines
ended '1100 policies' 0
ok '1200 answers' test "$(grep -c '^{"id":[0-9]*,"admitted":false,"code":403,' out)" -eq 1200
: > out

run check --policy limits.conf --batch nowhere
complains 'no such file' 2 << 'END'
limen: Unable to read input: nowhere: No such file or directory
END
run check --policy limits.conf --batch .
complains 'a directory' 2 << 'END'
limen: Unable to read input: .: Is a directory
END
if [ -w /dev/full ]; then
	status=0
	yes "{\"id\":1,$friend,$idle}" | "$LIMEN" check --policy limits.conf --batch - \
		> /dev/full 2> err || status=$?
	ended 'a full disk ends the batch' 2
	mentions 'with a message' err 'limen: cannot write the output: '
else
	skip 'a full disk ends the batch' 'no /dev/full'
	skip 'with a message' 'no /dev/full'
fi

# Progress is shown on a terminal, but not among the answers.
if script -qec true /dev/null > script.log 2>&1 < /dev/null; then
	cat > slowly << END
(for i in 1 2 3; do echo '{"task": {}}'; sleep 0.2; done) |
	'$LIMEN' check --policy "$data/limits.conf" --batch -
END
	TERM=xterm script -qec 'sh slowly > answers' /dev/null > out 2>&1 < /dev/null
	mentions 'progress of a batch' out ' lines, '
	ok '  beside the answers' test "$(grep -c '^{"id":null,' answers)" -eq 3
	TERM=xterm script -qec 'sh slowly' /dev/null > out 2>&1 < /dev/null
	ok '  and not among them' sh -c '! grep -q " lines, " out'
else
	skip 'progress of a batch' 'no script(1)'
fi

finish
