#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manifests.sh - limen check of Kubernetes manifests under LimitRanges.  The
# numbers are those of the documents (limit-ranger, "Example"; the first
# proposal, "kubectl describe") and of the API rules around them (kubernetes 2.9).
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
cp "$data/limits.yaml" "$data/proposal.yaml" "$data/pods.yaml" "$data/workloads.yaml" "$data/pod.json" .

run check --policy limits.yaml pod.json
prints "the document's example: a container that says nothing" 0 << 'END'
admitted: no admission entry refuses it
Container  Resource  Request                                        Limit
web        cpu       250m (defaultRequest of LimitRange "limits")   500m (default of LimitRange "limits")
           memory    250Mi (defaultRequest of LimitRange "limits")  500Mi (default of LimitRange "limits")
Changed: /metadata/annotations: {"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container web; cpu, memory limit for container web"}
END
cp out admitted
run_with pod.json check --policy limits.yaml -
ok 'standard input gives the same' cmp out admitted
run_with limits.yaml check --policy - pod.json
ok 'so do LimitRanges from standard input' cmp out admitted
run check --policy limits.yaml --format json pod.json
mentions 'the decision has the numbers' out '"rewritten":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container web; cpu, memory limit for container web"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"limits":{"cpu":"500m","memory":"500Mi"},"requests":{"cpu":"250m","memory":"250Mi"}}}]}}'
mentions 'and says what it is about' out '{"about":{"file":"pod.json","document":1,"path":"","kind":"Pod","namespace":"default","name":"web"},"admitted":true,'
mentions 'and where values come from' out '{"path":"/spec/containers/0/resources/limits/cpu","from":"default of LimitRange \"limits\""}'

# The namespace of objects and of LimitRanges that name none.
run check --policy limits.yaml --namespace shop pod.json
ok '--namespace is that of both' cmp out admitted
run check --policy proposal.yaml pod.json
prints 'a LimitRange of another namespace' 0 << 'END'
not judged: no LimitRange applies to namespace 'default'
Hint: name the namespace of the object with --namespace
Container  Resource  Request  Limit
web        -         -        -
END
run check --policy proposal.yaml --namespace myspace pod.json
prints "the proposal's example" 0 << 'END'
admitted: no admission entry refuses it
Container  Resource  Request                                       Limit
web        cpu       250m (defaultRequest of LimitRange "limits")  250m (default of LimitRange "limits")
           memory    1Mi (defaultRequest of LimitRange "limits")   1Mi (default of LimitRange "limits")
Changed: /metadata/annotations: {"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container web; cpu, memory limit for container web"}
END

# What one of the lists lacks, in byte order.
cat > sides.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: sides}
spec:
  containers:
  - name: web
    resources:
      limits: {memory: 2Gi, example.org/a~b: 2, cpu: 2}
      requests: {memory: 1Gi, ephemeral-storage: 3Gi}
END
run check --policy proposal.yaml --as-received sides.yaml
prints 'resources with one value, and with both' 0 << 'END'
not judged: no LimitRange applies to namespace 'default'
Hint: name the namespace of the object with --namespace
Container  Resource           Request      Limit
web        cpu                -            2 (given)
           ephemeral-storage  3Gi (given)  -
           example.org/a~b    -            2 (given)
           memory             1Gi (given)  2Gi (given)
END

# Several documents, anchors, a typed list, init containers.
run check --policy limits.yaml pods.yaml
prints 'a file of pods' 1 << 'END'
==> pods.yaml: Pod "plain" (namespace default) <==
admitted: no admission entry refuses it
Container  Resource  Request                                        Limit
web        cpu       250m (defaultRequest of LimitRange "limits")   500m (default of LimitRange "limits")
           memory    250Mi (defaultRequest of LimitRange "limits")  500Mi (default of LimitRange "limits")
Changed: /metadata/annotations: {"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container web; cpu, memory limit for container web"}

==> pods.yaml: Pod "web-" (namespace default) <==
admitted: no admission entry refuses it
Warning: init container "first": cpu request above limit after LimitRange "limits"; the API server will answer 422
Container     Resource  Request                                        Limit
one           cpu       200m (copied from the limit)                   200m (given)
              memory    300Mi (copied from the limit)                  300Mi (given)
two           cpu       200m (copied from the limit)                   200m (given)
              memory    300Mi (copied from the limit)                  300Mi (given)
first (init)  cpu       700m (given)                                   500m (default of LimitRange "limits")
              memory    250Mi (defaultRequest of LimitRange "limits")  500Mi (default of LimitRange "limits")
Changed: /metadata/annotations: {"kubernetes.io/limit-ranger":"LimitRanger plugin set: memory request for init container first; cpu, memory limit for init container first"}

==> pods.yaml: Pod "large" (namespace default) <==
refused: pods "large" is forbidden: maximum cpu usage per Container is 1, but limit is 1500m
Violation: pods.yaml:22:45: spec.containers[0].resources.limits[cpu]: maximum cpu usage per Container is 1, but limit is 1500m
Warning: container "big": cpu request 1500m (filled in), limit 1500m; LimitRange "limits" has max 1
Container  Resource  Request                                        Limit
big        cpu       1500m (copied from the limit)                  1500m (given)
           memory    250Mi (defaultRequest of LimitRange "limits")  500Mi (default of LimitRange "limits")
Changed: /metadata/annotations: {"kubernetes.io/limit-ranger":"LimitRanger plugin set: memory request for container big; memory limit for container big"}

3 objects: 1 refused, 2 admitted
END
mkdir folder
cp pods.yaml folder/b.yml
cp pod.json folder/a.json
cp workloads.yaml folder/c.txt
run check --policy limits.yaml folder
ok 'a folder: its files in order, and no others' sh -c 'grep "^==>" out | tr "\n" "." | grep -Fqx \
	"==> folder/a.json: Pod \"web\" (namespace default) <==.==> folder/b.yml: Pod \"plain\" (namespace default) <==.==> folder/b.yml: Pod \"web-\" (namespace default) <==.==> folder/b.yml: Pod \"large\" (namespace default) <==."'
run check --policy limits.yaml --as-received pods.yaml
mentions '--as-received copies nothing' out 'one           cpu       250m (defaultRequest of LimitRange "limits")  '
ok 'not a single value' sh -c '! grep -q copied out'

# One half of the admission chain at a time, as an API server asks for them.
run check --policy limits.yaml --phase mutate pods.yaml
ended 'nothing is checked where objects are only changed' 0
mentions 'they are changed' out '(defaultRequest of LimitRange "limits")'
run check --policy limits.yaml --phase validate --as-received pod.json
ended 'nothing is filled in where objects are only checked' 1
mentions 'so the check finds nothing' out 'minimum memory usage per Container is 250Mi.  No request is specified'
run check --policy limits.yaml --phase validate --format json "$data/reviews/pod-create-mutate.json"
mentions 'there is no patch' out '"patch":null'

# Workloads: which container of which template would be refused.
run check --policy limits.yaml workloads.yaml
ended 'workloads' 1
holds 'the pods of a Deployment' out '==> workloads.yaml: Deployment "web", pods of spec.template (namespace default) <=='
holds 'the container that is refused' out 'Violation: workloads.yaml:9:47: spec.template.spec.containers[0].resources.limits[cpu]: maximum cpu usage per Container is 1, but limit is 2'
holds 'claims of a StatefulSet' out '==> workloads.yaml: StatefulSet "db", claims of spec.volumeClaimTemplates[0] (namespace default) <=='
holds 'the pods of a CronJob' out 'Violation: workloads.yaml:31:65: spec.jobTemplate.spec.template.spec.containers[0].resources.requests[cpu]: minimum cpu usage per Container is 100m, but request is 50m'
holds 'other objects' out '==> workloads.yaml: Service "web" <=='
ok 'nothing about workloads beside their pods' sh -c '! grep -q "^==> .*Deployment \"web\" <==" out'
run check --policy limits.yaml --format json workloads.yaml
ok 'in JSON one line for each object' test "$(wc -l < out)" -eq 8
mentions 'with its place in the file' out '{"about":{"file":"workloads.yaml","document":3,"path":"/spec/jobTemplate/spec/template","kind":"Pod","namespace":"default","generateName":"tidy-"},"admitted":false,'
for kind in Deployment ReplicaSet DaemonSet StatefulSet Job ReplicationController; do
	case $kind in
	Job) api=batch/v1 ;;
	ReplicationController) api=v1 ;;
	*) api=apps/v1 ;;
	esac
	echo "{apiVersion: $api, kind: $kind, metadata: {name: x}, spec: {template: {spec: {containers:
		[{name: c, resources: {limits: {cpu: 2}}}]}}}}" > kind.yaml
	run check --policy limits.yaml kind.yaml
	ended "the pods of a $kind are checked" 1
	echo "{apiVersion: example.com/v1, kind: $kind, metadata: {name: x}, spec: {template: {spec:
		{containers: [{name: c, resources: {limits: {cpu: 2}}}]}}}}" > kind.yaml
	run check --policy limits.yaml kind.yaml
	ended "but not those of a $kind of somebody else" 0
done
echo '{apiVersion: v1, kind: PodTemplate, metadata: {name: x}, template: {spec: {containers:
	[{name: c, resources: {limits: {cpu: 2}}}]}}}' > kind.yaml
run check --policy limits.yaml kind.yaml
holds 'the pods of a PodTemplate are checked' out 'Violation: kind.yaml:2:39: template.spec.containers[0].resources.limits[cpu]: maximum cpu usage per Container is 1, but limit is 2'
cat > kinds.yaml << 'END'
templates:
- {group: example.com, kind: Gang, path: "spec.tasks[].template"}
END
echo '{apiVersion: example.com/v1, kind: Gang, metadata: {name: x}, spec: {tasks: [{template: {}},
	{template: {spec: {containers: [{name: c, resources: {limits: {cpu: 2}}}]}}}]}}' > kind.yaml
run check --policy limits.yaml kind.yaml
mentions 'a kind that limen does not know' out 'not judged: limen does not know the pods in spec.tasks[1].template of kind'
run check --policy limits.yaml --policy kinds.yaml kind.yaml
mentions 'but the policy does' out 'Violation: kind.yaml:2:70: spec.tasks[1].template.spec.containers[0].resources.limits[cpu]: maximum cpu usage per Container is 1, but limit is 2'
run check --policy limits.yaml --policy kinds.yaml --phase workload kind.yaml
ended 'the webhook admits it' 0
mentions 'and warns' out 'Warning: pods of x would be refused: maximum cpu usage per Container is 1, but limit is 2'
echo '{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {}}' > kind.yaml
run check --policy limits.yaml kind.yaml
ended 'a Deployment without a template' 1
mentions 'has pods that are none' out 'Violation: spec.template.spec: Invalid value: must be an object'

# Claims.
cat > claims.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {name: claims}
spec:
  limits: [{type: PersistentVolumeClaim, min: {storage: 1Gi}, max: {storage: 2Gi}}]
END
echo '{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata:
	{name: c}, spec: {resources: {requests: {storage: 3Gi}}}}]}' > list.yaml
run check --policy claims.yaml list.yaml
prints 'a claim in a List' 1 << 'END'
refused: persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi
Violation: list.yaml:2:52: spec.resources.requests[storage]: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi
Warning: claim: storage request 3Gi, limit none; LimitRange "claims" has max 2Gi
Claim        Resource  Request      Limit
(the claim)  storage   3Gi (given)  -
END

# An object that no entry looked at was not checked.
cat > unseen.yaml << 'END'
apiVersion: example.org/v1
kind: Gang
metadata: {name: band, namespace: shop}
spec: {template: {spec: {containers: [{name: c, resources: {limits: {cpu: "100"}}}]}}}
---
{apiVersion: v1, kind: Podd, metadata: {name: typo}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: way}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: no-limits-here}, spec: {containers: [{name: c}]}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c}]}}}}
END
run check --policy limits.yaml unseen.yaml
ended 'what was not judged does not fail' 0
grep '^==>\|^not \|^Hint\|^admitted' out > shown
cat > wanted << 'END'
==> unseen.yaml: Gang "band" (namespace shop) <==
not judged: limen does not know the pods in spec.template of kind 'example.org/Gang'
Hint: check spec.template as the template of a Deployment
==> unseen.yaml: Podd "typo" <==
not judged: Kubernetes has no kind 'v1/Podd'
Hint: did you mean 'Pod'?
==> unseen.yaml: ConfigMap "plain" <==
not concerned: no entry of the policy is about kind 'v1/ConfigMap'
==> unseen.yaml: Gateway "way" <==
not concerned: no entry of the policy is about kind 'gateway.networking.k8s.io/Gateway'
==> unseen.yaml: Pod "p" (namespace no-limits-here) <==
not judged: no LimitRange applies to namespace 'no-limits-here'
Hint: add the LimitRanges of namespace 'no-limits-here' with --policy
==> unseen.yaml: Deployment "d", pods of spec.template (namespace default) <==
admitted: no admission entry refuses it
END
ok '  and is never called admitted' diff wanted shown
ok '  and a workload counts once' sh -c "tail -n 1 out | grep -qx '6 objects: 3 not judged, 2 not concerned, 1 admitted'"
run check --policy limits.yaml --strict unseen.yaml
ended '--strict fails for it' 1
run check --policy limits.yaml -q unseen.yaml
prints '--quiet prints it' 0 << 'END'
unseen.yaml: Gang "band" (namespace shop): not judged: limen does not know the pods in spec.template of kind 'example.org/Gang'; check spec.template as the template of a Deployment
unseen.yaml: Podd "typo": not judged: Kubernetes has no kind 'v1/Podd'; did you mean 'Pod'?
unseen.yaml: Pod "p" (namespace no-limits-here): not judged: no LimitRange applies to namespace 'no-limits-here'; add the LimitRanges of namespace 'no-limits-here' with --policy
6 objects: 3 not judged, 2 not concerned, 1 admitted
END
cat > refused.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: big, namespace: default}
spec: {containers: [{name: c, resources: {limits: {cpu: 2}}}]}
END
run check --policy limits.yaml -q refused.yaml
prints 'and a refusal with its reason, at the place of the value' 1 << 'END'
refused.yaml:4:57: Pod "big" (namespace default): refused: pods "big" is forbidden: maximum cpu usage per Container is 1, but limit is 2
1 object: 1 refused
END
cat > warned.yaml << 'END'
admission:
- {name: trial, plugin: LimitRanger, enforce: warn, data: {files: [limits.yaml]}}
END
run check --policy warned.yaml -q --strict refused.yaml
prints 'and the warning that fails --strict' 1 << 'END'
refused.yaml: Pod "big" (namespace default): admitted; warning: container "c": cpu request 2 (filled in), limit 2; LimitRange "limits" has max 1; warning: [trial] maximum cpu usage per Container is 1, but limit is 2
1 object: 1 admitted
END
run check --policy limits.yaml --format json unseen.yaml
ok 'in JSON it is neither admitted nor refused' test "$(grep -c '"judged":false,"admitted":null,"reason":' out)" -eq 3
ok '  and what is not concerned is admitted' test "$(grep -c '"concerned":false,"admitted":true' out)" -eq 2
run check --policy proposal.yaml -n myspace --quiet pod.json
prints '-n is --namespace' 0 << 'END'
1 object: 1 admitted
END
run check --policy limits.yaml --format junit unseen.yaml pod.json
ended 'as JUnit' 0
mentions '  nothing is passed that was not judged' out '<testsuites tests="7" failures="0" errors="0" skipped="5">'
mentions '  with the reason' out '<skipped message="not judged: Kubernetes has no kind &apos;v1/Podd&apos;; did you mean &apos;Pod&apos;?"/>'
run check --policy limits.yaml --format junit --strict unseen.yaml
mentions '  and fails with --strict' out '<testsuites tests="6" failures="3" errors="0" skipped="2">'
run check --policy limits.yaml --format github unseen.yaml pods.yaml nowhere.yaml
: > err
prints 'as annotations of GitHub' 2 << 'END'
::warning file=unseen.yaml,line=1,col=1,title=Gang "band"::not judged: limen does not know the pods in spec.template of kind 'example.org/Gang'; check spec.template as the template of a Deployment
::warning file=unseen.yaml,line=6,col=1,title=Podd "typo"::not judged: Kubernetes has no kind 'v1/Podd'; did you mean 'Pod'?
::warning file=unseen.yaml,line=12,col=1,title=Pod "p"::not judged: no LimitRange applies to namespace 'no-limits-here'; add the LimitRanges of namespace 'no-limits-here' with --policy
::warning file=pods.yaml,line=12,col=3,title=Pod "web-"::init container "first": cpu request above limit after LimitRange "limits"; the API server will answer 422
::error file=pods.yaml,line=22,col=45,title=Pod "large"::maximum cpu usage per Container is 1, but limit is 1500m
::warning file=pods.yaml,line=19,col=3,title=Pod "large"::container "big": cpu request 1500m (filled in), limit 1500m; LimitRange "limits" has max 1
::error file=nowhere.yaml,title=nowhere.yaml::nowhere.yaml: No such file or directory
END
if python3 -c 'import xml.dom.minidom' 2> /dev/null; then
	run check --policy limits.yaml --format junit unseen.yaml pods.yaml workloads.yaml
	ok 'JUnit is XML' python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("out")'
else
	skip 'JUnit is XML' 'no Python'
fi
for kinds in v1/pod:Pod v1/persistentVolumeClaim:PersistentVolumeClaim v1/limitrange:LimitRange \
	apps/v1/deployment:Deployment apps/v1/Deploymnet:Deployment batch/v1/cronJob:CronJob v1/Job:batch/Job v1/job:batch/Job \
	networking.k8s.io/v1/LimitRange:v1/LimitRange networking.k8s.io/v1/Ingres:Ingress batch.k8s.io/v1/Job:batch/Job \
	v1/PodLits:PodList v1/Lits:List apps/v1/Pod:v1/Pod; do
	kind=${kinds%:*}
	echo "{apiVersion: ${kind%/*}, kind: ${kind##*/}, metadata: {name: a}}" > kind.yaml
	run check --policy limits.yaml kind.yaml
	mentions "$kind is not known" out 'not judged: '
	holds "  and is like ${kinds#*:}" out "Hint: did you mean '${kinds#*:}'?"
done
echo '{apiVersion: x.io/v1, kind: pod, metadata: {name: a}}' > kind.yaml
run check --policy limits.yaml --strict kind.yaml
prints 'another group may have such a kind' 0 << 'END'
not concerned: no entry of the policy is about kind 'x.io/pod'
END
for kind in networking.k8s.io/v1/Ingress audit.k8s.io/v1/Event events.k8s.io/v1/Event v1/ConfigMap \
	scheduling.k8s.io/v1alpha1/Workload gateway.networking.k8s.io/v1/Gateway cluster.x-k8s.io/v1beta1/Machine \
	apps/v1beta1/Scale extensions/v1beta1/PodSecurityPolicy resource.k8s.io/v1alpha2/ResourceClaimParameters; do
	echo "{apiVersion: ${kind%/*}, kind: ${kind##*/}, metadata: {name: a}}" > kind.yaml
	run check --policy limits.yaml --strict --quiet kind.yaml
	prints "no pods are in $kind" 0 << 'END'
1 object: 1 not concerned
END
done
echo '{apiVersion: v1, kind: List, itmes: [{apiVersion: v1, kind: Pod}]}' > kind.yaml
run check --policy limits.yaml kind.yaml
prints 'a list without its objects' 0 << 'END'
not judged: the List has no 'items'
END
echo '{apiVersion: x.io/v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}' > kind.yaml
run check --policy limits.yaml kind.yaml
prints 'a Pod of another group' 0 << 'END'
not judged: limen does not know the pods in spec of kind 'x.io/Pod'
Hint: check it as a Pod of apiVersion v1
END
cat > kind.yaml << 'END'
apiVersion: admission.k8s.io/v1
kind: AdmissionReview
request: {uid: u, operation: CREATE, namespace: shop, name: d, kind: {group: apps, version: v1, kind: Deployment}, resource: {group: apps, version: v1, resource: deployments}, object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c, resources: {limits: {cpu: 2}}}]}}}}}
END
run check --policy limits.yaml kind.yaml
prints 'the review of a workload' 0 << 'END'
not judged: no entry of the policy looks at its pods
Hint: the API server sends reviews of them: check these
END
sed -i 's/object: .*/oldObject: {apiVersion: apps\/v1, kind: Deployment, metadata: {name: d}}}/; s/CREATE/DELETE/' kind.yaml
run check --policy limits.yaml --strict kind.yaml
prints '  unless that is deleted' 0 << 'END'
not concerned: no entry of the policy is about kind 'apps/Deployment'
END
for warned in '{resources: {limits: {cpu: 1}}, name: c, resource: {}}' \
	'{name: c, resources: {requests: {cpu: 700m}}}'; do
	echo "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [$warned]}}" > warned.yaml
	run check --policy limits.yaml warned.yaml
	ended "a warning does not fail: $warned" 0
	run check --policy limits.yaml --strict warned.yaml
	ended '  unless --strict says so' 1
done
run check --policy limits.yaml --strict pod.json
ended '--strict with nothing to say' 0
cat > everyone.conf << 'END'
{
  "identifiers": [{"name": "all", "description": "x", "type": "always", "data": {}}],
  "classifiers": [{"name": "all", "description": "x", "identifiers": ["all"]}],
  "limits": [], "applications": [{"description": "A", "classifier": "all", "apply": []}],
  "applications-on": ["tasks", "objects"],
  "admission": [{"name": "events", "plugin": "EventRateLimit",
                 "data": {"limits": [{"type": "Server", "qps": 1, "burst": 1}]}}]
}
END
run check --policy everyone.conf unseen.yaml
ended '  unless something else of the policy decides' 0
ok '  which is no warning' test ! -s err

# Patches are those of the file, whatever stands in it.
cat > empty.yaml << 'END'
{apiVersion: v1, kind: List, items: []}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: v1, kind: PodList, items: []}
---
{apiVersion: v1, kind: List, items: null}
END
run check --policy limits.yaml --format patch empty.yaml
prints 'a patch for documents that hold nothing' 0 << 'END'
[]
[]
[]
[]
END
run check --policy limits.yaml --format patch pod.json
prints 'a patch' 0 << 'END'
[{"op":"add","path":"/metadata/annotations","value":{"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container web; cpu, memory limit for container web"}},{"op":"add","path":"/spec/containers/0/resources","value":{"limits":{"cpu":"500m","memory":"500Mi"},"requests":{"cpu":"250m","memory":"250Mi"}}}]
END
run check --policy limits.yaml --format patch workloads.yaml
ended 'patches of workloads' 1
ok 'one line for each document' test "$(wc -l < out)" -eq 4
ok 'null for what is refused' sh -c 'sed -n 1p out | grep -qx null && sed -n 3p out | grep -qx null'
ok 'nothing to do' sh -c 'sed -n 4p out | grep -qxF "[]"'
ok 'paths as seen from the document' sh -c 'sed -n 2p out | grep -qF "{\"op\":\"add\",\"path\":\"/spec/template/metadata\""'
mentions 'the reason is told' err 'limen: workloads.yaml: Deployment "web", pods of spec.template: pods "web-" is forbidden: '
run check --policy limits.yaml --format yaml pod.json
holds 'the decision in YAML' out 'admitted: true'
holds 'with texts that would be numbers' out '          cpu: "500m"'
ok 'and nothing else' test "$(grep -c '^---$' out)" -eq 1
run check --policy limits.yaml --format xml pod.json
complains 'another format' 2 << 'END'
limen: --format takes one of text, json, yaml, patch, review, junit, github, not 'xml'
Try 'limen check --help'.
END
run check --policy limits.yaml --format yaml --batch pod.json
complains 'a batch in another format' 2 << 'END'
limen: --batch answers in JSON
Try 'limen check --help'.
END

# A task in YAML is a task.
cp "$data/limits.conf" .
printf 'schema: 1\ntest: {type: idle, spec: {}}\n"#": no\n' > task.yaml
run check --policy limits.conf --hint requester=10.0.0.1 task.yaml
ended 'a task in YAML' 0
run check --policy limits.conf --hint requester=10.0.0.1 --task task.yaml
ended 'a task in YAML that is called a task' 0

# A key that LimitRanges look at is misspelt, in a pod and in a template.
cat > misspelt.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: a, namspace: shop}
spec:
  initContainer: []
  containers: [{name: a, image: i, resource: {}}, {name: b, resources: {limit: {}, requests: {}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec: {template: {spec: {containers: [{name: a, resources: {request: {}}}], resourceClaims: []}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
specs: {}
END
run check --policy proposal.yaml --quiet misspelt.yaml
ended 'misspelt keys change no verdict' 0
cat > wanted << 'END'
limen: misspelt.yaml:3:21: warning: unknown field "metadata.namspace"; did you mean "namespace"?
limen: misspelt.yaml:5:3: warning: unknown field "spec.initContainer"; did you mean "initContainers"?
limen: misspelt.yaml:6:36: warning: unknown field "spec.containers[0].resource"; did you mean "resources"?
limen: misspelt.yaml:6:73: warning: unknown field "spec.containers[1].resources.limit"; did you mean "limits"?
limen: misspelt.yaml:11:61: warning: unknown field "spec.template.spec.containers[0].resources.request"; did you mean "requests"?
END
ok 'each has a warning' diff wanted err

# Without apiVersion or kind a manifest would be decided as a task.
for key in apiVersion kind; do
	sed "/^---/,\$ d; /^$key/d" misspelt.yaml > half.yaml
	run check --policy proposal.yaml half.yaml
	complains "a manifest without $key" 2 << END
limen: half.yaml:1:1: '$key' is missing: an object needs it (is it a task? add --task)
END
done
echo '{"kind": "Pod", "metadata": {}, "test": {}}' > half.json
run check --policy proposal.yaml half.json
mentions 'in JSON, too' err "half.json:1:1: 'apiVersion' is missing"
run check --policy proposal.yaml --task half.json
ended 'unless it is called a task' 1

# What is said of pairs of LimitRanges of a namespace grows with their square.
crowd() {
	i=100
	while [ $i -lt $((100 + $1)) ]; do
		printf -- '---\n{apiVersion: v1, kind: LimitRange, metadata: {name: r%d, namespace: shop}, spec: {limits: [{type: Container, default: {cpu: %dm}}]}}\n' $i $i
		i=$((i + 1))
	done
}
for size in 100 101 110; do
	crowd $size > crowd.yaml
	run validate crowd.yaml
	ended "$size LimitRanges of a namespace" 0
	ok 'a thousand are shown' test "$(grep -c 'is never used' err)" -eq 1000
	ok 'the first hundred are held against each other' \
		grep -q '^warning: and 8901 more, which are not listed$' err
done

# kubectl runs kubectl-limen as "kubectl limen".
run check --policy limits.yaml pod.json
cp out plain
ln -s "$LIMEN" kubectl-limen
ok 'limen under the name kubectl-limen' sh -c './kubectl-limen check --policy limits.yaml pod.json | cmp - plain'
if command -v kubectl > /dev/null; then
	PATH=$work:$PATH
	export PATH
	ok 'kubectl limen check' sh -c 'kubectl limen check --policy limits.yaml pod.json | cmp - plain'
	ok 'kubectl limen describe' sh -c 'kubectl limen describe limits limits.yaml | grep -q Container'
	ok 'kubectl limen explain' sh -c 'kubectl limen explain admission/LimitRanger | grep -q manifests'
else
	skip 'kubectl limen' 'there is no kubectl'
fi

finish
