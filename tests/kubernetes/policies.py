# SPDX-License-Identifier: Apache-2.0
"""The component policy-check: an API server refuses ConfigMaps with a broken policy."""
import counting
from node import *
from service import own_address

OVERLAY = """kind: Kustomization
resources: [../limits]
components: [../../components/policy-check, ../../components/certificate]
"""
BROKEN = counting.POLICY.replace("qps: 1", "qps: many")


def config(name, text, labels):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
        "name": name, "namespace": "shop", "labels": labels}, "data": {"rates.yaml": text}}


def apply(managed, body):
    done = managed.kubectl("apply", "-f", "-", given=body)
    return done.returncode == 0, done.stderr


def check(managed):
    address = own_address()
    if address is None:
        skip("a webhook for policies", "this machine has no address beside loopback")
        return
    counting.write_overlay(managed, "checked", OVERLAY)
    managed.does("the component policy-check is applied",
                 "kubectl apply -k deploy/kubernetes/overlays/checked")
    node = Node(managed, address)
    node.start()
    is_true("  it lets its own policy in: pods are ready", counting.ready(managed, node))
    label = {"limen.policy/validate": ""}
    status, text = apply(managed, config("broken", BROKEN, label))
    is_true("a ConfigMap with a broken policy is refused", not status, text)
    is_true("  by limend, with file, line and column", re.search(
        r'"policies\.limend\.limen\.svc" denied the request: rates\.yaml:6:\d+: ', text), text)
    is_equal("a good one is taken", apply(managed, config("good", counting.POLICY, label)),
             (True, ""))
    status, text = apply(managed, config("good", BROKEN, label))
    is_true("  its update to a broken one is refused", not status and "rates.yaml:6" in text, text)
    is_equal("a broken one without the label is nobody's policy",
             apply(managed, config("other", BROKEN, {})), (True, ""))
    with open(os.path.join(managed.clone, "deploy/kubernetes/components/limits/limits.yaml"),
              "r+") as file:
        good = file.read()
        file.write("  broken: true\n")
        file.flush()
        status, text = managed.sh("kubectl apply -k deploy/kubernetes/overlays/checked")
        is_true("the overlay with a broken policy is refused",
                status != 0 and "denied the request: limits.yaml:" in text, text)
        file.seek(0)
        file.truncate()
        file.write(good)
    node.stop()
    managed.sh("kubectl delete -k deploy/kubernetes/overlays/checked --wait=false; "
               "kubectl delete pods -n limen --all --force --grace-period=0")
