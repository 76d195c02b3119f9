# SPDX-License-Identifier: Apache-2.0
# The transport of limend and its life, with endpoints of their own.
test_helpers += tests/daemon/limend-lab
tests_daemon_limend_lab_SOURCES = tests/daemon/lab.c
tests_daemon_limend_lab_CPPFLAGS = $(program_cppflags) $(GNUTLS_CFLAGS) $(limend_iquote)
tests_daemon_limend_lab_LDADD = liblimend.la libprogram.la $(program_libs)
script_tests += tests/daemon/bad_input.sh
script_tests += tests/daemon/gate.sh
script_tests += tests/daemon/gateways.sh
script_tests += tests/daemon/whole_requests.sh
script_tests += tests/daemon/tls.sh
script_tests += tests/daemon/life.sh
script_tests += tests/daemon/crowded.sh
script_tests += tests/daemon/judged.sh
script_tests += tests/daemon/reload.sh
script_tests += tests/daemon/fetched.sh
script_tests += tests/daemon/url_file.sh
script_tests += tests/daemon/refreshed.sh
script_tests += tests/daemon/top.sh
script_tests += tests/daemon/tried_again.sh
script_tests += tests/daemon/all_endpoints.sh
script_tests += tests/daemon/console.sh
script_tests += tests/daemon/playground.sh
script_tests += tests/daemon/recent.sh
script_tests += tests/daemon/console_views.sh
script_tests += tests/daemon/pictures.sh
script_tests += tests/daemon/recorded.sh
script_tests += tests/daemon/recorded_events.sh
script_tests += tests/daemon/slow_log.sh
script_tests += tests/daemon/followed.sh
script_tests += tests/daemon/full_disk.sh
script_tests += tests/daemon/fresh_namespaces.sh
script_tests += tests/daemon/redis.sh
script_tests += tests/daemon/redis_hang_up.sh
script_tests += tests/daemon/fleet.sh
script_tests += tests/daemon/fleet_sentinel.sh
script_tests += tests/daemon/fleet_tls.sh
script_tests += tests/daemon/fleet_load.sh
script_tests += tests/daemon/fleet_cluster.sh
script_tests += tests/daemon/fleet_cluster_load.sh
script_tests += tests/daemon/out_of_memory.sh
script_tests += tests/daemon/no_threads.sh
# limend under the rules of its unit.
if WITH_SECCOMP
test_helpers += tests/daemon/confine
tests_daemon_confine_SOURCES = tests/daemon/confine.c
tests_daemon_confine_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
tests_daemon_confine_LDADD = $(SECCOMP_LIBS)
endif
script_tests += tests/daemon/confined.sh
script_tests += tests/daemon/short_messages.sh
script_tests += tests/daemon/killed.sh
script_tests += tests/daemon/state.sh
script_tests += tests/daemon/bad_modules.sh
script_tests += tests/daemon/hung.sh
script_tests += tests/daemon/busy_end.sh
check_LTLIBRARIES += tests/daemon/late_epoll.la
tests_daemon_late_epoll_la_SOURCES = tests/daemon/late_epoll.c
tests_daemon_late_epoll_la_LDFLAGS = -module -shared -avoid-version -rpath /nowhere
script_tests += tests/daemon/monitoring.sh tests/daemon/policy_review.sh
script_tests += tests/daemon/silent_names.sh
script_tests += tests/daemon/late_names.sh
script_tests += tests/daemon/starved.sh
script_tests += tests/daemon/start.sh
script_tests += tests/daemon/short_memory.sh
other_test_programs += tests/daemon/test_gate_allocations
tests_daemon_test_gate_allocations_SOURCES = tests/daemon/test_gate_allocations.c \
	tests/bench/allocations.c tests/bench/allocations.h
tests_daemon_test_gate_allocations_CPPFLAGS = $(observe_cppflags) $(GNUTLS_CFLAGS)
tests_daemon_test_gate_allocations_LDADD = liblimend.la libprogram.la $(engine_ldadd) \
	$(GLIB_LIBS) $(GNUTLS_LIBS) -lpthread
# Memory is short in all of the process.
other_test_programs += tests/daemon/test_transport_memory
tests_daemon_test_transport_memory_SOURCES = tests/daemon/test_transport_memory.c \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_daemon_test_transport_memory_CPPFLAGS = $(observe_cppflags) $(GNUTLS_CFLAGS)
tests_daemon_test_transport_memory_LDADD = liblimend.la libprogram.la $(engine_ldadd) \
	$(GLIB_LIBS) $(GNUTLS_LIBS) -lpthread
