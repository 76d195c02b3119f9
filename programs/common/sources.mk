# What the programs share.  A program that adds $(policy_url_sources) to its
# sources needs $(CURL_CFLAGS), $(CURL_LIBS) and -lpthread.
policy_url_sources = programs/common/policy_url.c programs/common/policy_url.h $(http_sources)
