# SPDX-License-Identifier: Apache-2.0
"""The package sees the library as the headers have it: structs, numbers, functions, version."""
import ctypes
import datetime
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import kit
import limen
from limen import _library

INCLUDES = ["-I%s/include" % kit.BUILD, "-I%s/include" % kit.SOURCE]
STRUCTS = {
    "limen_engine_options": _library.EngineOptions,
    "limen_decide_options": _library.DecideOptions,
    "limen_value": _library.Value,
    "limen_problem": _library.ProblemRecord,
    "limen_violation": _library.ViolationRecord,
    "limen_question_options": _library.QuestionOptions,
    "limen_quota": _library.QuotaRecord,
    "limen_option": _library.OptionRow,
    "limen_strings": _library.Strings,
}
STRUCTS.update({"limen_%s_module" % kind: struct
                for kind, (_, struct) in _library.DESCRIPTORS.items()})
OPTIONS = {str: "STRING", list: "STRINGS", int: "INT", float: "REAL", bool: "BOOL",
           datetime.timedelta: "DURATION", _library.Choice: "ENUM", object: "JSON"}
NUMBERS = {
    "LIMEN_OK": _library.OK, "LIMEN_EINVAL": _library.EINVAL, "LIMEN_ENOMEM": _library.ENOMEM,
    "LIMEN_ENOPOLICY": _library.ENOPOLICY, "LIMEN_SUBJECT_TASK": _library.TASK,
    "LIMEN_SUBJECT_OBJECT": _library.OBJECT, "LIMEN_SUBJECT_HTTP": _library.HTTP,
    "LIMEN_ENGINE_WITHOUT_POLICY": _library.WITHOUT_POLICY,
    "LIMEN_ENGINE_PASSIVE": _library.PASSIVE, "LIMEN_ENGINE_WATCH": _library.WATCH,
    "LIMEN_ENGINE_MEMORY_STORES": _library.MEMORY_STORES,
    "LIMEN_ENGINE_FOREIGN_TEXTS": _library.FOREIGN_TEXTS,
    "LIMEN_ENGINE_FOREIGN_POLICIES": _library.FOREIGN_POLICIES, "LIMEN_SWITCH_AUTO": 0, "LIMEN_SWITCH_ON": 1,
    "LIMEN_SWITCH_OFF": 2, "LIMEN_PHASE_BOTH": 0, "LIMEN_PHASE_MUTATE": 1, "LIMEN_PHASE_VALIDATE": 2,
    "LIMEN_SEVERITY_NOTE": 0, "LIMEN_SEVERITY_WARNING": 1, "LIMEN_SEVERITY_PROBLEM": 2, "LIMEN_CLASS_FORBIDDEN": 0,
    "LIMEN_CLASS_TOO_MANY": 1, "LIMEN_CLASS_INVALID": 2, "LIMEN_LOG_ERROR": 0, "LIMEN_LOG_WARNING": 1,
    "LIMEN_LOG_INFO": 2, "LIMEN_LOG_DEBUG": 3, "LIMEN_ERROR": _library.ERROR,
    "LIMEN_PASS": _library.PASS, "LIMEN_FAIL": _library.FAIL, "LIMEN_SKIP": _library.SKIP,
    "LIMEN_MODULE_BLOCKING": _library.MODULE_BLOCKING, "LIMEN_ABI_MAJOR": _library.ABI_MAJOR,
}
NUMBERS.update({"LIMEN_KIND_%s" % kind.upper(): number
                for kind, (number, _) in _library.DESCRIPTORS.items()})
NUMBERS.update({"LIMEN_OPTION_%s" % OPTIONS[type]: number
                for type, (number, _) in _library.OPTION_TYPES.items()})
SCALARS = {"size_t": ctypes.c_size_t, "unsigned": ctypes.c_uint, "bool": ctypes.c_bool,
           "int": ctypes.c_int, "double": ctypes.c_double, "limen_duration": ctypes.c_int64, "limen_time": ctypes.c_int64,
           "limen_value": _library.Value, "void": None}


def run_c(body):
    """Return what a C program with this body prints."""
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "ask.c")
        with open(source, "w") as file:
            file.write("#include <stdio.h>\n#include <limen/limen.h>\n#include <limen/module.h>\n"
                       "int main(void)\n{\n%s\treturn 0;\n}\n" % body)
        program = os.path.join(work, "ask")
        environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        subprocess.run(os.environ["CC"].split() + INCLUDES + [source, "-o", program], check=True,
                       env=environment)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True,
                              env=environment).stdout.split()


def to_ctype(text):
    """What a parameter or result of a header is to ctypes; an enum is an int."""
    if "*" in text:
        return ctypes.c_void_p
    words = [word for word in text.split() if word not in ("const", "LIMEN_API")]
    return SCALARS.get(words[0], ctypes.c_int)


def simplify(ctype):
    """A pointer is a pointer."""
    if ctype is not None and (ctype is ctypes.c_char_p or hasattr(ctype, "contents")):
        return ctypes.c_void_p
    return ctype


class Layout(unittest.TestCase):
    def test_structs(self):
        """structs have the size and the members of the headers"""
        wanted, body = [], ""
        for name, struct in STRUCTS.items():
            body += '\tprintf("%%zu\\n", sizeof(%s));\n' % name
            wanted.append(ctypes.sizeof(struct))
            for field, _ in struct._fields_:
                body += '\tprintf("%%zu\\n", offsetof(%s, %s));\n' % (name, field)
                wanted.append(getattr(struct, field).offset)
        self.assertEqual([str(number) for number in wanted], run_c(body))

    def test_numbers(self):
        """numbers are those of the headers"""
        body = "".join('\tprintf("%%d\\n", (int)%s);\n' % name for name in NUMBERS)
        self.assertEqual([str(number) for number in NUMBERS.values()], run_c(body))

    def test_fields(self):
        """fields have the numbers of the headers"""
        body = "".join('\tprintf("%%d\\n", (int)LIMEN_FIELD_%s);\n' % name.upper()
                       for name in _library.FIELDS)
        self.assertEqual([str(number) for number in range(len(_library.FIELDS))], run_c(body))

    def test_functions(self):
        """functions have the parameters of the headers"""
        text = ""
        for header in glob.glob(kit.SOURCE + "/include/limen/*.h"):
            with open(header) as file:
                text += re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for name, (result, *arguments) in _library.FUNCTIONS.items():
            found = re.search(r"LIMEN_API\s+([^;]*?\W)%s\(([^)]*)\)" % name, text)
            self.assertIsNotNone(found, name)
            wanted = [to_ctype(found[1])] + [to_ctype(part) for part in found[2].split(",")
                                             if part.strip() not in ("void", "...")]
            self.assertEqual(wanted, [simplify(one) for one in [result] + arguments], name)

    def test_version(self):
        """the package, the library and configure.ac have one version"""
        self.assertEqual(limen.__version__, limen.LIBRARY_VERSION)
        with open(kit.SOURCE + "/configure.ac") as file:
            numbers = re.findall(r"m4_define\(\[limen_\w+\], \[(\d+)\]\)", file.read())
        self.assertEqual(".".join(numbers), limen.__version__)


class Import(unittest.TestCase):
    """What "import limen" says if something is wrong with the library."""

    def complain(self, library):
        environment = dict(os.environ, LIMEN_LIBRARY=library)
        return subprocess.run([sys.executable, "-c", "import limen"], env=environment, text=True,
                              stderr=subprocess.PIPE).stderr.splitlines()[-1]

    def make_library(self, work, code):
        source, library = os.path.join(work, "other.c"), os.path.join(work, "other.so")
        with open(source, "w") as file:
            file.write(code)
        environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        subprocess.run(os.environ["CC"].split() + ["-shared", "-fPIC", source, "-o", library],
                       check=True, env=environment)
        return library

    def test_missing(self):
        """no library: an ImportError that says what to do"""
        said = self.complain("/nonexistent/liblimen.so.1")
        self.assertRegex(said, r"\Alimen\.errors\.LibraryError: liblimen cannot be loaded: "
                               r"/nonexistent/liblimen\.so\.1: .*LIMEN_LIBRARY")
        self.assertTrue(issubclass(limen.LibraryError, ImportError))

    def test_other_library(self):
        """another library: the function it lacks is named"""
        with tempfile.TemporaryDirectory() as work:
            said = self.complain(self.make_library(work, "int nothing;"))
        self.assertRegex(said, "LibraryError: .*/other.so has no limen_version")

    def check_abi(self, major, minor, good):
        code = ('const char *limen_version(unsigned *a, unsigned *b)'
                '{ *a = %d; *b = %d; return "7.8.9"; }\n' % (major, minor))
        code += "".join("void %s(void) {}\n" % name for name in _library.FUNCTIONS
                        if name != "limen_version")
        with tempfile.TemporaryDirectory() as work:
            library = self.make_library(work, code)
            code = "import limen; print(limen.LIBRARY_VERSION)"
            run = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                                 env=dict(os.environ, LIMEN_LIBRARY=library))
        if good:
            self.assertEqual("7.8.9\n", run.stdout, run.stderr)
        else:
            self.assertRegex(run.stderr, r"LibraryError: .*liblimen 7.8.9 with ABI %d.%d; "
                                         r"this package needs ABI 1.0" % (major, minor))

    def test_abi(self):
        """an older ABI and another major number are refused, a newer minor is not"""
        for major, minor, good in ((0, 9, False), (1, 0, True), (1, 1, True), (2, 0, False)):
            with self.subTest(abi=(major, minor)):
                self.check_abi(major, minor, good)


if __name__ == "__main__":
    kit.main()
