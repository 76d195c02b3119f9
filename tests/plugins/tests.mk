# Tests of modules through the real engine.  A test needs two lines; its source
# is the same name with .c.  It may include "suite.h", "plugin.h" (tables of
# cases for one module) and <limen/testkit.h>:
#
#	plugin_tests += tests/plugins/limit/test_rate
#	tests_plugins_limit_test_rate_LDADD = $(plugin_ldadd)
