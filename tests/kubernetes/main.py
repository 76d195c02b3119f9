# SPDX-License-Identifier: Apache-2.0
"""Starts an API server with limend and one with the plugins built in, and compares them.

Arguments name groups, all if there are none.  API servers are slow to start, so that all
groups use the same two; what registers limend is always tested.
"""
import os
import signal
import sys
import threading

sys.path.insert(1, os.path.join(os.environ["LIMEN_SRCDIR"], "tests", "daemon"))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

# Its names come first: it has a number that is called as one of the groups.
from gate import *
import audit
import deployment
import events
import failures
import install
import limits
import service
import watching
import workloads


def start_clusters():
    """limend's, which knows of Services what their Endpoints say, and the other."""
    write("rates.json", events.configuration())
    write("admission.json", {
        "apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration",
        "plugins": [{"name": "EventRateLimit", "path": os.path.join(work, "rates.json")}]})
    subject = Cluster("limend", "--disable-admission-plugins=LimitRanger "
                      "--enable-aggregator-routing=true", "RBAC")
    other = Cluster("built-in", "--enable-admission-plugins=EventRateLimit "
                    "--admission-control-config-file=%s/admission.json" % work)
    starts = [threading.Thread(target=one.up) for one in (subject, other)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    if not all(one.is_up for one in (subject, other)):
        sys.exit(1)
    return subject, other


def register(subject, gate, *options):
    """Registers limend, and waits until the API server asks it."""
    subject.apply(webhook_config("--url", gate.url, "--ca-file", "authorities.crt", *options))
    body = limits.pod("asked", limits.NOTHING)
    path = 'limend_http_responses_total{endpoint="/admission/mutate",status="200"'

    def is_asked():
        before = gate.metric(path) or 0
        subject.create("default", "pods", body, "?dryRun=All")
        return (gate.metric(path) or 0) > before
    if gate.daemon.process.poll() is None and not wait_for(is_asked):
        is_true("an API server asks limend", False, gate.get("/metrics")[1])


def main():
    if len(sys.argv) == 1 or "install" in sys.argv[1:]:
        install.check()
    if sys.argv[1:] == ["install"]:
        finish()
    pair = start_clusters()
    subject = pair[0]
    policy = deployment.check(subject)
    os.mkdir("policy")
    write("policy/policy.yaml", policy)
    write("policy/rates.yaml", {"admission": [{"name": "rates", "plugin": "EventRateLimit",
                                               "data": {"limits": events.LIMITS}}]})
    make_authority("first")
    make_authority("second")
    write("authorities.crt", open("first.crt").read() + open("second.crt").read())
    make_certificate("limend", "first")
    put("limend")
    gate = Gate(os.path.join(work, "policy"))
    gate.start()
    register(subject, gate)
    groups = {
        "limits": lambda: limits.check(pair, gate),
        "workloads": lambda: workloads.check(subject, gate),
        "events": lambda: events.check(pair),
        "failures": lambda: failures.check(subject, gate, register),
        "watching": lambda: watching.check(subject, gate),
        "audit": lambda: audit.check(pair),
        "service": lambda: service.check(subject, gate.policy),
    }
    for name in groups:
        if name == "service":
            is_equal("limend ends in order", gate.daemon.end(), 0)
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            groups[name]()
    finish()


main()
