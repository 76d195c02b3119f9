#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# events.sh - configurations of EventRateLimit as they are, and events as they
# come: --policy, AdmissionReviews, recorded sequences.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
examples=$LIMEN_SRCDIR/docs/examples/events
cp "$examples/review.json" .

# The example of the event-rate-limit document.
cat > limits.yaml << 'END'
apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits:
- {type: Server, burst: 1000, qps: 100}
- {type: Namespace, burst: 100, qps: 10, cacheSize: 50}
END
cat > admission.yaml << 'END'
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodNodeSelector
  configuration: {}
- name: EventRateLimit
  path: limits.yaml
END

# flood TIME COUNT: COUNT events at TIME, from 50 namespaces in turn
flood() {
	awk -v time="$1" -v count="$2" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "{\"subject\":\"object\",\"time\":\"%s\",\"request\":{\"apiVersion\":\"v1\"," \
			       "\"kind\":\"Event\",\"metadata\":{\"name\":\"e\",\"namespace\":\"ns%d\"}}}\n",
			       time, i % 50
	}'
}

{
	flood 2026-06-21T08:00:00Z 1500
	flood 2026-06-21T08:00:01Z 500
} > lines
# Codes, and how many of each came in a row.
runs() {
	sed 's/.*"code":\([0-9]*\).*/\1/' out | uniq -c | sed 's/^ *//'
}

for policy in limits.yaml admission.yaml; do
	run check --policy "$policy" --batch lines
	ended "2000 events under $policy" 0
	runs > codes
	printf '1000 200\n500 429\n100 200\n400 429\n' > wanted
	ok "$policy: 1000 of 1500 at t, 100 of 500 at t + 1 s" diff wanted codes
done
tail -n 1 out > last
mentions 'the last answer has the words of Kubernetes' last \
	'"reason":"Too many requests: limit reached on type Server for key "'
mentions 'and says when there is a token again' last '"retry_after":0.01'

run check --policy limits.yaml review.json
ended 'an AdmissionReview under a Configuration' 0
sed 's/burst: 1000/burst: 1/; s/burst: 100,/burst: 1,/' limits.yaml > tight.yaml
now=2026-06-21T08:00:00Z
run check --policy tight.yaml --time "$now" --format json review.json review.json
ended 'twice under one that takes one' 1
tail -n 1 out > last
mentions 'both limits speak, in their order' last \
	'"messages":["limit reached on type Server for key ","limit reached on type Namespace for key shop"]'
sed 's/"dryRun": false/"dryRun": true/' review.json > dry.json
run check --policy tight.yaml review.json dry.json dry.json
ended 'a dry run is admitted whatever the buckets hold' 0
run check --policy tight.yaml --dry-run review.json review.json
ended 'so it is with --dry-run' 0

# Files in a directory, with an entry that takes them over.
mkdir conf.d
cp tight.yaml conf.d/10-limits.yaml
cat > conf.d/20-entry.yaml << 'END'
admission:
- name: events
  plugin: EventRateLimit
  manifests: true
  retryAfter: true
  data:
    exempt:
    - group: [system:nodes]
      namespace: [kube-*]
END
sed 's/"shop"/"kube-system"/g' review.json > system.json
run check --policy conf.d system.json system.json review.json
ended 'events that are exempt take no token' 0
run check --policy conf.d --time "$now" --format json review.json review.json
ended 'others do' 1
tail -n 1 out > last
mentions 'clients of Kubernetes are told if the entry says so' last '"retryAfterSeconds":1'

sed -i 's/^  retryAfter: true/  enforce: audit/' conf.d/20-entry.yaml
run check --policy conf.d --time "$now" --format json review.json review.json
ended 'audit refuses nothing' 0
tail -n 1 out > last
mentions 'and says what would have been' last \
	'"annotations":{"events":"limit reached on type Server for key ; limit reached on type Namespace for key shop"}'

run validate "$examples/limits.yaml"
ended 'a good configuration' 0
run validate "$examples/broken.yaml"
ended 'a bad one' 1
finish
