# SPDX-License-Identifier: Apache-2.0
"""What docs/python.md shows is what Python prints, and its program runs."""
import doctest
import os
import re
import subprocess
import sys

import kit

os.chdir(kit.SOURCE)
runner = doctest.DocTestRunner(verbose=False)
with open("docs/python.md") as page:
    test = doctest.DocTestParser().get_doctest(page.read(), {}, "docs/python.md", None, 0)
wrong = []
results = runner.run(test, out=wrong.append)
for line in "".join(wrong).splitlines():
    print("#", line)
shown = results.attempted > 10
print("%sok 1 - docs/python.md shows something" % ("" if shown else "not "))
print("%sok 2 - what docs/python.md shows is so" % ("not " if results.failed else ""))
program = [sys.executable] + "docs/examples/python/office.py docs/examples/python/office.yaml".split()
said = subprocess.run(program, stdout=subprocess.PIPE, text=True).stdout
ran = re.match("admitted - application 1 passes$|refused - .* only from 9 to 17 o'clock$", said)
print("%sok 3 - office.py decides: %s" % ("" if ran else "not ", said.strip()))
print("1..3")
sys.exit(0 if shown and ran and not results.failed else 1)
