# SPDX-License-Identifier: Apache-2.0
# All but the descriptor stands in a library of its own, for tests from the inside.
noinst_LTLIBRARIES += plugins/store/redis/libredis.la
plugins_store_redis_libredis_la_SOURCES = \
	plugins/store/redis/lease.c \
	plugins/store/redis/list.c \
	plugins/store/redis/node.c \
	plugins/store/redis/call.c \
	plugins/store/redis/script.c \
	plugins/store/redis/settings.c plugins/store/redis/settings.h \
	plugins/store/redis/strict.c plugins/store/redis/modes.h \
	plugins/store/redis/tls.c \
	plugins/store/redis/wire.c plugins/store/redis/wire.h \
	plugins/store/redis/wire_open.c \
	plugins/support/buffer.c plugins/support/buffer.h
plugins_store_redis_libredis_la_CPPFLAGS = $(AM_CPPFLAGS) $(HIREDIS_CFLAGS) $(NETTLE_CFLAGS) \
	$(GNUTLS_CFLAGS)
plugins_store_redis_libredis_la_LIBADD = plugins/support/bucket/libbucket.la $(NETTLE_LIBS) \
	$(GNUTLS_LIBS)

store_LTLIBRARIES += plugins/store/redis.la
plugins_store_redis_la_SOURCES = plugins/store/redis/redis.c
plugins_store_redis_la_CPPFLAGS = $(AM_CPPFLAGS) $(HIREDIS_CFLAGS)
plugins_store_redis_la_LIBADD = plugins/store/redis/libredis.la liblimen.la $(HIREDIS_LIBS) \
	-lpthread
plugins_store_redis_la_LDFLAGS = $(MODULE_LDFLAGS)
