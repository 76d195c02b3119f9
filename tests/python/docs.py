# SPDX-License-Identifier: Apache-2.0
"""What docs/python.md shows is what Python prints."""
import doctest
import os
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
print("1..2")
sys.exit(0 if shown and not results.failed else 1)
