# Modules for the cases.  They are not installed; -rpath only makes libtool
# build them as modules.
test_module_ldflags = $(MODULE_LDFLAGS) -rpath /nowhere
verdict_sources = tests/modules/verdict.c tests/modules/verdict.h

check_LTLIBRARIES += tests/modules/identifier/verdict.la
tests_modules_identifier_verdict_la_SOURCES = tests/modules/identifier/verdict.c $(verdict_sources)
tests_modules_identifier_verdict_la_LIBADD = liblimen.la
tests_modules_identifier_verdict_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/limit/verdict.la
tests_modules_limit_verdict_la_SOURCES = tests/modules/limit/verdict.c $(verdict_sources)
tests_modules_limit_verdict_la_LIBADD = liblimen.la
tests_modules_limit_verdict_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/rewriter/edit.la
tests_modules_rewriter_edit_la_SOURCES = tests/modules/rewriter/edit.c
tests_modules_rewriter_edit_la_LIBADD = liblimen.la
tests_modules_rewriter_edit_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/prioritizer/fixed.la
tests_modules_prioritizer_fixed_la_SOURCES = tests/modules/prioritizer/fixed.c
tests_modules_prioritizer_fixed_la_LIBADD = liblimen.la
tests_modules_prioritizer_fixed_la_LDFLAGS = $(test_module_ldflags)

# Modules for tests of the core itself.
check_LTLIBRARIES += tests/modules/identifier/crowd.la
tests_modules_identifier_crowd_la_SOURCES = tests/modules/identifier/crowd.c
tests_modules_identifier_crowd_la_LIBADD = liblimen.la
tests_modules_identifier_crowd_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/limit/take.la
tests_modules_limit_take_la_SOURCES = tests/modules/limit/take.c
tests_modules_limit_take_la_LIBADD = liblimen.la
tests_modules_limit_take_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/store/fake.la
tests_modules_store_fake_la_SOURCES = tests/modules/store/fake.c tests/modules/store/fake.h
tests_modules_store_fake_la_LIBADD = liblimen.la
tests_modules_store_fake_la_LDFLAGS = $(test_module_ldflags)
