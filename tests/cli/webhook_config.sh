#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# webhook_config.sh - what registers limend with an API server.  That a real one
# takes it is shown by "make check-kubernetes".
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# Prints the value at a path of the output: names and numbers with "/" between.
at() {
	python3 -c '
import json, sys
found = json.load(open("out"))
for step in sys.argv[1].split("/"):
    found = found[int(step) if step.isdigit() else step]
print(json.dumps(found, sort_keys=True))' "$1"
}

is() {
	at "$2" > found 2> /dev/null
	ok "$1" test "$(cat found)" = "$3"
}

run webhook-config --format json
ended 'a Service is the default' 0
is 'an object for each webhook' items/0/kind '"MutatingWebhookConfiguration"'
is 'of which two validate' items/1/kind '"ValidatingWebhookConfiguration"'
is 'each named by its purpose' items/2/metadata/name '"limend-events"'
is 'with a label to delete them by' items/2/metadata/labels '{"app.kubernetes.io/name": "limend"}'
is 'the Service' items/0/webhooks/0/clientConfig \
	'{"service": {"name": "limend", "namespace": "limen", "path": "/admission/mutate", "port": 443}}'
is 'names have three labels at least' items/0/webhooks/0/name '"defaults.limend.limen.svc"'
is 'its own namespace is left out' items/0/webhooks/0/namespaceSelector/matchExpressions/0/values \
	'["kube-system", "kube-node-lease", "limen"]'
is 'defaults once more if needed' items/0/webhooks/0/reinvocationPolicy '"IfNeeded"'
is 'pods have defaults, claims have none' items/0/webhooks/0/rules/0/resources '["pods"]'
is 'claims are checked' items/1/webhooks/0/rules/0/resources '["pods", "persistentvolumeclaims"]'
is 'limits fail closed' items/1/webhooks/0/failurePolicy '"Fail"'
is 'limits have no side effects' items/1/webhooks/0/sideEffects '"None"'
is 'events go on without an answer' items/2/webhooks/0/failurePolicy '"Ignore"'
is 'dry runs take no tokens' items/2/webhooks/0/sideEffects '"NoneOnDryRun"'
is 'events of the core group' items/2/webhooks/0/rules \
	'[{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["events"], "scope": "Namespaced"}]'

is 'workloads go on without an answer' items/3/webhooks/0/failurePolicy '"Ignore"'
is 'which is not waited for' items/3/webhooks/0/timeoutSeconds 1
is 'workloads have a path of their own' items/3/webhooks/0/clientConfig/service/path '"/admission/workloads"'
is 'Deployments and their like' items/3/webhooks/0/rules/0/resources '["daemonsets", "deployments", "replicasets", "statefulsets"]'
is 'Jobs of all versions' items/3/webhooks/0/rules/1 \
	'{"apiGroups": ["batch"], "apiVersions": ["*"], "operations": ["CREATE", "UPDATE"], "resources": ["cronjobs", "jobs"], "scope": "Namespaced"}'

run webhook-config --format json --service net/gate:8443 --name gate --timeout 30 \
	--failure-policy Ignore --events-failure-policy Fail --exclude-namespace a --exclude-namespace net \
	--exclude-namespace a --exclude-namespace kube-system
is 'another Service' items/1/webhooks/0/clientConfig/service \
	'{"name": "gate", "namespace": "net", "path": "/admission/validate", "port": 8443}'
is 'its name' items/0/metadata/name '"gate-limits"'
is 'namespaces once each' items/2/webhooks/0/namespaceSelector/matchExpressions/0/values '["kube-system", "kube-node-lease", "a", "net"]'
is 'a failure policy' items/1/webhooks/0/failurePolicy '"Ignore"'
is 'and that of events' items/2/webhooks/0/failurePolicy '"Fail"'
is 'a timeout' items/2/webhooks/0/timeoutSeconds 30

run webhook-config --format json --only-events --url https://limend.example.org:8443/base
is 'events alone validate' items/0/kind '"ValidatingWebhookConfiguration"'
is 'a URL' items/0/webhooks/0/clientConfig '{"url": "https://limend.example.org:8443/base/admission/validate"}'
run webhook-config --format json --only-limits
is 'limits alone are two webhooks' items/1/webhooks/0/name '"limits.limend.limen.svc"'
ok 'and no other' sh -c '! grep -q events out'

cat > ca.pem << 'END'
-----BEGIN CERTIFICATE-----
TUlJ
-----END CERTIFICATE-----
END
run webhook-config --format json --ca-file ca.pem
is 'the bundle is the file' items/2/webhooks/0/clientConfig/caBundle "\"$(base64 -w 0 ca.pem)\""
run webhook-config --ca-file ca.pem
ended 'YAML is the default' 0
ok 'with four documents' test "$(grep -c '^---$' out)" = 4

sed 's/CERTIFICATE/EC PRIVATE KEY/' ca.pem > key.pem
run webhook-config --ca-file key.pem
complains 'no private key gets out' 2 << 'END'
limen: key.pem: it holds a private key, which belongs into no configuration
END
echo text > other.pem
run webhook-config --ca-file other.pem
complains 'nor anything else' 2 << 'END'
limen: other.pem: the file has no PEM certificate
END
run webhook-config --ca-file none.pem
ended 'a file that is not there' 2

# ---- which requests ----

is_selector() {
	is "$1" items/2/webhooks/0/namespaceSelector/matchExpressions "$2"
}
run webhook-config --format json
is_selector 'a label takes a namespace out' '[{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "kube-node-lease", "limen"]}, {"key": "limen.policy/ignore", "operator": "DoesNotExist"}]'
run webhook-config --format json --url https://host --no-ignore-label --include-namespace kube-system
is_selector 'unless it may not' '[{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-node-lease"]}]'
run webhook-config --format json --url https://host --no-ignore-label --include-namespace kube-system \
	--include-namespace kube-node-lease
is_selector 'nothing is excluded' '[]'
run webhook-config --format json --url https://host --no-ignore-label --include-namespace kube-system \
	--include-namespace kube-node-lease \
	--namespace-selector 'team=web, stage!=test,example.com/zone in (a, b),tier notin (x),!old,new,empty='
is_selector 'selectors as of kubectl' '[{"key": "team", "operator": "In", "values": ["web"]}, {"key": "stage", "operator": "NotIn", "values": ["test"]}, {"key": "example.com/zone", "operator": "In", "values": ["a", "b"]}, {"key": "tier", "operator": "NotIn", "values": ["x"]}, {"key": "old", "operator": "DoesNotExist"}, {"key": "new", "operator": "Exists"}, {"key": "empty", "operator": "In", "values": [""]}]'
run webhook-config --format json --object-selector team==web --for v1.27.3 \
	--match-condition "no-nodes=!('system:nodes' in request.userInfo.groups)"
is 'objects, too' items/0/webhooks/0/objectSelector '{"matchExpressions": [{"key": "team", "operator": "In", "values": ["web"]}]}'
is 'match conditions' items/2/webhooks/0/matchConditions '[{"expression": "!('"'system:nodes'"' in request.userInfo.groups)", "name": "no-nodes"}]'

# ---- what a policy needs ----

# needs NAME OBJECT...: of the policy on standard input
needs() {
	name=$1
	shift
	cat > policy.yaml
	run webhook-config --format json --policy policy.yaml
	ended "$name" 0
	for object; do
		echo "$object"
	done > expected
	python3 -c '
import json
for item in json.load(open("out"))["items"]:
    print(item["kind"][:-len("WebhookConfiguration")], item["metadata"]["name"],
          item["webhooks"][0]["failurePolicy"])' > found
	ok "  needs $*" diff expected found
}
rates='plugin: EventRateLimit, data: { limits: [ { type: Server, qps: 1, burst: 1 } ] }'
ranges='plugin: LimitRanger, data: { manifests: [] }'

needs 'rates' 'Validating limend-events Ignore' << END
admission: [ { name: a, $rates } ]
END
needs 'limits' 'Mutating limend-limits Fail' 'Validating limend-limits Fail' \
	'Validating limend-workloads Ignore' << END
admission: [ { name: a, $ranges } ]
END
needs 'limits that warn' 'Validating limend-limits Ignore' 'Validating limend-workloads Ignore' << END
admission: [ { name: a, enforce: warn, $ranges }, { name: b, enforce: audit, $ranges } ]
END
needs 'one that refuses' 'Mutating limend-limits Fail' 'Validating limend-limits Fail' \
	'Validating limend-events Ignore' 'Validating limend-workloads Ignore' << END
admission: [ { name: a, enforce: warn, $ranges }, { name: b, $ranges }, { name: c, $rates } ]
END
needs 'an entry that is off' 'Validating limend-events Ignore' << END
admission: [ { name: a, enabled: false, $ranges }, { name: b, $rates } ]
END
needs 'an entry about something else' 'Validating limend-events Ignore' << END
admission: [ { name: a, match: { resources: [deployments, pods/exec] }, $ranges }, { name: b, $rates } ]
END
needs 'an entry about resizes' 'Mutating limend-limits Fail' 'Validating limend-limits Fail' \
	'Validating limend-workloads Ignore' << END
admission: [ { name: a, match: { resources: ["*/*"], kinds: [P*d] }, $ranges } ]
END
needs 'an application' 'Validating limend-limits Fail' << END
applications-on: [tasks, objects]
identifiers: [ { name: all, type: always, data: {} } ]
limits: [ { name: pass, type: pass-fail, data: { pass: true } } ]
applications: [ { identifier: all, apply: [pass] } ]
admission: [ { name: a, enabled: false, $ranges } ]
END

# Kinds of workloads that the policy names; kubectl guesses their resources in the same way.
cat > policy.yaml << END
admission: [ { name: b, $ranges } ]
templates:
- { group: example.com, kind: Rollout, path: spec.template }
- { group: example.com, kind: Proxy, path: "a[].b" }
- { group: example.com, kind: Proxy, path: c }
- { group: a.b, kind: Process, path: d }
END
run webhook-config --format json --policy policy.yaml --only-workloads
for kind in 2/example.com/rollouts 3/example.com/proxies 4/a.b/processes; do
	is "  $kind" "items/0/webhooks/0/rules/${kind%%/*}/resources" "[\"${kind##*/}\"]"
done
ok '  and no more' sh -c '! grep -q "items.*items" out && test "$(grep -o apiGroups out | wc -l)" = 5'

cat > policy.yaml << END
admission: [ { name: a, enforce: audit, $rates }, { name: b, enforce: warn, $ranges } ]
END
run webhook-config --format json --policy policy.yaml --failure-policy Fail --events-failure-policy Fail
ended 'Fail where nothing is refused' 0
holds '  is a warning for pods' err "limen: warning: --failure-policy Fail: no entry of the policy refuses pods, and without limend they would all be refused: use Ignore"
holds '  and for events' err "limen: warning: --events-failure-policy Fail: no entry of the policy refuses events, and without limend they would all be refused: use Ignore"
is '  and is obeyed' items/0/webhooks/0/failurePolicy '"Fail"'
run webhook-config --policy policy.yaml --failure-policy Ignore
ok 'Ignore is none' test ! -s err
echo "admission: [ { name: a, match: { kinds: [Job] }, $ranges } ]" > policy.yaml
run webhook-config --policy policy.yaml
complains 'a policy that needs none' 2 << 'END'
limen: no webhook is needed: no admission entry of the policy matches pods or claims, or limits events
END
echo 'admission: [ { name: a } ]' > policy.yaml
run webhook-config --policy policy.yaml
ended 'a policy with problems' 2
ok '  is told of' grep -q '^Invalid limit file: ' err

refuses() {
	run webhook-config "$@"
	ended "refused: $*" 2
	ok '  without output' test ! -s out
}
refuses extra
refuses --service a/b/c
refuses --service Big/limend
refuses --service a/b:0
refuses --service a/b:65536
refuses --service a/b --url https://host
refuses --url https://
refuses --url https://host/
refuses --url 'https://host?query'
refuses --url https://user@host
refuses --timeout 0
refuses --timeout 31
for given in 0 31 -1 3x 0.5 99999999999 1h PT0.5S; do
	run webhook-config --timeout=$given
	holds "--timeout=$given: says what it takes" err \
		"limen: --timeout takes seconds from 1 to 30 or a duration such as 5s, not '$given'"
done
for given in 7 7s PT7S 0.1m1s; do
	run webhook-config --timeout=$given
	ok "--timeout=$given is seven seconds" grep -q "timeoutSeconds: 7$" out
done
# names OPTION VALUE: the message has the value
names() {
	refuses "$@"
	mentions '  and the value' err "not '$2'"
}
names --service limend
names --url http://host
names --name Big
names --exclude-namespace 'a b'
names --include-namespace shop
names --failure-policy fail
names --events-failure-policy No
refuses --only-limits --only-events
for given in '--failure-policy Ignore --only-events' '--failure-policy Fail --only-workloads' \
	'--events-failure-policy Fail --only-limits' '--events-failure-policy Fail --only-workloads'; do
	# shellcheck disable=SC2086 # several words
	refuses $given
	mentions '  because the webhook is left out' err "which ${given##* } leaves out"
done
refuses --for 1
refuses --for new
refuses --match-condition 'a=true' --for 1.26
refuses --match-condition 'true'
refuses --match-condition 'a b=true'
refuses --match-condition 'a= '
refuses --match-condition "a=(x == ']'"
refuses --match-condition 'a=[x)'
refuses --match-condition "a='open"
refuses --object-selector 'a=b c'
refuses --object-selector 'in (b)'
refuses --object-selector 'a of (b)'
refuses --object-selector 'a in (b'
refuses --namespace-selector ''
refuses --namespace-selector 'a,,b'
refuses --namespace-selector 'a/b/c=d'
refuses --name -x
refuses --format text

finish
