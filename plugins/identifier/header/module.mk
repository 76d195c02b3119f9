# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/header.la
plugins_identifier_header_la_SOURCES = plugins/identifier/header/header.c
plugins_identifier_header_la_LIBADD = liblimen.la
plugins_identifier_header_la_LDFLAGS = $(MODULE_LDFLAGS)
