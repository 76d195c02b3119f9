# All but the descriptor stands in a library of its own, for tests from the inside.
noinst_LTLIBRARIES += plugins/store/memory/libmemory.la
plugins_store_memory_libmemory_la_SOURCES = \
	plugins/store/memory/bucket.c plugins/store/memory/bucket.h \
	plugins/store/memory/key_hash.c plugins/store/memory/key_hash.h \
	plugins/store/memory/list.c plugins/store/memory/list.h \
	plugins/store/memory/level.c plugins/store/memory/level.h \
	plugins/store/memory/pages.c plugins/store/memory/pages.h \
	plugins/store/memory/shard.c plugins/store/memory/shard.h \
	plugins/store/memory/table.c plugins/store/memory/table.h \
	plugins/store/memory/take.c plugins/store/memory/take.h \
	plugins/store/memory/wide.h

store_LTLIBRARIES += plugins/store/memory.la
plugins_store_memory_la_SOURCES = plugins/store/memory/memory.c
plugins_store_memory_la_LIBADD = plugins/store/memory/libmemory.la liblimen.la
plugins_store_memory_la_LDFLAGS = $(MODULE_LDFLAGS)
