# SPDX-License-Identifier: Apache-2.0
# Tests of modules through the real engine: a folder a kind, a suite a file, a program a folder
# (tests/kit/suite.h).  A new file is one more line; nothing else lists it:
#
#	limit_suites += tests/plugins/limit/test_rate.c
#
# It may include "suite.h", "plugin.h" (tables of cases for one module) and <limen/testkit.h>.
# One suite:
#
#	make check TESTS=tests/plugins/limit/test_rate
#	make tests/plugins/limit/run && tests/plugins/limit/run test_rate
#
# A test that must be built in another way (sources with another limit, all of a process short of
# memory) is a program of its own, which is named in plugin_tests and has the name of its file.
plugin_suites =
plugin_programs =

admission_suites =
admission_suites += tests/plugins/admission/test_EventRateLimit_example.c
admission_suites += tests/plugins/admission/test_EventRateLimit_hostile.c
admission_suites += tests/plugins/admission/test_EventRateLimit_redis.c
admission_suites += tests/plugins/admission/test_LimitRanger_annotations.c
admission_suites += tests/plugins/admission/test_LimitRanger_cluster.c
admission_suites += tests/plugins/admission/test_LimitRanger_conflicts.c
admission_suites += tests/plugins/admission/test_LimitRanger_defaults.c
admission_suites += tests/plugins/admission/test_LimitRanger_files.c
admission_suites += tests/plugins/admission/test_LimitRanger_hostile.c
admission_suites += tests/plugins/admission/test_LimitRanger_items.c
admission_suites += tests/plugins/admission/test_LimitRanger_known.c
admission_suites += tests/plugins/admission/test_LimitRanger_lists.c
admission_suites += tests/plugins/admission/test_LimitRanger_manifests.c
admission_suites += tests/plugins/admission/test_LimitRanger_many.c
admission_suites += tests/plugins/admission/test_LimitRanger_messages.c
admission_suites += tests/plugins/admission/test_LimitRanger_patterns.c
admission_suites += tests/plugins/admission/test_LimitRanger_ranges.c
admission_suites += tests/plugins/admission/test_LimitRanger_scope.c
admission_suites += tests/plugins/admission/test_LimitRanger_totals.c
admission_suites += tests/plugins/admission/test_LimitRanger_work.c
plugin_suites += $(admission_suites)
plugin_programs += tests/plugins/admission/run
tests_plugins_admission_run_SOURCES = $(admission_suites) $(set_clock_sources)
tests_plugins_admission_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_admission_run_LDADD = $(plugin_ldadd)

identifier_suites =
identifier_suites += tests/plugins/identifier/test_always.c
identifier_suites += tests/plugins/identifier/test_dns_identifiers.c
identifier_suites += tests/plugins/identifier/test_hint.c
identifier_suites += tests/plugins/identifier/test_ip_cidr_list.c
identifier_suites += tests/plugins/identifier/test_ip_cidr_list_url.c
identifier_suites += tests/plugins/identifier/test_ip_cidr_list_url_text.c
identifier_suites += tests/plugins/identifier/test_ip_cidr_list_url_update.c
identifier_suites += tests/plugins/identifier/test_ip_cymru_asn.c
identifier_suites += tests/plugins/identifier/test_ip_cymru_bogon.c
identifier_suites += tests/plugins/identifier/test_ip_reverse_dns.c
identifier_suites += tests/plugins/identifier/test_jq.c
identifier_suites += tests/plugins/identifier/test_local_subnet.c
identifier_suites += tests/plugins/identifier/test_localif.c
plugin_suites += $(identifier_suites)
plugin_programs += tests/plugins/identifier/run
tests_plugins_identifier_run_SOURCES = $(identifier_suites) tests/plugins/identifier/dns_case.h \
	plugins/identifier/ip-cymru-asn/asn_list.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c
tests_plugins_identifier_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/identifier/ip-cidr-list-url
tests_plugins_identifier_run_LDADD = $(plugin_ldadd)

kit_suites =
kit_suites += tests/plugins/kit/test_testkit.c
plugin_suites += $(kit_suites)
plugin_programs += tests/plugins/kit/run
tests_plugins_kit_run_SOURCES = $(kit_suites)
tests_plugins_kit_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_kit_run_LDADD = $(plugin_ldadd)

limit_suites =
limit_suites += tests/plugins/limit/test_jq.c
limit_suites += tests/plugins/limit/test_pass_fail.c
limit_suites += tests/plugins/limit/test_rate.c
limit_suites += tests/plugins/limit/test_run_clock.c
limit_suites += tests/plugins/limit/test_run_daterange.c
limit_suites += tests/plugins/limit/test_run_schedule.c
limit_suites += tests/plugins/limit/test_run_schedule_notes.c
limit_suites += tests/plugins/limit/test_run_schedule_random.c
limit_suites += tests/plugins/limit/test_test.c
limit_suites += tests/plugins/limit/test_test_names.c
limit_suites += tests/plugins/limit/test_test_type.c
limit_suites += tests/plugins/limit/test_url_fetch.c
limit_suites += tests/plugins/limit/test_url_fetch_hosts.c
limit_suites += tests/plugins/limit/test_url_fetch_load.c
limit_suites += tests/plugins/limit/test_url_fetch_options.c
plugin_suites += $(limit_suites)
plugin_programs += tests/plugins/limit/run
tests_plugins_limit_run_SOURCES = $(limit_suites) $(set_clock_sources)
tests_plugins_limit_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(SECCOMP_CFLAGS)
tests_plugins_limit_run_LDADD = plugins/limit/rate/librate.la $(plugin_ldadd)

prioritizer_suites =
prioritizer_suites += tests/plugins/prioritizer/test_jq.c
plugin_suites += $(prioritizer_suites)
plugin_programs += tests/plugins/prioritizer/run
tests_plugins_prioritizer_run_SOURCES = $(prioritizer_suites)
tests_plugins_prioritizer_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_prioritizer_run_LDADD = $(plugin_ldadd)

rewriter_suites =
rewriter_suites += tests/plugins/rewriter/test_jq.c
plugin_suites += $(rewriter_suites)
plugin_programs += tests/plugins/rewriter/run
tests_plugins_rewriter_run_SOURCES = $(rewriter_suites)
tests_plugins_rewriter_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_rewriter_run_LDADD = $(plugin_ldadd)

store_suites =
store_suites += tests/plugins/store/test_memory_clock.c
store_suites += tests/plugins/store/test_memory_eviction.c
store_suites += tests/plugins/store/test_memory_level.c
store_suites += tests/plugins/store/test_memory_list.c
store_suites += tests/plugins/store/test_memory_take.c
store_suites += tests/plugins/store/test_memory_windows.c
store_suites += tests/plugins/store/test_memory_threads.c
store_suites += tests/plugins/store/test_redis_endless.c
store_suites += tests/plugins/store/test_redis_full.c
store_suites += tests/plugins/store/test_redis_keys.c
store_suites += tests/plugins/store/test_redis_leases.c
store_suites += tests/plugins/store/test_redis_reason.c
store_suites += tests/plugins/store/test_redis_script.c
store_suites += tests/plugins/store/test_redis_shared.c
store_suites += tests/plugins/store/test_redis_wire.c
plugin_suites += $(store_suites)
plugin_programs += tests/plugins/store/run
tests_plugins_store_run_SOURCES = $(store_suites) $(redis_liar) \
	tests/plugins/store/redis_party.c tests/plugins/store/redis_party.h $(set_clock_sources)
tests_plugins_store_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(HIREDIS_CFLAGS)
tests_plugins_store_run_LDADD = plugins/store/redis/libredis.la $(plugin_ldadd) $(HIREDIS_LIBS)

support_suites =
support_suites += tests/plugins/support/test_dns.c
support_suites += tests/plugins/support/test_http.c
support_suites += tests/plugins/support/test_http_allowed.c
support_suites += tests/plugins/support/test_jq_iso8601.c
support_suites += tests/plugins/support/test_jq_si.c
support_suites += tests/plugins/support/test_kube.c
support_suites += tests/plugins/support/test_local_addresses.c
support_suites += tests/plugins/support/test_swap.c
plugin_suites += $(support_suites)
plugin_programs += tests/plugins/support/run
tests_plugins_support_run_SOURCES = $(support_suites) $(http_sources) $(kube_sources) \
	plugins/support/swap.c
tests_plugins_support_run_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/support/http -iquote $(top_srcdir)/plugins/support
tests_plugins_support_run_LDADD = libjqtest.la $(dns_ldadd) $(plugin_ldadd) $(jq_support) \
	$(CURL_LIBS) -lm

# Programs of their own.
plugin_tests += tests/plugins/admission/test_EventRateLimit_memory
tests_plugins_admission_test_EventRateLimit_memory_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_explained
tests_plugins_admission_test_LimitRanger_explained_SOURCES = \
	tests/plugins/admission/test_LimitRanger_explained.c \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_plugins_admission_test_LimitRanger_explained_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_objects
tests_plugins_admission_test_LimitRanger_objects_SOURCES = \
	tests/plugins/admission/test_LimitRanger_objects.c $(cluster_object_sources)
tests_plugins_admission_test_LimitRanger_objects_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DCLUSTER_BYTES_MAX=4000 -DCLUSTER_SPACE_BYTES_MAX=1000
tests_plugins_admission_test_LimitRanger_objects_LDADD = $(plugin_ldadd)
list_url_cppflags = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/identifier/ip-cidr-list-url
plugin_tests += tests/plugins/identifier/test_ip_cidr_list_url_cache
tests_plugins_identifier_test_ip_cidr_list_url_cache_SOURCES = \
	tests/plugins/identifier/test_ip_cidr_list_url_cache.c \
	$(fail_malloc_sources) $(fail_io_sources) \
	plugins/identifier/ip-cidr-list-url/list_cache.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c \
	plugins/identifier/ip-cidr-list-url/network_list.c plugins/support/buffer.c
tests_plugins_identifier_test_ip_cidr_list_url_cache_CPPFLAGS = $(list_url_cppflags)
tests_plugins_identifier_test_ip_cidr_list_url_cache_LDFLAGS = $(fail_malloc_ldflags) \
	$(fail_io_wraps)
tests_plugins_identifier_test_ip_cidr_list_url_cache_LDADD = $(LDADD)
plugin_tests += tests/plugins/limit/test_url_fetch_parts
tests_plugins_limit_test_url_fetch_parts_SOURCES = tests/plugins/limit/test_url_fetch_parts.c \
	plugins/limit/url-fetch/fields.c $(http_sources) \
	$(fail_malloc_sources)
tests_plugins_limit_test_url_fetch_parts_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	$(JQ_CFLAGS) $(CURL_CFLAGS)
# Thread sanitizer's linker sees the libraries' own calls as wrapped ones.
tests_plugins_limit_test_url_fetch_parts_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_plugins_limit_test_url_fetch_parts_LDADD = $(engine_ldadd) $(jq_support) $(JQ_LIBS) \
	$(CURL_LIBS) -lpthread
tests_plugins_limit_test_url_fetch_parts_LDFLAGS = $(fail_malloc_ldflags)
plugin_tests += tests/plugins/support/test_dns_parts
tests_plugins_support_test_dns_parts_SOURCES = tests/plugins/support/test_dns_parts.c \
	tests/kit/fake_dns.c tests/kit/fake_dns.h $(dns_sources) $(fail_malloc_sources)
tests_plugins_support_test_dns_parts_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CARES_CFLAGS)
tests_plugins_support_test_dns_parts_LDFLAGS = $(fail_malloc_ldflags)
tests_plugins_support_test_dns_parts_LDADD = $(LDADD) $(CARES_LIBS)
plugin_tests += tests/plugins/support/test_dns_key
tests_plugins_support_test_dns_key_SOURCES = tests/plugins/support/test_dns_key.c \
	plugins/support/bucket/key_hash.c plugins/support/dns/answer.c plugins/support/dns/cache.c
tests_plugins_support_test_dns_key_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
plugin_tests += tests/plugins/support/test_kube_memory
tests_plugins_support_test_kube_memory_SOURCES = tests/plugins/support/test_kube_memory.c \
	tests/kit/short_memory.c tests/kit/short_memory.h $(kube_sources) $(http_error_sources)
tests_plugins_support_test_kube_memory_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS)
tests_plugins_support_test_kube_memory_LDADD = $(plugin_ldadd) $(CURL_LIBS) -lpthread
# The clock of the process can be set.
set_clock_sources = tests/kit/set_clock.c tests/kit/set_clock.h
redis_liar = tests/plugins/store/redis_liar.c tests/plugins/store/redis_liar.h
plugin_tests += tests/plugins/store/test_redis_hostile
tests_plugins_store_test_redis_hostile_SOURCES = tests/plugins/store/test_redis_hostile.c \
	$(redis_liar) tests/kit/short_memory.c tests/kit/short_memory.h
tests_plugins_store_test_redis_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_store_test_redis_hostile_LDADD = $(plugin_ldadd) -lpthread

# Windows, by an oracle in Python.
script_tests += tests/plugins/store/windows.sh
test_helpers += tests/plugins/store/window_steps
tests_plugins_store_window_steps_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(HIREDIS_CFLAGS) \
	$(GLIB_CFLAGS)
tests_plugins_store_window_steps_LDADD = plugins/limit/rate/librate.la \
	plugins/store/redis/libredis.la liblimen.la $(HIREDIS_LIBS) $(GLIB_LIBS) -lpthread

check-windows: tests/plugins/store/window_steps
	@$(test_environment) python3 $(srcdir)/tests/plugins/store/windows.py 10000

# The test of the kit brings a rewriter and a prioritizer of its own.
check_LTLIBRARIES += tests/kit/modules/prioritizer/probe.la tests/kit/modules/rewriter/probe.la
tests_kit_modules_prioritizer_probe_la_SOURCES = tests/kit/modules/prioritizer/probe.c
tests_kit_modules_prioritizer_probe_la_LIBADD = liblimen.la
tests_kit_modules_prioritizer_probe_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
tests_kit_modules_rewriter_probe_la_SOURCES = tests/kit/modules/rewriter/probe.c
tests_kit_modules_rewriter_probe_la_LIBADD = liblimen.la
tests_kit_modules_rewriter_probe_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere

# Tests of the library that runs jq scripts.
check_LTLIBRARIES += libjqrows.la
libjqrows_la_SOURCES = tests/plugins/support/jq_rows.c tests/plugins/support/jq_rows.h
libjqrows_la_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(JQ_CFLAGS)
libjqrows_la_LDFLAGS =
jq_rows_ldadd = libjqrows.la $(jq_support) $(plugin_ldadd) -lpthread -lm
plugin_tests += tests/plugins/support/test_jq_hostile
tests_plugins_support_test_jq_hostile_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_library
tests_plugins_support_test_jq_library_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_run
tests_plugins_support_test_jq_run_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_threads
tests_plugins_support_test_jq_threads_LDADD = $(jq_rows_ldadd)

# These two know the parts of the library that it does not show.
tests_plugins_support_test_jq_sandbox_LDADD = libjqrows.la libjqall.la $(plugin_ldadd) $(JQ_LIBS) \
	$(SECCOMP_LIBS) -lpthread -lm
tests_plugins_support_test_jq_jail_LDADD = libjqall.la $(LDADD) $(JQ_LIBS) $(SECCOMP_LIBS) \
	-lpthread -lm
if WITH_SECCOMP
sandbox_tests = tests/plugins/support/test_jq_sandbox tests/plugins/support/test_jq_jail
else
sandbox_tests =
endif
plugin_tests += $(sandbox_tests)
plugin_tests += tests/plugins/test_everything
tests_plugins_test_everything_LDADD = $(plugin_ldadd)
# Memory is short in all of the process while policies are loaded.
plugin_tests += tests/plugins/test_short_memory
tests_plugins_test_short_memory_SOURCES = tests/plugins/test_short_memory.c \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_plugins_test_short_memory_LDADD = $(plugin_ldadd)
