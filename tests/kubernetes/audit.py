# SPDX-License-Identifier: Apache-2.0
"""limen audit: what it foretells of pods is what the built-in plugin does to them, it reads a cluster
page by page, and an API server stores its PolicyReports."""
import random

from cluster import *
from limits import some_pod, some_range

PODS = 1000
NAMESPACES = 10

# Our own words for what reports of wgpolicyk8s.io/v1alpha2 have.
TEXT = {"type": "string"}
RESULT = {"type": "object", "required": ["policy"], "properties": {
    "policy": TEXT, "rule": TEXT, "message": TEXT,
    "result": {"type": "string", "enum": ["pass", "fail", "warn", "error", "skip"]},
    "properties": {"type": "object", "additionalProperties": TEXT},
    "resources": {"type": "array", "items": {"type": "object", "properties": {
        "apiVersion": TEXT, "kind": TEXT, "name": TEXT, "namespace": TEXT}}}}}
REPORTS = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "policyreports.wgpolicyk8s.io",
                 "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
    "spec": {"group": "wgpolicyk8s.io", "scope": "Namespaced",
             "names": {"kind": "PolicyReport", "plural": "policyreports", "singular": "policyreport"},
             "versions": [{"name": "v1alpha2", "served": True, "storage": True, "schema": {
                 "openAPIV3Schema": {"type": "object", "properties": {
                     "summary": {"type": "object", "properties": {
                         word: {"type": "integer"}
                         for word in ("pass", "fail", "warn", "error", "skip")}},
                     "results": {"type": "array", "items": RESULT}}}}}]}}


def audit(*arguments):
    done = subprocess.run([LIMEN, "audit", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, PATH=BINARIES + ":" + os.environ["PATH"]))
    return done.returncode, done.stdout, done.stderr


def make_ranges(chance, server):
    """LimitRanges at random that the server takes, one for each namespace."""
    ranges = {}
    while len(ranges) < NAMESPACES:
        items = some_range(chance)
        if server.create("default", "limitranges?dryRun=All", limit_range("default", *items))[0] == 201:
            ranges["audit-%d" % len(ranges)] = items
    server.apply(objects(*[namespace(name) for name in ranges],
                         *[limit_range(name, *items) for name, items in ranges.items()]))
    return ranges


def check_verdicts(chance, server, ranges):
    """The server decides each pod in a dry run, limen all of them in one list."""
    pods, refused, said = [], set(), {}
    for number in range(PODS):
        name = "audit-%d" % (number % NAMESPACES)
        body = some_pod(chance, "p-%d" % number, ranges[name])
        status, answer = server.create(name, "pods", body, "?dryRun=All")
        said["Pod/p-%d" % number] = (answer.get("message"), ranges[name], body["spec"])
        body["metadata"]["namespace"] = name
        pods.append(body)
        if status in (403, 422):
            refused.add("Pod/p-%d" % number)
    write("pods.json", objects(*[limit_range(name, *items) for name, items in ranges.items()], *pods))
    answer = json.loads(audit("--format", "json", "pods.json")[1])
    found = {one["owner"]: one["message"] for one in answer["findings"] if one["verdict"] == "refused"}
    is_equal("%d pods: the audit refuses what the API server refuses" % PODS,
             [(one, found.get(one), said[one]) for one in sorted(found.keys() ^ refused)][:3], [])
    is_equal("and counts them", answer["refused"], len(refused))
    is_true("some are refused, some are not", 0 < len(refused) < PODS, len(refused))


def check_reports(server):
    server.apply(REPORTS)
    reports = audit("--format", "policyreport", "pods.json")[1]
    done = None

    def is_stored():
        nonlocal done
        done = server.kubectl("apply", "-f", "-", given=reports)
        return done.returncode == 0
    is_true("an API server stores the PolicyReports", wait_for(is_stored), done.stderr)


def check_cluster(server):
    """Pods that came before the LimitRange which they miss."""
    server.apply(objects(namespace("before")))
    for number in range(600):
        status, _ = server.create("before", "pods", pod("p-%d" % number, {"limits": {"memory": "2Gi"}}))
        if status != 201:
            is_true("a pod is stored", False, status)
    server.apply(limit_range("before", {"type": "Container", "max": {"memory": "1Gi"}}))
    status, text, errors = audit("--cluster", "--kubeconfig", server.kubeconfig, "--format", "json")
    is_equal("limen audit --cluster finds something", (status, errors), (1, ""))
    counts = {one["namespace"]: one["refused"] for one in json.loads(text)["namespaces"]}
    is_equal("in both pages", counts.get("before"), 600)
    status, _, errors = audit("--cluster", "--kubeconfig", os.path.join(work, "nowhere"))
    is_true("a cluster that does not answer is an error", status == 2 and errors != "", errors)


def check(pair):
    seed = int(os.environ.get("LIMEN_KUBE_SEED", "0")) or random.SystemRandom().randint(1, 10**6)
    print("# audit: seed %d" % seed)
    chance = random.Random(seed)
    server = pair[1]
    check_verdicts(chance, server, make_ranges(chance, server))
    check_reports(server)
    check_cluster(server)
