# SPDX-License-Identifier: Apache-2.0
"""Installs and removes limend on an API server as managed clusters have it: LimitRanger is on.

The commands are those of docs/kubernetes.md.  A node (node.py) runs the pods; what kubelets do
otherwise is left out.
"""
import time

from node import *
import counting
import policies
import runbook
from service import own_address

HELM = os.environ["LIMEN_HELM"]
CONTROLLERS = ("namespace", "deployment", "replicaset")


class Managed(Cluster):
    """An API server with controllers, kubectl and helm that reach it, and a node."""

    def __init__(self):
        super().__init__("managed", "--enable-aggregator-routing=true")
        self.controllers = None
        self.variables = dict(os.environ, KUBECONFIG=self.kubeconfig)
        for home in ("CACHE", "CONFIG", "DATA"):
            self.variables["HELM_%s_HOME" % home] = os.path.join(self.state, "helm")
        self.variables["PATH"] = os.path.join(self.state, "commands") + ":" + os.environ["PATH"]

    def up(self, **more):
        super().up(**more)
        with open(os.path.join(self.state, "controllers.log"), "a") as log:
            self.controllers = subprocess.Popen(
                [os.path.join(BINARIES, "kube-controller-manager"), "--kubeconfig",
                 self.kubeconfig, "--leader-elect=false", "--port=0", "--secure-port=0",
                 "--controllers=" + ",".join(CONTROLLERS)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        atexit.register(self.end_controllers)

    def end_controllers(self):
        if self.controllers is not None and self.controllers.poll() is None:
            self.controllers.terminate()
            self.controllers.wait()

    def down(self):
        self.end_controllers()
        return super().down()

    def prepare(self):
        """A directory as a clone has it, with an overlay for this old API server."""
        commands = os.path.join(self.state, "commands")
        os.mkdir(commands)
        for name, program in (("kubectl", KUBECTL), ("helm", HELM), ("limen", LIMEN)):
            if shutil.which(program):
                os.symlink(shutil.which(program), os.path.join(commands, name))
        self.clone = os.path.join(self.state, "clone")
        os.makedirs(self.clone)
        for name in ("deploy", "docs"):
            shutil.copytree(os.path.join(SOURCE, name), os.path.join(self.clone, name),
                            symlinks=True)
        for path in ("kubernetes/base/disruption-budget.yaml",):
            path = os.path.join(self.clone, "deploy", path)
            with open(path) as file:
                text = file.read()
            with open(path, "w") as file:
                file.write(text.replace("policy/v1\n", "policy/v1beta1\n"))
        chart = os.path.join(self.clone, "deploy/helm/limend/Chart.yaml")
        with open(chart) as file:
            text = file.read()
        with open(chart, "w") as file:
            file.write(text.replace(">=1.21.0-0", ">=1.20.0-0"))

    def sh(self, script):
        """Runs lines of the page; returns the status, and what they print."""
        done = subprocess.run(["sh", "-ec", script], cwd=self.clone, env=self.variables,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def does(self, title, script):
        status, text = self.sh(script)
        return is_true(title, status == 0, text)

    def starts(self, namespace_name):
        """May a pod start there?  Returns the status of a dry run."""
        return self.create(namespace_name, "pods", pod("p", {}), "?dryRun=All")[0]

    def webhooks(self):
        """The names of all webhook configurations."""
        return [one["metadata"]["name"] for kind in ("mutating", "validating")
                for one in self.ask("GET", "/apis/admissionregistration.k8s.io/v1/" + kind +
                                    "webhookconfigurations")[1]["items"]]

    def is_gone(self):
        return self.ask("GET", "/api/v1/namespaces/limen")[0] == 404


def check_down(managed):
    """Nothing answers: pods start where limend is not asked, and fail elsewhere."""
    wanted = {"shop": 500, "kube-system": 201, "kube-node-lease": 201, "limen": 201,
              "labelled": 201}
    found = wait_for(lambda: managed.starts("shop") == 500) and {
        name: managed.starts(name) for name in wanted}
    is_equal("without limend pods start in namespaces that are left out, and only there", found,
             wanted)
    managed.does("the break-glass label", "kubectl label namespace shop limen.policy/ignore=")
    is_true("  lets pods start", wait_for(lambda: managed.starts("shop") == 201))
    managed.does("  until it goes", "kubectl label namespace shop limen.policy/ignore-")
    is_true("  ", wait_for(lambda: managed.starts("shop") == 500))


def roles(managed):
    return [one for one in managed.sh("kubectl get clusterroles,clusterrolebindings -o name")
            [1].split() if "/lime" in one]


def check_removed(managed, title, script):
    managed.does(title, script)
    is_equal("  leaves no webhook", managed.webhooks(), [])
    is_equal("  and no permission", roles(managed), [])
    is_true("  and pods start", managed.sh("kubectl run web -n shop --image=nginx &&"
                                           "kubectl delete pod web -n shop --now --wait=false")
            [0] == 0)
    is_true("  and nothing else", wait_for(managed.is_gone), managed.sh("kubectl get ns")[1])


def check_kustomize(managed):
    managed.does("certificate.sh", "deploy/kubernetes/certificate.sh")
    managed.does("kubectl apply -k", "kubectl apply -k deploy/kubernetes")
    is_equal("  has one webhook", managed.webhooks(), ["limend-events"])
    is_equal("  which lets pods start before limend runs", managed.starts("shop"), 201)
    managed.does("the overlay for servers without LimitRanger",
                 "kubectl apply -k deploy/kubernetes/overlays/limits")
    is_equal("  has four", managed.webhooks(),
             ["limend-limits", "limend-events", "limend-limits", "limend-workloads"])
    check_down(managed)
    check_removed(managed, "kubectl delete -k",
                  "kubectl delete -k deploy/kubernetes/overlays/limits --wait=false")
    wait_for(managed.is_gone)
    managed.does("the overlay once more",
                 "kubectl apply -k deploy/kubernetes/overlays/limits")
    check_removed(managed, "removed as an overlay that has less of it",
                  runbook.procedure("Break glass")[1] + runbook.procedure("Remove")[0])


def check_helm(managed):
    if shutil.which(HELM) is None:
        skip("the Helm chart", "there is no %s: set LIMEN_HELM" % HELM)
        return
    managed.does("helm install", "helm install limend deploy/helm/limend --namespace limen "
                 "--create-namespace --set webhooks.limits.enabled=true")
    # API servers do so themselves from 1.21 on.
    managed.kubectl("label", "namespace", "limen", "kubernetes.io/metadata.name=limen")
    is_equal("  has three webhooks", managed.webhooks(),
             ["limend-limits", "limend-events", "limend-limits"])
    check_down(managed)
    before = managed.sh("kubectl get secret -n limen limend-tls -o jsonpath={.data}")
    managed.does("helm upgrade", "helm upgrade limend deploy/helm/limend --namespace limen "
                 "--set webhooks.limits.enabled=true --set replicas=3")
    is_equal("  keeps the certificate",
             managed.sh("kubectl get secret -n limen limend-tls -o jsonpath={.data}"), before)
    managed.does("helm upgrade with another policy", "helm upgrade limend deploy/helm/limend "
                 "--namespace limen --set webhooks.limits.enabled=true "
                 "--set-string 'policy.events\\.yaml=admission: broken'")
    is_equal("  keeps that of the old pods",
             managed.sh("kubectl get configmaps -n limen -o name | grep -c limen-policy")[1], "2\n")
    managed.does("helm rollback", "helm rollback limend --namespace limen")
    is_equal("  to the policy of before", managed.sh(
        "kubectl get configmap -n limen -o jsonpath='{.data}' \"$(kubectl get deployment -n limen "
        "limend -o jsonpath='{.spec.template.spec.volumes[0].configMap.name}')\" | "
        "grep -c EventRateLimit")[1], "1\n")
    check_removed(managed, "helm uninstall", "helm uninstall limend --namespace limen; "
                  "kubectl delete namespace limen --wait=false")


def label_system(managed):
    """As API servers do themselves from 1.21 on."""
    for name in ("kube-system", "kube-node-lease"):
        managed.sh("kubectl create namespace %s || :; kubectl label --overwrite namespace %s "
                   "kubernetes.io/metadata.name=%s" % (name, name, name))


def check():
    if not os.path.exists(os.path.join(BINARIES, "kube-controller-manager")):
        skip("installing and removing", "there is no kube-controller-manager in LIMEN_KUBE_DIR")
        return
    managed = Managed()
    managed.up()
    managed.prepare()
    managed.apply(objects(*[namespace(name) for name in ("shop", "labelled")]))
    managed.kubectl("label", "namespace", "labelled", "limen.policy/ignore=")
    label_system(managed)
    check_kustomize(managed)
    check_helm(managed)
    runbook.check(managed)
    wait_for(managed.is_gone)
    managed.does("certificate.sh once more", "deploy/kubernetes/certificate.sh")
    counting.check(managed)
    wait_for(managed.is_gone)
    managed.does("certificate.sh for the last time", "deploy/kubernetes/certificate.sh")
    policies.check(managed)
    managed.down()
