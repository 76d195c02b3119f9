# SPDX-License-Identifier: Apache-2.0
"""The tests of the package with every other Python from 3.9 that is here."""
import os
import shutil
import subprocess
import sys
import unittest

import kit

TESTS = ("engine", "modules", "processor")


class Versions(unittest.TestCase):
    def test_all(self):
        """engines, modules and the processor work with other versions of Python"""
        tried = []
        for minor in range(9, 20):
            python = shutil.which("python3.%d" % minor)
            if python is None or minor == sys.version_info[1] or \
                    subprocess.run([python, "-c", "import ctypes"],
                                   stderr=subprocess.DEVNULL).returncode != 0:
                continue
            tried.append(minor)
            for name in TESTS:
                with self.subTest(python=python, test=name):
                    run = subprocess.run(
                        [python, "%s/tests/python/%s.py" % (kit.SOURCE, name)],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    self.assertEqual(0, run.returncode, run.stdout)
        if not tried:
            self.skipTest("there is no other Python")


if __name__ == "__main__":
    kit.main()
