# SPDX-License-Identifier: Apache-2.0
rewriter_LTLIBRARIES += plugins/rewriter/jq.la
plugins_rewriter_jq_la_SOURCES = plugins/rewriter/jq/jq.c \
	plugins/support/private_data.c plugins/support/private_data.h
plugins_rewriter_jq_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_rewriter_jq_la_LIBADD = liblimen.la $(jq_support) -lm
plugins_rewriter_jq_la_LDFLAGS = $(MODULE_LDFLAGS)
