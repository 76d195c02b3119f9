# SPDX-License-Identifier: Apache-2.0
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
check_LTLIBRARIES += tests/modules/identifier/stubborn.la
tests_modules_identifier_stubborn_la_SOURCES = tests/modules/identifier/stubborn.c
tests_modules_identifier_stubborn_la_LIBADD = liblimen.la
tests_modules_identifier_stubborn_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/identifier/await.la
tests_modules_identifier_await_la_SOURCES = tests/modules/identifier/await.c \
	tests/modules/lookup.c tests/modules/lookup.h
tests_modules_identifier_await_la_LIBADD = liblimen.la
tests_modules_identifier_await_la_LDFLAGS = $(test_module_ldflags)

check_LTLIBRARIES += tests/modules/admission/await.la
tests_modules_admission_await_la_SOURCES = tests/modules/admission/await.c \
	tests/modules/lookup.c tests/modules/lookup.h
tests_modules_admission_await_la_LIBADD = liblimen.la
tests_modules_admission_await_la_LDFLAGS = $(test_module_ldflags)

check_LTLIBRARIES += tests/modules/identifier/recall.la
tests_modules_identifier_recall_la_SOURCES = tests/modules/identifier/recall.c
tests_modules_identifier_recall_la_LIBADD = liblimen.la
tests_modules_identifier_recall_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/limit/from-file.la
tests_modules_limit_from_file_la_SOURCES = tests/modules/limit/from-file.c
tests_modules_limit_from_file_la_LIBADD = liblimen.la
tests_modules_limit_from_file_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/limit/take.la
tests_modules_limit_take_la_SOURCES = tests/modules/limit/take.c
tests_modules_limit_take_la_LIBADD = liblimen.la
tests_modules_limit_take_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/store/fake.la
tests_modules_store_fake_la_SOURCES = tests/modules/store/fake.c tests/modules/store/fake.h
tests_modules_store_fake_la_LIBADD = liblimen.la
tests_modules_store_fake_la_LDFLAGS = $(test_module_ldflags)

# Admission plugins for the cases, and two that stand for those that take
# manifests; see "modules" in docs/testing.md.
check_LTLIBRARIES += tests/modules/admission/chain.la
tests_modules_admission_chain_la_SOURCES = tests/modules/admission/chain.c
tests_modules_admission_chain_la_LIBADD = liblimen.la
tests_modules_admission_chain_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/admission/bucket.la
tests_modules_admission_bucket_la_SOURCES = tests/modules/admission/bucket.c
tests_modules_admission_bucket_la_LIBADD = liblimen.la
tests_modules_admission_bucket_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/manifests/admission/LimitRanger.la
tests_modules_manifests_admission_LimitRanger_la_SOURCES = \
	tests/modules/manifests/admission/LimitRanger.c tests/modules/manifests/echo.h
tests_modules_manifests_admission_LimitRanger_la_LIBADD = liblimen.la
tests_modules_manifests_admission_LimitRanger_la_LDFLAGS = $(test_module_ldflags)
check_LTLIBRARIES += tests/modules/manifests/admission/EventRateLimit.la
tests_modules_manifests_admission_EventRateLimit_la_SOURCES = \
	tests/modules/manifests/admission/EventRateLimit.c tests/modules/manifests/echo.h
tests_modules_manifests_admission_EventRateLimit_la_LIBADD = liblimen.la
tests_modules_manifests_admission_EventRateLimit_la_LDFLAGS = $(test_module_ldflags)
