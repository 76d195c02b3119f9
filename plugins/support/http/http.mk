# HTTP for modules: add $(http_sources) to their sources, $(CURL_CFLAGS) to their
# CPPFLAGS and $(CURL_LIBS) -lpthread to their LIBADD.
http_sources = plugins/support/http/http.h plugins/support/http/http_private.h \
	plugins/support/http/http.c plugins/support/http/http_allowed.c \
	plugins/support/http/http_error.c plugins/support/http/http_error.h \
	plugins/support/http/http_headers.c plugins/support/http/http_hops.c \
	plugins/support/http/http_pipe.c \
	plugins/support/http/http_pool.c plugins/support/http/http_sink.c \
	plugins/support/http/http_url.c
