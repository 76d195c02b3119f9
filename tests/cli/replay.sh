#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# replay.sh - limen replay: what logs tell, in which order it is decided, what changed.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# A policy that counts, and one that does not.
cat > counts.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits:
- { name: two, description: d, type: rate, data: { rate: 2/PT1M, key: [ requester ] } }
applications: [{ description: All, classifier: all, apply: [{ require: all, limits: [ two ] }] }]
END
cat > plain.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits:
- { name: idle, description: d, type: test-type, data: { types: [ idle ] } }
applications: [{ description: All, classifier: all, apply: [{ require: all, limits: [ idle ] }] }]
END
sed 's/types: \[ idle/&, rtt/' plain.yaml > other.yaml

# tasks N: so many, a second apart, from seven addresses, of three types
tasks() {
	awk -v n="$1" 'BEGIN { split("idle rtt trace", type, " "); for (i = 0; i < n; i++)
		printf "{\"id\":%d,\"time\":%d,\"hints\":{\"requester\":\"192.0.2.%d\"}," \
			"\"task\":{\"test\":{\"type\":\"%s\",\"spec\":{}}}}\n",
			i, 1767268800 + i, i % 7, type[i % 3 + 1] }'
}

# batched POLICY FILE: how many "limen check --batch" admits
batched() {
	"$LIMEN" check --policy "$1" --batch "$2" | grep -c '"admitted":true'
}

tasks 3000 > tasks.jsonl
run replay --policy other.yaml --against plain.yaml --format json tasks.jsonl
ended 'a change that matters' 1
mentions 'nothing is counted, so order does not matter' out '"how":"in any order'
mentions 'a third is admitted by both, a third by the new one' out \
	'"verdicts":{"admitted":{"admitted":1000,"refused":0,"error":0},"refused":{"admitted":1000,"refused":1000,"error":0}'
mentions 'the first examples are shown' out '"place":"tasks.jsonl:2","time":"2026-01-01T12:00:01Z","request":"task rtt from 192.0.2.1"'
mentions 'rules are counted' out "\"code\":403,\"rule\":\"application 'All' fails: limit 'idle'\",\"was\":2000,\"is\":1000}"
run replay --policy plain.yaml --against plain.yaml tasks.jsonl
ended 'a change that does not' 0
mentions 'and it says so' out '0 changed'
mentions 'with rules' out "        1000         1000  admitted: application 'All' passes"

# Time counts: as a batch has it, however the log is ordered and cut.
admitted=$(batched counts.yaml tasks.jsonl)
run replay --policy plain.yaml --against plain.yaml --color always tasks.jsonl
ok 'verdicts of rules are coloured' grep -Eq "^ +[0-9]+ +[0-9]+  $(printf '\033')\[1;3[123]m" out
run replay --policy counts.yaml --against plain.yaml --format json tasks.jsonl
mentions 'a policy that counts is asked in the order of time' out '"how":"in the order of time'
mentions 'and admits what a batch does' out "\"rule\":\"application 'All' passes\",\"was\":1000,\"is\":$admitted}"
cp out expected
awk 'NR % 3 == 0' tasks.jsonl > third.jsonl
awk 'NR % 3 != 0 { line[++n] = $0 } END { for (i = 1; i <= n; i += 2) { print line[i + 1]; print line[i] } }' \
	tasks.jsonl > rest.jsonl
run replay --policy counts.yaml --against plain.yaml --format json --examples 0 third.jsonl rest.jsonl
mentions 'logs out of order, and several of them, are put in order' out \
	"\"rule\":\"application 'All' passes\",\"was\":1000,\"is\":$admitted}"
mentions 'so nothing comes late' out '"late":0'
{ tail -n 1 tasks.jsonl; tasks 9000 | sed 's/"time":17/"time":18/'; head -n 1 tasks.jsonl; } > late.jsonl
run replay --policy counts.yaml --against plain.yaml --examples 0 late.jsonl
mentions 'what comes too late is counted' out 'decided late: 1 lines were out of order and were decided late'
run_with tasks.jsonl replay --policy counts.yaml --against plain.yaml --format json -
ok 'standard input' sh -c 'sed s/tasks.jsonl/-/g expected | cmp - out'

# What counts is an entry with tables, not one that is called so.
cat > named.yaml << 'END'
schema: 4
admission:
- { name: tables, plugin: LimitRanger, data: { manifests: [ { apiVersion: v1, kind: LimitRange, metadata: { name: l }, spec: { limits: [] } } ] } }
END
sed 's/name: two/name: tables/; s/\[ two \]/[ tables ]/' counts.yaml > tables.yaml
run replay --policy named.yaml --against named.yaml --format json tasks.jsonl
mentions 'an admission entry called "tables" counts nothing' out '"how":"in any order'
run replay --policy tables.yaml --against tables.yaml --format json tasks.jsonl
mentions 'a rate of that name counts' out '"how":"in the order of time'

# More pairs of rules than are kept: those beyond stand under a name of their own.
cat > letters.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits:
- { name: a, description: d, type: jq, data: { script: '.test.type != "a"' } }
- { name: b, description: d, type: jq, data: { script: '.test.type != "b"' } }
- { name: c, description: d, type: jq, data: { script: '.test.type != "c"' } }
- { name: d, description: d, type: jq, data: { script: '.test.type != "d"' } }
- { name: e, description: d, type: jq, data: { script: '.test.type != "e"' } }
- { name: f, description: d, type: jq, data: { script: '.test.type != "f"' } }
applications: [{ description: All, classifier: all, stop-on-failure: true, apply: [{ require: all, limits: [ a, b, c, d, e, f ] }] }]
END
awk 'BEGIN { split("a b c d e f", type, " "); for (i = 0; i < 11400; i++)
	printf "{\"time\":\"2026-01-01T00:00:00Z\",\"endpoint\":\"/v1/decide\",\"subject\":\"task\",\"verdict\":\"admitted\"," \
		"\"code\":200,\"entry\":\"rule %d\",\"hints\":{},\"document\":{\"test\":{\"type\":\"%s\"}}}\n",
		i % 1900, type[int(i / 1900) % 6 + 1] }' > many.log
run replay --policy letters.yaml --format json --examples 0 many.log
ended 'very many changes' 1
if command -v jq > /dev/null; then
	ok 'are all counted, and each under its own name' jq -e '
		([.changes[].count] | add) == .changed and .changed == 11400 and (.changes | length) == 10001 and
		(. as $all | [.changes[] | select(.count > 1)] | length == 1 and
			.[0].count == 1400 and $all.rules[.[0].was].rule == "(others)" and
			$all.rules[.[0].is].rule == "(others)")' out
else
	skip 'are all counted, and each under its own name' 'no jq'
fi

# The decision log.
line() {
	printf '{"time":"2026-11-21T08:00:%02dZ","endpoint":"%s","subject":"object","user":"%s",' "$1" "$2" "$3"
	printf '"operation":"CREATE","api_group":"","resource":"events","namespace":"shop","name":"e",'
	printf '"event":{"source":"kubelet%%2Fx/n1","object":"%s","type":"Normal","reason":"Started"},' "$4"
	printf '"verdict":"%s","code":%s,"reason":"%s"%s}\n' "$5" "$6" "$7" "$8"
}
cat > limits.yaml << 'END'
apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits:
- { type: SourceAndObject, qps: 1, burst: 1 }
END
refused='limit reached on type SourceAndObject for key {k}'
{
	line 0 /admission/validate ann Pod/shop/web/u/v1 admitted 200 'no admission entry refuses it' ''
	line 0 /admission/validate ann Pod/shop/web/u/v1 refused 429 "$refused" ',"entry":"EventRateLimit"'
	line 0 /admission/validate bob Pod/shop/web%2Fx/u/v1 admitted 200 'no admission entry refuses it' ''
	line 0 /admission/mutate bob Pod/shop/web/u/v1 admitted 200 'no admission entry refuses it' ''
	line 0 /admission/validate hash:0011223344556677 hash:8899aabbccddeeff admitted 200 '' ''
} > decisions.log
run replay --policy limits.yaml decisions.log
prints 'events are decided by what the log tells of them' 0 << 'END'
5 of 5 lines decided, from 2026-11-21T08:00:00Z to 2026-11-21T08:00:00Z; in the order of time, because a policy has rates
was: the log
is:  limits.yaml
decided with missing data: 1: the user (hashed)
decided with missing data: 1: names (hashed)

              is admitted      refused        error
was admitted            4            0            0
was refused             0            1            0
was error               0            0            0

0 changed

         was           is  rule
           3            4  admitted: no admission entry refuses it
           1            1  refused 429: EventRateLimit
           1            0  admitted: 
END
# Who asks is the hint, not whoever is connected.
cat > asked.yaml << 'END'
schema: 4
identifiers: [{ name: ours, description: d, type: ip-cidr-list, data: { cidrs: [ 192.0.2.1 ] } }]
classifiers: [{ name: ours, description: d, identifiers: [ ours ] }]
admission:
- { name: events, plugin: EventRateLimit, data: { exempt: [{ classifier: ours }], limits: [{ type: User, qps: 1, burst: 1 }] } }
END
for from in '"peer":"198.51.100.7","requester":"192.0.2.1"' '"peer":"192.0.2.1","requester":"198.51.100.7"' \
	'"peer":"192.0.2.1"'; do
	for time in 0 0; do
		line $time /v1/decide ann Pod/shop/web/u/v1 admitted 200 '' ",$from"
	done > asked.log
	run replay --policy asked.yaml --format json asked.log
	cat out >> asked.out
done
ok 'who asks is the requester, not the peer' test \
	"$(grep -o '"changed":[0-9]*' asked.out | tr '\n' ' ')" = '"changed":0 "changed":1 "changed":1 '
printf '%s\n' '{"endpoint":"/v1/decide","subject":"task","verdict":"admitted","code":200,"time":"2026-01-01T00:00:00Z"}' \
	'{"endpoint":"/v1/decide","subject":"task","verdict":"admitted","code":200,"time":"2026-01-01T00:00:00Z","document":{"test":{"type":"rtt"}},"hints":{"requester":"192.0.2.1"}}' \
	> tasks.log
run replay --policy plain.yaml tasks.log
mentions 'without its task a line cannot be decided' out 'not decided: 1: the log does not hold the task or object'
mentions 'with it it can' out "was admitted            0            1            0"

# An audit log.
run replay --policy "$LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml" --format json \
	"$LIMEN_SRCDIR/docs/examples/replay/audit.jsonl"
ended 'an audit log' 1
mentions 'what cannot be decided is told' out '"notDecided":[{"what":"the log does not hold the task or object","count":1},{"what":"a patch without the resulting object","count":1},{"what":"not an admission request","count":1},{"what":"refused before admission, by authorization","count":1}]'
mentions 'so is what is decided' out '"verdicts":{"admitted":{"admitted":2,"refused":1,"error":0},"refused":{"admitted":0,"refused":1,"error":0}'
audit='"kind":"Event","apiVersion":"audit.k8s.io/v1","requestReceivedTimestamp":"2026-01-01T00:00:00Z","user":{"username":"ann"},"objectRef":{"resource":"pods","namespace":"shop","name":"p"}'
pod='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"2","memory":"300Mi"}}}]}}'
{
	printf '{%s,"verb":"create","stage":"RequestReceived","requestObject":%s}\n' "$audit" "$pod"
	printf '{%s,"verb":"deletecollection","stage":"ResponseComplete"}\n' "$audit"
	printf '{%s,"verb":"patch","stage":"ResponseComplete","requestObject":{},"responseObject":%s,"responseStatus":{"code":200}}\n' "$audit" "$pod"
	printf '{%s,"verb":"create","stage":"Panic","requestObject":%s,"responseStatus":{"code":500}}\n' "$audit" "$pod"
	printf '{%s,"verb":"create","requestURI":"/x?a=b&dryRun=All","requestObject":%s,"impersonatedUser":{"username":"bob"},"responseStatus":{"code":201}}\n' "$audit" "$pod"
} > audit.log
run replay --policy "$LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml" audit.log
mentions 'another stage' out 'not decided: 1: another stage of a request'
mentions 'a collection' out 'not decided: 1: the deletion of a collection, without its objects'
mentions 'a failure that says nothing of admission' out 'not decided: 1: no verdict is recorded'
mentions 'who is impersonated counts' out 'audit.log:5, 2026-01-01T00:00:00Z, CREATE pods shop/p by bob'

# Tasks as pScheduler gives them out, and AdmissionReviews.
{
	printf '{"schema":1,"test":{"type":"idle","spec":{}},"#":"c","detail":{"added":"2026-01-01T00:00:00Z","hints":{"requester":"192.0.2.1"}}}\n'
	printf '{"test":{"type":"idle"}}\n\n  \n'
	printf '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":{}}}\n'
} > mixed.jsonl
run replay --policy plain.yaml --against plain.yaml --time 2026-01-02T00:00:00Z mixed.jsonl
mentions 'tasks and reviews' out '3 of 3 lines decided, from 2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z'
mentions 'which lack something' out 'decided with missing data: 2: the time'
mentions 'such as hints' out 'decided with missing data: 1: the hints'
# One array, as GET /tasks?expanded&detail answers: on one line, and on many.
task='{"test":{"type":"idle","spec":{}},"detail":{"added":"2026-01-01T00:00:00Z","hints":{"requester":"192.0.2.1"}}}'
printf '[%s,\n %s ,\n"https://x/tasks/1"\n]\n' "$task" "$task" > many-lines.json
printf '[%s, %s, "https://x/tasks/1"]' "$task" "$task" > one-line.json
for file in many-lines.json one-line.json; do
	run replay --policy plain.yaml --against plain.yaml $file
	mentions "tasks in one array: $file" out '2 of 3 lines decided, from 2026-01-01T00:00:00Z'
done
# Its diagnostics have the hints, and it stores only tasks that it admitted.
printf '%s\n' '{"test":{"type":"rtt"},"detail":{"diags":"Hints:\n  requester: 192.0.2.7\n  server: 2001:db8::1\nIdentified as all"}}' \
	'{"test":{"type":"rtt"},"detail":{"diags":"No limits were applied"}}' > diags.jsonl
run replay --policy "$LIMEN_SRCDIR/docs/examples/readme/limits.conf" --time 2026-01-02T00:00:00Z diags.jsonl
ended 'tasks that pScheduler admitted' 1
mentions 'are compared, with the hints of their diagnostics' out 'was admitted            1            1            0'
mentions 'which one lacks' out 'decided with missing data: 1: the hints'
{
	printf '{"time":5,"object":%s,"user":"ann","operation":"CREATE","hints":{"a":"b"}}\n' "$pod"
	printf '{"time":5,"oldObject":%s,"operation":"DELETE"}\n' "$pod"
	printf '{"time":5,"task":{"test":{"type":"idle"}},"run":true,"dryRun":true,"hints":{}}\n'
	printf '{"time":5,"object":%s,"usr":"ann"}\n' "$pod"
	printf '{"time":5,"task":{"test":{"type":"idle"}},"diagnostics":1,"dryRun":true}\n'
} > questions.jsonl
run replay --policy "$LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml" --against counts.yaml --format json questions.jsonl
mentions 'questions about objects' out '"request":"CREATE pods default/p by ann"'
mentions 'and of what is deleted' out '"request":"DELETE pods default/p"'
mentions 'but none that cannot be understood' out '"notDecided":[{"what":"the request is invalid","count":2}]'
mentions 'and says why' out "questions.jsonl:4: the request is invalid: unknown member 'usr'"
run replay --policy plain.yaml mixed.jsonl
ended 'nothing to compare with' 2
mentions 'and what to do about it' err 'limen: nothing was decided; name a policy to compare with: --against'

# What is hostile.
{
	printf 'no JSON \033[31m<script>\n[]\n5\n"x"\n{}\n{"a":\n\377\n'
	printf '{"verdict":5,"endpoint":5}\n{"verdict":"admitted","endpoint":"/","subject":"task","document":5}\n'
	printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1"}\n'
	printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","objectRef":5,"user":5,"sourceIPs":5,"requestObject":5,"responseStatus":{"code":201}}\n'
	printf '{"request":5,"time":1e300,"hints":5}\n{"request":{"kind":"AdmissionReview","request":5},"subject":"object"}\n'
	printf '{"request":null,"subject":"object"}\n{"test":{},"detail":5}\n'
	printf '{"time":-62135596800,"request":{"test":{"type":"</td><script>alert(1)</script>"}}}\n'
	printf '{"time":253402300799,"request":{"test":{"type":"rtt"}},"hints":{"requester":"<b>\\u001b[1m"}}\n'
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "["; print "" }'
	awk 'BEGIN { printf "{\"test\":{\"type\":\""; for (i = 0; i < 17000; i++) for (k = 0; k < 100; k++) printf "0123456789"; print "\"}}" }'
} > hostile.jsonl
for format in text json html; do
	for policy in plain.yaml counts.yaml; do
		run replay --policy $policy --against other.yaml --format $format hostile.jsonl
		cp out hostile.$format
		ok "hostile lines are counted: $format, $policy" test "$status" -le 1
		ok 'and no control character gets out' sh -c '! grep -q "$(printf "\033")" out'
	done
done
mentions 'the first are shown' hostile.text 'hostile.jsonl:1: no JSON object: no JSON \u001b[31m<script>'
mentions 'and all counted' hostile.text 'not decided: 1: longer than 16 MiB'
ok 'no more than five' test "$(grep -c 'hostile.jsonl:[0-9]*: n' hostile.text)" -eq 5
ok 'HTML has no scripts' sh -c '! grep -qi "<script" hostile.html'
mentions 'but what was asked for' hostile.html '&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;'
ok 'and nothing from elsewhere' sh -c '! grep -Eq "(src|href)=|url\(|@import" hostile.html'
if command -v python3 > /dev/null; then
	ok 'JSON is JSON' python3 -c 'import json; json.load(open("hostile.json"))'
	ok 'every element of the page ends' python3 -c '
import html.parser
class Check(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
check = Check()
check.feed(open("hostile.html").read())
assert not check.open'
else
	skip 'JSON is JSON' 'no python3'
	skip 'every element of the page ends' 'no python3'
fi

# What somebody made long is cut, between characters.
for name in n u; do
	awk -v name=$name 'BEGIN { text = name; for (i = 0; i < 20000; i++) text = text "\303\251"
		printf "{\"time\":\"2026-01-01T00:00:00Z\",\"endpoint\":\"/admission/validate\"," \
			"\"operation\":\"%s\",\"resource\":\"%s\",\"subresource\":\"%s\"," \
			"\"namespace\":\"%s\",\"name\":\"%s\",\"user\":\"%s\",\"document\":{}," \
			"\"verdict\":\"refused\",\"code\":403,\"reason\":\"%s\"}\n", \
			text, text, text, text, text, text, text
		printf "{\"test\":{\"type\":\"%s\"},\"detail\":{\"hints\":{\"requester\":\"%s\"}}}\n", text, text }'
done > long.jsonl
objects=$LIMEN_SRCDIR/docs/examples/kubernetes/limits.yaml
for format in text json html; do
	run replay --policy "$objects" --format $format --examples 9 long.jsonl
	ok "long texts are cut: $format" test "$(wc -c < out)" -lt 20000
	ok 'between characters' iconv -f UTF-8 -t UTF-8 out
done
run replay --policy plain.yaml --against counts.yaml --format json long.jsonl
ok 'so are those of tasks' test "$(wc -c < out)" -lt 10000
mentions 'which are shown' out '"request":"task u'

# A text that seems to end is not the one that it begins with.
{
	for member in '"namespace":"mail\u0000a"' '"user":"ann\u0000a"' '"name":"x\u0000a"' \
		'"groups":["a\u0000b"]' '"requester":"192.0.2.1\u0000"' '"resource":"pods\u0000"' \
		'"document":{"kind":"Pod\u0000"}' '"operation":"CREATE\u0000"'; do
		printf '{"time":"2026-01-01T00:00:00Z","endpoint":"/admission/validate",'
		printf '"verdict":"admitted","code":200,"document":{},%s}\n' "$member"
	done
	for member in '"namespace":"mail\u0000a"' '"event":{"object":"Pod/x\u0000y"}'; do
		printf '{"time":"2026-01-01T00:00:00Z","endpoint":"/admission/validate",'
		printf '"verdict":"admitted","code":200,"resource":"events",%s}\n' "$member"
	done
	printf '{"endpoint":"/task","subject":"task","verdict":"admitted","document":{},"requester":"192.0.2.1\\u0000"}\n'
	for member in '"user":{"username":"ann\u0000a"}' '"user":{"groups":["a\u0000b"]}' \
		'"sourceIPs":["192.0.2.1\u0000"]' '"impersonatedUser":{"username":"a\u0000"}'; do
		printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create",%s,' "$member"
		printf '"objectRef":{"resource":"pods"},"requestObject":{},"responseStatus":{"code":201}}\n'
	done
	printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","requestObject":{},'
	printf '"objectRef":{"resource":"pods","namespace":"n\\u0000a"},"responseStatus":{"code":201}}\n'
	printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create\\u0000"}\n'
} > nul.jsonl
run replay --policy "$objects" --format json nul.jsonl
mentions 'what holds a NUL is not decided' out '"decided":0,'
mentions 'because it makes no sense' out '"notDecided":[{"what":"the request is invalid","count":17}]'

# Several objects in one line are refused, as by "limen check --batch".
printf '{"object":{"kind":"%s","apiVersion":"%s"%s}}\n' List v1 ',"items":[]' \
	Deployment apps/v1 '' > several.jsonl
run replay --policy "$objects" --against "$objects" --format json several.jsonl
mentions 'nor are several objects in one line' out \
	'"notDecided":[{"what":"the request is invalid","count":2}]'

# A run is not rewritten, as whoever asked for it said.
{ echo 'rewrite: { type: jq, script: reject("Not like that") }'; cat plain.yaml; } > rewriting.yaml
for switch in '' '"rewrite":true,' '"rewrite":false,' '"prioritize":true,"rewrite":false,'; do
	printf '{"time":"2026-01-01T12:00:00Z","endpoint":"/v1/decide","subject":"task","verdict":"%s","code":%s,%s"hints":{},"document":{"test":{"type":"idle","spec":{}}}}\n' \
		$(case $switch in *false*) echo admitted 200 ;; *) echo refused 403 ;; esac) "$switch"
done > switched.log
run replay --policy rewriting.yaml --format json switched.log
ended 'whether a task was to be rewritten is part of a log' 0
mentions 'and both is decided' out '"decided":4,"changed":0'

# Wrong usage, and what cannot be read.
run replay --policy plain.yaml
ended 'no log' 2
run replay --policy plain.yaml nowhere.log
complains 'no such log' 2 << 'END'
limen: nowhere.log: No such file or directory
END
run replay --policy counts.yaml tasks.jsonl nowhere.log
ended 'no such log among others' 2
run replay --policy plain.yaml .
ended 'a directory' 2
run replay --policy nowhere.yaml tasks.jsonl
ended 'no such policy' 2
run replay --policy plain.yaml --against nowhere.yaml tasks.jsonl
ended 'no such old policy' 2
: > empty.log
run replay --policy plain.yaml --against other.yaml empty.log
ended 'an empty log' 2
for wrong in --examples=-1 --examples=1001 --examples=x --format=yaml --time=never; do
	run replay --policy plain.yaml $wrong tasks.jsonl
	ended "$wrong is wrong" 2
done
run replay --policy - -
ended 'standard input for two things' 2
if script -qec true /dev/null > script.log 2>&1 < /dev/null; then
	for copy in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		cat tasks.jsonl
	done > long.jsonl
	TERM=xterm script -qec "'$LIMEN' replay --policy plain.yaml --against plain.yaml long.jsonl" \
		/dev/null > out 2>&1 < /dev/null
	ok 'a terminal shows how long it takes' grep -Eq '\[[#.]+\] +[0-9]+%  .*/s, [0-9]+ s left' out
else
	skip 'a terminal shows how long it takes' 'no script(1)'
fi

finish
