# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/url-fetch.la
plugins_limit_url_fetch_la_SOURCES = plugins/limit/url-fetch/url-fetch.c \
	plugins/limit/url-fetch/url_fetch.h \
	plugins/limit/url-fetch/allowed.c plugins/limit/url-fetch/answer.c \
	plugins/limit/url-fetch/check_options.c \
	plugins/limit/url-fetch/fields.c \
	plugins/limit/url-fetch/web_request.c
plugins_limit_url_fetch_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_limit_url_fetch_la_LIBADD = liblimen.la libhttp.la $(jq_support)
plugins_limit_url_fetch_la_LDFLAGS = $(MODULE_LDFLAGS)
