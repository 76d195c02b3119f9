# SPDX-License-Identifier: Apache-2.0
# Fuzzers.  In "make check" they are tests: seeds and some mutations of them.  "make
# fuzz" builds them once more with clang and libFuzzer (docs/testing.md).
#
# A fuzzer is tests/fuzz/fuzz_NAME.c, seeds in tests/fuzz/seeds/NAME, words in
# tests/fuzz/dict/NAME.dict, and its name here.
fuzz_programs = tests/fuzz/fuzz_batch tests/fuzz/fuzz_bucket tests/fuzz/fuzz_cache \
	tests/fuzz/fuzz_cidr tests/fuzz/fuzz_dns tests/fuzz/fuzz_fetch \
	tests/fuzz/fuzz_head tests/fuzz/fuzz_http tests/fuzz/fuzz_json tests/fuzz/fuzz_kube tests/fuzz/fuzz_list \
	tests/fuzz/fuzz_match tests/fuzz/fuzz_patch tests/fuzz/fuzz_policy tests/fuzz/fuzz_quantity \
	tests/fuzz/fuzz_redis tests/fuzz/fuzz_replay tests/fuzz/fuzz_review tests/fuzz/fuzz_si \
	tests/fuzz/fuzz_task tests/fuzz/fuzz_tests tests/fuzz/fuzz_time tests/fuzz/fuzz_wire \
	tests/fuzz/fuzz_yaml
other_test_programs += $(fuzz_programs)

# libFuzzer has a main() of its own.
EXTRA_DIST += tests/fuzz/mutate.c tests/fuzz/drive.c tests/fuzz/run.sh tests/fuzz/afl.sh
if FUZZERS
fuzz_drive = tests/fuzz/fuzz.h
else
fuzz_drive = tests/fuzz/fuzz.h tests/fuzz/drive.c tests/fuzz/mutate.c tests/fuzz/mutate.h
endif
fuzz_cppflags = $(program_cppflags) $(test_cppflags) $(core_cppflags) $(core_iquote)
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZER_LDFLAGS)
fuzz_engine_sources = tests/fuzz/fuzz_engine.c tests/fuzz/fuzz_engine.h
fuzz_engine_ldadd = liblimen.la $(JANSSON_LIBS)

tests_fuzz_fuzz_batch_SOURCES = tests/fuzz/fuzz_batch.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_batch_CPPFLAGS = $(fuzz_cppflags) $(limen_iquote)
tests_fuzz_fuzz_batch_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_batch_LDADD = liblimencommand.la $(fuzz_engine_ldadd) $(GLIB_LIBS) -lpthread
tests_fuzz_fuzz_bucket_SOURCES = tests/fuzz/fuzz_bucket.c $(fuzz_drive)
tests_fuzz_fuzz_bucket_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_bucket_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_bucket_LDADD = plugins/support/bucket/libbucket.la liblimen.la $(GMP_LIBS)
tests_fuzz_fuzz_cache_SOURCES = tests/fuzz/fuzz_cache.c \
	plugins/identifier/ip-cidr-list-url/list_cache.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c \
	plugins/identifier/ip-cidr-list-url/network_list.c plugins/support/buffer.c \
	$(fuzz_drive)
tests_fuzz_fuzz_cache_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_cache_LDFLAGS = $(fuzz_ldflags) -Wl,--wrap=fsync
tests_fuzz_fuzz_cache_LDADD = libcore.la
tests_fuzz_fuzz_cidr_SOURCES = tests/fuzz/fuzz_cidr.c $(fuzz_drive)
tests_fuzz_fuzz_cidr_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_cidr_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_cidr_LDADD = libcore.la
tests_fuzz_fuzz_dns_SOURCES = tests/fuzz/fuzz_dns.c $(dns_sources) $(fuzz_drive)
tests_fuzz_fuzz_dns_CPPFLAGS = $(fuzz_cppflags) $(CARES_CFLAGS)
tests_fuzz_fuzz_dns_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_dns_LDADD = libcore.la $(CARES_LIBS)
tests_fuzz_fuzz_fetch_SOURCES = tests/fuzz/fuzz_fetch.c tests/fuzz/fake_curl.c \
	tests/fuzz/fake_curl.h plugins/limit/url-fetch/answer.c \
	plugins/limit/url-fetch/fields.c \
	plugins/limit/url-fetch/web_request.c $(http_sources) $(fuzz_drive)
tests_fuzz_fuzz_fetch_CPPFLAGS = $(fuzz_cppflags) $(CURL_CFLAGS) $(JQ_CFLAGS)
tests_fuzz_fuzz_fetch_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_fetch_LDADD = libjqall.la libcore.la $(JQ_LIBS) $(SECCOMP_LIBS) $(CURL_LIBS) \
	$(JANSSON_LIBS) -lpthread -lm
tests_fuzz_fuzz_head_SOURCES = tests/fuzz/fuzz_head.c $(fuzz_drive)
tests_fuzz_fuzz_head_CPPFLAGS = $(fuzz_cppflags) $(MHD_CFLAGS) $(GNUTLS_CFLAGS) \
	$(limend_iquote)
tests_fuzz_fuzz_head_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_head_LDADD = liblimend.la liblimen.la $(JANSSON_LIBS) $(GLIB_LIBS) -lpthread
tests_fuzz_fuzz_http_SOURCES = tests/fuzz/fuzz_http.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_http_CPPFLAGS = $(fuzz_cppflags) $(limend_iquote)
tests_fuzz_fuzz_http_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_LDADD = liblimend.la $(fuzz_engine_ldadd) $(GLIB_LIBS) -lpthread
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c $(fuzz_drive)
tests_fuzz_fuzz_json_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_json_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_json_LDADD = libcore.la $(JANSSON_LIBS)
tests_fuzz_fuzz_kube_SOURCES = tests/fuzz/fuzz_kube.c tests/fuzz/fuzz_kube.h tests/fuzz/kube_known.c \
	tests/fuzz/fake_curl.c tests/fuzz/fake_curl.h $(kube_sources) $(http_error_sources) \
	$(cluster_object_sources) $(fuzz_drive)
tests_fuzz_fuzz_kube_CPPFLAGS = $(fuzz_cppflags) $(CURL_CFLAGS) \
	-DCLUSTER_BYTES_MAX=600 -DCLUSTER_SPACE_BYTES_MAX=300
tests_fuzz_fuzz_kube_LDFLAGS = $(fuzz_ldflags) -Wl,--wrap=limen_host_monotonic -Wl,--wrap=poll \
	-Wl,--wrap=getrandom
tests_fuzz_fuzz_kube_LDADD = libcore.la $(CURL_LIBS) -lpthread
tests_fuzz_fuzz_list_SOURCES = tests/fuzz/fuzz_list.c \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c $(fuzz_drive)
tests_fuzz_fuzz_list_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_list_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_list_LDADD = libcore.la
tests_fuzz_fuzz_match_SOURCES = tests/fuzz/fuzz_match.c $(fuzz_drive)
tests_fuzz_fuzz_match_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_match_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_match_LDADD = libcore.la
tests_fuzz_fuzz_patch_SOURCES = tests/fuzz/fuzz_patch.c $(fuzz_drive)
tests_fuzz_fuzz_patch_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_patch_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_patch_LDADD = libcore.la $(JANSSON_LIBS)
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_policy_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_policy_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_policy_LDADD = $(fuzz_engine_ldadd)
tests_fuzz_fuzz_quantity_SOURCES = tests/fuzz/fuzz_quantity.c $(fuzz_drive)
tests_fuzz_fuzz_quantity_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_quantity_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_quantity_LDADD = libcore.la $(GMP_LIBS)
tests_fuzz_fuzz_redis_SOURCES = tests/fuzz/fuzz_redis.c $(fuzz_drive)
tests_fuzz_fuzz_redis_CPPFLAGS = $(fuzz_cppflags) $(HIREDIS_CFLAGS)
tests_fuzz_fuzz_redis_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_redis_LDADD = plugins/store/redis/libredis.la liblimen.la $(HIREDIS_LIBS) -lpthread
tests_fuzz_fuzz_replay_SOURCES = tests/fuzz/fuzz_replay.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_replay_CPPFLAGS = $(fuzz_cppflags) $(limen_iquote)
tests_fuzz_fuzz_replay_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_replay_LDADD = liblimencommand.la $(fuzz_engine_ldadd) $(GLIB_LIBS) -lpthread
tests_fuzz_fuzz_review_SOURCES = tests/fuzz/fuzz_review.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_review_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_review_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_review_LDADD = libprogram.la $(fuzz_engine_ldadd) $(GLIB_LIBS)
tests_fuzz_fuzz_si_SOURCES = tests/fuzz/fuzz_si.c $(fuzz_drive)
tests_fuzz_fuzz_si_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_si_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_si_LDADD = libcore.la $(GMP_LIBS)
tests_fuzz_fuzz_task_SOURCES = tests/fuzz/fuzz_task.c $(fuzz_engine_sources) $(fuzz_drive)
tests_fuzz_fuzz_task_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_task_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_task_LDADD = $(fuzz_engine_ldadd)
tests_fuzz_fuzz_tests_SOURCES = tests/fuzz/fuzz_tests.c $(fuzz_drive)
tests_fuzz_fuzz_tests_CPPFLAGS = $(fuzz_cppflags) $(limen_iquote)
tests_fuzz_fuzz_tests_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_tests_LDADD = liblimencommand.la $(fuzz_engine_ldadd) $(GLIB_LIBS) -lpthread
tests_fuzz_fuzz_time_SOURCES = tests/fuzz/fuzz_time.c $(fuzz_drive)
tests_fuzz_fuzz_time_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_time_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_time_LDADD = libcore.la $(GMP_LIBS)
tests_fuzz_fuzz_wire_SOURCES = tests/fuzz/fuzz_wire.c $(fuzz_drive)
tests_fuzz_fuzz_wire_CPPFLAGS = $(fuzz_cppflags) $(JQ_CFLAGS)
tests_fuzz_fuzz_wire_LDFLAGS = $(fuzz_ldflags) -Wl,--wrap=template_join \
	-Wl,--wrap=template_leave -Wl,--wrap=template_take -Wl,--wrap=template_put \
	-Wl,--wrap=worker_ask
tests_fuzz_fuzz_wire_LDADD = libjqall.la libcore.la $(JQ_LIBS) $(SECCOMP_LIBS) -lpthread -lm
tests_fuzz_fuzz_yaml_SOURCES = tests/fuzz/fuzz_yaml.c $(fuzz_drive)
tests_fuzz_fuzz_yaml_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_yaml_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_yaml_LDADD = libcore.la

FUZZ_SECONDS = 60
FUZZ_KEEP =
# FUZZERS='json si': these only.
FUZZERS = $(fuzz_programs:tests/fuzz/fuzz_%=%)
chosen_fuzzers = $(FUZZERS:%=tests/fuzz/fuzz_%)

# In a tree that was configured with --enable-fuzzers.
EXTRA_DIST += tests/fuzz/whole_requests.py
fuzz-run: all tests/daemon/limend-lab
	@$(MAKE) $(AM_MAKEFLAGS) $(chosen_fuzzers)
	@$(test_environment) FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_KEEP='$(FUZZ_KEEP)'; \
		export FUZZ_SECONDS FUZZ_KEEP; \
		$(SHELL) $(srcdir)/tests/fuzz/run.sh $(chosen_fuzzers) && \
		python3 $(srcdir)/tests/fuzz/whole_requests.py

fuzz:
	@$(MKDIR_P) build-fuzz
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=build-fuzz/source
	@chmod -R u+w build-fuzz/source
	cd build-fuzz && { test -f config.status || source/configure CC=clang --enable-fuzzers; }
	cd build-fuzz && $(MAKE) $(AM_MAKEFLAGS) fuzz-run FUZZ_SECONDS='$(FUZZ_SECONDS)' \
		FUZZERS='$(FUZZERS)' FUZZ_KEEP='$(FUZZ_KEEP)'

# Resumes the corpora of the tree, tests/fuzz/corpus, and writes them again, minimised.
fuzz-all:
	@$(MKDIR_P) $(srcdir)/tests/fuzz/corpus
	$(MAKE) $(AM_MAKEFLAGS) fuzz FUZZ_KEEP='$(abs_top_srcdir)/tests/fuzz/corpus'

# With AFL++.

# In a tree that was configured with CC=afl-clang-fast.
fuzz-afl-run: all
	@$(MAKE) $(AM_MAKEFLAGS) $(chosen_fuzzers)
	@$(test_environment) FUZZ_SECONDS='$(FUZZ_SECONDS)'; export FUZZ_SECONDS; \
		$(SHELL) $(srcdir)/tests/fuzz/afl.sh $(chosen_fuzzers)

fuzz-afl:
	@cd $(srcdir) && PACKAGES='$(PACKAGES)' build-aux/install-packages --fuzz
	@$(MKDIR_P) build-afl
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=build-afl/source
	@chmod -R u+w build-afl/source
	cd build-afl && { test -f config.status || \
		AFL_QUIET=1 source/configure CC=afl-clang-fast --disable-lto; }
	cd build-afl && AFL_QUIET=1 $(MAKE) $(AM_MAKEFLAGS) fuzz-afl-run \
		FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZERS='$(FUZZERS)'

.PHONY: fuzz fuzz-all fuzz-run fuzz-afl fuzz-afl-run
