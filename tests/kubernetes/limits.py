# SPDX-License-Identifier: Apache-2.0
"""LimitRanges: what limend makes of pods and claims is what the built-in plugin makes of them.

The plugin is that of 1.20, and the cases keep away from what changed in Kubernetes since:

* the order of messages and of resources, which was by chance (compared as sets);
* numbers of whole pods in other units (compared as numbers), and a pod's total, which was
  not there if a container had no value (here all have one or none has);
* ratios in floating point (here whole numbers), sidecars and resources of a pod, which 1.20
  does not know;
* updates of claims, which were held against everything: its own case below;
* several LimitRanges in a namespace, which counted in an order by chance.
"""
import random

from cluster import *
from messages import outcome

RANGES = {
    "everything": [{"type": "Container", "min": {"cpu": "100m", "memory": "50Mi"},
                    "max": {"cpu": "1", "memory": "1Gi"},
                    "default": {"cpu": "500m", "memory": "500Mi"},
                    "defaultRequest": {"cpu": "250m", "memory": "250Mi"},
                    "maxLimitRequestRatio": {"cpu": "4"}}],
    "only-max": [{"type": "Container", "max": {"cpu": "800m"}}],
    "only-min": [{"type": "Container", "min": {"cpu": "100m", "memory": "6Mi"}}],
    "only-default": [{"type": "Container", "default": {"cpu": "500m", "example.com/gpu": "1"}}],
    "pods": [{"type": "Pod", "min": {"cpu": "200m"}, "max": {"cpu": "2", "memory": "1Gi"},
              "maxLimitRequestRatio": {"memory": "3"}}],
    "both": [{"type": "Container", "default": {"cpu": "600m"}, "defaultRequest": {"cpu": "300m"}},
             {"type": "Pod", "max": {"cpu": "1"}}],
    "claims": [{"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"},
                "max": {"storage": "10Gi"}}],
    "none": [],
}

NOTHING = {}
SMALL = {"requests": {"cpu": "10m", "memory": "1Mi"}, "limits": {"cpu": "20m", "memory": "2Mi"}}
LARGE = {"requests": {"cpu": "3", "memory": "2Gi"}, "limits": {"cpu": "3", "memory": "2Gi"}}
UNEVEN = {"requests": {"cpu": "100m", "memory": "100Mi"}, "limits": {"cpu": "900m",
                                                                     "memory": "500Mi"}}
PODS = {
    "says nothing": pod("p-0", NOTHING),
    "is small": pod("p-1", SMALL),
    "is large": pod("p-2", LARGE),
    "has a limit alone": pod("p-3", {"limits": {"cpu": "300m", "memory": "60Mi"}}),
    "has a request alone": pod("p-4", {"requests": {"cpu": "300m", "memory": "60Mi"}}),
    "asks more than the default limit": pod("p-5", {"requests": {"cpu": "700m"}}),
    "has a limit far above its request": pod("p-6", UNEVEN),
    "has two containers": pod("p-7", UNEVEN, UNEVEN),
    "has two that say nothing": pod("p-8", NOTHING, NOTHING),
    "has an init container": pod("p-9", UNEVEN, init=[NOTHING, LARGE]),
    "has one of each": pod("p-10", UNEVEN, SMALL, init=[SMALL]),
    "says zero": pod("p-11", {"requests": {"cpu": "0", "memory": "0"}}),
    "has an annotation of its own": pod("p-12", NOTHING, annotations={"a": "b"}),
    "claims to have defaults": pod("p-13", NOTHING,
                                   annotations={"kubernetes.io/limit-ranger": "mine"}),
    "writes numbers in its own way": pod("p-14", {"requests": {"cpu": "0.1", "memory": "1e6"},
                                                  "limits": {"cpu": ".4", "memory": "2048Ki"}}),
    "asks for parts of a thousandth": pod("p-15", {"requests": {"cpu": "100001u"},
                                                   "limits": {"cpu": "100001u"}}),
    "wants other resources": pod("p-16", {"limits": {"example.com/gpu": "2"}}),
    "has a name that is made": dict(pod("", NOTHING), metadata={"generateName": "made-"}),
}
CLAIMS = {
    "is small": claim("c-0", {"storage": "1Mi"}),
    "fits": claim("c-1", {"storage": "2Gi"}),
    "is at the bounds": claim("c-2", {"storage": "10Gi"}),
    "is a byte too large": claim("c-3", {"storage": "10737418241"}),
}


def compare(name, pair, namespace_name, resource, body, query=""):
    found, wanted = [outcome(one.create(namespace_name, resource, body, query)) for one in pair]
    return is_equal(name, found, wanted)


def some_range(chance):
    """A LimitRange that an API server takes: ascending bounds, a ratio they leave room for."""
    item = {"type": "Container"}
    for resource, unit, most in (("cpu", "m", 1000), ("memory", "Mi", 1024)):
        values = sorted(chance.sample(range(1, most), 4))
        for key, value in zip(("min", "defaultRequest", "default", "max"), values):
            if chance.random() < 0.5:
                item.setdefault(key, {})[resource] = "%d%s" % (value, unit)
        if chance.random() < 0.4:
            ratio = chance.randint(1, max(1, values[3] // values[0]))
            item.setdefault("maxLimitRequestRatio", {})[resource] = str(ratio)
    whole = {"type": "Pod", "max": {"cpu": "%dm" % chance.randint(500, 3000)},
             "min": {"memory": "%dKi" % chance.randint(1, 499999)}}
    return [item] + ([whole] if chance.random() < 0.3 else [])


def some_pod(chance, name, items):
    """A pod of which a resource is said by all containers in the same way.

    Its values are often those of the LimitRange, a bit more or a bit less.
    """
    near = {resource: [int(value[resource].rstrip("mi").rstrip("MK")) for key in items[0]
                       if isinstance(items[0][key], dict) for value in [items[0][key]]
                       if resource in value and value[resource][-1] in "mi"] or [200]
            for resource in ("cpu", "memory")}
    said = {(kind, resource): chance.random() < 0.5 for kind in ("requests", "limits")
            for resource in near}
    is_sorted = chance.random() < 0.8

    def resources():
        made = {}
        for resource, unit in (("cpu", "m"), ("memory", "Mi")):
            values = [max(1, chance.choice(near[resource]) + chance.choice((-1, 0, 0, 0, 1, 40)))
                      for _ in range(2)]
            for kind, value in zip(("requests", "limits"), sorted(values) if is_sorted else values):
                if said[kind, resource]:
                    made.setdefault(kind, {})[resource] = "%d%s" % (value, unit)
        return made
    return pod(name, *[resources() for _ in range(chance.choice((1, 1, 2, 3)))],
               init=[resources() for _ in range(chance.choice((0, 0, 1, 2)))])


def lay_out(pair, gate, ranges):
    """Makes a namespace for each, and waits until limend knows of all."""
    known = gate.objects()
    for one in pair:
        one.apply(objects(*[namespace(name) for name in ranges],
                          *[limit_range(name, *items) for name, items in ranges.items()]))
    return wait_for(lambda: gate.knows(known + len(ranges)))


def check_table(pair):
    for name in RANGES:
        for title, body in PODS.items():
            compare("%s: a pod that %s" % (name, title), pair, name, "pods", body)
    for title, body in CLAIMS.items():
        compare("a claim that " + title, pair, "claims", "persistentvolumeclaims", body)


def check_random(pair, gate):
    """Each seed is another one; the titles name it."""
    seed = int(os.environ.get("LIMEN_KUBE_SEED", "0")) or random.SystemRandom().randint(1, 10**6)
    chance = random.Random(seed)
    ranges = {}
    while len(ranges) < 12:
        items = some_range(chance)
        name = "random-%d" % len(ranges)
        answer = pair[1].create("default", "limitranges?dryRun=All", limit_range("default", *items))
        if answer[0] == 201:
            ranges[name] = items
    lay_out(pair, gate, ranges)
    counts = {True: 0, False: 0}
    wrong = []
    for name in ranges:
        for number in range(10):
            body = some_pod(chance, "p-%d" % number, ranges[name])
            found, wanted = [outcome(one.create(name, "pods", body)) for one in pair]
            counts[wanted[0] == 201] += 1
            if found != wanted:
                wrong.append((ranges[name], body["spec"], found, wanted))
    is_equal("pods and LimitRanges at random, seed %d: %d admitted, %d refused" %
             (seed, counts[True], counts[False]), wrong, [])
    is_true("of both kinds there were some", counts[True] > 0 and counts[False] > 0, counts)


def check_dry_run(pair):
    for title, body in (("that is given defaults", pod("dry", NOTHING)),
                        ("that is refused", pod("x", LARGE))):
        compare("a dry run of a pod " + title, pair, "everything", "pods", body, "?dryRun=All")
    is_equal("which is not there then",
             pair[0].ask("GET", "/api/v1/namespaces/everything/pods/dry")[0], 404)


def check_claim_updates(pair, gate):
    """A claim that a later LimitRange would refuse: its updates are checked whole."""
    known = gate.objects()
    for one in pair:
        one.apply(namespace("late"))
        answer = one.create("late", "persistentvolumeclaims", claim("old", {"storage": "20Gi"}))
        is_equal(one.name + ": a claim before there is a LimitRange", answer[0], 201)
        one.apply(limit_range("late", {"type": "PersistentVolumeClaim",
                                       "max": {"storage": "10Gi"}}))
    wait_for(lambda: gate.knows(known + 1))
    path = "/api/v1/namespaces/late/persistentvolumeclaims/old"
    label = {"metadata": {"labels": {"a": "b"}}}
    is_equal("no label may be set", *[outcome(one.ask(
        "PATCH", path, label, kind="application/merge-patch+json")) for one in pair])
    compare("a new one may not be so large", pair, "late", "persistentvolumeclaims",
            claim("new", {"storage": "20Gi"}))


def check_words(subject):
    """What an operator sees."""
    done = subject.kubectl("create", "-n", "everything", "-f", "-", given=pod("words", LARGE))
    is_true("kubectl shows which webhook refuses, and why", 'Error from server (Forbidden): '
            'error when creating "STDIN": admission webhook "limits.limend.webhook" denied the '
            "request: [maximum cpu usage per Container is 1, but limit is 3, maximum memory usage "
            "per Container is 1Gi, but limit is 2Gi]" in done.stderr, done.stderr)
    is_true("and warnings that explain it", 'Warning: container "c0": cpu request 3, limit 3; '
            'LimitRange "limits" has max 1' in done.stderr, done.stderr)
    answer = subject.create("everything", "pods", pod("words", LARGE))[1]
    is_equal("the status names the pod", (answer["details"]["name"], answer["details"]["kind"]),
             ("words", "pods"))
    is_true("and has a cause for each field", any(
        one["field"] == "spec.containers[0].resources.limits[cpu]"
        for one in answer["details"].get("causes", [])), answer)


def check(pair, gate):
    is_true("limend hears of all LimitRanges", lay_out(pair, gate, RANGES), gate.daemon.said())
    check_table(pair)
    check_random(pair, gate)
    check_dry_run(pair)
    check_claim_updates(pair, gate)
    check_words(pair[0])
