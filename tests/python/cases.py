# SPDX-License-Identifier: Apache-2.0
"""Replays tests/cases through the Python package; docs/testing.md has the format.

What a case expects of the engine it expects of the package as well, to the byte.
"""
import datetime
import json
import os
import re
import time
import unittest

import kit
import limen

ROOT = os.path.join(kit.SOURCE, "tests/cases")
PATIENCE = 60
LIBJQ = os.environ.get("LIBJQ_VERSION", "unknown")
CASE_KEYS = {"policy", "policy-text", "policy-path", "problems", "warnings", "notes",
             "without-policy", "passive", "timezone", "modules", "needs", "libjq",
             "steps"}
STEP_KEYS = {"request", "request-text", "hints", "run", "rewrite", "prioritize", "time",
             "timeout", "subject", "trace", "error", "expect", "fields", "groups", "old",
             "dry-run", "phase", "http"}
FINDINGS = (("problems", "error"), ("warnings", "warning"), ("notes", "note"))


def get_text(value):
    """Text is a string, lines, or one that is repeated."""
    if isinstance(value, list):
        return "\n".join(value)
    return value["repeat"] * value["times"] if isinstance(value, dict) else value


def is_same(a, b):
    """Are these the same JSON value?  To Python True is 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return type(a) is type(b) and a == b


def covers(wanted, found):
    """Is it the same, but for members that are not wanted?"""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(covers(wanted[key], found.get(key)) for key in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(covers, wanted, found))
    return is_same(wanted, found)


def read_time(text):
    moment = datetime.datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.astimezone()


def read_duration(text):
    found = re.fullmatch(r"PT(?:(\d+)M)?(?:([\d.]+)S)?", text)
    return 60 * int(found[1] or 0) + float(found[2] or 0)


class Case(unittest.TestCase):
    """One file."""

    def __init__(self, group, name):
        super().__init__("replay")
        self.title = "%s/%s" % (group, name[:-len(".json")])
        self.directory = os.path.join(ROOT, group)
        self.path = os.path.join(self.directory, name)

    def shortDescription(self):
        return self.title

    def setUp(self):
        with open(self.path, encoding="utf-8") as file:
            self.case = json.load(file)
        os.environ["TZ"] = self.case.get("timezone", "UTC0")
        time.tzset()

    def replay(self):
        case = self.case
        if "needs" in case and not os.path.exists(os.environ["LIMEN_JQ_SANDBOX"]):
            self.skipTest("limen was built without " + case["needs"])
        if case.get("libjq", LIBJQ) != LIBJQ:
            self.skipTest("limen was built with libjq " + LIBJQ)
        self.check_keys(case, CASE_KEYS)
        modules = "%s/tests/modules/%s:%s" % (kit.BUILD, case.get("modules", ""),
                                              kit.TEST_MODULES)
        with limen.Engine(module_path=modules, passive=case.get("passive", False),
                          without_policy=case.get("without-policy", False)) as engine:
            if any(case.get(key) is not None for key in ("policy", "policy-text",
                                                         "policy-path")):
                self.load(engine, case)
            for step in case.get("steps", []):
                if "load" in step:
                    self.load(engine, step["load"])
                else:
                    self.decide(engine, step)

    def check_keys(self, found, known):
        self.assertEqual([], [key for key in found if key not in known and key[0] != "#"])

    def load(self, engine, case):
        problems = None
        try:
            if "policy-path" in case:
                problems = engine.load(os.path.join(self.directory, case["policy-path"]))
            else:
                text = get_text(case["policy-text"]) if "policy-text" in case else \
                    json.dumps(case["policy"], ensure_ascii=False)
                problems = engine.load_text(text.replace("@HERE@",
                                                         os.path.realpath(self.directory)))
            self.assertFalse(case.get("problems"), "the policy loads")
        except limen.PolicyError as error:
            problems = error.problems
            self.assertTrue(case.get("problems"), str(error))
        self.assertTrue(engine.wait_ready(PATIENCE))
        for key, severity in FINDINGS:
            if key in case:
                found = [self.show(one) for one in problems if one.severity == severity]
                self.assertTrue(covers(case[key], found), "%s:\n- %s\n+ %s" % (
                    key, json.dumps(case[key]), json.dumps(found)))

    def show(self, problem):
        """As the case would have it: places are below the directory of the group."""
        found = problem._asdict()
        found["severity"] = "problem" if problem.severity == "error" else problem.severity
        return {key: value.replace(self.directory + "/", "") if isinstance(value, str) else value
                for key, value in found.items()}

    def decide(self, engine, step):
        self.check_keys(step, STEP_KEYS)
        try:
            decision = self.ask(engine, step)
        except limen.RequestError as error:
            self.assertEqual(step.get("error"), error.problems[0].text)
            return
        except limen.NoPolicyError as error:
            self.assertEqual(step.get("error"), str(error))
            return
        self.assertNotIn("error", step)
        self.assertEqual(decision.admitted, decision.code == 200)
        self.assertEqual(bool(decision), decision.admitted)
        self.assertRegex(decision.reason, r"\A[^\r\n]+\Z")
        for key, wanted in step["expect"].items():
            if key[0] != "#":
                self.compare(key, wanted, decision)

    def ask(self, engine, step):
        document = step["http"] if "http" in step else get_text(step["request-text"]).encode("utf-8", "surrogatepass") \
            if "request-text" in step else step["request"]
        run = step.get("run")
        if run is not None:
            run = run if isinstance(run, dict) else {}
            run = (run.get("start", "2026-06-21T08:00:00Z"), run.get("duration", "PT10S"))
        fields = {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), key).replace("-", "_"):
                  text for key, text in step.get("fields", {}).items()}
        return engine.decide(
            document, subject="http" if "http" in step else step.get("subject", "task"), hints=step.get("hints"), run=run,
            rewrite=step.get("rewrite"), prioritize=step.get("prioritize"),
            time=read_time(step["time"]) if "time" in step else None,
            timeout=read_duration(step["timeout"]) if "timeout" in step else None,
            dry_run=step.get("dry-run", False), fields=fields, groups=step.get("groups", ()),
            old=step.get("old"), phase=step.get("phase"), trace=step.get("trace", False))

    def compare(self, key, wanted, decision):
        lines = None if decision.diagnostics is None else decision.diagnostics.split("\n")
        if key == "diagnostics":
            self.assertEqual(wanted, lines)
        elif key == "diagnostics-contain":
            self.assertEqual([], [line for line in wanted if line not in lines], lines)
        elif key in ("trace", "steps"):
            found = decision.as_dict()[key]
            self.assertTrue(covers(wanted, found), found)
        else:
            found = decision.as_dict().get(key) if key == "rates" else getattr(decision, key)
            if key == "quotas":
                found = [one._asdict() for one in found]
            if key == "annotations":
                found = found or None
            self.assertTrue(is_same(wanted, found), "%s:\n- %s\n+ %s" % (
                key, json.dumps(wanted), json.dumps(found)))


def find_cases():
    for group in sorted(os.listdir(ROOT)):
        directory = os.path.join(ROOT, group)
        if os.path.isdir(directory):
            for name in sorted(os.listdir(directory)):
                if name.endswith(".json") and name[0] != ".":
                    yield Case(group, name)


if __name__ == "__main__":
    kit.main(*find_cases())
