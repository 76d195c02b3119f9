# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/jq.la
plugins_limit_jq_la_SOURCES = plugins/limit/jq/jq.c
plugins_limit_jq_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_limit_jq_la_LIBADD = liblimen.la $(jq_support)
plugins_limit_jq_la_LDFLAGS = $(MODULE_LDFLAGS)
