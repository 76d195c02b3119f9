# SPDX-License-Identifier: Apache-2.0
"""What makes no sense ends in an exception or in a refusal, never in anything else."""
import datetime
import json
import random
import unittest

import kit
import limen


class Hostile(unittest.TestCase):
    def setUp(self):
        self.engine = limen.Engine(module_path=kit.TEST_MODULES)
        self.addCleanup(self.engine.close)
        self.engine.load_text(json.dumps(kit.EVERYBODY))

    def raises(self, error, document=kit.RTT, **options):
        with self.assertRaises(error):
            self.engine.decide(document, **options)
        self.assertTrue(self.engine.decide(kit.RTT))

    def test_garbage(self):
        """bytes at random are no task"""
        chance = random.Random(1)
        for _ in range(2000):
            text = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
            try:
                self.assertFalse(self.engine.decide(text))
            except limen.RequestError as error:
                self.assertTrue(error.problems)

    def test_broken_tasks(self):
        """nor is a task with a byte changed anything but a task or an error"""
        chance = random.Random(2)
        good = json.dumps(kit.TRACE).encode()
        for _ in range(2000):
            text = bytearray(good)
            text[chance.randrange(len(text))] = chance.randrange(256)
            try:
                self.assertFalse(self.engine.decide(text))
            except limen.RequestError:
                pass

    def test_values(self):
        """values that are no JSON"""
        circular = []
        circular.append(circular)
        deep = []
        for _ in range(100000):
            deep = [deep]
        for value in ({1, 2}, object(), b"\xff", {(1, 2): 3}, circular, deep, 1j):
            self.raises(limen.RequestError, value)
            self.raises(limen.RequestError, hints={"a": value}) \
                if not isinstance(value, bytes) else None
        while deep:
            deep = deep.pop()

    def test_other_tasks(self):
        """JSON that is no object is refused"""
        for value in (None, 5, 1.5, True, "text", [], [kit.RTT]):
            self.assertFalse(self.engine.decide(value))

    def test_texts(self):
        """a NUL, or half a character, where the library takes text"""
        for wrong in ("a\0b", "\ud800"):
            self.raises(ValueError, subject="object", fields={"user": wrong})
            self.raises(ValueError, groups=[wrong])
            self.raises(ValueError, run=(wrong, "PT1S"))
            with self.assertRaises(ValueError):
                self.engine.load_text("{}", wrong)
        with self.assertRaises(ValueError):
            self.engine.load("a\0b")
        with self.assertRaises(ValueError):
            limen.Engine(module_path="a\0b")

    def test_hint_with_nul(self):
        """in hints and documents both are text as any other, or an error"""
        self.assertFalse(self.engine.decide(kit.TRACE, hints={"a\0b": "c\0d"}))
        for wrong in ({"test": "\ud800"}, {"\udfff": 1}):
            try:
                self.assertFalse(self.engine.decide(wrong))
            except limen.RequestError:
                pass

    def test_types(self):
        """arguments of another type"""
        for options in ({"fields": {"user": 5}}, {"groups": "abc"}, {"groups": [5]},
                        {"run": (5, "PT1S")}, {"timeout": "5"}, {"hints": 5}):
            self.raises(TypeError, **options)
        for options in ({"fields": {"nobody": "x"}}, {"subject": "pod"}, {"phase": "both"},
                        {"rewrite": "yes"}, {"prioritize": 2},
                        {"timeout": float("nan")}, {"timeout": float("inf")}, {"time": 1e30},
                        {"timeout": -1e30}, {"time": datetime.datetime(2026, 1, 1)}):
            self.raises(ValueError, **options)
        for load in (self.engine.load, lambda: self.engine.load_text(5)):
            with self.assertRaises(TypeError):
                load()

    def test_times(self):
        """the ends of time"""
        for moment in (0, -1, datetime.datetime.min.replace(tzinfo=datetime.timezone.utc),
                       datetime.datetime.max.replace(tzinfo=datetime.timezone.utc)):
            self.assertTrue(self.engine.decide(kit.RTT, time=moment))
        self.assertTrue(self.engine.decide(kit.RTT, timeout=9e12))

    def test_run_of_no_object(self):
        """only an object can be made a run"""
        self.raises(limen.RequestError, [], run=("2026-06-21T08:00:00Z", "PT1S"))

    def test_big_numbers(self):
        """a number that Python does not read: the verdict is there, the rest an error"""
        self.engine.load_text(json.dumps(dict(kit.EVERYBODY, rewrite={
            "type": "edit", "set": {"/a": 1}, "message": ["a"]})))
        decision = self.engine.decide(b'{"test": {"type": "rtt"}, "n": ' + b"9" * 5000 + b"}")
        self.assertTrue(decision.admitted)
        with self.assertRaises(limen.Error):
            decision.rewritten

    def test_depth(self):
        """nesting at the bound of the library, and beyond"""
        for levels in (900, 998, 999, 1000, 1001, 100000):
            text = b'{"test":{"type":"rtt"},"a":' + b"[" * levels + b"]" * levels + b"}"
            try:
                self.engine.decide(text)
            except limen.RequestError:
                self.assertGreater(levels, 900)

    def test_policies(self):
        """policies of bytes at random, and with a byte changed"""
        chance = random.Random(3)
        good = json.dumps(kit.EVERYBODY).encode()
        for number in range(500):
            text = bytearray(good)
            for _ in range(1 + number % 3):
                text[chance.randrange(len(text))] = chance.randrange(256)
            with limen.Engine(module_path=kit.MODULES, passive=True) as engine:
                try:
                    engine.load_text(text)
                except limen.PolicyError as error:
                    self.assertTrue(str(error))


if __name__ == "__main__":
    kit.main()
