#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# policies.sh - several --policy are one policy, and every other option with one value is given
# once, in every command and in limend.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cat > cpu.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: cpu}
spec: {limits: [{type: Container, max: {cpu: 1}}]}
END
mkdir more
cat > more/memory.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: memory}
spec: {limits: [{type: Container, max: {memory: 1Gi}}]}
END
pod() {
	echo "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"limits\":{\"cpu\":\"$1\",\"memory\":\"$2\"}}}]}}"
}
pod 2 1Gi > much-cpu.json
pod 1 2Gi > much-memory.json
pod 1 1Gi > good.json

for order in 'cpu.yaml more' 'more cpu.yaml'; do
	first=${order% *} second=${order#* }
	for file in much-cpu.json much-memory.json; do
		run check --policy $first --policy $second $file
		ended "$file is refused under $order" 1
		mentions '  by the policy that is about it' out 'per Container is 1'
	done
	run check --policy $first --policy=$second good.json
	ended "and what keeps both is admitted under $order" 0
done
run check --policy cpu.yaml --policy cpu.yaml good.json
ended 'the same file twice has the same LimitRange twice' 2
mentions '  which is a problem' err 'there are two LimitRanges "cpu"'

for file in much-cpu.json much-memory.json good.json; do
	echo "{\"object\":$(cat $file)}"
done > lines.jsonl
run check --policy cpu.yaml --policy more --batch lines.jsonl
ok 'a batch has the whole policy, too' test "$(grep -c '^{"id":null,"admitted":false' out)" -eq 2
run replay --policy cpu.yaml --policy more --against cpu.yaml --format json lines.jsonl
ended 'so has a replay' 1
mentions '  where the second decides' out '"changed":1'
mentions '  and both are named' out '"cpu.yaml, more"'
cat > both.test.yaml << 'END'
tests:
- {name: cpu, request: {object: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {limits: {cpu: 2, memory: 1Gi}}}]}}}, expect: {verdict: refused}}
- {name: memory, request: {object: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {limits: {cpu: 1, memory: 2Gi}}}]}}}, expect: {verdict: refused}}
END
run test --policy cpu.yaml --policy more both.test.yaml
ended 'so have tests' 0
run get limits --policy cpu.yaml --policy more
ok 'so have LimitRanges' test "$(grep -c '^default  *cpu \|^default  *memory ' out)" -eq 2
run graph --policy cpu.yaml --policy more
ended 'so has a graph' 0
run buckets --policy cpu.yaml --policy more
ended 'so have buckets' 0
status=0
"$LIMEND" --check --policy cpu.yaml --policy more > out 2> err || status=$?
ended 'so has limend' 0
status=0
"$LIMEND" --check --policy cpu.yaml --policy cpu.yaml > out 2> err || status=$?
ended '  which finds its problems' 2
mentions '  and says which' err 'there are two LimitRanges "cpu"'

echo 'https://user:secret@example.org/policy' > held.conf
for other in https://user:secret@example.org/policy held.conf; do
	run check --policy cpu.yaml --policy $other good.json
	ended "$other cannot be one of several" 2
	mentions '  and says why' err 'limen: several --policy must be files or directories: '
	ok '  but not the password' sh -c '! grep -q secret err'
	status=0
	"$LIMEND" --check --policy $other --policy cpu.yaml > out 2> err || status=$?
	ended '  nor for limend' 2
	mentions '  which says the same' err 'limend: several --policy must be files or directories: '
done
run check --policy - --policy cpu.yaml good.json
complains 'standard input cannot' 2 << 'END'
limen: several --policy must be files or directories, not <stdin>
END

twice() {
	name=$1
	shift
	run "$@"
	complains "$name" 2
}
twice 'a time given twice' check --time 2026-01-01T00:00:00Z --time 0 good.json << 'END'
limen: --time takes one value, not '2026-01-01T00:00:00Z' and '0'
Try 'limen check --help'.
END
twice 'a format given twice' validate --format json --format=json cpu.yaml << 'END'
limen: --format takes one value, not 'json' and 'json'
Try 'limen validate --help'.
END
twice 'a number given twice' replay --examples 1 --examples 2 lines.jsonl << 'END'
limen: --examples takes one value, not '1' and '2'
Try 'limen replay --help'.
END
twice 'a letter and its option' describe limits -n a --namespace b << 'END'
limen: --namespace takes one value, not 'a' and 'b'
Try 'limen describe --help'.
END
twice 'an option and its older name' buckets --ca-file a --ca b << 'END'
limen: --ca takes one value, not 'a' and 'b'
Try 'limen buckets --help'.
END
twice 'before the command and after' --color never check --color always good.json << 'END'
limen: --color takes one value, not 'never' and 'always'
Try 'limen check --help'.
END
twice 'twice before the command' --module-path a --module-path b check good.json << 'END'
limen: --module-path takes one value, not 'a' and 'b'
Try 'limen --help'.
END
twice 'a hint of one name' check --hint a=1 --hint ab=1 --hint a=1 good.json << 'END'
limen: --hint takes one value for a name, not 'a=1' and 'a=1'
Try 'limen check --help'.
END
for option in threads=1 max-body=2048 timeout=1 namespace=a log-level=info; do
	status=0
	"$LIMEND" --check --policy cpu.yaml --$option --$option > out 2> err || status=$?
	complains "limend: --${option%=*} given twice" 2 << END
limend: --${option%=*} takes one value, not '${option#*=}' and '${option#*=}'
Try 'limend --help'.
END
done

finish
