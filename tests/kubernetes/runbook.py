# SPDX-License-Identifier: Apache-2.0
"""The runbook of docs/kubernetes.md: its very commands, while pods are created."""
import re
from collections import Counter

from node import *
from service import own_address

PAGE = os.path.join(SOURCE, "docs", "kubernetes.md")


def procedure(title):
    """The commands under a heading of the page."""
    with open(PAGE) as file:
        part = re.search(r"^### %s\n(.*?)(?=^##)" % re.escape(title), file.read(), re.M | re.S)
    return re.findall(r"^```sh\n(.*?)^```", part.group(1), re.M | re.S)


class Load:
    """Creates pods, as dry runs, and counts what becomes of them."""

    def __init__(self, managed):
        self.managed = managed
        self.seen = Counter()
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self.run) for _ in range(3)]

    def run(self):
        while not self.stop.is_set():
            try:
                status, body = self.managed.create("shop", "pods", pod("p", {}), "?dryRun=All")
                self.seen[(status, body.get("message"))] += 1
            except (OSError, http.client.HTTPException) as error:
                self.seen[("error", str(error))] += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        is_equal("  of %d answers meanwhile none is lost" % sum(self.seen.values()),
                 set(self.seen), {(201, None)})


def has_image(managed, name):
    """Waits until all pods have it: those that end are there for a while."""
    return wait_for(lambda: set(managed.sh(
        "kubectl get pods -n limen -l app.kubernetes.io/name=limend "
        "-o jsonpath='{.items[*].spec.containers[0].image}'")[1].split()) == {name})


def is_ready(managed, node, number=2):
    return wait_for(lambda: sum(one.is_ready for one in node.pods.values()) == number) and \
        wait_for(lambda: managed.starts("shop") == 201)


def check_upgrade(managed, node):
    with Load(managed):
        managed.does("upgrade", procedure("Upgrade")[0])
        is_true("  all pods have the new image", has_image(managed, "limend:1.0.1"))
    with Load(managed):
        managed.does("roll back", procedure("Roll back")[0])
        is_true("  all pods have the old image", has_image(managed, "limend:latest"))


def check_broken_policy(managed):
    """A policy with problems: its pods never get ready, and the old ones stay."""
    path = os.path.join(managed.clone, "deploy/kubernetes/components/limits/limits.yaml")
    with open(path) as file:
        good = file.read()
    with open(path, "w") as file:
        file.write(good.replace("LimitRanger", "LimitRangers"))
    with Load(managed):
        managed.does("a broken policy is applied",
                     "kubectl apply -k deploy/kubernetes/overlays/limits")
        status, text = managed.sh("kubectl rollout status -n limen deployment/limend "
                                  "--timeout=5s")
        is_true("  the rollout does not end", status != 0 and "timed out" in text, text)
    with open(path, "w") as file:
        file.write(good)
    with Load(managed):
        managed.does("  until the policy is mended",
                     "kubectl apply -k deploy/kubernetes/overlays/limits; "
                     "kubectl rollout status -n limen deployment/limend --timeout=60s")


def serials(node):
    trust = ssl.create_default_context()
    trust.check_hostname = False
    trust.verify_mode = ssl.CERT_NONE
    found = set()
    for one in list(node.pods.values()):
        with socket.create_connection((one.address, one.port), PATIENCE) as made:
            with trust.wrap_socket(made) as connection:
                found.add(connection.getpeercert(True))
    return found


def check_renew(managed, node):
    before = serials(node)
    names = set(node.pods)
    with Load(managed):
        managed.does("renew", procedure("Renew the certificate")[0])
        is_true("  all pods show a new certificate",
                wait_for(lambda: len(serials(node)) == 1 and not serials(node) & before))
    is_equal("  without a restart", set(node.pods), names)


def check_cert_manager(managed, node):
    """Renewals as cert-manager makes them: the Secret changes, with a key of either kind."""
    names = set(node.pods)
    authority = os.path.join(managed.clone, "limen-ca", "ca")
    with Load(managed):
        for number, (title, key) in enumerate((("RSA", ("rsa:2048",)), ("ECDSA", ECDSA)) * 2):
            before = serials(node)
            name = os.path.join(work, "renewed%d" % number)
            make_certificate(name, authority, "DNS:limend.limen.svc", key)
            managed.sh("kubectl create secret tls limend-tls -n limen --cert %s.crt --key %s.key "
                       "--dry-run=client -o yaml | kubectl apply -f -" % (name, name))
            is_true("  a renewal with %s is shown" % title, wait_for(
                lambda: len(serials(node)) == 1 and not serials(node) & before))
    is_equal("  without a restart", set(node.pods), names)


def check_break_glass(managed, node):
    for one in node.pods.values():
        one.daemon.signal(signal.SIGSTOP)
    is_equal("limend hangs: pods do not start", managed.starts("shop"), 500)
    label, remove, back = procedure("Break glass")
    managed.does("break glass for a namespace", label)
    is_true("  its pods start", wait_for(lambda: managed.starts("shop") == 201))
    is_true("  others do not", managed.starts("default") == 500)
    managed.does("break glass for all", remove)
    is_true("  all pods start", wait_for(lambda: managed.starts("default") == 201))
    for one in node.pods.values():
        one.daemon.signal(signal.SIGCONT)
    managed.does("and back", back.replace("deploy/kubernetes\n",
                                          "deploy/kubernetes/overlays/limits\n"))
    is_equal("  with all webhooks", len(managed.webhooks()), 4)


def check_restart(managed, address):
    """Everything was down; limend's pods come last, and those that need it wait."""
    managed.down()
    managed.up(KEEP_DATA="1")
    managed.sh("kubectl delete pods -n shop --all --now --wait=false; "
               "kubectl delete pods -n limen --all --now --wait=false --force")
    is_true("after a restart of everything pods wait for limend",
            wait_for(lambda: managed.starts("shop") == 500))
    is_equal("  which waits for nothing", managed.starts("limen"), 201)
    node = Node(managed, address)
    node.start()
    managed.does("  and starts last", procedure("The whole cluster was restarted")[0])
    is_true("  then the others start", wait_for(
        lambda: managed.sh("kubectl get pods -n shop -l app=web -o name")[1]))
    return node


def check(managed):
    address = own_address()
    if address is None:
        skip("the runbook", "this machine has no address beside loopback")
        return
    managed.does("limend is installed for the runbook", "deploy/kubernetes/certificate.sh; "
                 "kubectl apply -k deploy/kubernetes/overlays/limits")
    node = Node(managed, address)
    node.start()
    is_true("its pods are ready", is_ready(managed, node))
    check_upgrade(managed, node)
    check_broken_policy(managed)
    is_true("two pods are left", wait_for(lambda: len(node.pods) == 2), list(node.pods))
    check_renew(managed, node)
    check_cert_manager(managed, node)
    check_break_glass(managed, node)
    managed.sh("kubectl create deployment web -n shop --image=nginx")
    is_true("a Deployment has its pod", wait_for(
        lambda: managed.sh("kubectl get pods -n shop -l app=web -o name")[1]))
    node.stop()
    node = check_restart(managed, address)
    rest, without_files = procedure("Remove")
    managed.does("remove", procedure("Break glass")[1] + rest.splitlines()[0] + "\n" + without_files)
    is_true("  pods start without limend", wait_for(lambda: managed.starts("shop") == 201))
    is_equal("  no webhook is left", managed.webhooks(), [])
    is_true("  no permission", "limen" not in
            managed.sh("kubectl get clusterroles,clusterrolebindings -o name")[1])
    is_true("  nor the namespace", wait_for(managed.is_gone))
    node.stop()
