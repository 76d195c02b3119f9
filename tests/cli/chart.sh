#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# chart.sh - the Helm chart and the kustomizations are the same objects.  It wants
# Helm 3 or 4 (LIMEN_HELM, else "helm") and kubectl 1.27 or newer (LIMEN_KUBECTL, else
# "kubectl").
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

helm=${LIMEN_HELM:-helm}
kubectl=${LIMEN_KUBECTL:-kubectl}
HELM_CACHE_HOME=$work/helm HELM_CONFIG_HOME=$work/helm HELM_DATA_HOME=$work/helm
export HELM_CACHE_HOME HELM_CONFIG_HOME HELM_DATA_HOME

if ! command -v "$helm" > /dev/null; then
	echo "1..0 # SKIP there is no $helm: set LIMEN_HELM"
	exit 0
fi
if ! "$kubectl" kustomize "$LIMEN_SRCDIR/deploy/kubernetes/base" > /dev/null 2>&1; then
	echo "1..0 # SKIP $kubectl cannot build kustomizations: set LIMEN_KUBECTL"
	exit 0
fi
if ! python3 -c 'import yaml' 2> /dev/null; then
	echo '1..0 # SKIP there is no python3-yaml'
	exit 0
fi

# A copy: certificate.sh writes into it, and it may be read-only.
mkdir deploy
cp -R "$LIMEN_SRCDIR/deploy/kubernetes" "$LIMEN_SRCDIR/deploy/helm" deploy
chmod -R u+w deploy
chart=deploy/helm/limend
DRY_RUN=1 sh deploy/kubernetes/certificate.sh authority > out 2>&1
report $? 'an authority for the kustomizations' out

cat > same.py << 'END'
"""same.py KUSTOMIZE HELM [COMPONENT...]: prints what differs, after sorting.

The namespace is Helm's to create, hash and authority are made differently, and only Helm
would delete the policy of the last revision.
"""
import json, re, sys, yaml

def load(name):
    objects = []
    for one in yaml.safe_load_all(open(name)):
        if not one or one["kind"] == "Namespace":
            continue
        if one["kind"] == "Secret":
            assert set(one["data"]) == {"ca.crt", "tls.crt", "tls.key"}, one["data"].keys()
            continue
        for hook in one.get("webhooks", []):
            if "caBundle" in hook["clientConfig"]:
                hook["clientConfig"]["caBundle"] = "CA"
        if "helm.sh/hook" in one["metadata"].get("annotations", {}):
            del one["metadata"]["annotations"]
        for rule in one.get("data", {}):
            one["data"][rule] = one["data"][rule].rstrip("\n")
        text = json.dumps(one, sort_keys=True, indent=1)
        objects.append(re.sub(r"limen-policy-[a-z0-9]{10}\b", "limen-policy-HASH", text))
    return sorted(objects)

first, second = load(sys.argv[1]), load(sys.argv[2])
assert len(first) >= 5
for wrong in set(first) ^ set(second):
    print("kustomize" if wrong in first else "helm", wrong)
sys.exit(first != second)
END

# compare NAME COMPONENTS OPTION...: of helm template
compare() {
	name=$1
	components=$2
	shift 2
	mkdir -p "deploy/kubernetes/overlays/$name"
	{
		printf 'kind: Kustomization\nresources: [../../base]\ncomponents:\n'
		for component in $components; do
			echo "- ../../components/$component"
		done
	} > "deploy/kubernetes/overlays/$name/kustomization.yaml"
	"$kubectl" kustomize "deploy/kubernetes/overlays/$name" > kustomize.yaml 2> err
	report $? "$name: kustomize builds $components" err
	"$helm" template limend $chart --namespace limen "$@" > helm.yaml 2> err
	report $? '  helm renders the values' err
	python3 same.py kustomize.yaml helm.yaml > differences 2>&1
	report $? '  the objects are the same' differences
	"$helm" lint --strict $chart --namespace limen "$@" > out 2>&1
	report $? '  helm lint has no warning' out
}
compare default 'events certificate'
for values in "$chart"/ci/*.yaml; do
	name=${values##*/}
	compare "${name%-values.yaml}" "$(sed -n 's/^# components: //p' "$values")" -f "$values"
done
for overlay in events limits full; do
	"$kubectl" kustomize "deploy/kubernetes/overlays/$overlay" > out 2> err
	report $? "kustomize builds the overlay $overlay" err
	ok '  with the authority in every webhook' test "$(grep -c '^  *caBundle: ..' out)" = \
		"$(grep -c '^kind: .*WebhookConfiguration' out)"
done
"$kubectl" kustomize deploy/kubernetes/overlays/events > one.yaml
"$kubectl" kustomize deploy/kubernetes > two.yaml
ok 'events is the default' cmp one.yaml two.yaml

mkdir deploy/kubernetes/overlays/excluding
"$LIMEN" webhook-config --policy deploy/kubernetes/components/events/events.yaml \
	--policy deploy/kubernetes/components/limits/limits.yaml --exclude-namespace calico-system \
	> deploy/kubernetes/overlays/excluding/excluded.yaml 2> err
report $? 'webhook-config prints a patch that excludes a namespace' err
printf 'kind: Kustomization\nresources: [../limits]\npatches: [{path: excluded.yaml}]\n' \
	> deploy/kubernetes/overlays/excluding/kustomization.yaml
"$kubectl" kustomize deploy/kubernetes/overlays/excluding > out 2> err
report $? '  which kustomize takes' err
ok '  for all webhooks' test "$(grep -c calico-system out)" = 4
ok '  with the authority still' test "$(grep -c 'caBundle: ..' out)" = 4

# ---- what values change ----

# rendered NAME PYTHON OPTION...: is the expression true of the objects, by kind and name?
rendered() {
	name=$1
	expression=$2
	shift 2
	"$helm" template limend $chart "$@" > helm.yaml 2> err || cat err
	python3 -c '
import sys, yaml
at = {one["kind"] + "/" + one["metadata"]["name"].rsplit("-policy-")[0]: one
      for one in yaml.safe_load_all(open("helm.yaml")) if one}
events = at["ValidatingWebhookConfiguration/limend-events"]["webhooks"][0]
pod = at["Deployment/limend"]["spec"]["template"]["spec"]
limend = pod["containers"][0]
sys.exit(not eval("(" + sys.argv[1] + ")"))' "$expression" > out 2>&1
	report $? "$name" out err
}
rendered 'another namespace' 'events["name"] == "events.limend.gate.svc" and
	events["clientConfig"]["service"]["namespace"] == "gate" and "gate" in
	events["namespaceSelector"]["matchExpressions"][0]["values"] and
	at["Deployment/limend"]["metadata"]["namespace"] == "gate" and
	at["ClusterRoleBinding/limend"]["subjects"][0]["namespace"] == "gate"' \
	--namespace gate --set webhooks.limits.enabled=true
rendered 'namespaces, selectors and time-outs' 'events["timeoutSeconds"] == 5 and
	events["failurePolicy"] == "Fail" and
	events["namespaceSelector"]["matchExpressions"][0]["values"] ==
	["kube-system", "kube-node-lease", "cni", "limen"] and
	events["namespaceSelector"]["matchExpressions"][2] == {"key": "team", "operator": "Exists"}' \
	--namespace limen --set 'excludeNamespaces={cni}' --set webhooks.events.timeoutSeconds=5 \
	--set webhooks.events.failurePolicy=Fail --set 'webhooks.events.namespaceSelector[0].key=team' \
	--set 'webhooks.events.namespaceSelector[0].operator=Exists'
rendered 'image, replicas and arguments' 'limend["image"] == "r/l:v1" and limend["args"][-1] ==
	"--metrics-top=5" and at["Deployment/limend"]["spec"]["replicas"] == 3 and
	"replicas: 3" in at["ConfigMap/limen"]["data"]["store.yaml"] and
	"priorityClassName" not in pod' --namespace limen --set image.repository=r/l --set image.tag=v1 \
	--set 'args={--metrics-top=5}' --set replicas=3 --set redis.enabled=true --set priorityClassName=
rendered 'two replicas are drained one by one' '"PodDisruptionBudget/limend" in at' --namespace limen
rendered '  and a single one at once' '"PodDisruptionBudget/limend" not in at' --namespace limen \
	--set replicas=1
rendered 'a file of the policy' 'at["ConfigMap/limen"]["data"] == {"events.yaml": "admission: []"}' \
	--namespace limen --set 'policy.events\.yaml=admission: []'

fails() {
	name=$1
	text=$2
	shift 2
	"$helm" template limend $chart "$@" > out 2> err
	ok "refused: $name" test $? != 0
	mentions '  and why' err "$text"
}
fails 'no authority' 'set certificate.caBundle' --set certificate.mode=secret
fails 'an unknown mode' certificate/mode --set certificate.mode=vault
fails 'an unknown value' replica --set replica=3
fails 'an unknown failure policy' failurePolicy --set webhooks.events.failurePolicy=fail

count_values() {
	python3 -c '
import sys, yaml
leaves = lambda value: sum(map(leaves, value.values())) if value and isinstance(value, dict) else 1
values = yaml.safe_load(open(sys.argv[1]))
values["resources"] = {}
sys.exit(leaves(values) > 30)' $chart/values.yaml
}
ok 'there are at most 30 values' count_values

finish
