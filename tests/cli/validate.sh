#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# validate.sh - limen validate.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
cp "$data/bad.conf" "$data/many.conf" .

# Hours may wrap around, which gives a note; years do not.
sed 's/"hour": \[ { "lower": 0/"year": [ { "lower": 1/' "$data/limits.conf" > limits.conf

run validate "$data/limits.conf"
ended 'a note is no problem' 0
mentions 'a policy that means more to limen' err 'pScheduler 5.2 checks only part of a run'

run validate limits.conf
prints 'a good policy' 0 << 'END'
Limit configuration is valid.
END
run_with limits.conf validate -
prints 'from standard input' 0 << 'END'
Limit configuration is valid.
END
run validate --color always limits.conf
ok 'in green' grep -q "$(printf '\033')\[1;32mLimit configuration is valid" out
run validate --quiet limits.conf
prints 'quietly' 0 < /dev/null
run validate --format json limits.conf
prints 'as JSON' 0 << 'END'
{"policy":"limits.conf","valid":true,"unreadable":null,"problems":[]}
END
run validate --quiet --format json limits.conf
prints 'as JSON, quietly' 0 < /dev/null

# The first three lines are the form that scripts may rely on.
run validate --quiet bad.conf
complains 'a bad policy' 1 << 'END'
Invalid limit file: At /limits/2/data: 'pass' is a required property
  bad.conf:10:21
  hint: pass: Whether the limit passes
END
run_with bad.conf validate -q -
complains 'a bad policy from standard input' 1 << 'END'
Invalid limit file: At /limits/2/data: 'pass' is a required property
  <stdin>:10:21
  hint: pass: Whether the limit passes
END
run validate bad.conf
ok 'notes are left out beside problems' sh -c '! grep -q "^note" err'
cat > mixed.yaml << 'END'
limits: [{name: x, type: pass-fail, nonsense: 1, data: {pass: true}}, {name: y, type: rate, data: {rate: 1}}]
END
run validate mixed.yaml
grep -E -o '^(Invalid|warning|note)' err > order
ok 'problems come before warnings' sh -c 'printf "Invalid\nwarning\n" | cmp - order'
cat > warned.yaml << 'END'
identifiers: [{name: x, description: x, type: always, data: {}}]
classifiers: [{name: empty, description: x, identifiers: []}]
limits: []
applications: [{classifier: empty, apply: [{require: all, limits: []}]}]
END
run validate warned.yaml
ended 'a warning' 0
mentions 'comes before notes' err 'warning: At /classifiers/0/identifiers: '
ok 'all of them' sh -c 'grep -E -o "^(warning|note)" err | sort -c -r'
run validate --strict warned.yaml
ended 'a warning with --strict' 1
ok 'and the policy is not called valid' test ! -s out
run validate -q --strict warned.yaml
ended 'quietly' 1
ok 'with the warning, but no note' sh -c 'grep -q "^warning" err && ! grep -q "^note" err'
run validate -q --strict --format json warned.yaml
mentions 'in JSON' out '"valid":true,"unreadable":null,"problems":[{"severity":'
ended 'likewise' 1
run validate --strict "$data/limits.conf"
ended 'notes with --strict' 0
mkfifo pipe
cat bad.conf > pipe &
run validate -q pipe
holds 'a policy can be read from a pipe' err '  pipe:10:21'

run validate limits.conf bad.conf ./limits.conf
ended 'several policies: the worst counts' 1
holds 'several policies: the first has its path' out 'limits.conf: Limit configuration is valid.'
holds 'several policies: so has the last' out './limits.conf: Limit configuration is valid.'
holds 'several policies: the place names the bad one' err '  bad.conf:10:21'
run validate limits.conf ./limits.conf
prints 'several good policies' 0 << 'END'
limits.conf: Limit configuration is valid.
./limits.conf: Limit configuration is valid.
END
run validate --format json limits.conf bad.conf nowhere
ended 'several policies as JSON' 1
ok 'one line a policy' test "$(wc -l < out)" -eq 3
ok 'and nothing on standard error' test ! -s err
mentions 'a problem in JSON' out '{"policy":"bad.conf","valid":false,"unreadable":null,"problems":[{"severity":"error","file":"bad.conf","line":10,"column":21,"pointer":"/limits/2/data","text":"'"'pass'"' is a required property","hint":"pass: Whether the limit passes"}'
holds 'an unreadable policy in JSON' out '{"policy":"nowhere","valid":false,"unreadable":"Unable to read input: nowhere: No such file or directory","problems":[]}'

run validate many.conf
ended 'many problems' 1
for pointer in /identifiers/0/type /identifiers/1/data/cidrs/0 /limits/0/data; do
	mentions "the problem at $pointer is among them" err "Invalid limit file: At $pointer: "
done
for place in 4: 5: 15:; do
	mentions "and so is its place, line $place" err "  many.conf:$place"
done

mkdir conf.d
cp limits.conf conf.d/10-limits.conf
run validate conf.d
ended 'a directory' 0
run --module-path "$LIMEN_MODULE_PATH" validate conf.d
holds 'an option before the command' out 'Limit configuration is valid.'
cp bad.conf conf.d/20-bad.conf
run validate --quiet conf.d
mentions 'a problem in a directory is placed in its file' err '  conf.d/20-bad.conf:10:21'
rm -f conf.d/20-bad.conf

LIMEN_POLICY=limits.conf
export LIMEN_POLICY
run validate
prints 'LIMEN_POLICY is the default' 0 << 'END'
Limit configuration is valid.
END
run validate bad.conf
ended 'an argument counts more than LIMEN_POLICY' 1
unset LIMEN_POLICY

run validate nowhere
complains 'no such file' 1 << 'END'
Unable to read input: nowhere: No such file or directory
END
cp limits.conf secret
chmod 000 secret
if [ -r secret ]; then
	skip 'a file that may not be read' 'running as root'
else
	run validate secret
	complains 'a file that may not be read' 1 << 'END'
Unable to read input: secret: Permission denied
END
fi

invalid() {
	name=$1
	run_with input validate -q -
	ended "$name is invalid" 1
	mentions "$name: the message" err "$2"
}

echo '{ "schema": 4' > input
invalid 'JSON that ends too early' '  <stdin>:2:1'
printf '{\n  "a\377": 1 }' > input
invalid 'bad UTF-8' '  <stdin>:2:5'
printf '{ "a": "\000" }' > input
invalid 'a NUL' '  <stdin>:1:9'
echo '[ 1, 2 ]' > input
invalid 'a list' 'must be a JSON object'
echo 'null' > input
invalid 'null' 'must be a JSON object'
head -c 3000000 /dev/zero | tr '\0' '[' > input
invalid 'three million brackets' '  <stdin>:1:1001'
echo '{"schema":4,"limits":[{"name":"x","description":"x","type":"../../x","data":{}}]}' > input
invalid 'a type that is a path' 'At /limits/0/type: '
echo '{"schema":4,"limits":[{"name":"x","description":"x","clone":"x","data":{}}]}' > input
invalid 'a limit cloned from itself' 'At /limits/0'
head -c 67108865 /dev/zero | tr '\0' ' ' > input
invalid 'more than 64 MiB' 'Unable to read input: <stdin>: larger than 64 MiB'
run validate -q input
ended 'a file of more than 64 MiB is invalid' 1

# With the pointer of each problem in full, these 63 KB would make 40 MB.
awk 'BEGIN {
	printf "{\"schema\":4,\"stores\":{\""
	for (i = 0; i < 40000; i++)
		printf "s"
	printf "\":{\"type\":\"memory\",\"data\":{\"b0\":1"
	for (i = 1; i < 2000; i++)
		printf ",\"b%d\":1", i
	print "}}}}"
}' > input
run validate -q --format json input
length=$(wc -c < out)
grep -o '"severity":"error"' out > errors
: > out
ended 'many problems below a long key' 1
ok 'a thousand are given, and how many more there are' test "$(wc -l < errors)" -eq 1001
ok 'but not all of their pointers' test "$length" -lt 2000000

# A module that needs a symbol nobody has must say so, and not at the first request.
mkdir -p modules/limit
if ${CC:-cc} -shared -fPIC -o modules/limit/broken.so -x c - 2> cc.log << 'END'
extern int nobody_has_this;
extern int *limen_module;
int *limen_module = &nobody_has_this;
END
then
	echo '{"schema":4,"limits":[{"name":"x","description":"x","type":"broken","data":{}}]}' > input
	run_with input --module-path modules validate -q -
	ended 'a module that cannot be loaded' 1
	mentions 'the message names the symbol' err 'nobody_has_this'
	mentions 'and calls no file invalid' err 'Unable to load a module: At /limits/0: the module cannot be loaded: '
else
	skip 'a module that cannot be loaded' 'no compiler'
	skip 'the message names the symbol' 'no compiler'
	skip 'and calls no file invalid' 'no compiler'
fi

# What is valid and hardly meant.
cat > lint.yaml << 'END'
schema: 4
identifiers:
- {name: all, description: x, type: always, data: {}}
- {name: spare, description: x, type: always, data: {}}
classifiers:
- {name: all, description: x, identifiers: [all]}
- {name: spare, description: x, identifiers: [all]}
limits:
- {name: types, description: x, type: test-type, data: {types: [rtt, throughputt]}}
- {name: base, description: x, type: rate, data: {rate: 10/d}}
- {name: rate, description: x, clone: base, data: {rate: 5/d}}
- {name: spare, description: x, type: run-schedule, data: {timezone: UTC, hour: [{lower: 22, upper: 6}]}}
applications:
- {classifier: all, apply: [{require: all, limits: [rate, types]}]}
- {classifier: all, apply: [{require: all, limits: [types]}]}
- {apply: []}
admission:
- name: entry
  plugin: LimitRanger
  match: {not: [{labels: {free: "yes"}}, {labels: {free: "yes"}, users: [root]}]}
  data: {manifests: [{apiVersion: v1, kind: LimitRange, metadata: {name: x}, spec: {limits: [{type: Pod, max: {cpu: 1}}]}}]}
END
run validate --format json lint.yaml
ended 'a policy with parts that are hardly meant is valid' 0
tr '{' '\n' < out | sed -n 's/.*"line":\([0-9]*\),.*"text":"\(.*\)","hint":\([^}]*\)}.*/\1: \2 (\3)/p' |
	sed 's/\\"/"/g' | sort > found
cat > wanted << 'END'
11: limit 'rate' counts tasks only: a task that repeats is counted once, and its runs are not (""count": "both" counts tasks and runs")
12: nothing uses the limit 'spare' (null)
12: the range holds nothing, because its lower end is above its upper ("write two ranges: 22 to 23, and 0 to 6")
14: application 2 admits what limit 'rate' refuses here (""stop-on-failure": true makes the refusal final")
16: 'apply' is empty, so the application passes every request (null)
20: any user who can create the object can exempt it by setting these labels or fields ("add the 'users', 'groups' or 'classifiers' that may")
4: nothing uses the identifier 'spare' (null)
7: nothing uses the classifier 'spare' (null)
9: pScheduler has no test 'throughputt' ("did you mean 'throughput'?")
END
ok 'each is told once, and nothing else' diff wanted found
sed 's/all, apply: \[{require: all, limits: \[rate/&, rate/; s/limits: \[rate, rate, types\]}\]/&, stop-on-failure: true/' \
	lint.yaml > final.yaml
run validate final.yaml
ok 'a rate that stops is final' sh -c '! grep -q "admits what" err'
# Runs are counted: by the rate, or by another of the application.
rate='s/data: {rate: 5\/d/&, count: '
for change in "${rate}both/" "${rate}runs/" '/name: spare, description: x, type: run/i - {name: runs, type: rate, data: {rate: 9/d, count: runs}}
s/limits: \[rate/&, runs/'; do
	sed -e "$change" lint.yaml > other.yaml
	run validate other.yaml
	ok "runs are counted: $change" sh -c '! grep -q "tasks only" err && grep -q throughputt err'
done
# Not by a rate that is inverted, or of an application in front, which admits all tasks.
for change in '/name: spare, description: x, type: run/i - {name: runs, type: rate, data: {rate: 9/d, count: runs}, invert: true}
s/limits: \[rate/&, runs/' '/name: spare, description: x, type: run/i - {name: runs, type: rate, data: {rate: 9/d, count: runs}}
s/^applications:/&\n- {classifier: all, stop-on-failure: true, apply: [{require: all, limits: [runs]}]}/'; do
	sed -e "$change" lint.yaml > other.yaml
	run validate other.yaml
	ok "runs are not counted: $change" sh -c 'grep -q "rate. counts tasks only" err && grep -q throughputt err'
done
# What the second one requires is more, can fail, or must fail.
for change in 's/\[types\]/[types, never]/' '/require: all, limits: \[types\]/s/require: all/require: none/'; do
	sed -e '/name: spare, description: x, type: run/i - {name: never, description: x, type: pass-fail, data: {pass: false}}' \
		-e '/apply: \[\]/d' -e "$change" lint.yaml > other.yaml
	run validate other.yaml
	ok "nothing is readmitted: $change" sh -c '! grep -q "admits what" err && grep -q throughputt err'
done

mkdir off
for name in a b c; do
	echo '{"enabled": false}' > "off/$name.conf"
done
run validate off
ok 'files that are turned off are one note' test "$(grep -c 'turned off' err)" -eq 1
mentions 'with their number' err 'note: At /enabled: this file and 2 more are turned off'

# The first module that is missing says where modules were looked for.
echo '{"identifiers": [{"name": "x", "description": "x", "type": "nil", "data": {}},
	{"name": "y", "description": "y", "type": "nothing", "data": {}}]}' > modules.conf
run validate --module-path /one:/two -q modules.conf
mentions 'directories of modules' err '  hint: no file identifier/nil.so in /one, /two, '
mentions 'and what lists them' err "(see 'limen module list'); "
mentions 'and what sets them' err "; name the directory in --module-path, or in module_path of your own program"
ok 'once' test "$(grep -c 'hint: no file .* in /one' err)" -eq 1
ok 'and no file is called invalid' test "$(grep -c '^Unable to load a module: At ' err)" -eq 2
# Unless others are installed.
LIMEN_MODULE_PATH=/one "$LIMEN" modules > installed 2> /dev/null
if ! grep -q '^limit ' installed; then
	(LIMEN_MODULE_PATH=/one:/two; run validate modules.conf)
	ok 'without any module, one problem' test "$(wc -l < err)" -eq 2
	ok 'that names the directories, and blames no file' grep -q \
		'^Unable to load modules: there is none in /one, /two, ' err
	mentions 'with what sets them' err '  hint: name the directory in --module-path, or'
fi

# A place without a column: jq names only the line of its modules.
mkdir lib
printf 'def g: 1;\ndef f: nonesuch;\n' > lib/m.jq
echo '{"limits": [{"name": "x", "type": "jq", "data": {"script": "import \"m\" as m; m::f"}}]}' > modules.conf
(LIMEN_JQ_PATH=$work/lib; run validate modules.conf)
holds 'a line of a module of jq' err "  $work/lib/m.jq:2"

# Mistakes that many make, with what to write instead.
hints() {
	run validate -q input
	mentions "$1" err "  hint: $2"
}
echo '{"schema": "4"}' > input
hints 'a schema in quotes' 'schema is 1, 2, 3 or 4, without quotes'
echo '{"identifiers": [{"name": "x", "description": "x", "plugin": "always", "data": {}}]}' > input
hints 'a plugin that is no type' "did you mean 'type'?"
echo '{"admission": [{"name": "x", "type": "LimitRanger"}]}' > input
hints 'a type that is no plugin' "did you mean 'plugin'?"
echo '{"identifiers": [{"name": "x", "description": "x", "type": "ip-cidr-list", "data": {"cidrs": ["192.0.256.0"]}}]}' > input
hints 'an address with a part of 256' 'an IPv4 address is four numbers from 0 to 255'
echo '{"limits": [{"name": "x", "description": "x", "type": "run-schedule", "data": {"hour": ["22-6"]}}]}' > input
hints 'hours over midnight as text' 'write two ranges: {"lower": 22, "upper": 23}, {"lower": 0, "upper": 6}'
sed -i 's/hour": \["22-6/weekday": ["6-1/' input
hints "days over the week's end as text" 'write two ranges: {"lower": 6, "upper": 7}, {"lower": 1, "upper": 1}'
sed -i 's/\["6-1"\]/"6-1"/' input
hints 'hours that are no array' 'write an array of numbers and ranges, such as [6, {"lower": 8, "upper": 17}]'
echo '{"classifiers": [{"name": "x", "description": "x", "identifiers": "y"}]}' > input
hints 'a name that is no array' 'write an array: [ ... ]'
echo 'limits: [ { name: 2024, type: pass-fail, data: {} } ]' > input
hints 'a name that YAML takes for a number' 'write a string in quotes; name: '
echo 'limits: [ { name: x, description: x, type: rate, data: { rate: 3 } } ]' > input
hints 'a rate that is a number' 'write a string in quotes; rate: N per time: 10/min, 10/hour, 10/day, 10/month, or 10/PT1H'
for hour in 24 '{lower: 18, upper: 24}'; do
	echo "limits: [ { name: x, description: x, type: run-schedule, data: { hour: [ $hour ] } } ]" > input
	hints "the hour $hour" 'hours are 0 to 23; hour 23 lasts until 24:00'
done
while IFS=: read -r kind api; do
	echo "kind: $kind" > input
	hints "no apiVersion of $kind" "apiVersion: $api"
done << 'END'
LimitRange:v1
Configuration:eventratelimit.admission.k8s.io/v1alpha1
END
echo 'kind: Pod' > input
run validate -q input
ok 'nor is any hinted of a kind for no policy' sh -c '! grep -q hint: err'
echo 'apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits: [ { type: User, qps: "10", burst: 5 } ]' > input
hints 'a rate of events in quotes' 'write it without quotes'

# A file of a module has lines, but no columns.
mkdir jq
printf 'def good: 1;\ndef bad: nonesuch;\n' > jq/m.jq
cat > module.conf << END
{ "limits": [ { "name": "l", "description": "l", "type": "jq",
  "data": { "script": "import \"m\" as m; m::bad" } } ], "applications": [] }
END
LIMEN_JQ_PATH=$work/jq "$LIMEN" validate module.conf > out 2> err
status=$?
ended 'a jq module that does not compile' 1
holds '  has its line' err "  $work/jq/m.jq:2"
LIMEN_JQ_PATH=$work/jq "$LIMEN" validate --format json module.conf > out 2> err
mentions '  in JSON, too' out '/jq/m.jq","line":2,"column":null'

finish
