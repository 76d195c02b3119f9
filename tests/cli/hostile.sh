#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# hostile.sh - requests that nobody would write in good faith: an error with its
# place, in bounded time, and never an admission.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
cp "$LIMEN_SRCDIR/tests/cli/data/limits.yaml" .

# Neither too long nor too large: a run that exceeds the bounds has failed.  A
# program with sanitizers needs more address space than there could be.
room=4000000
(ulimit -v $room && exec "$LIMEN" --version) > /dev/null 2>&1 || room=unlimited
bounded() {
	(ulimit -t 60 && ulimit -v $room && exec "$LIMEN" "$@") > out 2> err < /dev/null
}
check() {
	status=0
	bounded check --policy limits.yaml "$1" || status=$?
}

# NAME STATUS FILE TEXT: the request is what stands in request.yaml.
unusable() {
	check request.yaml
	ended "$1" "$2"
	mentions "$1: is told so" "$3" "$4"
	ok "$1: is not admitted" sh -c '! grep -q "^admitted" out'
}

pod() {
	printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    resources: %s\n' "$1"
}

cat > request.yaml << 'END'
}{ : - [
END
unusable 'garbage' 2 err 'limen: request.yaml:1:'
printf '\000\001\377' > request.yaml
unusable 'bytes' 2 err 'limen: request.yaml:1:3: Invalid YAML: the text is not UTF-8'
cat > request.yaml << 'END'
# nothing
---
...
END
unusable 'no document' 2 err 'there is no document'
cat > request.yaml << 'END'
Pod
END
unusable 'a text' 2 err 'limen: request.yaml:1:1: the task is not an object'
{
	echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
	for i in 1 2 3 4 5 6 7 8 9; do
		j=$((i - 1))
		echo "a$i: &a$i [*a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j]"
	done
	pod '{}'
} > request.yaml
unusable 'an alias bomb' 2 err 'limen: request.yaml:'
{
	echo 'apiVersion: &a v1'
	echo 'kind: Pod'
	echo 'spec: &s {containers: [*s]}'
} > request.yaml
unusable 'an alias of itself' 2 err 'limen: request.yaml:3:'
head -c 200000 /dev/zero | tr '\0' '[' > request.yaml
unusable 'brackets' 2 err 'limen: request.yaml:1:'
{
	printf 'apiVersion: v1\nkind: List\nitems: '
	i=0
	while [ $i -lt 6 ]; do
		printf '[{apiVersion: v1, kind: List, items: '
		i=$((i + 1))
	done
	printf '[]'
	while [ $i -gt 0 ]; do
		printf '}]'
		i=$((i - 1))
	done
	echo
} > request.yaml
unusable 'lists in lists' 2 err 'lists are nested too deeply'
echo '{apiVersion: v1, kind: PodList, items: 7}' > request.yaml
unusable 'a list that is none' 2 err 'limen: request.yaml:1:40: items: must be an array'
echo '{apiVersion: v1, kind: PodList, items: [7]}' > request.yaml
unusable 'an element that is no object' 2 out 'error: the value to admit is not an object'
echo '{apiVersion: v1, kind: List, items: [{metadata: {name: x}}]}' > request.yaml
unusable 'an element of no kind' 2 out 'error: admission entry '
echo '{apiVersion: v1, kind: 7, metadata: {name: x}}' > request.yaml
unusable 'a kind that is no text' 2 err 'kind: must be a string'
printf '{"apiVersion":"v1","kind":"Pod\\u0000x"}' > request.json
check request.json
ended 'a kind that does not end where it seems to' 2
ok 'a kind that does not end where it seems to: is told so' grep -q 'kind: must not hold a NUL' err
printf '{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"free\\u0000x"}}' > request.json
check request.json
ended 'a namespace that does not end where it seems to' 2
echo '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: x}, spec: {volumeClaimTemplates: {}}}' > request.yaml
unusable 'claims that are no list' 2 err 'spec.volumeClaimTemplates: must be an array'

# KEY BYTES CLAIMS: a workload that is called so, and has so many claims
set_of() {
	awk -v key="$1" -v bytes="$2" -v claims="$3" 'BEGIN {
		printf "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"%s\":\"", key
		for (i = 0; i < bytes; i++)
			printf "n"
		printf "\"},\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\"}]}}"
		printf ",\"volumeClaimTemplates\":["
		for (i = 0; i < claims; i++)
			printf "%s{\"metadata\":{\"name\":\"d\"},\"spec\":{}}", (i > 0 ? "," : "")
		print "]}}"
	}'
}
for key in name generateName namespace; do
	set_of $key 253 2 > request.yaml
	check request.yaml
	ended "a $key as long as can be" 0
	set_of $key 254 2 > request.yaml
	unusable "a $key that is longer" 2 err "metadata.$key: must be no more than 253 bytes, but has 254"
	set_of $key 1000000 1000 > request.yaml
	unusable "a $key that is far too long, for each of many claims" 2 err \
		"metadata.$key: must be no more than 253 bytes, but has 1000000"
done

digits=$(head -c 10000 /dev/zero | tr '\0' '9')
pod "{limits: {cpu: $digits}}" > request.yaml
unusable 'ten thousand digits' 1 out 'Invalid value: quantities may have at most 64 significant digits'
digits=$(printf %s "$digits" | head -c 64)
pod "{limits: {cpu: 1$digits}}" > request.yaml
unusable '65 digits' 1 out 'Invalid value: quantities may have at most 64 significant digits'
pod "{limits: {cpu: $digits}}" > request.yaml
unusable '64 digits' 1 out 'maximum cpu usage per Container is 1, but limit is 99'
pod "{limits: {cpu: 0.$digits}}" > request.yaml
check request.yaml
ended '64 digits that are hardly 1' 0
holds 'are taken for it' out 'c          cpu       1 (copied from the limit)                      0.9999999999999999999... (given)'
for exponent in 1e1000000000 1e2147483647; do
	pod "{limits: {cpu: $exponent}}" > request.yaml
	unusable "$exponent" 1 out 'maximum cpu usage per Container is 1, but limit is'
done
pod '{limits: {cpu: 1e4294967297}}' > request.yaml
unusable 'an exponent beyond all' 1 out "Invalid value: unable to parse quantity's suffix"
pod '{limits: {cpu: 1e-1000000000}}' > request.yaml
unusable 'next to nothing' 1 out \
	'minimum cpu usage per Container is 100m, but request is 1e-3'
pod '{limits: {cpu: .nan}}' > request.yaml
unusable 'not a number' 2 err "limen: request.yaml:7:31: '.nan' is not a number that JSON can hold"
pod '{limits: {cpu: NaN}}' > request.yaml
unusable 'not a number either' 1 out 'Invalid value: quantities must match'

# Every field that is looked at, with everything it must not be.
for wrong in 7 text true '[]'; do
	# The namespace is in the metadata, so not even the LimitRanges are known.
	echo "{apiVersion: v1, kind: Pod, metadata: $wrong, spec: {containers: [{name: c}]}}" > request.yaml
	unusable "metadata: $wrong" 2 err 'limen: request.yaml:1:39: metadata: must be an object'
	for field in spec spec.containers spec.initContainers spec.resources; do
		case $field:$wrong in
		spec.containers:\[\]) continue ;;
		spec.initContainers:\[\]) continue ;;
		esac
		spec='{containers: [{name: c}]}'
		case $field in
		spec) spec=$wrong ;;
		spec.containers) spec="{containers: $wrong}" ;;
		*) spec="{containers: [{name: c}], ${field#spec.}: $wrong}" ;;
		esac
		echo "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: $spec}" > request.yaml
		check request.yaml
		ended "$field: $wrong" 1
		mentions "$field: $wrong: with its place" out ": $field: Invalid value: must be an"
	done
	for field in resources resources.limits resources.requests; do
		case $field in
		resources) value=$wrong ;;
		*) value="{${field#resources.}: $wrong}" ;;
		esac
		pod "$value" > request.yaml
		check request.yaml
		ended "$field: $wrong" 1
		mentions "$field: $wrong: with its place" out \
			": spec.containers[0].$field: Invalid value: must be an object"
	done
done
echo '{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}' > request.yaml
unusable 'no containers' 1 out 'Violation: request.yaml:1:56: spec.containers: Invalid value: a pod must have a container'

# Of repeated keys the last counts, as Go has it, and somebody says so.
printf 'apiVersion: v1\nkind: Pod\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {limits: {cpu: 1, cpu: 2}}}]}\n' > request.yaml
unusable 'repeated keys' 1 out 'maximum cpu usage per Container is 1, but limit is 2'
holds 'have a warning' err 'limen: request.yaml:2:1: warning: key is repeated further down; the last one counts'
mentions 'each' err 'limen: request.yaml:5:52: warning: '

# Names that would be something else on a terminal, or in a table.
escape=$(printf '\033')
printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p\\u001b[2J\\nadmitted: x"},"spec":{"containers":[{"name":"a\\u001b[2J\\nadmitted: y","resources":{"limits":{"cpu":2}}}]}}' |
	cat > request.json
check request.json
ended 'names with escapes' 1
ok 'are no escapes' sh -c "! grep -q '$escape' out"
ok 'nor lines' sh -c '! grep -q "^admitted" out'

# Five thousand containers.
{
	printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n'
	i=0
	while [ $i -lt 5000 ]; do
		echo "  - {name: c$i}"
		i=$((i + 1))
	done
} > request.yaml
check request.yaml
ended 'five thousand containers' 0
ok 'all of them have a row for each resource' test "$(grep -c ' (default of LimitRange' out)" -eq 10000
echo '  - {name: last, resources: {limits: {cpu: 2}}}' >> request.yaml
check request.yaml
ended 'and one that is too large' 1
holds 'is found' out 'Violation: request.yaml:5006:44: spec.containers[5000].resources.limits[cpu]: maximum cpu usage per Container is 1, but limit is 2'

# LimitRanges of that kind, in bad.yaml.
policy() {
	status=0
	bounded check --policy bad.yaml request.yaml || status=$?
	ended "$1" 2
	ok "$1: nothing is decided" test ! -s out
	mentions "$1: is told so" err "$2"
}
pod '{}' > request.yaml
{
	echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
	for i in 1 2 3 4 5 6 7 8 9; do
		j=$((i - 1))
		echo "a$i: &a$i [*a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j]"
	done
	cat limits.yaml
} > bad.yaml
policy 'LimitRanges with an alias bomb' '  bad.yaml:'
sed "s/max: {cpu: 1/max: {cpu: 1e99999999999/" limits.yaml > bad.yaml
policy 'LimitRanges with an exponent beyond all' '  bad.yaml:10:16'
sed 's/limits:$/limits: 7/; /^  - type/,$d' limits.yaml > bad.yaml
policy 'limits that are none' '  bad.yaml:7:11'
{
	sed '/^  - type/,$d' limits.yaml
	seq 200000 | sed 's,.*,  - {type: example.com/a&},'
	echo '  - {type: example.com/a7}'
} > bad.yaml
policy 'two hundred thousand items and one once more' \
	'spec.limits[200000].type: Duplicate value: "example.com/a7"'

finish
