# SPDX-License-Identifier: Apache-2.0
# Programs that measure.  "make check" only sees whether they run;
#
#	make bench                  all of them, with reports in bench/results
#	make bench BENCH='review'   those whose names hold this
#	make bench-all              all of this, with plots and the page of figures
#	make bench-compare          the rows that have a peer
#	make bench-peers GO=TREE    EventRateLimit and LimitRanger beside Kubernetes' own code
#	make bench-http             limend beside other servers, over HTTP
#	make bench-instructions     instructions of the hot paths, counted by callgrind, beside
#	                            those of instructions.txt; RECORD=1 writes that file
#	make bench-fleet            2 to 64 limends that share counts in Redis
#	make bench-outage           decisions while the name server is silent
#	make bench-plots            what grows with what, as plots in docs/performance
#	make bench-figures          the reports as docs/performance/figures.md
#
# docs/performance tells what they say.

check_LTLIBRARIES += libbench.la
libbench_la_SOURCES = tests/bench/harness.c tests/bench/harness.h tests/bench/report.c \
	tests/bench/report.h tests/bench/subject.c tests/bench/subject.h
libbench_la_CPPFLAGS = $(program_cppflags) -DBENCH_DIR='"$(abs_top_srcdir)/tests/bench"'
libbench_la_LIBADD = libprogram.la
libbench_la_LDFLAGS =

bench_programs = tests/bench/bench_review tests/bench/bench_quantity tests/bench/bench_decide \
	tests/bench/bench_ranger tests/bench/bench_events tests/bench/bench_memory \
	tests/bench/bench_cidr tests/bench/bench_load tests/bench/bench_redis \
	tests/bench/bench_growth tests/bench/bench_dns
test_helpers += $(bench_programs)
script_tests += tests/bench/smoke.sh

# The program's own malloc() has to be part of the program.
count_sources = tests/bench/allocations.c tests/bench/allocations.h
bench_cppflags = $(program_cppflags)
bench_ldadd = libbench.la $(program_libs) -lpthread

tests_bench_bench_review_SOURCES = tests/bench/bench_review.c $(count_sources)
tests_bench_bench_review_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_review_LDADD = $(bench_ldadd)
tests_bench_bench_quantity_SOURCES = tests/bench/bench_quantity.c $(count_sources)
tests_bench_bench_quantity_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_quantity_LDADD = $(bench_ldadd)
tests_bench_bench_decide_SOURCES = tests/bench/bench_decide.c $(count_sources)
tests_bench_bench_decide_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_decide_LDADD = $(bench_ldadd)
tests_bench_bench_ranger_SOURCES = tests/bench/bench_ranger.c $(count_sources)
tests_bench_bench_ranger_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_ranger_LDADD = $(bench_ldadd)
tests_bench_bench_events_SOURCES = tests/bench/bench_events.c $(count_sources)
tests_bench_bench_events_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_events_LDADD = $(bench_ldadd)
tests_bench_bench_memory_SOURCES = tests/bench/bench_memory.c $(count_sources)
tests_bench_bench_memory_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_memory_LDADD = plugins/support/bucket/libbucket.la $(bench_ldadd)
tests_bench_bench_cidr_SOURCES = tests/bench/bench_cidr.c $(count_sources)
tests_bench_bench_cidr_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_cidr_LDADD = $(bench_ldadd)
tests_bench_bench_load_SOURCES = tests/bench/bench_load.c $(count_sources)
tests_bench_bench_load_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_load_LDADD = $(bench_ldadd)
tests_bench_bench_growth_SOURCES = tests/bench/bench_growth.c $(count_sources)
tests_bench_bench_growth_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_growth_LDADD = plugins/support/bucket/libbucket.la $(bench_ldadd)
tests_bench_bench_dns_SOURCES = tests/bench/bench_dns.c tests/kit/fake_dns.c \
	tests/kit/fake_dns.h $(count_sources)
tests_bench_bench_dns_CPPFLAGS = $(bench_cppflags) -iquote $(top_srcdir)/tests/kit \
	$(CUNIT_CFLAGS) $(CARES_CFLAGS)
tests_bench_bench_dns_LDADD = $(bench_ldadd) $(CARES_LIBS)
tests_bench_bench_redis_SOURCES = tests/bench/bench_redis.c $(count_sources)
tests_bench_bench_redis_CPPFLAGS = $(bench_cppflags)
tests_bench_bench_redis_LDADD = $(bench_ldadd)

# What make bench-http starts beside limend.
test_helpers += tests/bench/http_floor
tests_bench_http_floor_SOURCES = tests/bench/http_floor.c
tests_bench_http_floor_CPPFLAGS = $(bench_cppflags) $(MHD_CFLAGS)
tests_bench_http_floor_LDADD = $(GLIB_LIBS) $(MHD_LIBS)

BENCH =
bench: all $(bench_programs)
	@$(test_environment) $(SHELL) $(srcdir)/tests/bench/run.sh $(BENCH)

# http.py says which other servers are not installed.
bench-compare: all $(bench_programs) tests/bench/http_floor
	@$(test_environment) $(SHELL) $(srcdir)/tests/bench/run.sh review quantity dns redis
	@$(test_environment) python3 $(srcdir)/tests/bench/http.py bench/results/http.json

# GO is a source tree of Kubernetes.
bench-peers: all $(bench_programs)
	@$(test_environment) python3 $(srcdir)/tests/bench/peers.py $(GO)

# One after the other, whatever -j says: they would slow each other.
bench-all: all $(bench_programs) tests/bench/http_floor
	$(MAKE) bench BENCH=
	$(MAKE) bench-http
	$(MAKE) bench-plots
	$(MAKE) bench-figures

bench-http: all tests/bench/http_floor
	@$(MKDIR_P) bench/results
	@$(test_environment) python3 $(srcdir)/tests/bench/http.py bench/results/http.json

bench-outage: all
	@$(test_environment) LIMEN_LIBRARY='$(abs_top_builddir)/.libs/liblimen.so.1' \
		PYTHONPATH='$(abs_top_srcdir)/bindings/python' \
		python3 $(srcdir)/tests/bench/dns_outage.py "$$LIMEND"

bench-fleet: all
	@$(test_environment) LIMEN_LIBRARY='$(abs_top_builddir)/.libs/liblimen.so.1' \
		PYTHONPATH='$(abs_top_srcdir)/bindings/python' \
		python3 $(srcdir)/tests/bench/fleet.py

bench-instructions: all $(bench_programs)
	@$(MKDIR_P) bench/results
	@$(test_environment) BENCH_FLAGS='$(CFLAGS) $(LTO_CFLAGS)' \
		python3 $(srcdir)/tests/bench/instructions.py $(if $(RECORD),--record) \
		bench/results/instructions.json $(BENCH)

bench-plots: all $(bench_programs)
	@$(test_environment) $(SHELL) $(srcdir)/tests/bench/run.sh growth
	@$(MKDIR_P) $(srcdir)/docs/performance
	@python3 $(srcdir)/tests/bench/plots.py bench/results/growth.json $(srcdir)/docs/performance

# Of the reports that are there.
bench-figures:
	python3 $(srcdir)/tests/bench/figures.py bench/results > $(srcdir)/docs/performance/figures.md

.PHONY: bench bench-all bench-compare bench-peers bench-http bench-instructions \
	bench-fleet bench-outage bench-plots bench-figures
