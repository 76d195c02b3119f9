#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# audit.sh - limen audit: what would break if a policy were enforced.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cat > policy.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: { name: mem, namespace: shop }
spec:
  limits:
  - type: Container
    max: { memory: 1Gi }
    default: { memory: 512Mi, nvidia.com/gpu: "1" }
END

# pod NAME MEMORY OWNER-KIND OWNER-NAME [PHASE [METADATA]]: a pod of "shop", its controller, its phase
pod() {
	printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"shop",' "$1"
	printf '"labels":{"pod-template-hash":"5d4f"}%s,"ownerReferences":[{"kind":"%s","name":"%s",' \
		"${6-}" "$3" "$4"
	printf '"controller":true}]},"spec":{"containers":[{"name":"app","image":"i","resources":'
	printf '{"limits":{"memory":"%s","nvidia.com/gpu":1}}}]},"status":{"phase":"%s"}}\n' \
		"$2" "${5-Running}"
}

# Two pods of a Deployment, one of a CronJob's Job, and what is left out.
{
	printf '{"apiVersion":"v1","kind":"List","items":[\n'
	pod web-1 2Gi ReplicaSet web-5d4f
	echo ,
	pod web-2 2Gi ReplicaSet web-5d4f
	echo ,
	pod nightly-1-x 2Gi Job nightly-1
	echo ,
	pod done 2Gi Job nightly-1 Succeeded
	echo ,
	pod mirror 1Gi Node n Running ',"annotations":{"kubernetes.io/config.mirror":"x"}'
	echo ,
	pod leaving 2Gi ReplicaSet web-5d4f Running ',"deletionTimestamp":"2026-01-01T00:00:00Z"'
	echo ,
	pod small 1Gi StatefulSet db
	cat << 'END'
,{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"nightly-1","namespace":"shop",
 "ownerReferences":[{"kind":"CronJob","name":"nightly","controller":true}]},
 "spec":{"template":{"spec":{"containers":[{"name":"app","image":"i"}]}}}}
,{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"none","namespace":"shop"},
 "spec":{"replicas":0,"template":{"spec":{"containers":[{"name":"app","image":"i"}]}}}}
,{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"r","namespace":"shop"},
 "spec":{"template":{"spec":{"containers":[{"name":"app","image":"i"}]}}}}
,{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"quiet"}}
]}
END
} > cluster.json
cat > expected << 'END'
NAMESPACE  OBJECTS  REFUSED  CHANGED  NOT JUDGED
shop       7        3        1        1

REFUSES  NAMESPACE  RULE
3        shop       LimitRange "mem" spec.limits[0].max is 1Gi

refused: shop Deployment/web, container app (2 pods)
  maximum memory usage per Container is 1Gi, but limit is 2Gi
  LimitRange "mem" spec.limits[0].max is 1Gi

refused: shop CronJob/nightly, container app (1 pod)
  maximum memory usage per Container is 1Gi, but limit is 2Gi
  LimitRange "mem" spec.limits[0].max is 1Gi

changed: shop Deployment/none, container app
  requests.memory becomes 512Mi, requests.nvidia.com/gpu 1, limits.memory 512Mi, limits.nvidia.com/gpu 1
  LimitRange "mem"

not judged: shop Rollout/r
  limen does not know the pods in spec.template of kind 'argoproj.io/Rollout'; check spec.template as the template of a Deployment

7 objects: 3 refused, 1 changed, 1 not judged; left out: 1 finished, 1 being deleted, 1 controlled
END
run audit --policy policy.yaml cluster.json
prints 'a cluster' 1 < expected

# The LimitRanges of the input are the policy; standard input is read twice for that.
cat policy.yaml > both
echo '---' >> both
cat cluster.json >> both
run_with both audit -
prints 'LimitRanges of standard input' 1 < expected
mkdir -p folder/below
cp policy.yaml folder/
cp cluster.json folder/below/
run audit folder
prints 'LimitRanges of a folder' 1 < expected
run audit cluster.json
complains 'no LimitRange' 2 << 'END'
limen: there is no LimitRange: name the policy with --policy
END

# A policy that only watches counts as if it refused.
cat > trial.yaml << 'END'
admission: [ { name: trial, plugin: LimitRanger, enforce: audit, data: { files: [ policy.yaml ] } } ]
END
run audit --policy trial.yaml --format json cluster.json
ok 'entries that audit count' test "$(jq -r '"\(.refused) \(.notJudged)"' out)" = '3 1'

# Mirror pods are judged unless the policy exempts them.
sed 's/{ files:/{ mirror-pods: exempt, files:/' trial.yaml > exempt.yaml
run audit --policy exempt.yaml --format json cluster.json
ok 'mirror pods that are exempt' test "$(jq -c '[.objects, .leftOut.mirror]' out)" = '[6,1]'

# What fails the command.
run audit --policy policy.yaml --fail-on none cluster.json
ended '--fail-on none' 0
jq '.items |= map(select(.metadata.name == "none"))' cluster.json > changed.json
run audit --policy policy.yaml changed.json
ended 'a change alone' 0
run audit --policy policy.yaml --fail-on changed changed.json
ended '--fail-on changed' 1

# A default that makes a pod invalid, which the API server itself refuses.
printf '%s' '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{' \
	'"containers":[{"name":"c","image":"i","resources":{"requests":{"memory":"600Mi"}}}]}}' > high.json
run audit --policy policy.yaml --format json high.json
ok 'a default limit below a request' test "$(jq -r '.findings[] | .rule + ": " + .message' out)" = \
	'validation by the API server: container "c": memory request above limit after LimitRange "mem"'

# Known findings do not count; new ones do.
run audit --policy policy.yaml --format json cluster.json
cp out before.json
run audit --policy policy.yaml --baseline before.json cluster.json
ended 'a baseline' 0
mentions 'a baseline is told' out '4 findings of the baseline'
pod other 3Gi ReplicaSet other-5d4f > new.json
run audit --policy policy.yaml --baseline before.json --format json cluster.json new.json
ended 'a new finding' 1
ok 'one finding is not known' test "$(jq '[.findings[] | select(.known | not)] | length' out)" = 1
run audit --policy policy.yaml --baseline cluster.json cluster.json
complains 'a file that is no baseline' 2 << 'END'
limen: cluster.json: not the output of 'limen audit --format json'
END

# Two policies side by side.
sed 's/memory: 1Gi/memory: 2Gi/; s/512Mi/256Mi/' policy.yaml > wider.yaml
run audit --policy wider.yaml --against policy.yaml cluster.json
ok 'what only the old policy refuses' test "$(grep -c '^- refused' out)" = 2
ok 'what both change differently' test "$(grep -c '^[+-] changed' out)" = 2
mentions 'the counts of both' out 'shop       7        0 (was 3)'
run audit --policy policy.yaml --against policy.yaml cluster.json
prints 'nothing changes' 0 << 'END'
1 namespace as before

7 objects: 3 refused, 1 changed, 1 not judged; left out: 1 finished, 1 being deleted, 1 controlled
END

# Quotas without defaults, and a namespace without a LimitRange.
{
	cat << 'END'
apiVersion: v1
kind: ResourceQuota
metadata: { name: q, namespace: shop }
spec: { hard: { limits.cpu: "4", limits.memory: 4Gi, pods: "3" } }
---
apiVersion: v1
kind: Pod
metadata: { name: p, namespace: bare }
spec: { containers: [ { name: c, image: i } ] }
END
} > quota.yaml
run audit --policy policy.yaml quota.yaml
mentions 'a quota without a default' out 'a ResourceQuota is about limits.cpu, but no LimitRange gives'
ok 'a quota with a default' test "$(grep -c 'limits.memory' out)" = 0
mentions 'pods without a LimitRange' out 'it has pods, but no LimitRange applies to it'

# Other programs.
run audit --policy policy.yaml --format junit cluster.json
ok 'JUnit has its schema' python3 "$LIMEN_SRCDIR/tests/cli/junit.py" out
mentions 'JUnit counts' out 'failures="2" errors="0" skipped="2"'
run audit --policy policy.yaml --format policyreport cluster.json
ok 'failures alone are reported' \
	test "$(jq -c '[.items[] | .kind, .summary.fail, (.results | length)]' out)" = '["PolicyReport",2,2]'
run audit --policy policy.yaml --format html cluster.json
ok 'HTML has no script' test "$(grep -c '<script' out)" = 0
mentions 'HTML names the owner' out 'Deployment/web'

# Names that other formats must escape, or cut.
{
	printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a\\u001b[31m\\n<b>&]]>","namespace":"shop"},'
	printf '"spec":{"containers":[{"name":"\\u0007<s>%0999999d","resources":{"limits":{"memory":"2Gi"}}}]}}' 1
} > odd.json
for format in text json junit policyreport html; do
	run audit --policy policy.yaml --format "$format" odd.json
	ended "odd names as $format" 1
	ok "odd names as $format are escaped" test "$(tr -d '[:print:]\n\t' < out | wc -c)" = 0
	[ "$format" = junit ] && ok 'odd names in JUnit' python3 "$LIMEN_SRCDIR/tests/cli/junit.py" out
	[ "$format" = policyreport ] && ok 'a long name is cut' test "$(wc -c < out)" -lt 100000
	[ "$format" != html ] || ok 'HTML escapes names' test "$(grep -c '<[bs]>' out)" = 0
done

# Owners are followed to the top, and those that own each other end.
owned() {
	printf '{"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","namespace":"shop",' "$1" "$2" "$3"
	printf '"ownerReferences":[{"kind":"%s","name":"%s","controller":true}]}}\n' "$4" "$5"
}
{
	owned apps/v1 ReplicaSet web-5d4f Deployment web
	owned apps/v1 Deployment web Site shop
	owned v1 ConfigMap left ConfigMap right
	owned v1 ConfigMap right ConfigMap left
	pod web-1 2Gi ReplicaSet web-5d4f
	pod bare-1 2Gi ReplicaSet web-5d4f | sed s/5d4f/none/
	pod odd 2Gi ConfigMap left
	pod odder 2Gi '' '' | sed 's/"kind":"","name":""/"kind":[3]/'
} > owned.json
run audit --policy policy.yaml --format json owned.json
ok 'owners to the top' test "$(jq -c '[.findings[] | select(.verdict == "refused") | .owner] | unique' out)" = \
	'["ConfigMap/left","Pod/odder","Site/shop"]'

# Reports of at most 500 failures, each below 1 MiB.
for number in $(seq 1 1200); do
	pod "p-$number" 2Gi StatefulSet "set-$number"
done > many.json
run audit --policy policy.yaml --format policyreport many.json
ok 'reports are numbered' test "$(jq -c '[.items[] | [.metadata.name, (.results | length)]]' out)" = \
	'[["limen-audit",500],["limen-audit-2",500],["limen-audit-3",200]]'

# What cannot be read is told with its place, and the rest is judged.
printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":}\n' > broken.json
cat new.json >> broken.json
run audit --policy policy.yaml --format json broken.json new.json
ended 'a broken object' 2
mentions 'its place' err 'broken.json:1: Invalid JSON'
head -c 300 new.json > cut.json
run audit --policy policy.yaml cut.json
mentions 'a file that is cut' err 'cut.json: line 1: the text ends within this object'
# Bytes of earlier objects stand behind the end of such a file in the buffer.
yes '{"kind":"ConfigMap","apiVersion":"v1","n":11111111111111111111}' | head -n 5000 > long.json
truncate -s -1 long.json
printf ' {"kind":{"%s":1} ' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >> long.json
run audit --policy policy.yaml long.json
mentions 'a long file that is cut' err 'long.json: line 5000: the text ends within this object'
printf '{"items":[{"metadata":{}}],"kind":"PodList","apiVersion":"v1"}' > late.json
run audit --policy policy.yaml late.json
mentions 'an item without a kind' err "late.json:1: the object has no 'kind'"
printf '{"kind":"List","items":[3]}' > three.json
run audit --policy policy.yaml three.json
mentions 'an item that is a number' err 'three.json: line 1: an item of the list is not an object'
reads() {
	run audit --policy policy.yaml --format json odd-form
	ok "$1" test "$(jq -c '[.objects, .refused]' out) $status" = "$2"
}
tr -d '\n' < new.json > flat
{ printf '{"items":['; cat flat flat; printf ']}'; } > odd-form
reads 'items without a comma' '[1,1] 2'
{ printf '{"items":['; cat flat; printf '],"items":['; cat flat; printf ']}'; } > odd-form
reads 'a list that has items twice' '[1,1] 2'
mentions 'a list that has items twice' err "line 1: the list has 'items' twice"
{ printf '{"items":['; cat flat; printf '],"kind" 3}'; } > odd-form
reads 'a list whose end is broken' '[1,1] 2'
{ printf 'items:\n- '; cat flat; printf '\nkind: ]\n'; } > odd-form
reads 'a YAML list whose end is broken' '[1,1] 2'
{ cat flat; printf '\000'; cat flat; } > odd-form
reads 'a NUL between objects' '[1,1] 2'
sed 's/"apiVersion":/apiVersion: /' flat > odd-form
{ printf '\n---\n# more\n--- '; cat odd-form; } >> odd-form.more
cat odd-form.more >> odd-form
reads 'YAML in braces' '[2,2] 1'
sed 's/$/\r/' policy.yaml > odd-form
{ printf -- '---\r\nitems:\r\n- '; cat flat; printf '\r\nkind: List\r\n'; } >> odd-form
reads 'line ends of Windows' '[1,1] 1'
printf '{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":[1]}}' > odd-form
reads 'a quota that is a list' '[0,0] 0'
sed 's/ResourceQuota/Pod/; s/{"name":"q"}/{"namespace":""}/' odd-form > pod-form
mv pod-form odd-form
reads 'an empty namespace' '[1,0] 0'
ok 'an empty namespace is the default' test "$(jq -r '.namespaces[].namespace' out)" = default
status=0
cat both | "$LIMEN" audit /dev/stdin > out 2> err || status=$?
complains 'a pipe without a policy' 2 << 'END'
limen: /dev/stdin: a pipe cannot be read twice; use - for standard input
END
run audit --policy policy.yaml nowhere.json
ended 'a file that is not there' 2
mentions 'a file that is not there' err 'limen: nowhere.json: No such file or directory'

# Wrong usage.
usage() {
	wanted=$1
	shift
	run audit "$@"
	ended "usage: $*" 2
	mentions "usage: $*" err "$wanted"
}
usage 'missing argument: FILE, or --cluster' --policy policy.yaml
usage '--cluster takes no files' --cluster cluster.json
usage '--context are for --cluster' --context c cluster.json
usage '--against needs --policy' --against policy.yaml cluster.json
usage '--fail-on takes refused, changed or none' --fail-on never cluster.json

# A cluster is read page by page through kubectl, and a page that fails is no smaller result.
mkdir bin
cat > bin/kubectl << 'END'
#!/bin/sh
echo "$*" >> asked
page() { printf '{"kind":"%s","apiVersion":"v1","metadata":{"continue":"%s"},"items":[%s]}' "$1" "$2" "$3"; }
bare() { sed 's/"apiVersion":"v1","kind":"[A-Za-z]*",//' "$1"; }
case $(cat mode 2> /dev/null) in
nothing) exit 0 ;;
garbage) echo '<html>'; exit 0 ;;
status) echo '{"kind":"Status","apiVersion":"v1","status":"Failure"}'; exit 0 ;;
half) page PodList '' '' | head -c 40; exit 0 ;;
null) page PodList '' '' | sed 's/\[\]/null/'; exit 0 ;;
again) page PodList same ''; exit 0 ;;
late) case $* in *continue=*) echo '{"items":[]}' ;; *) echo '{"items":[],"metadata":{"continue":"x"}}' ;; esac; exit 0 ;;
esac
case $* in
*/limitranges*) page LimitRangeList '' "$(cat range.json)" ;;
*/pods*continue=a%2Fb*) [ ! -e broken ] || exit 1; page PodList '' "$(bare new.json)" ;;
*/pods*) page PodList a/b "$(bare new.json)" ;;
*) page AnyList '' '' ;;
esac
END
chmod +x bin/kubectl
printf '{"metadata":{"name":"mem","namespace":"shop"},"spec":{"limits":[{"type":"Container","max":{"memory":"1Gi"}}]}}' > range.json
PATH=$PWD/bin:$PATH
run audit --cluster --context c --format json
ended 'a cluster by kubectl' 1
ok 'both pages are judged' test "$(jq -c '[.objects, .findings[0].pods]' out)" = '[2,2]'
ok 'pages of 500 with the context' grep -q -- '--context c get --raw /api/v1/pods?limit=500' asked
touch broken
run audit --cluster --format json
ended 'a page that fails' 2
mentions 'which page failed' err "kubectl get --raw '/api/v1/pods?limit=500&continue=a%2Fb' failed"
for mode in nothing garbage status half again; do
	echo "$mode" > mode
	run audit --cluster --policy policy.yaml
	ended "kubectl prints $mode" 2
done
mentions 'a page that repeats' err "resourcequotas?limit=500&continue=same' goes on with itself"
for mode in null late; do
	echo "$mode" > mode
	run audit --cluster --policy policy.yaml
	ended "kubectl prints $mode" 0
done
ok 'what follows the items is read' grep -q 'pods?limit=500&continue=x' asked
ok 'kubectl has a timeout' grep -q -- '--request-timeout=2m --context c get' asked
rm mode
mv bin/kubectl bin/other
PATH=$PWD/bin run audit --cluster --policy policy.yaml
ended 'no kubectl' 2
mentions 'no kubectl' err '--cluster asks through kubectl: '
mv bin/other bin/kubectl

# LimitRanges that fit what is there: a limit only where most containers have one.
for number in $(seq 1 40); do
	printf '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%s","namespace":"shop"},' "$number"
	printf '"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"%sm"},' \
		"$((number * 5))"
	printf '"limits":{"memory":"%sMi"}}}]}}\n' "$((number * 20 + (number == 40) * 4000))"
done > forty.json
run suggest limits --share 90 forty.json
prints 'LimitRanges that fit' 0 << 'END'
# From what containers ask for, not from what they use.
---
# 40 containers; these limits would refuse 1 and change 0 of 40 objects
# cpu: 40 containers name it, 0 of them a limit
# memory: 40 containers name it, 40 of them a limit
apiVersion: v1
kind: LimitRange
metadata:
  name: limen-suggested
  namespace: "shop"
spec:
  limits:
  - type: Container
    min: {memory: 16Mi}
    max: {memory: 784Mi}
    default: {memory: 400Mi}
    defaultRequest: {cpu: 100m, memory: 400Mi}
END
cp out suggested.yaml
run audit --policy suggested.yaml --format json forty.json
ok 'the audit agrees' test "$(jq .refused out)" = 1
run_with forty.json suggest limits -
ok 'the whole range by default' grep -q 'max: {memory: 4864Mi}' out
run suggest limits policy.yaml
complains 'no containers' 2 << 'END'
limen: no container names cpu or memory
END
run suggest events one.json
ended 'suggest events is suggest' 2

# Every form of the same objects, against "limen check" of each.
for seed in 1 2 3 4 5; do
	mkdir "seed-$seed"
	cp policy.yaml "seed-$seed/"
	python3 "$LIMEN_SRCDIR/tests/cli/audit.py" "$LIMEN" "seed-$seed" "$seed"
done > forms
ok 'every form has the verdicts of limen check' test ! -s forms
sed 's/^/# /' forms

finish
