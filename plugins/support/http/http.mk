# SPDX-License-Identifier: Apache-2.0
# HTTP for modules and programs: add libhttp.la to their LIBADD.  Only tests that stand in
# for curl or malloc() compile $(http_sources) themselves.
noinst_LTLIBRARIES += libhttp.la
libhttp_la_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
libhttp_la_LDFLAGS =
libhttp_la_LIBADD = $(CURL_LIBS) -lpthread
libhttp_la_SOURCES = $(http_sources)
# The words for errors of libcurl, and what answers are kept in, which kube needs too.
http_error_sources = plugins/support/http/http_error.c plugins/support/http/http_error.h \
	plugins/support/buffer.c plugins/support/buffer.h
http_sources = plugins/support/http/http.h plugins/support/http/http_private.h \
	plugins/support/http/http.c plugins/support/http/http_allowed.c \
	$(http_error_sources) \
	plugins/support/http/http_pipe.c \
	plugins/support/http/http_pool.c plugins/support/http/http_sink.c \
	plugins/support/http/http_url.c
