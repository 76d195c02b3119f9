# SPDX-License-Identifier: Apache-2.0
prioritizer_LTLIBRARIES += plugins/prioritizer/jq.la
plugins_prioritizer_jq_la_SOURCES = plugins/prioritizer/jq/jq.c \
	plugins/support/private_data.c plugins/support/private_data.h
plugins_prioritizer_jq_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_prioritizer_jq_la_LIBADD = liblimen.la $(jq_support)
plugins_prioritizer_jq_la_LDFLAGS = $(MODULE_LDFLAGS)
