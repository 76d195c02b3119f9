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

# Units of another resource, and hugepages without cpu and memory.
cat > units.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: a}
spec:
  limits:
  - type: Container
    default: {cpu: 100M, memory: 512M}
    defaultRequest: {cpu: 100m, memory: "1000"}
  - type: Pod
    max: {memory: 512m, cpu: "0.1"}
  - type: PersistentVolumeClaim
    max: {storage: 10m}
---
apiVersion: v1
kind: LimitRange
metadata: {name: b, namespace: b}
spec: {limits: [{type: Container, max: {cpu: 4k, memory: }}]}
END
run validate --strict units.yaml
ended 'units of another resource' 1
holds 'millions of CPUs' err 'warning: At /spec/limits/0/default/cpu: spec.limits[0].default[cpu]: 100M is an unusual amount of cpu'
holds 'with the unit that was meant' err '  hint: for thousandths of a CPU, write m'
mentions 'thousandths of bytes' err 'spec.limits[1].max[memory]: 512m is an unusual amount of memory'
mentions 'also of storage' err 'spec.limits[2].max[storage]: 10m is an unusual amount of storage'
ok 'and no other value' test "$(grep -c unusual err)" -eq 4
ok 'each once, as one without a value' test "$(grep -c 'max.memory.: no value' err)/$(grep -c ': no value' err)" = 1/1
printf 'apiVersion: v1\nkind: LimitRange\nmetadata: {name: a}\nspec:\n  limits:\n  - type: Container\n    max:\n' > torn.yaml
run validate torn.yaml
holds 'a file that is torn' err 'warning: At /spec/limits/0: spec.limits[0] limits nothing, because it has no values'
cat > huge.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: a}
spec: {limits: [{type: Container, default: {hugepages-2Mi: 4Mi}}]}
END
run validate huge.yaml
mentions 'hugepages without cpu and memory' err 'spec.limits[0].default[hugepages-2Mi]: the API server will answer 422'
sed -i 's/4Mi/4Mi, memory: 1Gi/' huge.yaml
run validate --strict huge.yaml
ended 'hugepages with memory' 0

# Defaults of containers that a pod with resources of its own cannot have.
cat > default.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: l}
spec: {limits: [{type: Container, default: {cpu: "2"}, defaultRequest: {cpu: 500m}}]}
END
cat > pod.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {resources: {limits: {cpu: "1"}, requests: {cpu: 600m}}, containers: [{name: a, image: i}, {name: b, image: i}]}
END
run check --policy default.yaml pod.yaml
cat out >> err
mentions 'requests above those of the pod' err \
	'pod: cpu requests of the containers above the pod'"'s; the API server will answer 422"
mentions 'a limit above that of the pod' err \
	'container "b": cpu limit above the pod'"'s after LimitRange \"l\"; the API server will answer 422"
sed -i 's/cpu: "1"/cpu: "2"/; s/600m/1/' pod.yaml
run check --policy default.yaml pod.yaml
ok 'a pod with room for them has no warning' sh -c '! grep 422 out err'

# "!" leaves containers out.
cat > except.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: l, annotations: {limen.policy/items: '[{"containers": ["*", "!istio-*"]}]'}}
spec: {limits: [{type: Container, default: {cpu: 100m}}]}
END
cat > mesh.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: app, image: x}, {name: istio-proxy, image: x}]}
END
run check --policy except.yaml --format patch mesh.yaml
mentions 'a container gets its defaults' out '/spec/containers/0'
ok 'one that is left out gets none' sh -c '! grep -q /spec/containers/1 out'

finish
