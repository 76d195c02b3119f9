# SPDX-License-Identifier: Apache-2.0
"""LimitRanges of the cluster, followed through changes and through the end of its API server."""
from gate import *
from limits import NOTHING


def review(name):
    """What an API server would ask about a pod that says nothing."""
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"}, "name": name,
        "namespace": "watching", "operation": "CREATE", "userInfo": {"username": "ann"},
        "object": pod(name, NOTHING), "oldObject": None, "dryRun": False}}).encode()


def default_of(gate):
    """The CPU limit that limend gives, asked without an API server."""
    status, text = gate.request("/admission/mutate", review("direct"))
    response = json.loads(text)["response"] if status == 200 else {}
    for change in json.loads(base64.b64decode(response.get("patch", "W10="))):
        if change["path"].endswith("/limits"):
            return change["value"]["cpu"]
    return status, response.get("allowed")


def status_of(gate):
    """What the entry says of itself."""
    return json.loads(gate.get("/v1/policy")[1])["admission"]["limit-ranges"]["status"]


def give(subject, value):
    subject.apply(limit_range("watching", {"type": "Container", "default": {"cpu": value}}))


def check_changes(subject, gate):
    known = gate.objects()
    give(subject, "100m")
    is_true("a LimitRange counts", wait_for(lambda: default_of(gate) == "100m"), default_of(gate))
    give(subject, "200m")
    is_true("as it was changed", wait_for(lambda: default_of(gate) == "200m"), default_of(gate))
    subject.kubectl("delete", "limitrange", "limits", "-n", "watching")
    is_true("until it is deleted", wait_for(lambda: default_of(gate) == (200, True)),
            default_of(gate))
    is_true("limend knows as many as before", wait_for(lambda: gate.knows(known)), gate.objects())
    give(subject, "300m")
    wait_for(lambda: default_of(gate) == "300m")


def check_restart(subject, gate):
    known = len(subject.ask("GET", "/api/v1/limitranges")[1]["items"])
    subject.down()
    is_true("limend notices that the API server is away",
            wait_for(lambda: status_of(gate).get("error")), gate.get("/v1/policy")[1])
    is_equal("and decides by what it knows", (default_of(gate), gate.get("/readyz")[0]),
             ("300m", 200))
    subject.up(KEEP_DATA="1")
    is_equal("the API server is there again, with all LimitRanges",
             len(subject.ask("GET", "/api/v1/limitranges")[1]["items"]), known)
    give(subject, "400m")
    is_true("limend follows it again", wait_for(lambda: default_of(gate) == "400m"),
            gate.daemon.said()[-2000:])
    is_true("and knows no less than before", wait_for(lambda: gate.knows(known)), gate.objects())
    answer = subject.create("watching", "pods", pod("after", NOTHING))
    is_equal("the API server asks limend again", (answer[0], answer[0] == 201 and
             answer[1]["spec"]["containers"][0]["resources"]["limits"]), (201, {"cpu": "400m"}))


def check(subject, gate):
    subject.apply(namespace("watching"))
    check_changes(subject, gate)
    check_restart(subject, gate)
