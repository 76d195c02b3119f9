#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""audit.py LIMEN DIRECTORY SEED - the same objects in every form that kubectl writes, with texts
that look like brackets, marks and keys.  "limen audit" must count in each form what "limen check"
says of each object alone.  Prints a line for each form that differs."""
import json
import os
import random
import subprocess
import sys

limen, directory, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
draw = random.Random(seed)
ODD = ['"', "\\", "{", "}]", "---\n", "\n- a: 1\n", '"items": [', "items:\n- x", "#", "é", "'", ""]


def text():
    return "".join(draw.choice(ODD + ["a", " "]) for _ in range(draw.randrange(6)))


def pod(number):
    memory = draw.choice(["64Mi", "256Mi", "1Gi", "4Gi", None])
    resources = {"limits": {"memory": memory}} if memory else {}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "pod-%d" % number, "namespace": draw.choice(["shop", "other"]),
                         "annotations": {"a": text(), text() or "b": text()}},
            "spec": {"containers": [{"name": "app", "image": text() + "x", "args": [text()],
                                     "resources": resources}]}}


def deployment(number):
    template = pod(number)
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web-%d" % number, "namespace": template["metadata"]["namespace"]},
            "spec": {"template": {"metadata": {"labels": {"a": "b"}}, "spec": template["spec"]}}}


def block(value, indent=0):
    """The value as YAML in block style, each text in a block scalar or quoted."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        return "".join("%s%s:%s" % (pad, json.dumps(key), inline(item, indent))
                       for key, item in value.items())
    return "".join("%s-%s" % (pad, inline(item, indent)) for item in value)


def inline(value, indent):
    if isinstance(value, (dict, list)) and value:
        return "\n" + block(value, indent + 1)
    if isinstance(value, str) and value.strip() and value[0] not in " \n" and "\n" in value:
        pad = "\n" + "  " * (indent + 2)
        return " |-" + pad + value.rstrip("\n").replace("\n", pad) + "\n"
    return " " + json.dumps(value) + "\n"


def item(value, indent):
    """An item of a YAML list, its dash at this many blanks."""
    lines = block(value, 0).splitlines()
    pad = " " * indent
    return "".join("%s%s%s\n" % (pad, "  " if i else "- ", line) for i, line in enumerate(lines))


def forms(objects):
    bare = [{key: value for key, value in o.items() if key not in ("kind", "apiVersion")}
            for o in objects if o["kind"] == "Pod"]
    lists = {"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {"x": ["]}"]}}
    yield "pretty.json", json.dumps(lists, indent=4)
    yield "compact.json", json.dumps(lists, separators=(",", ":"), ensure_ascii=False)
    yield "lines.json", "\n".join(map(json.dumps, objects))
    yield "joined.json", " ".join(json.dumps(o, indent=1) for o in objects)
    yield "halves.json", "".join(json.dumps({"kind": "List", "apiVersion": "v1", "items": part})
                                 for part in (objects[:5], objects[5:]))
    yield "documents.yaml", "# all\n---\n" + "---\n".join(map(block, objects))
    for indent in 0, 2:
        yield "list%d.yaml" % indent, ("apiVersion: v1\nitems:\n" + "# first\n" +
                                       "".join(item(o, indent) for o in objects) +
                                       "kind: List\nmetadata:\n  x: y\n")
    yield "mixed", (json.dumps(objects[0]) + "\n---\n" + block(objects[1]) + "---\n" +
                    json.dumps({"kind": "List", "apiVersion": "v1", "items": objects[2:]}, indent=2))
    yield "pods.json", json.dumps({"kind": "PodList", "apiVersion": "v1", "metadata": {},
                                   "items": bare}, indent=1)


def run(*arguments):
    done = subprocess.run([limen, *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 2 or done.stderr:
        print("%s: status %d: %s" % (arguments, done.returncode, done.stderr[:300]))
    return done.stdout


def verdict(path):
    answers = [json.loads(line) for line in run("check", "--policy", "policy.yaml", "--format", "json",
                                                path).splitlines()]
    if any(answer["admitted"] is False for answer in answers):
        return "refused"
    changed = any(o["from"] != "copied from the limit" for a in answers for o in a["origins"])
    judged = all(answer["admitted"] is not None for answer in answers)
    return "changed" if changed else "good" if judged else "notJudged"


os.chdir(directory)
objects = [draw.choice((pod, pod, deployment))(number) for number in range(12)]
expected = []
for one in objects:
    with open("one.json", "w") as file:
        json.dump(one, file)
    expected.append((one["kind"], verdict("one.json")))
for name, content in forms(objects):
    with open(name, "w") as file:
        file.write(content)
    pods = name == "pods.json"
    seen = json.loads(run("audit", "--policy", "policy.yaml", "--format", "json", name) or "{}")
    for word in "refused", "changed", "notJudged":
        count = sum(1 for kind, what in expected if what == word and (not pods or kind == "Pod"))
        if seen.get(word) != count:
            print("seed %d, %s: %s is %s, not %d" % (seed, name, word, seen.get(word), count))
