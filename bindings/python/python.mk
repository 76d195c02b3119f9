# SPDX-License-Identifier: Apache-2.0
# The Python package.  Nothing is compiled: Python does that where it is installed.
python_package = \
	bindings/python/limen/__init__.py \
	bindings/python/limen/_handle.py \
	bindings/python/limen/_library.py \
	bindings/python/limen/_problems.py \
	bindings/python/limen/_request.py \
	bindings/python/limen/decision.py \
	bindings/python/limen/engine.py \
	bindings/python/limen/errors.py \
	bindings/python/limen/events.py \
	bindings/python/limen/modules.py \
	bindings/python/limen/processor.py \
	bindings/python/limen/py.typed
if WITH_PYTHON
limenpythondir = $(pythondir)/limen
limenpython_DATA = $(python_package)
endif
EXTRA_DIST += $(python_package) bindings/python/pyproject.toml \
	bindings/python/README.md
