# Tests of the core, one program a file.  A test needs one line; its source is
# the same name with .c.  It may include the private headers ("arena.h") and
# "suite.h", and is linked with the core's objects and jansson.
core_tests += tests/core/test_result
