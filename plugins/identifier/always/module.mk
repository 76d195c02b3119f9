# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/always.la
plugins_identifier_always_la_SOURCES = plugins/identifier/always/always.c
plugins_identifier_always_la_LIBADD = liblimen.la
plugins_identifier_always_la_LDFLAGS = $(MODULE_LDFLAGS)
