# SPDX-License-Identifier: Apache-2.0
"""Loads what the pages show in YAML and JSON, and finds blocks and rows that no test knows.

A whole policy is validated as it is, other manifests of Kubernetes are checked as objects, and
a part of a policy stands in the smallest policy that has room for it.
"""
import json

from pages import *

try:
    import yaml
except ImportError:
    print("1..0 # SKIP no yaml for python3 (python3-yaml)")
    raise SystemExit from None

LIMEN = os.environ["LIMEN"]
SECTIONS = {"schema", "identifiers", "classifiers", "rewrite", "limits", "applications", "admission", "priority",
            "stores", "templates"}
KINDS = {"identifier": "identifiers", "limit": "limits"}
RANGE = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "any"},
         "spec": {"limits": [{"type": "Pod", "max": {"cpu": 1}}]}}


def plugin_of(page):
    """The kind and type whose page it is, if it is one."""
    return re.fullmatch(r"plugins/(\w+)/([\w-]+)/[\w-]+\.md", page)


def kind_of(page, name):
    found = plugin_of(page)
    if found and found[2] == name:
        return found[1]
    return next((kind for kind in KINDS if os.path.isdir(os.path.join(SOURCE, "plugins", kind, name))), "limit")


def put_around(page, part):
    """The smallest policy with a part in it, or None."""
    plugin = plugin_of(page)
    if isinstance(part, dict) and SECTIONS & set(part):
        return part if {"applications", "admission"} & set(part) else dict(part, applications=[])
    if isinstance(part, dict) and "type" in part:
        return {KINDS[kind_of(page, part["type"])]: [part], "applications": []}
    if isinstance(part, dict) and "apply" in part:
        limits = [name for group in part["apply"] for name in group["limits"]]
        return {"identifiers": [{"name": "any", "type": "always"}],
                "classifiers": [{"name": part["classifier"], "identifiers": ["any"]}], "applications": [part],
                "limits": [{"name": name, "type": "pass-fail", "data": {"pass": True}} for name in limits]}
    if plugin and plugin[1] == "store":
        return {"stores": {"default": {"type": plugin[2], "data": part}}, "applications": []}
    if plugin and plugin[1] == "admission":
        return {"admission": [{"name": "part", "plugin": plugin[2], "data": part}]}
    return None


def load(item):
    block = item.block
    name = item.name()
    path = os.path.join(SOURCE, block.source) if block.source else os.path.join(work, "block.yaml")
    if not block.source:
        with open(path, "w") as file:
            file.write(item.text)
    command = find_row(item, "by")
    if command:
        succeeds(name, ["sh", "-euc", command], env=dict(os.environ, BLOCK=path), cwd=work)
        return
    try:
        with open(path) as file:
            parts = [part for part in yaml.safe_load_all(file) if part]
    except yaml.YAMLError as error:
        is_true(name, False, error)
        return
    if any(isinstance(part, dict) and "tests" in part for part in parts):
        succeeds(name, [LIMEN, "test", path])
    elif all(isinstance(part, dict) and "kind" in part and "apiVersion" in part for part in parts):
        policy = all(part["kind"] in ("LimitRange", "Configuration") for part in parts)
        succeeds(name, [LIMEN, "validate", path] if policy else [LIMEN, "check", "--policy", ranges, path])
    elif len(parts) > 1:
        succeeds(name, [LIMEN, "validate", path])
    else:
        policy = put_around(block.page, parts[0] if parts else None)
        if policy is None:
            is_true(name, False, "it is no policy, and no part that is known; say in pages.txt what loads it")
            return
        if policy is not parts[0]:
            with open(path, "w") as file:
                json.dump(policy, file)
        succeeds(name, [LIMEN, "validate", path])


def find_fault(block):
    """Why a block is not covered, or None; marks the rows that it needs."""
    if not block.items or block.language == "console" and not block.text.startswith("$ "):
        return "no command"
    reasons = [reason_to_skip(item) for item in block.items]
    for row in rows_of(block.page, "use"):
        row.used |= any(row.left in item.text for item in block.items)
    if block.source:
        with open(os.path.join(SOURCE, block.source)) as file:
            if file.read() != block.text:
                return "it is not " + block.source
    if block.language not in TESTS:
        return "no test knows '%s'" % block.language
    return "no row of pages.txt" if TESTS[block.language] == "rows" and not all(reasons) else None


def check_coverage():
    for page in list_pages():
        faults = ["line %d: %s" % (block.line, fault) for block in read_blocks(page)
                  for fault in [find_fault(block)] if fault]
        is_true("%s: each block has its test" % page, not faults, "\n".join(faults))
        for row in rows:
            row.used |= row.verb in ("needs", "before", "in", "beside") and row.is_about(page)
    for row in rows:
        is_true("%s: '%s %s' is needed" % (row.page, row.verb, row.left), row.used)
        for test in re.findall(r"\btests/\S+\.\w+\b", row.right if row.verb == "skip" else ""):
            is_true("%s is there" % test, os.path.exists(os.path.join(SOURCE, test)))


ranges = os.path.join(work, "ranges.json")
with open(ranges, "w") as opened:
    json.dump(RANGE, opened)
os.chdir(SOURCE)
for one in blocks_for("policies"):
    for row in rows_of(one.page, "beside"):
        subprocess.run(["sh", "-euc", row.left], check=True, cwd=work)
    load(one.items[0])
check_coverage()
finish()
