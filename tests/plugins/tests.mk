# Tests of modules through the real engine.  A test needs two lines; its source
# is the same name with .c.  It may include "suite.h", "plugin.h" (tables of
# cases for one module) and <limen/testkit.h>:
#
#	plugin_tests += tests/plugins/limit/test_rate
#	tests_plugins_limit_test_rate_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_EventRateLimit_example
tests_plugins_admission_test_EventRateLimit_example_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_EventRateLimit_hostile
tests_plugins_admission_test_EventRateLimit_hostile_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_EventRateLimit_memory
tests_plugins_admission_test_EventRateLimit_memory_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_EventRateLimit_redis
tests_plugins_admission_test_EventRateLimit_redis_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_annotations
tests_plugins_admission_test_LimitRanger_annotations_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_cluster
tests_plugins_admission_test_LimitRanger_cluster_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_collapse
tests_plugins_admission_test_LimitRanger_collapse_SOURCES = \
	tests/plugins/admission/test_LimitRanger_collapse.c $(cluster_object_sources) \
	$(fail_malloc_sources)
tests_plugins_admission_test_LimitRanger_collapse_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DCLUSTER_OBJECTS_MAX=12 -DCLUSTER_BYTES_MAX=4000 -DCLUSTER_OBJECT_BYTES_MAX=500
tests_plugins_admission_test_LimitRanger_collapse_LDFLAGS = $(fail_malloc_ldflags) \
	-Wl,--wrap=reallocarray
# Sanitizers' linkers see the libraries' own calls as wrapped ones.
tests_plugins_admission_test_LimitRanger_collapse_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_plugins_admission_test_LimitRanger_collapse_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_conflicts
tests_plugins_admission_test_LimitRanger_conflicts_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_defaults
tests_plugins_admission_test_LimitRanger_defaults_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_explained
tests_plugins_admission_test_LimitRanger_explained_SOURCES = \
	tests/plugins/admission/test_LimitRanger_explained.c \
	tests/kit/short_memory.c tests/kit/short_memory.h
tests_plugins_admission_test_LimitRanger_explained_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_files
tests_plugins_admission_test_LimitRanger_files_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_hostile
tests_plugins_admission_test_LimitRanger_hostile_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_many
tests_plugins_admission_test_LimitRanger_many_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_items
tests_plugins_admission_test_LimitRanger_items_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_known
tests_plugins_admission_test_LimitRanger_known_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_manifests
tests_plugins_admission_test_LimitRanger_manifests_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_messages
tests_plugins_admission_test_LimitRanger_messages_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_objects
tests_plugins_admission_test_LimitRanger_objects_SOURCES = \
	tests/plugins/admission/test_LimitRanger_objects.c $(cluster_object_sources)
tests_plugins_admission_test_LimitRanger_objects_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_ranges
tests_plugins_admission_test_LimitRanger_ranges_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_scope
tests_plugins_admission_test_LimitRanger_scope_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_shares
tests_plugins_admission_test_LimitRanger_shares_SOURCES = \
	tests/plugins/admission/test_LimitRanger_shares.c $(cluster_object_sources) \
	$(fail_malloc_sources)
tests_plugins_admission_test_LimitRanger_shares_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DCLUSTER_BYTES_MAX=4000 -DCLUSTER_OBJECT_BYTES_MAX=500
tests_plugins_admission_test_LimitRanger_shares_LDFLAGS = $(fail_malloc_ldflags) \
	-Wl,--wrap=reallocarray
# Sanitizers' linkers see the libraries' own calls as wrapped ones.
tests_plugins_admission_test_LimitRanger_shares_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_plugins_admission_test_LimitRanger_shares_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_totals
tests_plugins_admission_test_LimitRanger_totals_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_always
tests_plugins_identifier_test_always_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_hint
tests_plugins_identifier_test_hint_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_cidr_list
tests_plugins_identifier_test_ip_cidr_list_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_cymru_asn
tests_plugins_identifier_test_ip_cymru_asn_SOURCES = \
	tests/plugins/identifier/test_ip_cymru_asn.c tests/plugins/identifier/dns_case.h \
	plugins/identifier/ip-cymru-asn/asn_list.c
tests_plugins_identifier_test_ip_cymru_asn_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_identifier_test_ip_cymru_asn_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_cymru_bogon
tests_plugins_identifier_test_ip_cymru_bogon_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_dns_identifiers
tests_plugins_identifier_test_dns_identifiers_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_reverse_dns
tests_plugins_identifier_test_ip_reverse_dns_LDADD = $(plugin_ldadd)
list_url_cppflags = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/identifier/ip-cidr-list-url
plugin_tests += tests/plugins/identifier/test_ip_cidr_list_url
tests_plugins_identifier_test_ip_cidr_list_url_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_cidr_list_url_cache
tests_plugins_identifier_test_ip_cidr_list_url_cache_SOURCES = \
	tests/plugins/identifier/test_ip_cidr_list_url_cache.c \
	$(fail_malloc_sources) $(fail_io_sources) \
	plugins/identifier/ip-cidr-list-url/list_cache.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c \
	plugins/identifier/ip-cidr-list-url/network_list.c
tests_plugins_identifier_test_ip_cidr_list_url_cache_CPPFLAGS = $(list_url_cppflags)
tests_plugins_identifier_test_ip_cidr_list_url_cache_LDFLAGS = $(fail_malloc_ldflags) \
	$(fail_io_wraps)
tests_plugins_identifier_test_ip_cidr_list_url_cache_LDADD = $(LDADD)
plugin_tests += tests/plugins/identifier/test_ip_cidr_list_url_text
tests_plugins_identifier_test_ip_cidr_list_url_text_SOURCES = \
	tests/plugins/identifier/test_ip_cidr_list_url_text.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c
tests_plugins_identifier_test_ip_cidr_list_url_text_CPPFLAGS = $(list_url_cppflags)
tests_plugins_identifier_test_ip_cidr_list_url_text_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_ip_cidr_list_url_update
tests_plugins_identifier_test_ip_cidr_list_url_update_LDADD = $(web_ldadd)
plugin_tests += tests/plugins/identifier/test_jq
tests_plugins_identifier_test_jq_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_local_subnet
tests_plugins_identifier_test_local_subnet_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/identifier/test_localif
tests_plugins_identifier_test_localif_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_jq
tests_plugins_limit_test_jq_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(SECCOMP_CFLAGS)
tests_plugins_limit_test_jq_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_pass_fail
tests_plugins_limit_test_pass_fail_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_rate
tests_plugins_limit_test_rate_LDADD = plugins/limit/rate/librate.la $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_run_daterange
tests_plugins_limit_test_run_daterange_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_run_schedule
tests_plugins_limit_test_run_schedule_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_run_schedule_notes
tests_plugins_limit_test_run_schedule_notes_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_run_schedule_random
tests_plugins_limit_test_run_schedule_random_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_test_type
tests_plugins_limit_test_test_type_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_test_names
tests_plugins_limit_test_test_names_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_test
tests_plugins_limit_test_test_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_url_fetch
tests_plugins_limit_test_url_fetch_LDADD = $(web_ldadd)
plugin_tests += tests/plugins/limit/test_url_fetch_hosts
tests_plugins_limit_test_url_fetch_hosts_LDADD = $(web_ldadd)
plugin_tests += tests/plugins/limit/test_url_fetch_load
tests_plugins_limit_test_url_fetch_load_LDADD = $(web_ldadd)
plugin_tests += tests/plugins/limit/test_url_fetch_options
tests_plugins_limit_test_url_fetch_options_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_url_fetch_parts
tests_plugins_limit_test_url_fetch_parts_SOURCES = tests/plugins/limit/test_url_fetch_parts.c \
	plugins/limit/url-fetch/buffer.c plugins/limit/url-fetch/fields.c $(http_sources) \
	$(fail_malloc_sources)
tests_plugins_limit_test_url_fetch_parts_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	$(JQ_CFLAGS) $(CURL_CFLAGS)
# Thread sanitizer's linker sees the libraries' own calls as wrapped ones.
tests_plugins_limit_test_url_fetch_parts_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_plugins_limit_test_url_fetch_parts_LDADD = $(engine_ldadd) $(jq_support) $(JQ_LIBS) \
	$(CURL_LIBS) -lpthread
tests_plugins_limit_test_url_fetch_parts_LDFLAGS = $(fail_malloc_ldflags)
plugin_tests += tests/plugins/support/test_http
tests_plugins_support_test_http_SOURCES = tests/plugins/support/test_http.c $(http_sources)
tests_plugins_support_test_http_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/support/http
tests_plugins_support_test_http_LDADD = $(web_ldadd) $(CURL_LIBS)
plugin_tests += tests/plugins/support/test_http_allowed
tests_plugins_support_test_http_allowed_SOURCES = tests/plugins/support/test_http_allowed.c \
	$(http_sources)
tests_plugins_support_test_http_allowed_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/plugins/support/http
tests_plugins_support_test_http_allowed_LDADD = $(web_ldadd) $(CURL_LIBS)
plugin_tests += tests/plugins/prioritizer/test_jq
tests_plugins_prioritizer_test_jq_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/rewriter/test_jq
tests_plugins_rewriter_test_jq_LDADD = $(plugin_ldadd) -lpthread
plugin_tests += tests/plugins/support/test_jq_iso8601
tests_plugins_support_test_jq_iso8601_LDADD = libjqtest.la $(plugin_ldadd) $(jq_support) -lm
plugin_tests += tests/plugins/support/test_jq_si
tests_plugins_support_test_jq_si_LDADD = libjqtest.la $(plugin_ldadd) $(jq_support) -lm
plugin_tests += tests/plugins/support/test_dns
tests_plugins_support_test_dns_LDADD = $(dns_ldadd) $(plugin_ldadd)
plugin_tests += tests/plugins/support/test_dns_parts
tests_plugins_support_test_dns_parts_SOURCES = tests/plugins/support/test_dns_parts.c \
	tests/kit/fake_dns.c tests/kit/fake_dns.h $(dns_sources) $(fail_malloc_sources)
tests_plugins_support_test_dns_parts_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CARES_CFLAGS)
tests_plugins_support_test_dns_parts_LDFLAGS = $(fail_malloc_ldflags)
tests_plugins_support_test_dns_parts_LDADD = $(LDADD) $(CARES_LIBS)
plugin_tests += tests/plugins/support/test_dns_key
tests_plugins_support_test_dns_key_SOURCES = tests/plugins/support/test_dns_key.c \
	plugins/support/dns/key.c
plugin_tests += tests/plugins/support/test_kube
tests_plugins_support_test_kube_SOURCES = tests/plugins/support/test_kube.c $(kube_sources)
tests_plugins_support_test_kube_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS)
tests_plugins_support_test_kube_LDADD = $(plugin_ldadd) $(CURL_LIBS) -lpthread
plugin_tests += tests/plugins/support/test_kube_memory
tests_plugins_support_test_kube_memory_SOURCES = tests/plugins/support/test_kube_memory.c \
	tests/kit/short_memory.c tests/kit/short_memory.h $(kube_sources)
tests_plugins_support_test_kube_memory_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(CURL_CFLAGS)
tests_plugins_support_test_kube_memory_LDADD = $(plugin_ldadd) $(CURL_LIBS) -lpthread
plugin_tests += tests/plugins/support/test_local_addresses
tests_plugins_support_test_local_addresses_LDADD = $(plugin_ldadd)
# The clock of the process can be set.
set_clock_sources = tests/kit/set_clock.c tests/kit/set_clock.h
plugin_tests += tests/plugins/admission/test_LimitRanger_patterns
tests_plugins_admission_test_LimitRanger_patterns_SOURCES = \
	tests/plugins/admission/test_LimitRanger_patterns.c $(set_clock_sources)
tests_plugins_admission_test_LimitRanger_patterns_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/admission/test_LimitRanger_work
tests_plugins_admission_test_LimitRanger_work_SOURCES = \
	tests/plugins/admission/test_LimitRanger_work.c $(set_clock_sources)
tests_plugins_admission_test_LimitRanger_work_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/limit/test_run_clock
tests_plugins_limit_test_run_clock_SOURCES = tests/plugins/limit/test_run_clock.c \
	$(set_clock_sources)
tests_plugins_limit_test_run_clock_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/store/test_memory_clock
tests_plugins_store_test_memory_clock_SOURCES = tests/plugins/store/test_memory_clock.c \
	$(set_clock_sources)
tests_plugins_store_test_memory_clock_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/store/test_memory_level
tests_plugins_store_test_memory_level_LDADD = plugins/support/bucket/libbucket.la $(plugin_ldadd)
plugin_tests += tests/plugins/store/test_memory_list
tests_plugins_store_test_memory_list_LDADD = $(plugin_ldadd) -lpthread
plugin_tests += tests/plugins/store/test_memory_take
tests_plugins_store_test_memory_take_LDADD = plugins/support/bucket/libbucket.la $(plugin_ldadd)
plugin_tests += tests/plugins/store/test_memory_threads
tests_plugins_store_test_memory_threads_LDADD = plugins/support/bucket/libbucket.la $(plugin_ldadd)
redis_liar = tests/plugins/store/redis_liar.c tests/plugins/store/redis_liar.h
plugin_tests += tests/plugins/store/test_redis_endless
tests_plugins_store_test_redis_endless_SOURCES = tests/plugins/store/test_redis_endless.c \
	$(redis_liar)
tests_plugins_store_test_redis_endless_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_store_test_redis_endless_LDADD = $(plugin_ldadd) -lpthread
plugin_tests += tests/plugins/store/test_redis_hostile
tests_plugins_store_test_redis_hostile_SOURCES = tests/plugins/store/test_redis_hostile.c \
	$(redis_liar) tests/kit/short_memory.c tests/kit/short_memory.h
tests_plugins_store_test_redis_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_store_test_redis_hostile_LDADD = $(plugin_ldadd) -lpthread
plugin_tests += tests/plugins/store/test_redis_leases
tests_plugins_store_test_redis_leases_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(HIREDIS_CFLAGS)
tests_plugins_store_test_redis_leases_LDADD = plugins/store/redis/libredis.la $(plugin_ldadd) \
	$(HIREDIS_LIBS) -lpthread
plugin_tests += tests/plugins/store/test_redis_script
tests_plugins_store_test_redis_script_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(HIREDIS_CFLAGS)
tests_plugins_store_test_redis_script_LDADD = plugins/store/redis/libredis.la $(plugin_ldadd) \
	$(HIREDIS_LIBS) -lpthread
plugin_tests += tests/plugins/store/test_redis_shared
tests_plugins_store_test_redis_shared_SOURCES = tests/plugins/store/test_redis_shared.c \
	tests/plugins/store/redis_party.c tests/plugins/store/redis_party.h
tests_plugins_store_test_redis_shared_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags)
tests_plugins_store_test_redis_shared_LDADD = $(plugin_ldadd)
plugin_tests += tests/plugins/store/test_redis_wire
tests_plugins_store_test_redis_wire_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) $(HIREDIS_CFLAGS)
tests_plugins_store_test_redis_wire_LDADD = plugins/store/redis/libredis.la $(plugin_ldadd) \
	$(HIREDIS_LIBS) -lpthread
plugin_tests += tests/plugins/support/test_swap
tests_plugins_support_test_swap_SOURCES = tests/plugins/support/test_swap.c plugins/support/swap.c
tests_plugins_support_test_swap_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-iquote $(top_srcdir)/plugins/support
tests_plugins_support_test_swap_LDADD = $(plugin_ldadd) -lpthread

# The test of the kit brings a rewriter and a prioritizer of its own.
plugin_tests += tests/plugins/kit/test_testkit
tests_plugins_kit_test_testkit_LDADD = liblimen-testkit.la $(engine_ldadd)
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
plugin_tests += tests/plugins/support/test_jq_parts
tests_plugins_support_test_jq_parts_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_regex
tests_plugins_support_test_jq_regex_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_run
tests_plugins_support_test_jq_run_LDADD = $(jq_rows_ldadd)
plugin_tests += tests/plugins/support/test_jq_threads
tests_plugins_support_test_jq_threads_LDADD = $(jq_rows_ldadd)

# The same tests once more, with each script in a process of its own.
check_LTLIBRARIES += libjqrowsprocess.la
libjqrowsprocess_la_SOURCES = $(libjqrows_la_SOURCES)
libjqrowsprocess_la_CPPFLAGS = $(libjqrows_la_CPPFLAGS) -DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
libjqrowsprocess_la_LDFLAGS =
jq_process_ldadd = libjqrowsprocess.la $(jq_support) $(plugin_ldadd) -lpthread -lm
tests_plugins_support_test_jq_hostile_process_SOURCES = tests/plugins/support/test_jq_hostile.c
tests_plugins_support_test_jq_hostile_process_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
tests_plugins_support_test_jq_hostile_process_LDADD = $(jq_process_ldadd)
tests_plugins_support_test_jq_parts_process_SOURCES = tests/plugins/support/test_jq_parts.c
tests_plugins_support_test_jq_parts_process_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
tests_plugins_support_test_jq_parts_process_LDADD = $(jq_process_ldadd)
tests_plugins_support_test_jq_regex_process_SOURCES = tests/plugins/support/test_jq_regex.c
tests_plugins_support_test_jq_regex_process_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
tests_plugins_support_test_jq_regex_process_LDADD = $(jq_process_ldadd)
tests_plugins_support_test_jq_run_process_SOURCES = tests/plugins/support/test_jq_run.c
tests_plugins_support_test_jq_run_process_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
tests_plugins_support_test_jq_run_process_LDADD = $(jq_process_ldadd)
tests_plugins_support_test_jq_threads_process_SOURCES = tests/plugins/support/test_jq_threads.c
tests_plugins_support_test_jq_threads_process_CPPFLAGS = $(AM_CPPFLAGS) $(test_cppflags) \
	-DJQ_ROWS_SANDBOX=JQ_SANDBOX_PROCESS
tests_plugins_support_test_jq_threads_process_LDADD = $(jq_process_ldadd)
tests_plugins_support_test_jq_sandbox_LDADD = $(jq_process_ldadd)
# The parts that the library does not show.
tests_plugins_support_test_jq_jail_LDADD = libjqall.la $(LDADD) $(JQ_LIBS) $(SECCOMP_LIBS) \
	-lpthread -lm
if WITH_SECCOMP
sandbox_tests = \
	tests/plugins/support/test_jq_hostile_process \
	tests/plugins/support/test_jq_parts_process \
	tests/plugins/support/test_jq_regex_process \
	tests/plugins/support/test_jq_run_process \
	tests/plugins/support/test_jq_threads_process \
	tests/plugins/support/test_jq_sandbox \
	tests/plugins/support/test_jq_jail
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
