#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""junit.py FILE - fails unless FILE is JUnit XML as Jenkins, GitLab and GitHub's actions read it:
elements and attributes of the schema alone, and counts that are true."""
import sys
import xml.etree.ElementTree

COUNTS = {"tests", "failures", "errors", "skipped"}
# Element: required attributes, optional ones, children.
SCHEMA = {
    "testsuites": (set(), COUNTS | {"name", "time", "disabled"}, {"testsuite"}),
    "testsuite": ({"name", "tests"}, COUNTS | {"time", "timestamp", "hostname", "id", "package"},
                  {"properties", "testcase", "system-out", "system-err"}),
    "testcase": ({"name", "classname"}, {"time", "file", "line", "assertions", "status"},
                 {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
    "skipped": (set(), {"message", "type"}, set()),
}


def check(element):
    required, optional, children = SCHEMA[element.tag]
    names = set(element.attrib)
    assert required <= names <= required | optional, (element.tag, names)
    for child in element:
        assert child.tag in children, (element.tag, child.tag)
        check(child)
    cases = list(element.iter("testcase"))
    for name in COUNTS & names:
        tag = {"failures": "failure", "errors": "error", "skipped": "skipped"}.get(name)
        true = len(cases) if tag is None else sum(case.find(tag) is not None for case in cases)
        assert int(element.get(name)) == true, (element.tag, name, element.get(name), true)


root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites", root.tag
check(root)
