# SPDX-License-Identifier: Apache-2.0
# The Python package.  It needs the library, the modules, and those for cases.
script_tests += tests/python/cases.sh
script_tests += tests/python/docs.sh
script_tests += tests/python/engine.sh
script_tests += tests/python/hostile.sh
script_tests += tests/python/hints.sh
script_tests += tests/python/layout.sh
script_tests += tests/python/modules.sh
script_tests += tests/python/package.sh
script_tests += tests/python/processor.sh
script_tests += tests/python/threads.sh
script_tests += tests/python/versions.sh
EXTRA_DIST += tests/python/kit.py
