# SPDX-License-Identifier: Apache-2.0
"""Starts API servers, and asks them with kubectl or byte by byte."""
import http.client
import os
import ssl
import subprocess
import threading

from kit import *

TOOLS = os.environ["LIMEN_KUBE_TOOLS"]
BINARIES = os.path.abspath(os.path.join(os.environ["LIMEN_KUBE_DIR"], "bin"))
LIMEN = os.environ["LIMEN"]
# Of a newer version than the API server's: kustomizations have components.
KUBECTL = os.environ["LIMEN_KUBECTL"]
SOURCE = os.environ["LIMEN_SRCDIR"]


def free_ports(number):
    """Ports that nobody listens on at the moment."""
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """An etcd and an API server."""

    def __init__(self, name, flags, authorization="AlwaysAllow"):
        self.name = name
        self.state = os.path.join(work, name)
        os.mkdir(self.state)
        os.symlink(BINARIES, os.path.join(self.state, "bin"))
        self.port, etcd, peer = free_ports(3)
        self.environment = dict(os.environ, STATE=self.state, PORT=str(self.port),
                                ETCD_PORT=str(etcd), ETCD_PEER_PORT=str(peer),
                                AUTHZ=authorization, EXTRA_ARGS=flags, WAIT="240")
        for unwanted in ("RUN", "APISERVER", "PKI", "KUBECONFIG_OUT", "KEEP_DATA"):
            self.environment.pop(unwanted, None)
        self.kubeconfig = os.path.join(self.state, "kubeconfig")
        self.local = threading.local()
        self.is_up = False

    def run(self, script, **more):
        return subprocess.run([os.path.join(TOOLS, script)], env=dict(self.environment, **more),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def up(self, **more):
        atexit.register(self.run, "down.sh")
        done = self.run("up.sh", **more)
        if done.returncode != 0:
            print("Bail out! no API server: " + done.stdout.replace("\n", "; "))
            sys.exit(1)
        with open(os.path.join(self.state, "pki", "token")) as file:
            self.token = file.read().strip()
        self.is_up = True
        self.tls = ssl.create_default_context(cafile=os.path.join(self.state, "pki", "ca.crt"))

    def down(self):
        self.local.made = None
        return self.run("down.sh")

    def kubectl(self, *arguments, given=None):
        if given is not None and not isinstance(given, str):
            given = json.dumps(given)
        return self.run_client(os.path.join(BINARIES, "kubectl"), *arguments, given=given)

    def run_client(self, program, *arguments, given=None):
        """As kubectl(), with another kubectl."""
        return subprocess.run([program, "--kubeconfig", self.kubeconfig,
                               "--cache-dir", os.path.join(self.state, "cache")] +
                              list(arguments), input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)

    def apply(self, objects):
        done = self.kubectl("apply", "-f", "-", given=objects)
        if done.returncode != 0:
            print("Bail out! kubectl apply: " + done.stderr.replace("\n", "; "))
            sys.exit(1)

    def connection(self):
        if getattr(self.local, "made", None) is None:
            self.local.made = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE,
                                                          context=self.tls)
        return self.local.made

    def ask(self, method, path, body=None, token=None, kind="application/json", user=None):
        """Returns the status and the answer, and keeps a connection for each thread.

        'user' is who it is taken for.
        """
        connection = self.connection()
        headers = {"Authorization": "Bearer " + (token or self.token), "Content-Type": kind}
        if user is not None:
            headers.update({"Impersonate-User": user, "Impersonate-Group": "system:masters"})
        text = None if body is None else json.dumps(body)
        try:
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or "null")
        except (OSError, http.client.HTTPException):
            connection.close()
            self.local.made = None
            raise

    def create(self, namespace, resource, body, query="", user=None):
        return self.ask("POST", "/api/v1/namespaces/%s/%s%s" % (namespace, resource, query), body,
                        user=user)


def namespace(name):
    """API servers give this label themselves from 1.21 on; a namespaceSelector wants it."""
    return {"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}}}


def objects(*items):
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


def limit_range(namespace_name, *items, name="limits"):
    return {"apiVersion": "v1", "kind": "LimitRange",
            "metadata": {"name": name, "namespace": namespace_name},
            "spec": {"limits": list(items)}}


def pod(name, *containers, init=(), **metadata):
    """A pod whose containers have these resources."""
    made = {"apiVersion": "v1", "kind": "Pod", "metadata": dict(metadata, name=name),
            "spec": {"containers": [{"name": "c%d" % number, "image": "image", "resources": one}
                                    for number, one in enumerate(containers)]}}
    if init:
        made["spec"]["initContainers"] = [
            {"name": "i%d" % number, "image": "image", "resources": one}
            for number, one in enumerate(init)]
    return made


def claim(name, requests):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": requests}}}
