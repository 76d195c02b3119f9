#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# explain.sh - limen check --explain: the bounds that were missed, the smallest change
# that would help, and the tree on a terminal.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# limits NAME: shows the end of an explanation, from the line "smallest change" on
smallest() {
	sed -n '/^  smallest change/,$p' out > tail
	cp tail out
}

cat > limits.conf << 'END'
{ "identifiers": [ { "name": "all", "description": "All", "type": "always", "data": {} } ],
  "classifiers": [ { "name": "all", "description": "All", "identifiers": [ "all" ] },
                   { "name": "none", "description": "Nobody", "identifiers": [ "all" ],
                     "require": "none" } ],
  "limits": [
    { "name": "short", "description": "Short", "type": "test", "data": {
      "test": "throughput", "limit": {
        "duration": { "range": { "lower": "PT5S", "upper": "PT1M" } },
        "parallel": { "match": [ 1, 2 ] },
        "ip-version": { "match": 4 },
        "udp": { "match": false },
        "source": { "cidr": [ "10.0.0.0/8", "2001:db8::/32" ] },
        "tool": { "match": { "style": "regex", "match": "^iperf" } } } } },
    { "name": "away", "description": "Not at lunch", "type": "test", "data": {
      "test": "throughput", "limit": {
        "duration": { "range": { "lower": "PT2M", "upper": "PT3M" }, "invert": true } } } },
    { "name": "trace", "description": "Traces", "type": "test-type", "data": {
      "types": [ "trace", "rtt" ] } },
    { "name": "never", "description": "Never", "type": "pass-fail", "data": { "pass": false } },
    { "name": "seldom", "description": "Seldom", "type": "rate", "data": {
      "rate": "1/PT1H" } } ],
  "applications": [
    { "description": "Of nobody", "classifier": "none",
      "apply": [ { "require": "all", "limits": [ "never" ] } ] },
    { "description": "Far away",
      "apply": [ { "require": "all", "limits": [ "short", "never" ] } ] },
    { "description": "Short ones",
      "apply": [ { "require": "all", "limits": [ "short", "away" ] } ] },
    { "description": "Either",
      "apply": [ { "require": "any", "limits": [ "never", "away" ] } ] } ] }
END

# task SPEC: a task with this specification
task() {
	echo "{ \"test\": { \"type\": \"throughput\", \"spec\": { $1 } } }" > task.json
}

task '"duration": "PT2M30S", "parallel": 4, "ip-version": 6, "udp": true,
      "source": "192.0.2.1", "tool": "nuttcp"'
run check --policy limits.conf --explain task.json
ended 'a task outside of everything' 1
for line in \
	'test.spec.duration is PT2M30S, must be at most PT1M' \
	'test.spec.parallel is 4, must be one of 1, 2' \
	'test.spec.ip-version is 6, must be one of 4' \
	'test.spec.udp is true, must be one of false' \
	'test.spec.source is 192.0.2.1, must be one of 10.0.0.0/8, 2001:db8::/32' \
	'test.spec.tool is nuttcp, must match ^iperf' \
	'test.spec.duration is PT2M30S, must be outside PT2M..PT3M'; do
	mentions "$line" out "$line"
done
ok 'the diagnostics do not tell it, too' sh -c '! grep -q "^Application: \|^Hints:" out'
holds 'an application of others' out \
	'    skip: 1. Of nobody (not none)'
smallest
prints 'of the applications the one with the fewest missed bounds' 1 << 'END'
  smallest change for application 4 to pass
    test.spec.duration is PT2M30S, must be outside PT2M..PT3M (limit 'away')
END

task '"duration": "PT1S", "source": "10.0.0.1"'
sed '/"Either"/,/"away" \] } \] } \] }/d; s/"away" \] } \] },/"away" ] } ] } ] }/' limits.conf > two.conf
run check --policy two.conf --explain task.json
smallest
prints 'below, and all limits of a group' 1 << 'END'
  smallest change for application 3 to pass
    test.spec.duration is PT1S, must be at least PT5S (limit 'short')
END
run check --policy two.conf --explain --format json task.json
ok 'JSON has it, too' python3 -c '
import json
d = json.load(open("out"))
assert d["smallest_change"] == [{"kind": "limit", "name": "short", "application": 3,
    "field": "test.spec.duration", "have": "PT1S", "relation": "at least", "bound": "PT5S"}], d
kinds = [s["kind"] for s in d["steps"]]
assert kinds == ["classifier"] * 2 + ["application"] + 2 * ["application", "group"], kinds
assert [t["application"] for t in d["trace"] if t["kind"] == "limit"] == [2, 2, 3, 3]
assert [s["verdict"] for s in d["steps"] if s["kind"] == "application"] == ["skip", "fail", "fail"]'

# Who asks for a trace is not told to ask for something else.
cat > types.yaml << 'END'
identifiers: [{ name: all, description: All, type: always, data: {} }]
classifiers: [{ name: all, description: All, identifiers: [all] }]
limits:
- { name: idle, description: Idle, type: test-type, data: { types: [idle] } }
- { name: short, description: Short, type: test, data: { test: trace, limit: {
    hops: { range: { lower: 1, upper: 9 } }, length: { range: { lower: 1, upper: 9 } } } } }
applications:
- { description: Idle, classifier: all, apply: [{ require: all, limits: [idle] }] }
- { description: Short, classifier: all, apply: [{ require: all, limits: [short] }] }
END
echo '{"test": {"type": "trace", "spec": {"hops": 30, "length": 64}}}' > trace.json
run check --policy types.yaml --explain trace.json
smallest
prints 'an application of the same type of test is preferred' 1 << 'END'
  smallest change for application 2 to pass
    test.spec.hops is 30, must be at most 9 (limit 'short')
    test.spec.length is 64, must be at most 9 (limit 'short')
END

# A script does not say what would pass.
sed 's/type: test, data: .*/type: jq, data: { script: "\\"Too many hops\\"" } }/; /hops: {/d' types.yaml > script.yaml
run check --policy script.yaml --explain trace.json
sed -i -n '/^  nearest/,$p' out
prints 'a nearer application that does not say what would pass' 1 << 'END'
  nearest application: 2. Short
    limit 'short' does not say what would pass, only: Too many hops
  smallest change for application 1 to pass
    test.type is trace, must be one of idle (limit 'idle')
END
run check --policy script.yaml --explain --format json trace.json
ok 'JSON has it, too' python3 -c '
import json
assert json.load(open("out"))["unexplained"] == {
    "name": "short", "application": 2, "reason": "Too many hops"}'

# Nothing is told that is not known.
sed 's/"limits": \[ "short", "away" \]/"limits": [ "never" ]/' two.conf > never.conf
run check --policy never.conf --explain task.json
ended 'refused by what names no bounds' 1
ok 'there is no smallest change' sh -c '! grep -q "smallest change" out'
sed 's/"description": "Short ones",/& "invert": true,/; s/"short", "away"/"trace"/' two.conf > inverted.conf
task '"duration": "PT10S", "source": "10.0.0.1"'
run check --policy inverted.conf --explain task.json
ok 'an inverted application' grep -q '^admitted' out
task '"duration": "PT1S", "source": "10.0.0.1"'
run check --policy two.conf task.json
ok 'nor without --explain' sh -c '! grep -q "smallest change\|missed:" out'

# Rates: only time helps.
sed 's/"limits": \[ "short", "away" \]/"limits": [ "seldom" ]/' two.conf > rate.conf
run check --policy rate.conf --explain --time 2026-11-21T12:00:00Z task.json task.json
smallest
prints 'a rate says when to come back' 1 << 'END'
  smallest change for application 3 to pass
    wait PT1H (limit 'seldom')

2 requests: 1 refused, 1 admitted
END

# Times of runs.
cat > dates.conf << 'END'
{ "identifiers": [ { "name": "all", "description": "All", "type": "always", "data": {} } ],
  "classifiers": [ { "name": "all", "description": "All", "identifiers": [ "all" ] } ],
  "limits": [ { "name": "june", "description": "June", "type": "run-daterange", "data": {
    "start": "2026-06-01T00:00:00Z", "end": "2026-07-01T00:00:00Z" } } ],
  "applications": [ { "description": "June",
    "apply": [ { "require": "all", "limits": [ "june" ] } ] } ] }
END
run check --policy dates.conf --explain --start 2026-06-30T23:59:00Z --duration PT5M task.json
smallest
prints 'a run that ends too late' 1 << 'END'
  smallest change for application 1 to pass
    end of the run is 2026-07-01T00:04:00Z, must be below 2026-07-01T00:00:00Z (limit 'june')
END

# LimitRanges: both sides of a value, and ratios.
cat > ranges.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec:
  limits:
  - type: Container
    max: { cpu: "1" }
    min: { memory: 100Mi }
    maxLimitRequestRatio: { cpu: "2" }
END
cat > pod.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
  - name: web
    image: web
    resources: { limits: { cpu: "3", memory: 1Gi }, requests: { cpu: "1", memory: 50Mi } }
END
run check --policy ranges.yaml --explain pod.yaml
ok 'bounds of the smallest change are told once' sh -c '! grep "missed: " out'
smallest
prints 'of an object, all bounds of the entry that refused' 1 << 'END'
  smallest change for 'LimitRanger' to pass
    spec.containers[0].resources.requests[memory] is 50Mi, must be at least 100Mi (entry 'LimitRanger')
    spec.containers[0].resources.limits[cpu] is 3, must be at most 1 (entry 'LimitRanger')
    spec.containers[0].resources.limits[cpu] / request is 3.000000, must be at most 2 (entry 'LimitRanger')
END

# Entries that leave the object out, and why.
cat > apart.yaml << 'END'
admission:
- name: elsewhere
  plugin: LimitRanger
  match: { namespaces: [team-b, "shop-*"] }
  data: { manifests: [ &range { apiVersion: v1, kind: LimitRange, metadata: { name: r }, spec: { limits: [ { type: Container, max: { cpu: "9" } } ] } } ] }
- name: exempt
  plugin: LimitRanger
  enforce: warn
  match: { not: [ { users: [root] }, { namespaces: [team-a] } ] }
  data: { manifests: [ *range ] }
- { name: here, plugin: LimitRanger, data: { manifests: [ *range ] } }
END
run check --policy apart.yaml --namespace team-a --explain pod.yaml
sed -i '1,/^Explanation/d; s/, [0-9]* us,/,/' out
prints 'an entry says once why it leaves the object out' 0 << 'END'
  admission
    here (LimitRanger, mutate): skip, apart.yaml:11
      reason: no LimitRange applies to namespace 'team-a'
    here (LimitRanger, validate): skip, apart.yaml:11
      reason: no LimitRange applies to namespace 'team-a'
    elsewhere: skip, apart.yaml:2
      reason: match: namespaces do not include 'team-a'
    exempt: skip, apart.yaml:6
      reason: not: exception 2 of 2 matches
END
sed -i '/name: here/d' apart.yaml
run check --policy apart.yaml --namespace team-a --explain --format json pod.yaml
ok 'JSON has it for each phase' python3 -c '
import json
assert [(s["kind"], s["name"], s["phase"], s["verdict"]) for s in json.load(open("out"))["steps"]] == [
    ("admission", name, phase, "skip") for name in ("elsewhere", "exempt")
    for phase in ("mutate", "validate")]'

# On a terminal, which not every root has.
draws() {
	python3 - << 'END'
import os, subprocess, sys
def ask(locale):
    return subprocess.run(
        [sys.executable, os.environ["LIMEN_SRCDIR"] + "/tests/cli/terminal.py", "200",
         "check", "--policy", "two.conf", "--explain", "task.json"],
        check=True, stdout=subprocess.PIPE, env=dict(os.environ, LC_ALL=locale)).stdout.decode()
drawn = ask("C.UTF-8")
assert "  └─ skip: 1. Of nobody" in drawn, drawn
assert "  └─ test.spec.duration is PT1S" in drawn, drawn
assert "  │     │     missed: " in drawn or "  │  │     " in drawn, drawn
assert "├" not in ask("C")
END
}
if python3 -c 'import os; os.openpty()' 2> /dev/null; then
	ok 'branches where they can be drawn' draws
else
	skip 'branches where they can be drawn' 'there are no terminals'
fi
# One name ends like the other.
cat > names.yaml << 'END'
schema: 4
identifiers:
- {name: all, description: x, type: always, data: {}}
- {name: none, description: x, type: always, data: {}, invert: true}
classifiers:
- {name: a-users, description: x, identifiers: [none]}
- {name: users, description: x, identifiers: [none]}
limits:
- {name: yes, description: x, type: pass-fail, data: {pass: true}}
applications:
- {apply: [{require: all, limits: ["yes"]}]}
END
sed -i 's/name: yes/name: "yes"/' names.yaml
task '"duration": "PT10S"'
run check --policy names.yaml --explain task.json
mentions 'each name is told' out 'no match: a-users, users'
run check --policy names.yaml --quiet task.json missing.json
ended 'a file that is missing is an error' 2
mentions 'quiet prints verdicts and reasons alone' out 'task.json: refused: '
run check --policy names.yaml --quiet --explain task.json
mentions 'quiet explains nothing' err '--quiet is for text, without --format, --batch and --explain'
# An identifier without its hint.
cat > hints.yaml << 'END'
identifiers:
- {name: net, description: n, type: ip-cidr-list, data: {cidrs: [192.0.2.0/24]}}
- {name: list, description: l, type: ip-cidr-list-url, data: {source: "file:///dev/null", update: PT1H, retry: PT1M, fail-state: false}}
- {name: name, description: n, type: ip-reverse-dns, data: {timeout: PT1S, match: {style: exact, match: a}}}
- {name: ann, description: a, type: hint, data: {hint: user, match: {style: exact, match: ann}}}
END
run check --policy hints.yaml --explain task.json
ok 'an identifier says which hint is missing' \
	test "$(grep -c "note: hint 'requester' is not given" out)" -eq 2
mentions 'also another than the requester' out "note: hint 'user' is not given"

# A LimitRange of another namespace.
cat > ranges.yaml << 'END'
{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: team}, spec: {limits: [{type: Container, max: {cpu: "1"}}]}}
END
cat > pod.yaml << 'END'
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {limits: {cpu: "9"}}}]}}
END
run check --policy ranges.yaml --explain pod.yaml
mentions 'why LimitRanger skips a pod' out "reason: no LimitRange applies to namespace 'default'"
run check --policy ranges.yaml --namespace team --explain pod.yaml
ended 'in the namespace it does not' 1
finish
