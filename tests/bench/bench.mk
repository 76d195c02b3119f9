# Programs that measure.  Neither "make" nor "make check" builds or runs them:
#
#	make tests/bench/bench_quantity && tests/bench/bench_quantity

EXTRA_PROGRAMS = tests/bench/bench_memory tests/bench/bench_quantity tests/bench/bench_redis \
	tests/bench/bench_review
CLEANFILES += $(EXTRA_PROGRAMS)

tests_bench_bench_memory_LDADD = plugins/store/memory/libmemory.la liblimen.la
tests_bench_bench_quantity_LDADD = liblimen.la
tests_bench_bench_redis_LDADD = liblimen.la
tests_bench_bench_review_CPPFLAGS = $(program_cppflags) \
	-DREVIEWS='"$(abs_top_srcdir)/tests/bench/reviews"'
tests_bench_bench_review_LDADD = libprogram.la $(program_libs)
EXTRA_DIST += tests/bench/reviews/pod-large.json tests/bench/reviews/pod-small.json
