#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# lint.sh - limen validate of LimitRanges: all that is wrong with its place, and
# what is accepted and hardly meant, also between files.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
mkdir namespace

cat > namespace/a.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: a}
spec:
  limits:
  - type: Container
    max:
      example.com/gpu: 1
    default: {cpu: 2}
    defaultRequest: {cpu: 1}
END
cat > namespace/b.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: b}
spec:
  limits:
  - type: Container
    min: {cpu: 500m}
    max: {cpu: 1}
  - type: Pod
    min: {memory: 1Gi}
    max: {cpu: 250m}
END
run validate namespace/a.yaml
cat err out > all
mv all out
: > err
prints 'one file' 0 << 'END'
warning: At /spec/limits/0/max/example.com~1gpu: spec.limits[0].max[example.com/gpu]: every container without a value is given 1, because there is no default
  namespace/a.yaml:8:24
  hint: write "default" and "defaultRequest" for example.com/gpu
Limit configuration is valid.
END
run validate namespace/a.yaml namespace/b.yaml
ended 'several files: warnings do not count' 0
ok 'each is valid' sh -c 'printf "%s\n" "namespace/a.yaml: Limit configuration is valid." \
	"namespace/b.yaml: Limit configuration is valid." | cmp - out'
mentions 'a default above the bound of another file' err \
	'spec.limits[0].default[cpu]: 2 is above the max 1 of LimitRange "b" in the same namespace, so a container without resources is refused'
mentions 'with its place' err '  namespace/a.yaml:9:20'
mentions 'a default that is never used' err \
	'spec.limits[0].max[cpu]: a container without a value is given 1, because there is no default'
mentions 'bounds that leave no room' err \
	'spec.limits[0].min[cpu]: 500m is above the max 250m of pods of LimitRange "b" in the same namespace, so nothing can be admitted'
cp err together
run validate namespace
ok 'a directory gives the same warnings' cmp err together
run validate namespace/b.yaml namespace/a.yaml
ok 'whatever the order, the same number of them' test "$(wc -l < err)" -eq "$(wc -l < together)"
run validate --format json namespace/a.yaml namespace/b.yaml
mentions 'in JSON they are one policy' out '{"policy":"namespace/a.yaml","files":["namespace/a.yaml","namespace/b.yaml"],"valid":true,"unreadable":null,"problems":[{"severity":"warning",'
ok 'on one line' test "$(wc -l < out)" -eq 1

cp "$LIMEN_SRCDIR/tests/cli/data/limits.conf" .
run validate limits.conf namespace/a.yaml
ok 'other policies stay on their own' sh -c 'printf "%s\n" "limits.conf: Limit configuration is valid." \
	"namespace/a.yaml: Limit configuration is valid." | cmp - out'

# Problems of several files, each with its place.
sed 's/name: b/name: a/; s/cpu: 500m/cpu: 5x/' namespace/b.yaml > namespace/c.yaml
sed 's/defaultRequest/defaultRequests/; s/max/min/; s/cpu: 2/cpu: 1..2/' namespace/a.yaml > namespace/d.yaml
run validate namespace/a.yaml namespace/c.yaml namespace/d.yaml
ended 'problems count' 1
mentions 'a quantity' err 'At /spec/limits/0/min/cpu: LimitRange in version "v1" cannot be handled as a LimitRange: quantities must match'
mentions 'with its place' err '  namespace/c.yaml:7:16'
mentions 'and what one looks like' err '  hint: such as 500m, 2, 1G or 1Gi'
mentions 'one of another file' err '  namespace/d.yaml:9:20'
mentions 'two of one name' err 'there are two LimitRanges "a" in the namespace "default"'
mentions 'a key that nobody knows' err 'unknown field "spec.limits[0].defaultRequests"'
mentions 'with the one that was meant' err '  hint: did you mean '
ok 'none of them is called valid' test ! -s out
sed 's/type: Container/type: container/' namespace/a.yaml > namespace/e.yaml
run validate namespace/e.yaml
mentions 'types of LimitRanges' err '  hint: such as Container, Pod or PersistentVolumeClaim'
run check --policy namespace/d.yaml "$LIMEN_SRCDIR/tests/cli/data/pod.json"
ended 'nothing is decided under them' 2
ok 'at all' test ! -s out

finish
