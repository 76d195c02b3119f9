# SPDX-License-Identifier: Apache-2.0
"""What the pages show is what Python prints; their programs run; office.py decides."""
import doctest
import os
import re
import subprocess
import sys

import kit

sys.path.insert(0, os.path.join(kit.SOURCE, "tests/docs"))
from pages import blocks_for, finish, is_true, list_pages

os.chdir(kit.SOURCE)
blocks = list(blocks_for("python"))
for page in list_pages():
    shown = "\n".join(block.text for block in blocks if block.page == page and block.language == "pycon")
    if shown:
        wrong = []
        test = doctest.DocTestParser().get_doctest(shown, {}, page, None, 0)
        results = doctest.DocTestRunner(verbose=False).run(test, out=wrong.append)
        is_true("what %s shows is so" % page, results.attempted and not results.failed, "".join(wrong))
for block in blocks:
    if block.language == "python":
        try:
            exec(compile(block.text, block.page, "exec"), {"__name__": "page"})
            error = None
        except Exception as raised:
            error = raised
        is_true(block.items[0].name() + " runs", error is None, error)
program = [sys.executable] + "docs/examples/python/office.py docs/examples/python/office.yaml".split()
said = subprocess.run(program, stdout=subprocess.PIPE, text=True).stdout
is_true("office.py decides", re.match("admitted - application 1 passes$|refused - .* only from 9 to 17 o'clock$", said), said)
finish()
