# SPDX-License-Identifier: Apache-2.0
"""LimitProcessor gives the four values that pScheduler 5.2's own class gives."""
import json
import os
import tempfile
import unittest

import kit
import limen

JQ = dict(
    kit.EVERYBODY,
    rewrite={"script": ["if .test.spec.count == null",
                        'then .test.spec.count = 5 | change("Five") else . end']},
    priority={"script": 'set(7; "Lucky")'})
REFUSED = ["Application: Round trips", "  Group 1: Limit 'rtt' failed: Test type not in list",
           "  Group 1: Want all, 0/1 passed, 1/1 failed: FAIL", "  Application FAILS",
           "Proposal does not meet limits", "Priority set to default of 0"]
COUNTED = {"test": {"type": "rtt", "spec": {"count": 5}}}
PASSED = ["Application: Round trips", "  Group 1: Limit 'rtt' passed",
          "  Group 1: Want all, 1/1 passed, 0/1 failed: PASS", "  Application PASSES",
          "Passed one application.  Stopping.", "Proposal meets limits"]
KNOWN = ["Identified as all", "Classified as all"]
DEFAULT = ["Priority set to default of 0"]
HINTS = ["Hints:", "  requester: 192.0.2.1"]


def change(base, **changes):
    return json.dumps(dict(base, **changes))


class Process(unittest.TestCase):
    def expect(self, source, wanted, task=kit.RTT, hints=None, **asked):
        processor = limen.LimitProcessor(source, module_path=kit.TEST_MODULES)
        self.addCleanup(processor.close)
        passed, diags, new_task, priority = processor.process(task, hints, **asked)
        self.assertEqual(wanted, (passed, diags.split("\n"), new_task, priority))
        self.assertIs(type(wanted[0]), type(passed))
        self.assertIs(type(wanted[3]), type(priority))

    def test_inert(self):
        """without a source there are no limits"""
        self.assertTrue(limen.LimitProcessor().inert)
        self.expect(None, (True, ["No limits were applied"], None, None))

    def test_passes(self):
        """a task that passes; a whole priority is an int"""
        self.expect(json.dumps(kit.EVERYBODY), (True, KNOWN + PASSED + DEFAULT, None, 0))

    def test_fails(self):
        """a task that does not, with hints"""
        self.expect(json.dumps(kit.EVERYBODY), (False, HINTS + KNOWN + REFUSED, None, 0),
                    kit.TRACE, {"requester": "192.0.2.1"})

    def test_empty_hints(self):
        """no hints at all"""
        self.expect(json.dumps(kit.EVERYBODY), (False, KNOWN + REFUSED, None, 0), kit.TRACE, {})

    def test_nobody(self):
        """nobody is identified: neither task nor priority"""
        self.expect(change(kit.EVERYBODY, identifiers=[
            dict(kit.EVERYBODY["identifiers"][0], invert=True)]),
            (False, ["Made no identifications."], None, None))

    def test_no_class(self):
        """nobody is classified"""
        self.expect(change(kit.EVERYBODY, classifiers=[
            dict(kit.EVERYBODY["classifiers"][0], require="none")]),
            (False, ["Identified as all", "Made no classifications."], None, None))

    def test_rewrite(self):
        """a rewritten task comes back"""
        self.expect(json.dumps(JQ), (
            True, KNOWN + ["Rewriter made changes:", "  Five"] + PASSED + DEFAULT, COUNTED, 0))

    def test_reject(self):
        """a rewriter may reject"""
        self.expect(change(JQ, rewrite={"script": 'reject("no")'}), (
            False, ["Error while rewriting: Task rejected: no"], None, None))

    def test_rewrite_unchanged(self):
        """so does one that the rewriter left alone"""
        self.expect(json.dumps(JQ), (True, KNOWN + PASSED + DEFAULT, COUNTED, 0), COUNTED)

    def test_no_rewrite(self):
        """a participant that is not the lead does not rewrite"""
        self.expect(json.dumps(JQ), (True, KNOWN + PASSED + DEFAULT, None, 0), rewrite=False)

    def test_prioritize(self):
        """a priority, if asked for"""
        self.expect(json.dumps(JQ), (
            True, KNOWN + PASSED + ["Priority set at 7:", "  Lucky  (Set to 7)"], None, 7),
            rewrite=False, prioritize=True)

    def test_fraction(self):
        """a priority with a fraction is a float"""
        processor = limen.LimitProcessor(change(JQ, priority={"script": 'set(2.5; "")'}),
                                         module_path=kit.TEST_MODULES)
        self.addCleanup(processor.close)
        self.assertEqual(2.5, processor.process(kit.RTT, {}, False, True)[3])

    def test_rewrite_error(self):
        """a rewriter that fails leaves one line"""
        self.expect(change(kit.EVERYBODY, rewrite={"type": "edit", "error": "went wrong"}), (
            False, ["Error while rewriting: went wrong"], None, None))

    def test_exception(self):
        """what cannot be decided is refused, with the task as it was"""
        processor = limen.LimitProcessor(json.dumps(kit.EVERYBODY), module_path=kit.MODULES)
        self.addCleanup(processor.close)
        for task in ({1, 2}, {"a": b"bytes"}, float("inf").__class__):
            passed, diags, new_task, priority = processor.process(task, {})
            self.assertIs(False, passed)
            self.assertTrue(diags.startswith("Failed to process limits: processor threw an "
                                             "exception.\n\nTraceback"), diags)
            self.assertTrue(diags.endswith("\n\nPlease report this as a bug."), diags)
            self.assertIs(task, new_task)
            self.assertIsNone(priority)

    def test_timeout(self):
        """a decision that takes too long is refused"""
        processor = limen.LimitProcessor(change(kit.EVERYBODY, identifiers=[
            {"name": "all", "description": "", "type": "verdict",
             "data": {"verdict": "pass", "sleep": "PT2S", "blocking": True}}]),
            module_path=kit.TEST_MODULES, timeout=0.1)
        self.addCleanup(processor.close)
        self.assertEqual((False, None, None), processor.process(kit.RTT, {})[::2] + (None,))


class Source(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.path = os.path.join(work.name, "limits.conf")
        with open(self.path, "w") as file:
            json.dump(kit.EVERYBODY, file)

    def expect(self, source):
        processor = limen.LimitProcessor(source, module_path=kit.MODULES)
        self.addCleanup(processor.close)
        self.assertFalse(processor.inert)
        self.assertEqual((True, False), (processor.process(kit.RTT, {})[0],
                                         processor.process(kit.TRACE, {})[0]))

    def test_sources(self):
        """open files, text and paths are sources"""
        with open(self.path) as file:
            self.expect(file)
        with open(self.path, "rb") as file:
            self.expect(file)
        with open(self.path) as file:
            self.expect("\n  " + file.read())
        with open(os.open(self.path, os.O_RDONLY)) as file:
            self.expect(file)
        self.expect(self.path)
        self.expect(os.path.dirname(self.path))

    def test_shipped(self):
        """the shipped policy, task and priority of a run"""
        processor = limen.LimitProcessor(kit.SOURCE + "/conf.d", module_path=kit.MODULES)
        self.addCleanup(processor.close)
        with open(kit.SOURCE + "/docs/examples/tasks/throughput.json") as file:
            task = json.load(file)
        task["run_schedule"] = {"start": "2026-11-24T05:00:00Z", "duration": "PT1M"}
        passed, diags, new_task, priority = processor.process(
            task, {"requester": "198.51.100.17"}, rewrite=False, prioritize=True)
        self.assertEqual((True, None, 10), (passed, new_task, priority))
        self.assertEqual(["Priority set at 10:", "  Friends before guests  (+10)"],
                         [line for line in diags.split("\n") if "riority" in line or
                          "Friends before" in line])

    def test_url(self):
        """a configuration that is a URL says who fetches it"""
        with open(self.path, "w") as file:
            file.write("https://example.org/limits.conf\n")
        with open(self.path) as file:
            for source in (file, self.path, "https://example.org/limits.conf"):
                with self.assertRaisesRegex(ValueError, "it is a URL.*fetch it first"):
                    limen.LimitProcessor(source, module_path=kit.MODULES)

    def test_notes(self):
        """notes are kept, and what lets no task pass is a warning of the log"""
        with self.assertLogs("limen", "WARNING") as logged:
            processor = limen.LimitProcessor('{"schema": 4}', module_path=kit.MODULES)
        self.addCleanup(processor.close)
        self.assertEqual(4, len(processor.notes))
        self.assertIn("'applications' is missing", logged.output[-1])

    def test_broken(self):
        """a broken configuration raises"""
        for source in ("{", "/nonexistent", kit.SOURCE + "/docs/examples/broken.conf"):
            with self.assertRaises(ValueError) as caught:
                limen.LimitProcessor(source, module_path=kit.MODULES)
            self.assertIs(ValueError, type(caught.exception))
        with open(kit.SOURCE + "/docs/examples/broken.conf") as file:
            with self.assertRaises(ValueError) as caught:
                limen.LimitProcessor(file, module_path=kit.MODULES)
        self.assertEqual(file.name, caught.exception.__cause__.problems[0].file)
        text = str(caught.exception)
        self.assertEqual(["Invalid limit configuration: At /: Additional properties are not "
                          "allowed ('aplications' was unexpected)",
                          "At /identifiers/0/data/cidrs/0: 198.51.100.1/25 has host bits set"],
                         text.split("\n")[:2])
        self.assertNotIn("broken.conf", text)
        self.assertNotIn("pScheduler", text)
        with self.assertRaises(TypeError):
            limen.LimitProcessor(5)


if __name__ == "__main__":
    kit.main()
