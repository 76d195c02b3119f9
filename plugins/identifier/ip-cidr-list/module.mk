# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/ip-cidr-list.la
plugins_identifier_ip_cidr_list_la_SOURCES = plugins/identifier/ip-cidr-list/ip-cidr-list.c \
	plugins/support/requester.c plugins/support/requester.h
plugins_identifier_ip_cidr_list_la_LIBADD = liblimen.la
plugins_identifier_ip_cidr_list_la_LDFLAGS = $(MODULE_LDFLAGS)
