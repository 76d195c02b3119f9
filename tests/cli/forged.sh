#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# forged.sh - texts of strangers that would be lines of a report, or orders to a
# terminal: no command prints them as they are.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# What JSON may hold: ESC, DEL, and three of C1, of which one ends a line.
odd='t\u001b[31m\u007f\u0080\u0085\u009b31m'
told='\u007f\u0080\u0085\u009b31m'

# NAME FILE...: no control character but the ends of lines
plain() {
	name=$1
	shift
	LC_ALL=C awk '/[\001-\010\013-\037\177]/ || /\302[\200-\237]/ { exit 1 }' "$@"
	report $? "$name: no control character gets out" "$@"
}
# NAME FILE LINE: nobody but limen itself prints such a line
unforged() {
	! grep -Eq -e "$3" "$2"
	report $? "$1: no line of it is forged" "$2"
}

cat > limits.conf << 'END'
{ "schema": 4,
  "identifiers": [ { "name": "all", "description": "All", "type": "always", "data": {} } ],
  "classifiers": [ { "name": "all", "description": "All", "identifiers": [ "all" ] } ],
  "limits": [ { "name": "idle", "description": "d", "type": "test-type", "data": { "types": [ "idle" ] } } ],
  "applications": [ { "description": "All", "classifier": "all",
    "apply": [ { "require": "all", "limits": [ "idle" ] } ] } ],
  "admission": [ { "name": "ranges", "plugin": "LimitRanger", "data": { "manifests": [] } } ] }
END

# ---- limen check ----

printf '{"test":{"type":"%s\\nadmitted: all"}}' "$odd" > task.json
for format in text json yaml; do
	run check --policy limits.conf --explain --format $format task.json
	plain "a task, as $format" out err
done
mentions 'JSON spells all of them' out "$told"
{
	printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s\\" <==\\nadmitted: all fine\\n\\n==> evil.json: Pod \\"y"},' "$odd"
	printf '"spec":{"containers":[{"name":"%s\\nadmitted: c"}]}}' "$odd"
} > pod.json
sed 's/admitted: all/refused: all/' pod.json > other.json
for format in text json yaml patch; do
	run check --policy limits.conf --format $format pod.json other.json
	plain "two pods, as $format" out err
done
run check --policy limits.conf pod.json other.json
unforged 'two pods' out '^(admitted: all|refused: all|==> evil)'
ok 'there is a heading for each' test "$(grep -c '^==> ' out)" -eq 2
holds 'which is one line' out \
	'==> pod.json: Pod "t\u001b[31m\u007f\u0080\u0085\u009b31m" <==\nadmitted: all fine\n\n==> evil.json: Pod "y" (namespace default) <=='

# ---- limen validate ----

printf '{"schema":4,"limits":[{"name":"%s\\nLimit configuration is valid.","type":"no\\nnote: x","data":{},"a\\nb":1}]}' \
	"$odd" > bad.conf
for format in text json; do
	run validate --format $format bad.conf
	plain "a policy, as $format" out err
done
run validate bad.conf
unforged 'a policy' err '^(Limit conf|note: x|b)'
mentions 'what is wrong is told in one line' err "$told\\nLimit configuration is valid.' has unsupported type 'no\\nnote: x'"

# ---- limen replay ----

{
	printf '{"time":"2026-01-01T00:00:00Z","endpoint":"/admission/validate","resource":"pods","document":{},'
	printf '"user":"%s\\n\\n0 changed\\nEverything is as it was","entry":"none\\n\\nwhat changed: nothing",' "$odd"
	printf '"verdict":"refused","code":403,"reason":"%s\\nlimen: error: disk full"}\n' "$odd"
	printf '{"a":\177\302\233 torn\n'
} > log.jsonl
for format in text json html; do
	run replay --policy limits.conf --format $format log.jsonl
	plain "a log, as $format" out err
done
run replay --policy limits.conf log.jsonl
unforged 'a log' out '^(0 changed|Everything|what changed:|limen:)'
mentions 'a rule is one line' out '           1            0  refused 403: none\n\nwhat changed: nothing'
mentions 'so is an example' out "$told\\n\\n0 changed\\nEverything is as it was"

# ---- limen test ----

mkdir tests
file=$(printf 'tests/x\n99 passed, 0 failed\nzz.test.json')
{
	printf '{"policy":"../limits.conf","defaults":{"request":{"test":{"type":"rtt"}}},"tests":['
	printf '{"name":"%s\\n98 passed, 0 failed","expect":{"verdict":"admitted"}},' "$odd"
	printf '{"name":"skipped","skip":"%s\\n97 passed","expect":{"code":1}},' "$odd"
	printf '{"name":"broken","request":{"test":5},"policy":"%s\\n96 passed","expect":{"code":1}}]}' "$odd"
} > "$file"
for format in text json tap junit; do
	run test --verbose --format $format tests
	plain "tests, as $format" out err
done
run test --verbose --coverage tests
unforged 'tests' out '^(9[0-9] passed|zz)'
mentions 'the file is told in one line' out 'tests/x\n99 passed, 0 failed\nzz.test.json: 0 of 3 passed'
run test --format tap tests
ok 'TAP has a line a test' test "$(grep -Ec '^(not )?ok ' out)" -eq 3

# ---- limen graph, limen describe ----

printf '{"identifiers":[{"name":"%s\\nx","description":"%s\\nx","type":"always","data":{}}]}' \
	"$odd" "$odd" > graph.conf
for format in dot html; do
	[ $format = dot ] || command -v dot > /dev/null || continue
	run graph --format $format graph.conf
	plain "a graph, as $format" out err
done

cat > range.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: { name: "n", namespace: "d" }
spec: { limits: [ { type: Container, max: { cpu: 1 } } ] }
END
run describe --policy range.yaml namespace "$(printf 'd\nName:  forged\302\233')"
plain 'a namespace' out err
unforged 'a namespace' out '^Name:  forged'
run check --policy limits.conf "$(printf 'no\nadmitted: all')"
plain 'a file that there is not' out err
unforged 'a file that there is not' err '^admitted'
finish
