# Counting and logging in the daemon, and what operators see of it.
observe_cppflags = $(program_cppflags) $(test_cppflags) $(limend_iquote)
observe_ldadd = liblimend.la libprogram.la $(engine_ldadd) $(GLIB_LIBS) -lpthread
observed_sources = tests/daemon/observed.c tests/daemon/observed.h
other_test_programs += tests/daemon/test_metrics
tests_daemon_test_metrics_SOURCES = tests/daemon/test_metrics.c $(observed_sources) \
	tests/daemon/prometheus.c tests/daemon/prometheus.h
tests_daemon_test_metrics_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_metrics_LDADD = $(observe_ldadd)
other_test_programs += tests/daemon/test_log
tests_daemon_test_log_SOURCES = tests/daemon/test_log.c $(observed_sources) $(fail_io_sources)
tests_daemon_test_log_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_log_LDFLAGS = $(AM_LDFLAGS) $(fail_io_wraps)
tests_daemon_test_log_LDADD = $(observe_ldadd)
other_test_programs += tests/daemon/test_decision_log
tests_daemon_test_decision_log_SOURCES = tests/daemon/test_decision_log.c $(observed_sources) \
	$(fail_io_sources)
tests_daemon_test_decision_log_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_decision_log_LDFLAGS = $(AM_LDFLAGS) $(fail_io_wraps)
tests_daemon_test_decision_log_LDADD = $(observe_ldadd)
other_test_programs += tests/daemon/test_kept_back
tests_daemon_test_kept_back_SOURCES = tests/daemon/test_kept_back.c $(observed_sources)
tests_daemon_test_kept_back_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_kept_back_LDADD = $(observe_ldadd)
other_test_programs += tests/daemon/test_policy_log
tests_daemon_test_policy_log_SOURCES = tests/daemon/test_policy_log.c
tests_daemon_test_policy_log_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_policy_log_LDADD = $(observe_ldadd)
other_test_programs += tests/daemon/test_memory
tests_daemon_test_memory_SOURCES = tests/daemon/test_memory.c
tests_daemon_test_memory_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_memory_LDADD = $(observe_ldadd)
# Memory is short in all of the process.
other_test_programs += tests/daemon/test_short_memory
tests_daemon_test_short_memory_SOURCES = tests/daemon/test_short_memory.c $(observed_sources) \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_daemon_test_short_memory_CPPFLAGS = $(observe_cppflags)
tests_daemon_test_short_memory_LDADD = $(observe_ldadd)
