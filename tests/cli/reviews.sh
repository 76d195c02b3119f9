#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# reviews.sh - AdmissionReviews that a kube-apiserver sent, and their answers
# (kubernetes 4.3 to 4.5).  The patches are applied by another implementation of
# RFC 6902, and must make what limen says it made.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
sed 's/^  name: limits/&\n  namespace: wh/; s/max: .*/max: {cpu: 2, memory: 4Gi}/; s/min: .*/min: {cpu: 50m}/; /Ratio/d' \
	"$data/limits.yaml" > limits.yaml

python() {
	"${PYTHON:-python3}" "$@"
}

cat > apply.py << 'END'
"""Applies the patch of an answer to the object of a review: apply.py REVIEW DECISION ANSWER"""
import base64
import json
import sys

import jsonpatch

review, decision, answer = (json.load(open(name)) for name in sys.argv[1:])
response = answer["response"]
assert answer["apiVersion"] == review["apiVersion"] and answer["kind"] == "AdmissionReview"
assert response["uid"] == review["request"]["uid"]
assert response["allowed"] is decision["admitted"]
assert ("patch" in response) == ("patchType" in response)
if decision["patch"] is None:
    assert "patch" not in response and decision["rewritten"] is None
    print("no patch")
else:
    patch = json.loads(base64.b64decode(response["patch"], validate=True))
    assert response["patchType"] == "JSONPatch" and patch == decision["patch"] and patch
    made = jsonpatch.apply_patch(review["request"]["object"], patch)
    assert made == decision["rewritten"], made
    print("patched")
END
if ! python -c 'import jsonpatch' 2> /dev/null; then
	skip 'patches applied by another implementation' 'no python3-jsonpatch'
else
	while read -r name wanted; do
		review=$data/reviews/$name.json
		run check --policy limits.yaml --phase mutate --format json "$review"
		cp out decision
		run check --policy limits.yaml --phase mutate --format review "$review"
		ended "$name is answered" 0
		cp out answer
		ok "$name: what the API server would make of it" python apply.py "$review" decision answer
		holds "$name: $wanted" ok.log "$wanted"
	done << 'END'
pod-create-mutate patched
pod-create-validate patched
pod-create-dryrun-generatename-mutate patched
pod-update-mutate no patch
pod-delete-mutate no patch
pvc-create-mutate no patch
event-create-mutate no patch
namespace-create-mutate no patch
END
	# The same of manifests, in which the API server's own part is done, too.
	cat > apply_file.py << 'END'
"""apply_file.py MANIFEST DECISION PATCH: the patch of a file makes what was decided about."""
import json
import sys

import jsonpatch

manifest, decision, patch = (json.load(open(name)) for name in sys.argv[1:])
assert jsonpatch.apply_patch(manifest, patch) == decision["rewritten"]
END
	cat > pod.json << 'END'
{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "p", "annotations": { "a/b~c": "" } },
  "spec": { "containers": [
    { "name": "a", "resources": { "limits": { "cpu": 0.10001, "example.com/gpu": 1 } } },
    { "name": "b" },
    { "name": "c", "resources": { "requests": { "cpu": "60m" }, "limits": {} } } ] } }
END
	run check --policy limits.yaml --namespace wh --format json pod.json
	cp out decision
	run check --policy limits.yaml --namespace wh --format patch pod.json
	cp out patch
	ok 'the patch of a manifest' python apply_file.py pod.json decision patch
	mentions 'rounds up' patch '{"op":"replace","path":"/spec/containers/0/resources/limits/cpu","value":"101m"}'
	# In a list a patch is one of the whole document.
	python - "$data/reviews/pod-create-mutate.json" "$data/reviews/pod-create-validate.json" > list.json << 'END'
import json
import sys

items = [json.load(open(name)) for name in sys.argv[1:]]
items.insert(1, json.load(open("pod.json")))
print(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
END
	cat > apply_list.py << 'END'
"""apply_list.py LIST DECISIONS PATCH: the patch changes each object as was decided."""
import json
import sys

import jsonpatch
import jsonpointer

document, patch = json.load(open(sys.argv[1])), json.load(open(sys.argv[3]))
decisions = [json.loads(line) for line in open(sys.argv[2])]
made = jsonpatch.apply_patch(document, patch)
paths = [one["about"]["path"] for one in decisions]
assert paths == ["/items/0/request/object", "/items/1", "/items/2/request/object"], paths
for one in decisions:
    path = one["about"]["path"]
    assert jsonpointer.resolve_pointer(made, path) == one["rewritten"]
    jsonpointer.set_pointer(made, path, jsonpointer.resolve_pointer(document, path))
assert made == document
END
	run check --policy limits.yaml --namespace wh --format json list.json
	cp out decisions
	run check --policy limits.yaml --namespace wh --format patch list.json
	ok 'the patch of a list of reviews' python apply_list.py list.json decisions out
	review=$data/reviews/pod-create-mutate.json
	run check --policy limits.yaml --format json "$review"
	cp out decision
	run check --policy limits.yaml --format patch "$review"
	mentions 'the patch of a review is one of the review' out '[{"op":"add","path":"/request/object/'
	mentions 'copies limits to requests' patch '"example.com/gpu":"1"'
fi

# Denials: the texts alone, since kube-apiserver puts its own words before them.
sed 's/max: .*/max: {cpu: 100m, memory: 100M}/; s/default: .*/default: {cpu: 100m, memory: 100M}/;
	s/defaultRequest: .*/defaultRequest: {cpu: 50m, memory: 50M}/' limits.yaml > tight.yaml
run check --policy tight.yaml --format review "$data/reviews/pod-create-mutate.json"
ended 'a denial' 1
mentions 'its status' out '"response":{"uid":"81d17714-28be-4798-8dfb-ea88d5783895","allowed":false,"status":{"status":"Failure","code":403,"reason":"Forbidden","message":"[maximum cpu usage per Container is 100m, but limit is 1, maximum memory usage per Container is 100M, but limit is 129M, maximum cpu usage per Container is 100m, but limit is 1500m, maximum memory usage per Container is 100M, but limit is 1536Mi]","details":{"name":"pod1","kind":"pods","causes":[{"reason":"FieldValueForbidden","message":"maximum cpu usage per Container is 100m, but limit is 1; container \"a\": cpu request 100m (given), limit 1 (given); LimitRange \"limits\" spec.limits[0].max is 100m","field":"spec.containers[0].resources.limits[cpu]"}'
ok 'no patch' sh -c '! grep -q "\"patch" out'
mentions 'warnings name the container' out '"warnings":["container \"a\": cpu request 100m, limit 1; LimitRange \"limits\" has max 100m",'

sed 's#admission.k8s.io/v1"#admission.k8s.io/v1beta1"#' "$data/reviews/pod-create-mutate.json" > beta.json
run check --policy limits.yaml --format review beta.json
mentions 'the answer is of the version of the question' out '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{'
sed 's#admission.k8s.io/v1"#admission.k8s.io/v9"#' "$data/reviews/pod-create-mutate.json" > other.json
run check --policy limits.yaml --format review other.json
complains 'another version' 2 << 'END'
limen: an AdmissionReview must be of admission.k8s.io/v1 or admission.k8s.io/v1beta1 to be answered
END
run check --policy limits.yaml --format review "$data/pod.json"
complains 'no review' 2 << 'END'
limen: --format review answers AdmissionReviews
END

# Nothing that an API server has done is done again.
sed 's/"memory":"128974848"/"memory":"0.1m"/' "$data/reviews/pod-create-mutate.json" > small.json
run check --policy limits.yaml --format json small.json
ok 'an object of a review is not rounded' sh -c '! grep -q "rounded up" out'

finish
