# Programs that measure.  Neither "make" nor "make check" builds or runs them:
#
#	make tests/bench/bench_quantity && tests/bench/bench_quantity

EXTRA_PROGRAMS = tests/bench/bench_memory tests/bench/bench_quantity tests/bench/bench_redis
CLEANFILES += $(EXTRA_PROGRAMS)

tests_bench_bench_memory_LDADD = plugins/store/memory/libmemory.la liblimen.la
tests_bench_bench_quantity_LDADD = liblimen.la
tests_bench_bench_redis_LDADD = liblimen.la
