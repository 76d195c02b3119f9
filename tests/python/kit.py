# SPDX-License-Identifier: Apache-2.0
"""Runs unittest and prints TAP; policies for the tests of the Python package."""
import os
import sys
import unittest

SOURCE = os.environ["LIMEN_SRCDIR"]
BUILD = os.environ["LIMEN_BUILDDIR"]
MODULES = os.environ["LIMEN_MODULE_PATH"]

# The modules for cases, which do as they are told (docs/testing.md).
TEST_MODULES = "%s:%s/tests/modules" % (MODULES, BUILD)

EVERYBODY = {
    "schema": 4,
    "identifiers": [{"name": "all", "description": "", "type": "always", "data": {}}],
    "classifiers": [{"name": "all", "description": "", "identifiers": ["all"]}],
    "limits": [{"name": "rtt", "description": "", "type": "test-type",
                "data": {"types": ["rtt"]}}],
    "applications": [{"description": "Round trips", "classifier": "all",
                      "apply": [{"require": "all", "limits": ["rtt"]}]}],
}
RTT = {"test": {"type": "rtt", "spec": {}}}
TRACE = {"test": {"type": "trace", "spec": {}}}


class TapResult(unittest.TestResult):
    """Prints each test when it ends."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def _print(self, word, test, directive="", shown=""):
        self.count += 1
        title = (test.shortDescription() or test.id()).replace("#", " ")
        print("%s %d - %s%s" % (word, self.count, title, directive))
        for line in str(shown).splitlines():
            print("#", line)
        sys.stdout.flush()

    def addSuccess(self, test):
        super().addSuccess(test)
        self._print("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._print("ok", test, " # SKIP " + reason)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._print("not ok", test, shown=self.failures[-1][1])

    def addError(self, test, error):
        super().addError(test, error)
        self._print("not ok", test, shown=self.errors[-1][1])

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._print("not ok", subtest, shown=self._exc_info_to_string(error, test))


def main(*suites):
    """Run the tests of the calling script, or those given."""
    suite = unittest.TestSuite(suites) if suites else \
        unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = TapResult()
    suite.run(result)
    print("1..%d" % result.count)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
