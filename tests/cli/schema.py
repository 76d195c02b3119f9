#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""schema.py SCHEMA SRCDIR - holds every shipped policy against the schema of policies.

Prints TAP.  Also finds that what limen refuses for its form the schema refuses, too.
"""
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
    validator_class = jsonschema.Draft202012Validator
except (ImportError, AttributeError):
    print("1..0 # SKIP no jsonschema 4 for python3 (python3-jsonschema)")
    sys.exit(0)
try:
    import yaml
except ImportError:
    yaml = None

SECTIONS = {"schema", "identifiers", "classifiers", "limits", "applications", "admission",
            "rewrite", "priority", "stores", "modules", "settings"}
count = 0


def report(good, name, why=""):
    global count
    count += 1
    print("%sok %d - %s" % ("" if good else "not ", count, name))
    for line in str(why).splitlines() if not good else []:
        print("# " + line)


def documents(path):
    """The JSON or YAML documents of a file; none if it cannot be read here."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    if yaml is None or not path.endswith((".yaml", ".yml")):
        return []
    return list(yaml.safe_load_all(text))


def policies(srcdir):
    for pattern in ("conf.d/*.conf", "plugins/*/*/example.json", "docs/examples/**/*"):
        for path in sorted(glob.glob(os.path.join(srcdir, pattern), recursive=True)):
            if not path.endswith((".conf", ".json", ".yaml", ".yml")):
                continue
            if os.path.basename(path).startswith("broken"):
                continue
            for document in documents(path):
                if isinstance(document, dict) and "kind" not in document and (
                        "test" not in document) and SECTIONS & set(document):
                    yield os.path.relpath(path, srcdir), document


GOOD = {
    "schema": 4,
    "identifiers": [{"name": "n", "description": "d", "type": "hint",
                     "data": {"hint": "user", "match": {"style": "exact", "match": "ann"}}}],
    "classifiers": [{"name": "c", "description": "d", "identifiers": ["n"]}],
    "rewrite": {"script": "."},
    "limits": [{"name": "l", "type": "rate", "data": {"rate": "1/PT1H", "capacity": 5}}],
    "applications": [{"apply": [{"require": "all", "limits": ["l"]}]}],
    "priority": {"default": 3, "script": ["."]},
    "stores": {"default": {"type": "memory", "data": {"capacity": 10}}},
    "modules": ["/opt/limen"],
    "admission": [{"name": "a", "plugin": "EventRateLimit", "enforce": "warn",
                   "data": {"limits": [{"type": "Server", "qps": 1, "burst": 1}]}}],
    "admission-on": ["objects"],
    "#": "a comment",
}

# A place in GOOD and what makes it wrong there (None: the member is left out).
WRONG = [
    (["limitz"], []),
    (["schema"], "4"),
    (["identifiers"], {}),
    (["identifiers", 0, "nam"], "x"),
    (["identifiers", 0, "name"], None),
    (["identifiers", 0, "type"], None),
    (["identifiers", 0, "data"], None),
    (["identifiers", 0, "data", "hint"], None),
    (["identifiers", 0, "data", "hint"], 7),
    (["identifiers", 0, "data", "hnit"], "user"),
    (["identifiers", 0, "data", "match", "style"], "glob"),
    (["classifiers", 0, "require"], "most"),
    (["classifiers", 0, "identifiers"], "n"),
    (["rewrite", "script"], None),
    (["rewrite", "scripts"], "."),
    (["limits", 0, "data", "capacity"], 0),
    (["limits", 0, "invert"], "yes"),
    (["limits", 0], {"name": "l", "data": {}}),
    (["limits", 0], {"name": "l"}),
    (["applications", 0, "apply"], None),
    (["applications", 0, "apply", 0, "require"], "some"),
    (["applications", 0, "applies"], True),
    (["priority", "default"], "3"),
    (["priority", "scripts"], "."),
    (["stores", "default", "type"], None),
    (["stores", "default", "data", "capacity"], "10"),
    (["modules"], "/opt/limen"),
    (["admission", 0, "plugin"], None),
    (["admission", 0, "enforce"], "allow"),
    (["admission", 0, "data", "limitz"], []),
    (["admission-on"], ["pods"]),
]

# What looks odd and is right.
RIGHT = [
    (["admission"], GOOD["admission"][0]),
    (["identifiers", 0, "#why"], {"any": "thing"}),
    (["limits", 0], {"name": "l", "type": "of-a-third-party", "data": {"any": "thing"}}),
    (["limits", 0], {"name": "l", "clone": "k", "data": {"capacity": 7}}),
    (["limits", 0], {"name": "l", "clone": "k"}),
    (["identifiers", 0], {"name": "i", "type": "always"}),
    (["applications", 0], {"identifier": "i", "apply": ["l"]}),
    (["applications-on"], ["tasks", "http"]),
    (["rewrite"], {"type": "of-a-third-party", "any": "thing"}),
    (["classifiers"], None),
]


def changed(path, value):
    """GOOD with the member at 'path' set to 'value', or left out."""
    document = copy.deepcopy(GOOD)
    target = document
    for step in path[:-1]:
        target = target[step]
    if value is None:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return document


def limen_takes(document):
    """Is it a valid policy to limen itself?"""
    # "modules" is taken from files only, and not from where everybody may put some.
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.join(directory, "document.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(document, file)
        done = subprocess.run([os.environ["LIMEN"], "validate", name], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    try:
        validator_class.check_schema(schema)
        report(True, "the schema is one")
    except jsonschema.SchemaError as error:
        report(False, "the schema is one", error)
    validator = validator_class(schema)
    shipped = list(policies(sys.argv[2]))
    report(len(shipped) >= 30, "there are many shipped policies", len(shipped))
    for path, document in shipped:
        errors = [error.json_path + ": " + error.message[:200]
                  for error in validator.iter_errors(document)]
        report(not errors, path, "\n".join(errors))
    report(validator.is_valid(GOOD), "a policy with every section",
           "\n".join(error.message for error in validator.iter_errors(GOOD)))
    report(limen_takes(GOOD), "which limen takes")
    for path, value in WRONG:
        report(not limen_takes(changed(path, value)),
               "limen refuses /%s %s" % ("/".join(map(str, path)), json.dumps(value)))
        report(not validator.is_valid(changed(path, value)),
               "wrong: /%s %s" % ("/".join(map(str, path)),
                                  "left out" if value is None else json.dumps(value)))
    for path, value in RIGHT:
        report(validator.is_valid(changed(path, value)),
               "right: /%s %s" % ("/".join(map(str, path)),
                                  "left out" if value is None else json.dumps(value)))
    print("1..%d" % count)


main()
