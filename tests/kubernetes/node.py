# SPDX-License-Identifier: Apache-2.0
"""A node that runs the pods of limend: a process for each, with its arguments and volumes.

It does what a kubelet and the endpoints controller do: it mounts ConfigMap and Secret, follows
changes of the Secret, tells the API server which pods are ready, lists them as Endpoints of the
Service, and ends pods that are deleted.  All pods have the address of this machine, and ports of
their own.
"""
import time

from gate import *


class Pod:
    """One limend."""

    def __init__(self, cluster, body, address):
        self.name = body["metadata"]["name"]
        self.directory = os.path.join(work, "pods", self.name)
        self.address = address
        self.port, self.health = free_ports(2)
        self.daemon = None
        self.secret = None
        self.is_ready = False
        self.cluster = cluster
        volumes = {one["name"]: one for one in body["spec"]["volumes"]}
        self.config = volumes["policy"]["configMap"]["name"]
        self.arguments = [self.place(one) for one in body["spec"]["containers"][0]["args"]]
        for part in ("policy", "tls", "cache"):
            os.makedirs(os.path.join(self.directory, part), exist_ok=True)

    def place(self, argument):
        """An argument of the container on this machine."""
        for path, part in (("/etc/limen/conf.d", "policy"), ("/etc/limen/tls", "tls"),
                           ("/var/cache/limend", "cache")):
            argument = argument.replace(path, os.path.join(self.directory, part))
        return argument.replace("0.0.0.0:8443", "%s:%d" % (self.address, self.port)).replace(
            "0.0.0.0:8081", "127.0.0.1:%d" % self.health)

    def write(self, part, name, text):
        path = os.path.join(self.directory, part, name)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def mount(self):
        """Returns true once ConfigMap and Secret are there; writes the Secret if it changed."""
        status, secret = self.cluster.ask("GET", "/api/v1/namespaces/limen/secrets/limend-tls")
        if status != 200:
            return False
        if secret["metadata"]["resourceVersion"] != self.secret:
            for name in ("tls.key", "tls.crt"):
                self.write("tls", name, base64.b64decode(secret["data"][name]).decode())
            self.secret = secret["metadata"]["resourceVersion"]
        return True

    def start(self):
        status, config = self.cluster.ask("GET", "/api/v1/namespaces/limen/configmaps/" +
                                          self.config)
        if status != 200 or not self.mount():
            return
        for name, text in (config.get("data") or {}).items():
            # A process outside of the cluster has no service account, and no DNS of it.
            text = text.replace("cluster: true", "cluster: {kubeconfig: %s}" %
                                self.cluster.kubeconfig)
            text = text.replace("redis://limen-redis.limen.svc",
                                os.environ.get("LIMEN_TEST_REDIS", "redis://127.0.0.1:1"))
            self.write("policy", name, text)
        self.daemon = Daemon(*self.arguments, program=LIMEND, policy=None, listen=False)

    def look(self):
        """Is it ready?"""
        if self.daemon is None:
            self.start()
            return False
        if self.daemon.process.poll() is not None:
            return False
        self.mount()
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/readyz" % self.health,
                                        timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def end(self):
        if self.daemon is not None and self.daemon.process.poll() is None:
            self.daemon.end()


class Node(threading.Thread):
    """Runs pods until stop()."""

    def __init__(self, cluster, address):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.address = address
        self.pods = {}
        self.served = None
        self.stopping = threading.Event()

    def run(self):
        while not self.stopping.wait(0.2):
            try:
                self.turn()
            except (OSError, http.client.HTTPException) as error:
                print("# node:", error, flush=True)  # the API server restarts
            except Exception as error:
                print("# node: %r" % error, flush=True)
                raise
        for one in self.pods.values():
            one.end()

    def stop(self):
        self.stopping.set()
        self.join()

    def turn(self):
        status, found = self.cluster.ask(
            "GET", "/api/v1/namespaces/limen/pods?labelSelector=app.kubernetes.io/name=limend")
        if status != 200:
            return
        bodies = {one["metadata"]["name"]: one for one in found["items"]}
        ending = {name for name, one in bodies.items()
                  if one["metadata"].get("deletionTimestamp")}
        for name in bodies.keys() - self.pods.keys() - ending:
            self.bind(name)
            self.pods[name] = Pod(self.cluster, bodies[name], self.address)
        for name, one in self.pods.items():
            if name in bodies and name not in ending:
                self.tell(one, one.look())
        self.serve([one for name, one in self.pods.items()
                    if one.is_ready and name in bodies and name not in ending])
        for name in [one for one in self.pods if one not in bodies or one in ending]:
            self.remove(name)

    def bind(self, name):
        self.cluster.ask("POST", "/api/v1/namespaces/limen/pods/%s/binding" % name, {
            "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
            "target": {"apiVersion": "v1", "kind": "Node", "name": "node"}})

    def tell(self, one, is_ready):
        if is_ready == one.is_ready:
            return
        one.is_ready = is_ready
        state = "True" if is_ready else "False"
        self.cluster.ask("PATCH", "/api/v1/namespaces/limen/pods/%s/status" % one.name, {
            "status": {"phase": "Running", "podIP": self.address, "conditions": [
                {"type": "Ready", "status": state,
                 "lastTransitionTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}]}},
            kind="application/strategic-merge-patch+json")

    def serve(self, ready):
        ports = sorted(one.port for one in ready)
        if ports == self.served:
            return
        done = self.cluster.kubectl("apply", "-f", "-", given={
            "apiVersion": "v1", "kind": "Endpoints",
            "metadata": {"name": "limend", "namespace": "limen"},
            "subsets": [{"addresses": [{"ip": self.address}],
                         "ports": [{"name": "https", "port": port}]} for port in ports]})
        if done.returncode == 0:
            self.served = ports

    def remove(self, name):
        """Ends a pod after API servers had the time to notice, as its preStop has it."""
        one = self.pods[name]
        time.sleep(0.5)
        one.end()
        del self.pods[name]
        self.cluster.ask("DELETE", "/api/v1/namespaces/limen/pods/%s?gracePeriodSeconds=0" % name)
