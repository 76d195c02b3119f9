# SPDX-License-Identifier: Apache-2.0
"""Workloads: a warning, or a refusal, at once if their pods would be refused."""
from gate import *

# CronJobs are of batch/v1 from Kubernetes 1.21 on.
KINDS = {"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "DaemonSet": "apps/v1",
         "StatefulSet": "apps/v1", "Job": "batch/v1", "CronJob": "batch/v1beta1"}
NAME = "workloads"
REFUSED = ("Warning: pods of %s would be refused: maximum memory usage per Container is 1Gi, "
           "but limit is 2Gi")


def workload(kind, memory="2Gi", replicas=1, where=NAME, owner=None):
    labels = {"app": kind.lower()}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [
        {"name": "web", "image": "nginx", "resources": {"limits": {"memory": memory}}}]}}
    metadata = {"name": kind.lower(), "namespace": where}
    spec = {"template": template}
    if kind in ("Job", "CronJob"):
        template["spec"]["restartPolicy"] = "Never"
    else:
        spec["selector"] = {"matchLabels": labels}
    if kind in ("Deployment", "ReplicaSet", "StatefulSet"):
        spec["replicas"] = replicas
    if kind == "StatefulSet":
        spec["serviceName"] = "none"
    if kind == "CronJob":
        spec = {"schedule": "0 0 1 1 *", "jobTemplate": {"spec": spec}}
    if owner:
        metadata.update(name=kind.lower() + "-owned", ownerReferences=[
            {"apiVersion": "apps/v1", "kind": owner, "name": "x", "uid": "1", "controller": True}])
    return {"apiVersion": KINDS[kind], "kind": kind, "metadata": metadata, "spec": spec}


def apply(subject, *arguments, given=None):
    """What kubectl says on standard error, and whether it went well."""
    done = subject.kubectl(*arguments, given=given)
    return done.stderr, done.returncode == 0


def check_kinds(subject):
    for kind in KINDS:
        said, good = apply(subject, "apply", "-f", "-", given=workload(kind))
        is_true("a %s whose pods would be refused is applied, with a warning" % kind,
                good and REFUSED % kind.lower() in said and 'container "web"' in said and
                'LimitRange "limits"' in said, said)
        if kind != "Job":  # whose template cannot change
            said, good = apply(subject, "apply", "-f", "-", given=workload(kind, "1Gi"))
            is_equal("  and without one if they fit", (said, good), ("", True))


def check_silence(subject):
    apply(subject, "apply", "-f", "-", given=workload("Deployment"))
    is_equal("no warning where the template is as it was",
             apply(subject, "apply", "-f", "-", given=workload("Deployment", replicas=2)),
             ("", True))
    is_equal("none on scale", apply(subject, "scale", "deployment/deployment", "--replicas=3",
                                    "-n", NAME), ("", True))
    is_equal("none for what a Deployment makes",
             apply(subject, "apply", "-f", "-", given=workload("ReplicaSet", owner="Deployment")),
             ("", True))


def check_deny(subject, gate):
    write("policy/strict.yaml", {"admission": [
        {"name": "strict", "plugin": "LimitRanger", "workloads": "deny",
         "match": {"namespaces": ["strict"]},
         "data": {"manifests": limit_range("strict", {"type": "Container",
                                                      "max": {"memory": "1Gi"}})}}]})
    subject.apply(objects(namespace("strict")))
    wanted = "denied the request: pods of deployment would be refused: maximum memory usage"

    def is_refused():
        return wanted in apply(subject, "apply", "--dry-run=server", "-f", "-",
                               given=workload("Deployment", where="strict"))[0]
    is_true("with workloads: deny the workload is refused", wait_for(is_refused),
            apply(subject, "apply", "-f", "-", given=workload("Deployment", where="strict")))
    is_equal("but not one whose pods fit",
             apply(subject, "apply", "-f", "-", given=workload("Deployment", "1Gi",
                                                               where="strict")), ("", True))
    os.unlink("policy/strict.yaml")
    wait_for(lambda: "strict" not in json.loads(gate.get("/v1/policy")[1])["admission"])


def check(subject, gate):
    known = gate.objects()
    subject.apply(objects(namespace(NAME)))
    subject.apply(limit_range(NAME, {"type": "Container", "max": {"memory": "1Gi"}}))
    wait_for(lambda: gate.knows(known + 1))
    check_kinds(subject)
    check_silence(subject)
    counted = gate.metric('limend_refusals_by_namespace_total{entry="limit-ranges",'
                          'namespace="workloads",enforce="warn"}')
    is_equal("would-be refusals are counted", counted, len(KINDS) + 1)
    check_deny(subject, gate)
    subject.apply(objects(namespace("fresh")))
    subject.apply(limit_range("fresh", {"type": "Container", "max": {"memory": "1Gi"}}))
    said = apply(subject, "apply", "-f", "-", given=workload("Deployment", where="fresh"))[0]
    is_true("the first workload of a namespace is warned of", REFUSED % "deployment" in said, said)
