# SPDX-License-Identifier: Apache-2.0
"""The type hints of the package, checked by mypy, which Debian has as a package."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import kit

# Each line without a comment is right; the others have the code of mypy's message.
PROGRAM = '''
import datetime
import limen
from limen.events import EventClient

def office(request: limen.Request, options: limen.modules.Options) -> limen.modules.Verdict:
    now: datetime.datetime = request.now
    return True if now.hour < options["to"] else "too late"

def grow(request: limen.Request, options: limen.modules.Options) -> dict[str, object]:
    return dict(request.document, size=1)

modules = [limen.limit("office", check=office, options=[limen.option("to", int, default=18)]),
           limen.rewriter("grow", grow),
           limen.prioritizer("more", lambda request, options, initial: initial + 1)]
with limen.Engine("limits.yaml", modules=modules, log=print) as engine:
    decision = engine.decide({"test": {}}, hints={"requester": "192.0.2.1"}, timeout=1.5)
    reason: str = decision.reason
    name: str = decision.entry  # assignment
    wrong: int = decision.admitted and decision.reason  # assignment
    engine.decide({}, timeout="5")  # arg-type
    engine.decode({})  # attr-defined
    engine.load("a", "b")
limen.Engine(modules=[office])  # list-item
limen.limit("office")  # call-arg
limen.limit("office", check=lambda request: True)  # arg-type misc
sent: bool = EventClient().may_send()
passed, diags, task, priority = limen.LimitProcessor().process({}, {})
'''


# Debian's mypy is a module of its own python3, which need not be the one that runs this.
MYPY = shutil.which("mypy")
EXAMPLES = [kit.SOURCE + "/docs/examples/" + name
            for name in ("service/ask.py", "audit/cluster.py")]


def run_mypy(*arguments):
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    environment["MYPYPATH"] = kit.SOURCE + "/bindings/python"
    with tempfile.TemporaryDirectory() as cache:
        return subprocess.run([MYPY, "--strict", "--no-error-summary", "--cache-dir", cache,
                               "--python-version", "%d.%d" % sys.version_info[:2],
                               *arguments], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)


@unittest.skipIf(MYPY is None, "there is no mypy")
class Hints(unittest.TestCase):
    def test_program(self):
        """mypy accepts what is right in a program, and finds what is wrong"""
        with tempfile.TemporaryDirectory() as work:
            program = os.path.join(work, "program.py")
            with open(program, "w") as file:
                file.write(PROGRAM)
            run = run_mypy(program)
        found = {}
        for line, code in re.findall(r"program\.py:(\d+): error: .*\[([a-z-]+)\]", run.stdout):
            found.setdefault(int(line), code)
        wanted = {number: line.split("  # ")[1].split()
                  for number, line in enumerate(PROGRAM.splitlines(), 1) if "  # " in line}
        self.assertEqual(sorted(wanted), sorted(found), run.stdout)
        for number, codes in wanted.items():
            self.assertIn(found[number], codes, run.stdout)

    def test_package(self):
        """it accepts the package itself, and the examples"""
        for wrong in (run_mypy("--no-warn-return-any", kit.SOURCE + "/bindings/python/limen"),
                      run_mypy(kit.SOURCE + "/docs/examples/python/office.py"),
                      run_mypy("--allow-untyped-defs", "--allow-untyped-calls",
                               "--no-warn-return-any", *EXAMPLES)):
            self.assertEqual("", wrong.stdout)


if __name__ == "__main__":
    kit.main()
