# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/jq.la
plugins_identifier_jq_la_SOURCES = plugins/identifier/jq/jq.c
plugins_identifier_jq_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_identifier_jq_la_LIBADD = liblimen.la $(jq_support)
plugins_identifier_jq_la_LDFLAGS = $(MODULE_LDFLAGS)
