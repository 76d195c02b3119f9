# SPDX-License-Identifier: Apache-2.0
"""Many threads and one engine; memory over many decisions."""
import json
import os
import socket
import threading
import unittest

import kit
import limen

THREADS, DECISIONS = 8, 500
GROWTH_MAX = 2 * 1024 * 1024


class Threads(unittest.TestCase):
    def setUp(self):
        self.engine = limen.Engine(module_path=kit.TEST_MODULES)
        self.addCleanup(self.engine.close)
        self.engine.load_text(json.dumps(kit.EVERYBODY))
        self.wrong = []

    def run_threads(self, *functions):
        threads = [threading.Thread(target=self.guard, args=(function,))
                   for function in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], self.wrong)

    def guard(self, function):
        try:
            function()
        except Exception as error:
            self.wrong.append(error)

    def decide_both(self):
        for number in range(DECISIONS):
            hints = {"requester": "192.0.2.%d" % (number % 256)}
            passed = self.engine.decide(kit.RTT, hints=hints)
            failed = self.engine.decide(kit.TRACE, hints=hints)
            if not passed or failed or hints["requester"] not in failed.diagnostics:
                self.wrong.append((passed, failed))

    def test_reloads(self):
        """threads decide while others load"""
        def reload():
            for _ in range(50):
                self.engine.reload()
                self.engine.describe()

        self.run_threads(*[self.decide_both] * THREADS, reload, reload)

    def test_close(self):
        """an engine that is closed meanwhile answers or says that it is closed"""
        ended = []

        def decide():
            try:
                while True:
                    if not self.engine.decide(kit.RTT):
                        self.wrong.append("refused")
            except limen.Error as error:
                ended.append(str(error))

        timer = threading.Timer(0.3, self.engine.close)
        timer.start()
        self.run_threads(*[decide] * THREADS)
        timer.join()
        self.assertEqual(["the engine is closed"] * THREADS, ended)

    def test_waiting(self):
        """decisions that wait leave the interpreter to others"""
        self.engine.load_text(json.dumps(dict(kit.EVERYBODY, identifiers=[
            {"name": "all", "description": "", "type": "verdict",
             "data": {"verdict": "pass", "sleep": "PT3S", "blocking": True}}])))
        counted = []
        done = threading.Event()

        def wait():
            self.assertTrue(self.engine.decide(kit.RTT))
            done.set()

        def count():
            while not done.is_set():
                counted.append(done.wait(0.001))

        self.run_threads(wait, count)
        self.assertGreater(len(counted), 10)


    def test_silent_names(self):
        """128 threads wait for a silent name server, and get what fail-result says"""
        hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(hole.close)
        hole.bind(("127.0.0.1", 0))
        found = []
        for fails in (True, False):
            self.engine.load_text(json.dumps(dict(kit.EVERYBODY, identifiers=[
                {"name": "all", "description": "", "type": "ip-cymru-bogon",
                 "data": {"fail-result": fails, "timeout": "PT0.5S",
                          "server": "127.0.0.1:%d" % hole.getsockname()[1]}}])))

            def decide(number):
                decision = self.engine.decide(kit.RTT, hints={"requester": "11.%d.0.%d" % (fails, number)})
                found.append((fails, decision.admitted, decision.code))

            self.run_threads(*[lambda number=number: decide(number) for number in range(128)])
        self.assertEqual([(True, True, 200)] * 128 + [(False, False, 403)] * 128, found)


class Memory(unittest.TestCase):
    def measure(self, work):
        for _ in range(1000):
            work()
        before = read_resident()
        for _ in range(10000):
            work()
        self.assertLess(read_resident() - before, GROWTH_MAX)

    def setUp(self):
        if "address" in os.environ.get("SANITIZE_CFLAGS", ""):
            self.skipTest("AddressSanitizer keeps what is freed")
        self.engine = limen.Engine(module_path=kit.MODULES)
        self.addCleanup(self.engine.close)
        self.engine.load_text(json.dumps(kit.EVERYBODY))

    def test_decisions(self):
        """10000 decisions leave memory as it was"""
        def decide():
            self.engine.decide(kit.TRACE, hints={"requester": "192.0.2.1"}, trace=True).as_dict()

        self.measure(decide)

    def test_errors(self):
        """so do 10000 errors"""
        def fail():
            for wrong in (b"{", {1}):
                try:
                    self.engine.decide(wrong, hints={"a": "b"})
                except limen.RequestError:
                    continue
                raise AssertionError("no error")

        self.measure(fail)


def read_resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    kit.main()
