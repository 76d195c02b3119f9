# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/test.la
plugins_limit_test_la_SOURCES = \
	plugins/limit/test/boolean.c \
	plugins/limit/test/bound.c \
	plugins/limit/test/cidr.c \
	plugins/limit/test/decimal.c \
	plugins/limit/test/hosts.c \
	plugins/limit/test/keys.c \
	plugins/limit/test/list.c \
	plugins/limit/test/missed.c \
	plugins/limit/test/parameter.c plugins/limit/test/parameter.h \
	plugins/limit/test/range.c plugins/limit/test/range.h \
	plugins/limit/test/string.c \
	plugins/limit/test/test.c \
	plugins/support/network.h \
	plugins/support/unknown_key.c plugins/support/unknown_key.h
plugins_limit_test_la_LIBADD = $(dns_ldadd) liblimen.la
plugins_limit_test_la_LDFLAGS = $(MODULE_LDFLAGS)
