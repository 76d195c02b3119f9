# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/ip-cidr-list-url.la
plugins_identifier_ip_cidr_list_url_la_SOURCES = \
	plugins/identifier/ip-cidr-list-url/ip-cidr-list-url.c \
	plugins/identifier/ip-cidr-list-url/list_cache.c \
	plugins/identifier/ip-cidr-list-url/list_source.c \
	plugins/identifier/ip-cidr-list-url/list_source.h \
	plugins/identifier/ip-cidr-list-url/list_text.c \
	plugins/identifier/ip-cidr-list-url/list_text.h \
	plugins/identifier/ip-cidr-list-url/list_update.c \
	plugins/identifier/ip-cidr-list-url/loose_network.c \
	plugins/identifier/ip-cidr-list-url/network_list.c \
	plugins/identifier/ip-cidr-list-url/network_list.h \
	plugins/support/network.h plugins/support/swap.c plugins/support/swap.h
plugins_identifier_ip_cidr_list_url_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
plugins_identifier_ip_cidr_list_url_la_LIBADD = liblimen.la libhttp.la $(jq_support)
plugins_identifier_ip_cidr_list_url_la_LDFLAGS = $(MODULE_LDFLAGS)
