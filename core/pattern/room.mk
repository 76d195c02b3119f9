# SPDX-License-Identifier: Apache-2.0
# core/pattern: StringMatch, regular expressions as Python spells them, globs.
core_sources += core/pattern/glob.c
core_sources += core/pattern/python_escape.c
core_sources += core/pattern/python_group.c
core_sources += core/pattern/python_pattern.c core/pattern/python_pattern.h
core_sources += core/pattern/string_match.c
core_sources += core/pattern/python_scan.h
