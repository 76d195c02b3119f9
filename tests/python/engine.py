# SPDX-License-Identifier: Apache-2.0
"""Engine, Decision and the exceptions."""
import datetime
import gc
import json
import os
import queue
import tempfile
import time
import unittest
import weakref
from pathlib import Path

import kit
import limen

UTC = datetime.timezone.utc
WEEKDAYS = dict(kit.EVERYBODY, limits=[
    {"name": "rtt", "description": "", "type": "run-schedule", "data": {"weekday": [1]}}])
RATE = dict(kit.EVERYBODY, limits=[
    {"name": "rtt", "description": "", "type": "rate",
     "data": {"rate": "1/PT1H", "burst": 1}}])
LIST = dict(kit.EVERYBODY, identifiers=[
    {"name": "all", "description": "", "type": "ip-cidr-list-url",
     "data": {"source": "http://127.0.0.1:1/", "update": "PT1H", "retry": "PT1H",
              "fail-state": True}}])


def policy(base, **changes):
    return json.dumps(dict(base, **changes))


def admission(**data):
    return json.dumps({"schema": 4, "admission": [
        {"name": "teller", "plugin": "chain", "data": data}]})


class Loading(unittest.TestCase):
    def setUp(self):
        self.engine = limen.Engine(module_path=kit.TEST_MODULES)
        self.addCleanup(self.engine.close)
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name

    def write(self, name, text):
        path = os.path.join(self.work, name)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def test_no_policy(self):
        """without a policy there is no decision, and nothing to reload"""
        with self.assertRaises(limen.NoPolicyError):
            self.engine.decide(kit.RTT)
        with self.assertRaises(limen.NoPolicyError):
            self.engine.reload()

    def test_without_policy(self):
        """unless the engine is told that it may do without"""
        with limen.Engine(without_policy=True) as engine:
            decision = engine.decide(kit.TRACE)
        self.assertTrue(decision)
        self.assertEqual("No limits were applied", decision.diagnostics)

    def test_policy_that_fails(self):
        """which ends when it is told to load one, whatever comes of it"""
        with limen.Engine(without_policy=True) as engine:
            with self.assertRaises(limen.NoPolicyError):
                engine.reload()
            self.assertTrue(engine.decide(kit.TRACE))
            with self.assertRaises(limen.PolicyError):
                engine.load_text('{"limits": 5}')
            with self.assertRaises(limen.NoPolicyError):
                engine.decide(kit.TRACE)

    def test_file(self):
        """a file is loaded, and loaded again when it has changed"""
        path = self.write("a.conf", policy(kit.EVERYBODY))
        self.assertEqual([], self.engine.load(path))
        self.assertFalse(self.engine.decide(kit.TRACE))
        self.write("a.conf", policy(kit.EVERYBODY, limits=[
            {"name": "rtt", "description": "", "type": "test-type",
             "data": {"types": ["trace"]}}]))
        self.engine.reload()
        self.assertTrue(self.engine.decide(kit.TRACE))

    def test_directory(self):
        """so is a directory, given as a Path too, to the constructor too"""
        self.write("a.conf", json.dumps({"identifiers": kit.EVERYBODY["identifiers"]}))
        self.write("b.conf", json.dumps({key: kit.EVERYBODY[key] for key in kit.EVERYBODY
                                         if key != "identifiers"}))
        with limen.Engine(Path(self.work), module_path=kit.MODULES) as engine:
            self.assertTrue(engine.decide(kit.RTT))
            self.assertEqual([], engine.notes)

    def test_files(self):
        """and several files, which are one policy"""
        first = self.write("a.conf", json.dumps({"identifiers": kit.EVERYBODY["identifiers"]}))
        rest = self.write("b.conf", json.dumps({key: kit.EVERYBODY[key] for key in kit.EVERYBODY
                                                if key != "identifiers"}))
        self.engine.load(first, rest)
        self.assertTrue(self.engine.decide(kit.RTT))

    def test_problems(self):
        """problems have places, texts and hints, and the old policy stays"""
        self.engine.load_text(policy(kit.EVERYBODY))
        with self.assertRaises(limen.PolicyError) as caught:
            self.engine.load("%s/docs/examples/broken.conf" % kit.SOURCE)
        path = "%s/docs/examples/broken.conf" % kit.SOURCE
        errors = [one for one in caught.exception.problems if one.severity == "error"]
        self.assertEqual(4, len(errors))
        self.assertEqual(limen.Problem(
            "error", path, 13, 5, "",
            "Additional properties are not allowed ('aplications' was unexpected)",
            "did you mean 'applications'?"), errors[0])
        self.assertEqual((5, 32, "/identifiers/0/data/cidrs/0"),
                         (errors[1].line, errors[1].column, errors[1].pointer))
        shown = str(caught.exception).split("\n")
        self.assertEqual("the policy has errors", shown[0])
        self.assertIn("%s:5:32: error: At /identifiers/0/data/cidrs/0: "
                      "198.51.100.1/25 has host bits set" % path, shown)
        self.assertIn("  hint: did you mean 'partners'?", shown)
        self.assertTrue(self.engine.decide(kit.RTT))

    def test_missing_file(self):
        """so is a file that is not there; the constructor raises too"""
        for load in (self.engine.load, lambda path: limen.Engine(path)):
            with self.assertRaises(limen.PolicyError) as caught:
                load("/nonexistent/limits.conf")
            self.assertIn("/nonexistent/limits.conf", str(caught.exception))

    def test_missing_module(self):
        """a type that is not there is named"""
        with self.assertRaises(limen.PolicyError) as caught:
            self.engine.load_text(policy(kit.EVERYBODY).replace("test-type", "test-typo"))
        self.assertIn("test-typo", str(caught.exception))

    def test_text_name(self):
        """text has the name it is given"""
        with self.assertRaises(limen.PolicyError) as caught:
            self.engine.load_text("{", "mine.conf")
        self.assertEqual("mine.conf", caught.exception.problems[0].file)

    def test_describe(self):
        """what is loaded is described"""
        self.engine.load_text(policy(kit.EVERYBODY))
        self.assertIn("rtt", json.dumps(self.engine.describe()))
        self.assertFalse(self.engine.may_block)
        self.assertTrue(self.engine.wait_ready(10))

    def test_watch(self):
        """a policy that is watched is followed, and each reload is told"""
        told = queue.Queue()
        path = self.write("a.conf", policy(kit.EVERYBODY))
        with limen.Engine(path, module_path=kit.MODULES, watch=True,
                          reloaded=told.put) as engine:
            self.write("a.conf", "{")
            error = told.get(timeout=60)
            self.assertIsInstance(error, limen.PolicyError)
            self.assertEqual("error", error.problems[0].severity)
            self.assertTrue(engine.decide(kit.RTT))
            self.write("a.conf", policy(kit.EVERYBODY).replace('"types": ["rtt"]',
                                                               '"types": ["trace"]'))
            while told.get(timeout=60) is not None:
                pass
            self.assertTrue(engine.decide(kit.TRACE))

    def test_log(self):
        """what the engine logs arrives; callbacks must not use the engine"""
        lines = []
        holder = []

        def log(*line):
            lines.append(line)
            try:
                holder[0].describe()
            except limen.Error as error:
                lines.append(error)

        with limen.Engine(module_path=kit.MODULES, log=log) as engine:
            holder.append(engine)
            engine.load_text(policy(LIST))
            engine.wait_ready(60)
            end = time.monotonic() + 60
            while not lines and time.monotonic() < end:
                time.sleep(0.05)
        levels = {line[0] for line in lines if isinstance(line, tuple)}
        self.assertTrue(levels and levels <= {"error", "warning", "info", "debug"}, lines)
        self.assertIn("a callback of an engine must not use it", map(str, lines))

    def test_close(self):
        """a closed engine says so; it may be closed twice"""
        self.engine.close()
        self.engine.close()
        with self.assertRaisesRegex(limen.Error, "the engine is closed"):
            self.engine.decide(kit.RTT)

    def test_garbage(self):
        """an engine that is forgotten is freed, one with callbacks too"""
        engine = limen.Engine(log=print, reloaded=print, watch=True)
        engine.load(self.write("a.conf", policy(kit.EVERYBODY)))
        handle = engine._handle
        gone = weakref.ref(engine)
        del engine
        gc.collect()
        self.assertIsNone(gone())
        self.assertIsNone(handle._pointer)

    def test_fork(self):
        """a child does not use the engine of its parent"""
        self.engine.load_text(policy(kit.EVERYBODY))
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self.engine.decide(kit.RTT)
            except limen.Error as error:
                self.engine.close()
                status = 0 if "before a fork" in str(error) else 2
            finally:
                os._exit(status)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        self.assertTrue(self.engine.decide(kit.RTT))


class Deciding(unittest.TestCase):
    def setUp(self):
        self.engine = limen.Engine(module_path=kit.TEST_MODULES)
        self.addCleanup(self.engine.close)

    def test_task(self):
        """a task: everything the decision has, as Python values"""
        self.engine.load_text(policy(kit.EVERYBODY))
        decision = self.engine.decide(kit.TRACE, hints={"requester": "192.0.2.1"})
        self.assertIs(False, decision.admitted)
        self.assertFalse(decision)
        self.assertEqual(403, decision.code)
        self.assertEqual("rtt", decision.entry)
        self.assertEqual("application 'Round trips' fails: limit 'rtt' failed: "
                         "Test type not in list", decision.reason)
        self.assertEqual(["Hints:", "  requester: 192.0.2.1", "Identified as all",
                          "Classified as all"], decision.diagnostics.split("\n")[:4])
        self.assertEqual((["all"], ["all"]), (decision.identifiers, decision.classifiers))
        self.assertEqual((0, None, None, None), (decision.priority, decision.rewritten,
                                                 decision.patch, decision.retry_after))
        self.assertEqual(([], [], {}, [], []), (decision.warnings, decision.messages,
                         decision.annotations, decision.trace, decision.origins))
        self.assertIsNone(decision.details)
        self.assertEqual(403, decision.as_dict()["code"])
        self.assertEqual("<limen.Decision 403 %r>" % decision.reason, repr(decision))

    def test_bytes(self):
        """JSON text is given as bytes; a str is a JSON string"""
        self.engine.load_text(policy(kit.EVERYBODY))
        self.assertTrue(self.engine.decide(json.dumps(kit.RTT).encode()))
        self.assertTrue(self.engine.decide(bytearray(json.dumps(kit.RTT).encode())))
        self.assertFalse(self.engine.decide(json.dumps(kit.RTT)))

    def test_object(self):
        """an object: violations with their class, field, message"""
        self.engine.load_text(admission(validate="fail", violations=[
            ["invalid", "spec.a", "a is wrong"], ["rate", None, "too many"]]))
        decision = self.engine.decide({"kind": "Pod"}, subject="object", groups=["one", "two"],
                                      fields={"operation": "CREATE", "namespace": "shop",
                                              "generate_name": "pod-"}, old={}, manifest=True)
        self.assertEqual([("invalid", "spec.a", "a is wrong", None),
                          ("too_many", None, "too many", None)], decision.violations)
        self.assertEqual(["a is wrong", "too many"], decision.messages)
        self.assertEqual("teller", decision.entry)
        self.assertEqual(["a is wrong", "too many"],
                         [cause["message"] for cause in decision.details["causes"]])
        self.assertIsNone(decision.diagnostics)

    def test_changes(self):
        """changes: the new object, the patch, where values come from; phases"""
        self.engine.load_text(admission(mutate="pass", validate="pass", set={"/a": 2.5},
                                        warning="look"))
        decision = self.engine.decide({"b": None}, subject="object", origins=True, trace=True)
        self.assertEqual({"a": 2.5, "b": None}, decision.rewritten)
        self.assertEqual([{"op": "add", "path": "/a", "value": 2.5}], decision.patch)
        self.assertIn("look", decision.warnings)
        self.assertIn("teller", [one["name"] for one in decision.trace])
        decision = self.engine.decide({"b": None}, subject="object", phase="validate")
        self.assertIsNone(decision.rewritten)

    def test_run(self):
        """a run, at a time given as text or as a datetime"""
        self.engine.load_text(policy(WEEKDAYS))
        monday = datetime.datetime(2026, 6, 22, 8, tzinfo=UTC)
        for start, wanted in (("2026-06-22T08:00:00Z", True), ("2026-06-21T08:00:00Z", False),
                              (monday, True), (monday - datetime.timedelta(days=1), False)):
            for duration in ("PT10S", datetime.timedelta(seconds=10.5)):
                decision = self.engine.decide(kit.RTT, run=(start, duration))
                self.assertIs(wanted, decision.admitted, decision.diagnostics)
        self.assertTrue(self.engine.decide(kit.RTT), "a task has no time")

    def test_time(self):
        """the decision time, by which rates count; a dry run charges nothing"""
        self.engine.load_text(policy(RATE))
        noon = datetime.datetime(2026, 6, 22, 12, tzinfo=UTC)
        self.assertTrue(self.engine.decide(kit.RTT, time=noon, dry_run=True))
        self.assertTrue(self.engine.decide(kit.RTT, time=noon))
        refused = self.engine.decide(kit.RTT, time=noon)
        self.assertFalse(refused)
        self.assertEqual(3600, refused.retry_after)
        self.assertTrue(self.engine.decide(kit.RTT, time=noon.timestamp() + 3600))
        with self.assertRaisesRegex(TypeError, "time is a number of seconds.*'2026-06-22'"):
            self.engine.decide(kit.RTT, time="2026-06-22")

    def test_switches(self):
        """rewriting and priority, by default and as asked for"""
        self.engine.load_text(policy(kit.EVERYBODY, rewrite={
            "type": "edit", "set": {"/test/type": "rtt"}, "message": ["Made it rtt"]},
            priority={"type": "fixed", "priority": 2.5}))
        for rewrite, wanted in ((None, True), (True, True), (False, False)):
            self.assertIs(wanted, self.engine.decide(kit.TRACE, rewrite=rewrite).admitted)
        self.assertEqual(2.5, self.engine.decide(kit.TRACE, prioritize=True).priority)
        self.assertEqual(0, self.engine.decide(kit.TRACE).priority)
        self.assertEqual("rtt", self.engine.decide(kit.TRACE).rewritten["test"]["type"])

    def test_no_diagnostics(self):
        """diagnostics are made unless they are not wanted"""
        self.engine.load_text(policy(kit.EVERYBODY))
        self.assertIsNone(self.engine.decide(kit.RTT, diagnostics=False).diagnostics)

    def test_hints(self):
        """hints of any type and any text arrive"""
        self.engine.load_text(policy(kit.EVERYBODY))
        hints = {"a": 1, "b": [True, None], "c": "\u20ac\U0001f600", "#d": "kept"}
        lines = self.engine.decide(kit.RTT, hints=hints).diagnostics.split("\n")
        self.assertEqual(["  #d: kept", "  a: 1", "  b: [True, None]",
                          "  c: \u20ac\U0001f600"], lines[1:5])

    def test_timeout(self):
        """a decision ends in time"""
        self.engine.load_text(policy(kit.EVERYBODY, identifiers=[
            {"name": "all", "description": "", "type": "verdict",
             "data": {"verdict": "pass", "sleep": "PT2S", "blocking": True}}]))
        self.assertTrue(self.engine.may_block)
        self.assertTrue(self.engine.decide(kit.RTT, timeout=datetime.timedelta(hours=1)))
        decision = self.engine.decide(kit.RTT, timeout=0.1)
        self.assertEqual(500, decision.code)
        self.assertIn("identifiers have half of the decision's time", decision.diagnostics)


if __name__ == "__main__":
    kit.main()
