# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/hint.la
plugins_identifier_hint_la_SOURCES = plugins/identifier/hint/hint.c plugins/support/hint_names.h
plugins_identifier_hint_la_LIBADD = liblimen.la
plugins_identifier_hint_la_LDFLAGS = $(MODULE_LDFLAGS)
