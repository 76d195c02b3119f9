# SPDX-License-Identifier: Apache-2.0
store_LTLIBRARIES += plugins/store/memory.la
plugins_store_memory_la_SOURCES = plugins/store/memory/memory.c
plugins_store_memory_la_LIBADD = plugins/support/bucket/libbucket.la liblimen.la
plugins_store_memory_la_LDFLAGS = $(MODULE_LDFLAGS)
