# SPDX-License-Identifier: Apache-2.0
"""A policy, reviews for it, and GET /v1/recent: for tests of the decisions that limend keeps."""
import threading
import urllib.parse

from kit import *

MODULES = ["--module-path", os.environ["LIMEN_MODULE_PATH"]]
POLICY = {
    "schema": 4,
    "identifiers": [{"name": "all", "description": "", "type": "always", "data": {}}],
    "classifiers": [{"name": "all", "description": "", "identifiers": ["all"]}],
    "limits": [{"name": "rtt", "description": "", "type": "test-type", "data": {"types": ["rtt"]}}],
    "applications": [{"description": "Tests", "classifier": "all",
                      "apply": [{"require": "all", "limits": ["rtt"]}]}],
    "admission": [
        {"name": "sizes", "plugin": "LimitRanger", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "mem"},
             "spec": {"limits": [{"type": "Container", "max": {"memory": "1Gi"}}]}}]}},
        {"name": "trial", "plugin": "LimitRanger", "enforce": "audit", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "cpu"},
             "spec": {"limits": [{"type": "Container", "max": {"cpu": "2"}}]}}]}},
        {"name": "hint", "plugin": "LimitRanger", "enforce": "warn", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "tmp"},
             "spec": {"limits": [{"type": "Container", "max": {"ephemeral-storage": "1Gi"}}]}}]}},
    ],
}
NAMESPACES = ["team-%d" % number for number in range(20)]
for entry in POLICY["admission"]:
    ranges = entry["data"]["manifests"]
    entry["data"]["manifests"] = [
        dict(one, metadata=dict(one["metadata"], namespace=name)) for name in NAMESPACES + ["x"]
        for one in ranges]


def review(namespace, name="web-", **limits):
    resources = {"memory": "1Gi", "cpu": "1", "ephemeral-storage": "1Gi"}
    resources.update({key.replace("_", "-"): value for key, value in limits.items()})
    return json.dumps({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "u-1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
            "resource": {"group": "", "version": "v1", "resource": "pods"},
            "namespace": namespace, "operation": "CREATE",
            "userInfo": {"username": "ann", "groups": ["staff"]},
            "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {
                "generateName": name, "namespace": namespace, "ownerReferences": [
                    {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "1",
                     "controller": True}]},
                "spec": {"containers": [{"name": "c", "image": "i", "resources": {
                    "limits": resources, "requests": resources}}]}}}}).encode()


JSON = ["Content-Type: application/json"]


def send(daemon, bodies, path="/admission/validate"):
    """Sends bodies over two connections, each pipelined in parts, and waits for the answers."""
    def part(mine):
        with daemon.connect() as made:
            for start in range(0, len(mine), 50):
                some = mine[start:start + 50]
                made.sendall(b"".join(request("POST", path, body, JSON) for body in some))
                text = b""
                for _ in some:
                    while b"\r\n\r\n" not in text:
                        text += made.recv(65536)
                    head, text = text.split(b"\r\n\r\n", 1)
                    length = int(re.search(rb"[Cc]ontent-[Ll]ength: (\d+)", head).group(1))
                    while len(text) < length:
                        text += made.recv(65536)
                    text = text[length:]
    threads = [threading.Thread(target=part, args=(bodies[half::2],)) for half in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def recent(daemon, **filters):
    query = "?" + urllib.parse.urlencode(filters) if filters else ""
    return ask(daemon, request("GET", "/v1/recent" + query))


def count_by_namespace(daemon):
    return {row["namespace"]: (row["refused"], row["would-refuse"], row["errors"])
            for row in recent(daemon).json()["namespaces"]}


def start(*options, **more):
    return Daemon("--trust-hints-from", "127.0.0.1", "--threads", "2", *options, *MODULES,
                  program=LIMEND, policy=POLICY, **more)
