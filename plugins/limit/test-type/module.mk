# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/test-type.la
plugins_limit_test_type_la_SOURCES = plugins/limit/test-type/test-type.c
plugins_limit_test_type_la_LIBADD = liblimen.la
plugins_limit_test_type_la_LDFLAGS = $(MODULE_LDFLAGS)
