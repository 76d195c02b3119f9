# SPDX-License-Identifier: Apache-2.0
# The daemon from within, a suite a file, all in one program (tests/kit/suite.h): how it counts and
# logs, and its endpoints, which are functions that tests call without a server.  A new file is
# one more line; nothing else lists it.  One suite:
#
#	make check TESTS=tests/daemon/test_log
#
# What the program's own objects ask of files may fail (tests/kit/fail_io.h), and what the daemon
# would record of a decision may go to the test instead (tests/daemon/recorder.h).
observe_cppflags = $(program_cppflags) $(test_cppflags) $(limend_iquote)
observe_ldadd = liblimend.la libprogram.la $(engine_ldadd) $(GLIB_LIBS) -lpthread
observed_sources = tests/daemon/observed.c tests/daemon/observed.h
daemon_suites =
daemon_suites += tests/daemon/test_admission.c
daemon_suites += tests/daemon/test_admission_load.c
daemon_suites += tests/daemon/test_batch.c
daemon_suites += tests/daemon/test_certificate.c
daemon_suites += tests/daemon/test_clients.c
daemon_suites += tests/daemon/test_decide.c
daemon_suites += tests/daemon/test_decide_load.c
daemon_suites += tests/daemon/test_decision_log.c
daemon_suites += tests/daemon/test_gate.c
daemon_suites += tests/daemon/test_kept_back.c
daemon_suites += tests/daemon/test_log.c
daemon_suites += tests/daemon/test_memory.c
daemon_suites += tests/daemon/test_metrics.c
daemon_suites += tests/daemon/test_passed.c
daemon_suites += tests/daemon/test_policy_log.c
daemon_suites += tests/daemon/test_remaining.c
daemon_suites += tests/daemon/test_review_answer.c
daemon_suites += tests/daemon/test_short_answer.c
other_suites += $(daemon_suites)
other_programs += tests/daemon/run
tests_daemon_run_SOURCES = $(daemon_suites) $(observed_sources) $(fail_io_sources) \
	$(set_clock_sources) \
	tests/daemon/ask_kit.c tests/daemon/ask_kit.h \
	tests/daemon/prometheus.c tests/daemon/prometheus.h \
	tests/daemon/recorder.c tests/daemon/recorder.h \
	tests/daemon/webhook_case.c tests/daemon/webhook_case.h
tests_daemon_run_CPPFLAGS = $(observe_cppflags) $(GNUTLS_CFLAGS)
tests_daemon_run_LDFLAGS = $(AM_LDFLAGS) $(fail_io_wraps) -Wl,--wrap=metrics_count_decision
tests_daemon_run_LDADD = liblimend.la libprogram.la $(plugin_ldadd) $(GLIB_LIBS) $(GNUTLS_LIBS)
# Memory is short in all of the process.
other_test_programs += tests/daemon/test_short_memory
tests_daemon_test_short_memory_SOURCES = tests/daemon/test_short_memory.c $(observed_sources) \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_daemon_test_short_memory_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_short_memory_LDADD = $(observe_ldadd)
