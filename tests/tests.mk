# SPDX-License-Identifier: Apache-2.0
# All other tests.  Scripts write TAP to standard output and find their way
# through the variables of 'test_environment' in Makefile.am:
#
#	script_tests += tests/cli/check.sh
#
# A suite in C is a line in the list of its folder (plugins/tests.mk, daemon/observe.mk,
# cli/tests.mk).  A program of its own needs two:
#
#	other_test_programs += tests/http/test_answers
#	tests_http_test_answers_LDADD = $(engine_ldadd)
#
# A program that a script needs but that is no test itself is added to
# 'test_helpers' instead.

script_tests += tests/meta/suite.sh
script_tests += tests/meta/facts.sh
script_tests += tests/meta/failures.sh
script_tests += tests/meta/metrics.sh
script_tests += tests/meta/needs.sh
script_tests += tests/meta/notice.sh
script_tests += tests/meta/pages.sh
script_tests += tests/meta/places.sh
test_helpers += tests/meta/failing_suites
tests_meta_failing_suites_SOURCES = tests/meta/crashing_suite.c tests/meta/failing_suite.c
tests_meta_failing_suites_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_meta_failing_suites_LDADD = $(engine_ldadd)

# Cases that are data only: docs/testing.md.
include $(top_srcdir)/tests/modules/modules.mk
other_test_programs += tests/cases/run_cases
tests_cases_run_cases_SOURCES = tests/cases/run_cases.c tests/cases/case.h \
	tests/cases/case_compare.c tests/cases/case_policy.c tests/cases/case_step.c
tests_cases_run_cases_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(SECCOMP_CFLAGS)
tests_cases_run_cases_LDADD = $(engine_ldadd)

include $(top_srcdir)/tests/daemon/observe.mk
include $(top_srcdir)/tests/bench/bench.mk
include $(top_srcdir)/tests/daemon/transport.mk
include $(top_srcdir)/tests/fuzz/fuzz.mk

# Senders of events that are refused; neither is linked with liblimen.
other_test_programs += tests/client/test_event_client
tests_client_test_event_client_LDADD = libsuite.la
test_helpers += tests/client/send-events
tests_client_send_events_SOURCES = docs/examples/events/send-events.c
tests_client_send_events_LDADD =
script_tests += tests/client/python.sh

include $(top_srcdir)/tests/python/python.mk

include $(top_srcdir)/tests/cli/tests.mk
# The blocks of the pages; those of Python are with the package.
script_tests += tests/docs/commands1.sh tests/docs/commands2.sh tests/docs/commands3.sh tests/docs/policies.sh tests/docs/sources.sh

# Interfaces for other builds: headers, ABI, the guides' examples.
script_tests += tests/headers/headers.sh
script_tests += tests/abi/exports.sh tests/abi/modules.sh tests/abi/new_module.sh tests/abi/misuse.sh \
	tests/abi/newer.sh tests/abi/abidiff.sh
script_tests += tests/embed/programs.sh tests/upgrade/upgrade.sh
# It installs, and libtool moves modules away while it links them once more: before the tests,
# which need them.
script_tests += tests/out-of-tree.sh
check-am: install-for-tests
install-for-tests: all-am
	@rm -rf installed/root
	@case '$(TESTS)' in *tests/out-of-tree.sh*) \
		$(MAKE) $(AM_MAKEFLAGS) install DESTDIR='$(abs_top_builddir)/installed/root' \
			> /dev/null 2>&1 || rm -rf installed/root ;; \
	esac
.PHONY: install-for-tests
test_helpers += tests/abi/find_module
tests_abi_find_module_LDADD = $(engine_ldadd)
other_test_programs += tests/abi/test_layout
tests_abi_test_layout_LDADD = $(engine_ldadd)
EXTRA_DIST += tests/abi/exports tests/abi/newer.patch tests/abi/dump/liblimen.abi tests/abi/dump/descriptors.abi
# The rule of make for scripts would make it of exports.sh, where that is newer.
tests/abi/exports: ;
