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
is 'two objects' items/0/kind '"MutatingWebhookConfiguration"'
is 'of which one validates' items/1/kind '"ValidatingWebhookConfiguration"'
is 'the Service' items/0/webhooks/0/clientConfig \
	'{"service": {"name": "limend", "namespace": "limen", "path": "/admission/mutate", "port": 443}}'
is 'names have three labels at least' items/0/webhooks/0/name '"defaults.limend.limen.svc"'
is 'its own namespace is left out' items/0/webhooks/0/namespaceSelector/matchExpressions/0/values \
	'["kube-system", "limen"]'
is 'defaults once more if needed' items/0/webhooks/0/reinvocationPolicy '"IfNeeded"'
is 'pods have defaults, claims have none' items/0/webhooks/0/rules/0/resources '["pods"]'
is 'claims are checked' items/1/webhooks/0/rules/0/resources '["pods", "persistentvolumeclaims"]'
is 'limits fail closed' items/1/webhooks/0/failurePolicy '"Fail"'
is 'limits have no side effects' items/1/webhooks/0/sideEffects '"None"'
is 'events go on without an answer' items/1/webhooks/1/failurePolicy '"Ignore"'
is 'dry runs take no tokens' items/1/webhooks/1/sideEffects '"NoneOnDryRun"'
is 'events of the core group' items/1/webhooks/1/rules \
	'[{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["events"], "scope": "Namespaced"}]'

run webhook-config --format json --service net/gate:8443 --name gate --timeout 30 \
	--failure-policy Ignore --events-failure-policy Fail --exclude-namespace a --exclude-namespace net \
	--exclude-namespace a --exclude-namespace kube-system
is 'another Service' items/1/webhooks/0/clientConfig/service \
	'{"name": "gate", "namespace": "net", "path": "/admission/validate", "port": 8443}'
is 'its name' items/0/metadata/name '"gate"'
is 'namespaces once each' items/1/webhooks/1/namespaceSelector/matchExpressions/0/values '["kube-system", "a", "net"]'
is 'a failure policy' items/1/webhooks/0/failurePolicy '"Ignore"'
is 'and that of events' items/1/webhooks/1/failurePolicy '"Fail"'
is 'a timeout' items/1/webhooks/1/timeoutSeconds 30

run webhook-config --format json --only-events --url https://limend.example.org:8443/base
is 'events alone validate' items/0/kind '"ValidatingWebhookConfiguration"'
is 'a URL' items/0/webhooks/0/clientConfig '{"url": "https://limend.example.org:8443/base/admission/validate"}'
run webhook-config --format json --only-limits
is 'limits alone are one webhook each' items/1/webhooks/0/name '"limits.limend.limen.svc"'
ok 'and no other' sh -c '! grep -q events out'

cat > ca.pem << 'END'
-----BEGIN CERTIFICATE-----
TUlJ
-----END CERTIFICATE-----
END
run webhook-config --format json --ca-file ca.pem
is 'the bundle is the file' items/1/webhooks/1/clientConfig/caBundle "\"$(base64 -w 0 ca.pem)\""
run webhook-config --ca-file ca.pem
ended 'YAML is the default' 0
ok 'with two documents' test "$(grep -c '^---$' out)" = 2

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

refuses() {
	run webhook-config "$@"
	ended "refused: $*" 2
	ok '  without output' test ! -s out
}
refuses extra
refuses --service limend
refuses --service a/b/c
refuses --service Big/limend
refuses --service a/b:0
refuses --service a/b:65536
refuses --service a/b --url https://host
refuses --url http://host
refuses --url https://
refuses --url https://host/
refuses --url 'https://host?query'
refuses --url https://user@host
refuses --timeout 0
refuses --timeout 31
for given in 0 31 -1 3s 99999999999; do
	run webhook-config --timeout=$given
	holds "--timeout=$given: says what it takes" err \
		"limen: --timeout takes seconds from 1 to 30, not '$given'"
done
refuses --failure-policy fail
refuses --events-failure-policy No
refuses --only-limits --only-events
refuses --exclude-namespace 'a b'
refuses --name -x
refuses --format text

finish
