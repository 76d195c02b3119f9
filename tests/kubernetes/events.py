# SPDX-License-Identifier: Apache-2.0
"""Rates of events: limend behind a webhook against the plugin of the API server."""
import time

from cluster import *
from messages import outcome

# The slowest there are: a bucket gains one token a second.
LIMITS = [{"type": "Namespace", "qps": 1, "burst": 12}, {"type": "User", "qps": 1, "burst": 30},
          {"type": "SourceAndObject", "qps": 1, "burst": 3}]


ADMITTED = ("admitted",)


def configuration():
    return {"apiVersion": "eventratelimit.admission.k8s.io/v1alpha1", "kind": "Configuration",
            "limits": LIMITS}


def event(namespace_name, name):
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": name},
            "involvedObject": {"kind": "Pod", "namespace": namespace_name, "name": "web",
                               "apiVersion": "v1"},
            "source": {"component": "kubelet", "host": "node1"}, "reason": "BackOff",
            "type": "Warning", "message": "again"}


def send(cluster, namespace_name, number, query="", user=None):
    """Sends events about one object: what became of them, and the seconds that it took.

    Every user is one of its own, since refused events take tokens of their user, too.
    """
    begin = time.monotonic()
    answers = []
    for one in range(number):
        answer = cluster.create(namespace_name, "events", event(namespace_name, "web.%d" % one),
                                query, user or namespace_name)
        answers.append(ADMITTED if answer[0] == 201 else outcome(answer))
    return answers, time.monotonic() - begin


def check_flood(cluster):
    """As many as the bucket holds pass, and those it gains meanwhile."""
    answers, seconds = send(cluster, "events-one", 40)
    passed = answers.count(ADMITTED)
    is_true("%s: as many events pass as the object has tokens" % cluster.name,
            3 <= passed <= 3 + seconds + 1, "%d in %.1f seconds" % (passed, seconds))
    refused = set(answers) - {ADMITTED}
    limits = ["limit reached on type %s for key %s" % reached for reached in (
        ("SourceAndObject", "kubeletnode1Podevents-onewebv1"), ("Namespace", "events-one"),
        ("User", "events-one"))]
    is_true("%s: the others are told that the object sends too many" % cluster.name,
            refused and all(one[:2] == (429, "TooManyRequests") and limits[0] in one[2] and
                            one[2] <= set(limits) for one in refused), refused)
    is_true("%s: refused events take tokens of their namespace" % cluster.name,
            any(limits[1] in one[2] for one in refused), refused)


def check_conversion(cluster):
    """Events of events.k8s.io, which the API server converts for a webhook."""
    passed = 0
    for number in range(25):
        passed += 201 == cluster.ask(
            "POST", "/apis/events.k8s.io/v1/namespaces/events-new/events",
            {"apiVersion": "events.k8s.io/v1", "kind": "Event",
             "metadata": {"name": "new.%d" % number}, "reason": "Scheduled", "type": "Normal",
             "eventTime": "2026-01-01T00:00:00.000000Z", "action": "Binding", "note": "n",
             "reportingController": "scheduler", "reportingInstance": "scheduler-1",
             "regarding": {"kind": "Pod", "namespace": "events-new", "name": "web",
                           "apiVersion": "v1"}}, user="scheduler")[0]
    return passed


def check_left_out(subject):
    answers, _ = send(subject, "kube-system", 40)
    is_equal("namespaces that are left out have no rates", set(answers), {ADMITTED})
    answers, _ = send(subject, "events-dry", 40, "?dryRun=All")
    is_equal("nor have dry runs", set(answers), {ADMITTED})
    answers, _ = send(subject, "events-dry", 3)
    is_equal("which take no token of others", set(answers), {ADMITTED})


def check_patch(cluster):
    """A repetition is a patch of the event, and counts."""
    send(cluster, "events-patch", 1)
    statuses = [cluster.ask("PATCH", "/api/v1/namespaces/events-patch/events/web.0",
                            {"count": number}, kind="application/merge-patch+json",
                            user="events-patch")[0] for number in range(2, 40)]
    is_true("%s: repetitions count" % cluster.name, statuses[0] == 200 and 429 in statuses,
            statuses)


def check_words(subject):
    """What an operator sees: with 40 at once there are some that are refused."""
    many = objects(*[dict(event("events-words", "w.%d" % number)) for number in range(40)])
    for one in many["items"]:
        one["metadata"]["namespace"] = "events-words"
    done = subject.kubectl("create", "-f", "-", given=many)
    is_true("kubectl says that there were too many", "Error from server (TooManyRequests)" in
            done.stderr and 'admission webhook "events.limend.webhook" denied the request: ' in
            done.stderr and "limit reached on type SourceAndObject for key " in done.stderr,
            done.stderr)


def check(pair):
    for one in pair:
        one.apply(objects(*[namespace(name) for name in (
            "events-one", "events-new", "events-dry", "events-patch", "events-words")]))
    pair[0].apply(namespace("kube-system"))
    for one in pair:
        check_flood(one)
        check_patch(one)
    is_equal("a difference: the plugin lets all events of events.k8s.io pass",
             check_conversion(pair[1]), 25)
    passed = check_conversion(pair[0])
    is_true("and limend counts them with those of the core group", 3 <= passed < 25, passed)
    check_left_out(pair[0])
    check_words(pair[0])
