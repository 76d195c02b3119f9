# SPDX-License-Identifier: Apache-2.0
"""What limend decided and recorded is decided the same by "limen replay", and otherwise by another policy."""
from kit import *

POLICY = {
    "schema": 4,
    "identifiers": [
        {"name": "ours", "description": "O", "type": "hint",
         "data": {"hint": "user", "match": {"style": "exact", "match": "ann"}}}],
    "classifiers": [{"name": "ours", "description": "O", "identifiers": ["ours"]}],
    "limits": [
        {"name": "rtt", "description": "R", "type": "test-type", "data": {"types": ["rtt"]}},
        {"name": "two", "description": "T", "type": "rate", "data": {"rate": "2/PT10H"}}],
    "applications": [{"description": "Ours", "classifier": "ours",
                      "apply": [{"require": "all", "limits": ["rtt", "two"]}]}],
    "admission": [
        {"name": "sizes", "plugin": "LimitRanger", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "sizes"},
             "spec": {"limits": [{"type": "Container", "max": {"cpu": "2"},
                                  "default": {"cpu": "1"}}]}}]}},
        {"name": "events", "plugin": "EventRateLimit",
         "data": {"limits": [{"type": "User", "qps": 1, "burst": 1000}]}}],
}


def pod(cpu):
    resources = {"limits": {"cpu": cpu}} if cpu else {}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": resources}]}}


def review(cpu):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"}, "name": "p",
        "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": "ann", "groups": ["staff"]}, "object": pod(cpu)}}


def task(kind, user):
    return {"task": {"schema": 1, "test": {"type": kind, "spec": {"#": "a comment"}}},
            "hints": {"user": user, "requester": "192.0.2.1"}}


def post(path, body):
    return ask(limend, request("POST", path, json.dumps(body).encode(),
                               ["Content-Type: application/json"]))


def replay(*options):
    done = subprocess.run([os.environ["LIMEN"], "replay", "--format", "json", *options, log],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, done.stdout + done.stderr


log = os.path.join(work, "decisions")
limend = Daemon("--decision-log", log, "--decision-log-documents", "--module-path",
                os.environ["LIMEN_MODULE_PATH"], "--trust-hints-from", "127.0.0.0/8",
                program=LIMEND, policy=POLICY)
if not is_true("limend listens", limend.urls, limend.said()):
    finish()
asked = 0
for path in "/admission/mutate", "/admission/validate":
    for cpu in "1", "3", None:
        asked += post(path, review(cpu)).status == 200
for kind, user in ("rtt", "ann"), ("idle", "ann"), ("rtt", "bob"), ("rtt", "ann"), ("rtt", "ann"):
    asked += post("/v1/decide", task(kind, user)).status == 200
asked += post("/v1/decide", dict(task("idle", "ann"), run=True)).status == 200
for cpu in "1", "3", None:
    asked += post("/v1/decide", {"object": pod(cpu), "user": "ann"}).status == 200
is_equal("limend answers", asked, 15)
is_equal("it ends", limend.end(), 0)

with open(log) as file:
    lines = [json.loads(line) for line in file]
verdicts = [line["verdict"] for line in lines]
is_equal("all of it is recorded", len(verdicts), 15)
is_true("admitted and refused", {"admitted", "refused"} <= set(verdicts), verdicts)

is_equal("and what a sender asked for", [(line["rewrite"], line["prioritize"]) for line in lines if "rewrite" in line],
         [(False, True)])

old = write("old.conf", POLICY)
status, found = replay("--policy", old)
is_equal("the same policy decides the same", (status, found["changed"]), (0, 0)) or print("#", found)
is_equal("and all of it", (found["decided"], found["notDecided"]), (15, []))

new = write("new.conf", dict(POLICY, admission=POLICY["admission"][1:]))
status, found = replay("--policy", new)
refused = sum(one["was"] for one in found["rules"]
              if one["verdict"] == "refused" and one["rule"] == "sizes")
is_true("limits refused pods", refused > 0, found)
is_equal("another policy admits them", (status, found["verdicts"]["refused"]["admitted"]), (1, refused))

status, found = replay("--policy", new, "--against", old)
is_true("and fills in nothing", "result" in [one["what"] for one in found["differences"]], found)
hidden = Daemon("--decision-log", log, "--decision-log-documents", "--decision-log-redact", "user",
                program=LIMEND, wait=False)
is_equal("documents cannot be hidden in part", hidden.wait(), 2)
finish()
