# SPDX-License-Identifier: Apache-2.0
"""The blocks of all pages of documentation, and tests/docs/pages.txt, which says what they need.

A block is one item, and a block "sh" or "console" one item for each of its commands.  Every item
is run by a test, or a row of pages.txt says why not.
"""
import atexit
import fnmatch
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = os.environ["LIMEN_SRCDIR"]
# The test that runs the blocks of a language; those of a plain text need a row.
TESTS = {"sh": "commands", "console": "commands", "yaml": "policies", "json": "policies",
         "pycon": "python", "python": "python", "text": "rows"}
TESTS.update(dict.fromkeys(("c", "cpp", "go", "lua", "make", "nginx", "caddy", "haproxy"), "sources"))
count = failures = 0
work = tempfile.mkdtemp()
atexit.register(shutil.rmtree, work, True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit("it was ended"))


class Item:
    """A command, with the lines below it if it shows any; or a block."""

    def __init__(self, block, text, shown=None):
        self.block, self.text, self.shown = block, text, shown

    def name(self):
        return "%s:%d: %s" % (self.block.page, self.block.line, self.text.split("\n")[0])


class Block:
    def __init__(self, page, line, heading, language, text, source):
        self.page, self.line, self.heading, self.language, self.source = page, line, heading, language, source
        self.text = text
        lines = re.sub(r"\\\n", "\\\\\0", text).splitlines()
        if language == "sh":
            self.items = [Item(self, one.replace("\0", "\n")) for one in lines
                          if one.strip() and not one.startswith("#")]
        elif language == "console":
            self.items = [Item(self, *part.replace("\0", "\n").partition("\n")[::2])
                          for part in re.split(r"^\$ ", "\n".join(lines), flags=re.M)[1:]]
        else:
            self.items = [Item(self, text)]


class Row:
    """One line of pages.txt."""

    def __init__(self, page, verb, rest):
        self.page, self.verb, self.used = page, verb, False
        self.left, _, self.right = (part.strip() for part in rest.partition(
            {"use": "->", "by": "->", "skip": "::"}.get(verb, "\0")))

    def is_about(self, page):
        return fnmatch.fnmatchcase(page, self.page)


def read_rows():
    page = None
    with open(os.path.join(SOURCE, "tests/docs/pages.txt")) as file:
        for line in file:
            if line.startswith("\t"):
                yield Row(page, *line.strip().split(" ", 1))
            elif line.strip() and not line.startswith("#"):
                page = line.strip()


rows = list(read_rows())


def rows_of(page, verb):
    return [row for row in rows if row.verb == verb and row.is_about(page)]


def find_row(item, verb):
    """What a row says about it, or None."""
    for row in rows_of(item.block.page, verb):
        if row.left == item.block.heading or fnmatch.fnmatchcase(item.text, row.left):
            row.used = True
            return row.right
    return None


def reason_to_skip(item):
    """Why no test runs it, or None."""
    return find_row(item, "skip")


def list_pages():
    patterns = ["*.md"] + [top + "/**/*.md" for top in ("docs", "plugins", "bindings", "deploy", "tests")]
    return sorted(os.path.relpath(page, SOURCE) for pattern in patterns
                  for page in glob.glob(os.path.join(glob.escape(SOURCE), pattern), recursive=True))


def read_blocks(page):
    """Its blocks, but for pages that are what a command prints (tests/cli/docs.sh)."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        text = file.read()
    if re.search(r"^<!-- output: ", text, re.M):
        return
    for found in re.finditer(r"^( *)```(\S*)[^\n]*\n(.*?)^ *```$", text, re.M | re.S):
        before = text[:found.start()]
        source = re.search(r"<!-- include: (\S+) -->\n\Z", before)
        headings = re.findall(r"^#+ .*", re.sub(r"^```.*?^```$", "", before, flags=re.M | re.S), re.M)
        yield Block(page, before.count("\n") + 2, headings[-1], found[2], found[3], source and source[1])


def blocks_for(test):
    """Those that the test runs, with the items that no row skips."""
    for page in os.environ.get("LIMEN_PAGES", "").split() or list_pages():
        for block in read_blocks(page):
            block.items = [item for item in block.items if not reason_to_skip(item)]
            if block.items and TESTS.get(block.language) == test:
                yield block


def is_true(name, good, shown=""):
    global count, failures
    count += 1
    failures += not good
    print("%sok %d - %s" % ("" if good else "not ", count, name.replace("#", "")))
    if not good:
        print("# " + str(shown).strip().replace("\n", "\n# "))


def skip(name, why):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name.replace("#", ""), why))


def succeeds(name, command, **others):
    """Exit status 77 says that a tool is missing."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          stdin=subprocess.DEVNULL, **others)
    if done.returncode == 77:
        skip(name, "a tool is missing")
    else:
        is_true(name, done.returncode == 0, done.stdout.decode(errors="replace"))


def finish():
    print("1..%d" % count)
    raise SystemExit(failures != 0)
