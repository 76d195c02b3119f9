# SPDX-License-Identifier: Apache-2.0
"""pip builds a wheel of the package, without a network, that works where it is unpacked."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import kit
import limen


def has(*modules):
    code = "import " + ", ".join(modules)
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


class Wheel(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name

    def test_wheel(self):
        """a wheel has all files and works"""
        if not has("setuptools", "wheel", "pip"):
            self.skipTest("there is no pip, setuptools or wheel")
        # pip writes beside the sources it builds from.
        source = os.path.join(self.work, "source")
        shutil.copytree(kit.SOURCE + "/bindings/python", source,
                        ignore=shutil.ignore_patterns("__pycache__"))
        for directory, _, _ in os.walk(source):
            os.chmod(directory, 0o755)
        run = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-index",
             "--no-deps", "--no-build-isolation", "--wheel-dir", self.work, source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={key: value for key, value in os.environ.items() if key != "LD_PRELOAD"})
        self.assertEqual(0, run.returncode, run.stdout)
        name = os.path.join(self.work, "limen-%s-py3-none-any.whl" % limen.__version__)
        with zipfile.ZipFile(name) as wheel:
            wheel.extractall(os.path.join(self.work, "unpacked"))
        files = sorted(os.listdir(os.path.join(self.work, "unpacked/limen")))
        wanted = sorted(one for one in os.listdir(kit.SOURCE + "/bindings/python/limen")
                        if one.endswith((".py", ".typed")))
        self.assertEqual(wanted, files)
        code = "import limen; print(limen.__file__, limen.LimitProcessor().process({}, {})[1])"
        said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                              env=dict(os.environ, PYTHONPATH=self.work + "/unpacked")).stdout
        self.assertEqual("%s/unpacked/limen/__init__.py No limits were applied\n" % self.work,
                         said)

    def test_list(self):
        """what is installed is what there is"""
        with open(kit.SOURCE + "/bindings/python/python.mk") as file:
            listed = [word for word in file.read().split() if word.endswith((".py", ".typed"))]
        found = ["bindings/python/limen/" + name
                 for name in os.listdir(kit.SOURCE + "/bindings/python/limen")
                 if name.endswith((".py", ".typed"))]
        self.assertEqual(sorted(found), sorted(listed))


if __name__ == "__main__":
    kit.main()
