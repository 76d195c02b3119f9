#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""cluster.py NAMESPACES PODS - prints a made-up cluster as "kubectl get limits,deploy,pods -A -o json"
would: always the same for the same numbers, and streamed, so that it may be of any size."""
import json
import sys

TEAMS = "shop", "search", "billing", "media", "batch", "edge", "data", "mail", "auth", "build"
MAX = "2Gi", "1Gi", "4Gi", "1Gi"


def namespace(number):
    return "%s-%d" % (TEAMS[number % len(TEAMS)], number // len(TEAMS))


def limit_range(number):
    return {"apiVersion": "v1", "kind": "LimitRange",
            "metadata": {"name": "defaults", "namespace": namespace(number)},
            "spec": {"limits": [{"type": "Container", "max": {"memory": MAX[number % len(MAX)]},
                                 "default": {"memory": "512Mi"}}]}}


def containers(number):
    memory = "1536Mi" if number % 23 == 2 else None if number % 41 == 7 else "512Mi"
    resources = {"limits": {"memory": memory}, "requests": {"cpu": "100m", "memory": memory}}
    return [{"name": "app", "image": "registry.example/app:%d" % number, "imagePullPolicy": "Always",
             "env": [{"name": "SETTING_%d" % i, "value": "value of setting %d" % i} for i in range(12)],
             "resources": resources if memory else {"requests": {"cpu": "100m"}},
             "terminationMessagePath": "/dev/termination-log",
             "volumeMounts": [{"mountPath": "/data/%d" % i, "name": "volume-%d" % i} for i in range(4)]}]


def spec(number):
    return {"containers": containers(number), "dnsPolicy": "ClusterFirst", "restartPolicy": "Always",
            "volumes": [{"name": "volume-%d" % i, "configMap": {"name": "map"}} for i in range(4)]}


def deployment(place, number):
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web-%d" % number, "namespace": namespace(place)},
            "spec": {"replicas": 3, "template": {"metadata": {"labels": {"app": "web"}},
                                                 "spec": spec(place * 3 + number)}}}


def pod(place, number, count):
    owner = "web-%d-5d4f8c7b9" % number
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "%s-%05d" % (owner, count), "namespace": namespace(place),
                         "labels": {"app": "web", "pod-template-hash": "5d4f8c7b9"},
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
                                              "controller": True, "name": owner}]},
            "spec": spec(place * 3 + number),
            "status": {"phase": "Succeeded" if count % 97 == 0 else "Running",
                       "conditions": [{"type": kind, "status": "True", "lastProbeTime": None,
                                       "lastTransitionTime": "2026-11-01T00:00:00Z"}
                                      for kind in ("Initialized", "Ready", "PodScheduled")]}}


def objects(namespaces, pods):
    for place in range(namespaces):
        if place % 50 != 49:
            yield limit_range(place)
        for number in range(2):
            yield deployment(place, number)
    for count in range(pods):
        yield pod(count % namespaces, count // namespaces % 2, count)


print('{\n    "apiVersion": "v1",\n    "items": [', end="")
for index, item in enumerate(objects(int(sys.argv[1]), int(sys.argv[2]))):
    text = json.dumps(item, indent=4).replace("\n", "\n        ")
    print("%s\n        %s" % ("," if index else "", text), end="")
print('\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}')
