# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/ip-cymru-bogon.la
plugins_identifier_ip_cymru_bogon_la_SOURCES = plugins/identifier/ip-cymru-bogon/ip-cymru-bogon.c \
	plugins/support/cymru.c plugins/support/cymru.h
plugins_identifier_ip_cymru_bogon_la_LIBADD = $(dns_ldadd) liblimen.la
plugins_identifier_ip_cymru_bogon_la_LDFLAGS = $(MODULE_LDFLAGS)
