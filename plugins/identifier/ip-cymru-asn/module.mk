# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/ip-cymru-asn.la
plugins_identifier_ip_cymru_asn_la_SOURCES = plugins/identifier/ip-cymru-asn/ip-cymru-asn.c \
	plugins/identifier/ip-cymru-asn/asn_list.c plugins/identifier/ip-cymru-asn/asn_list.h \
	plugins/support/cymru.c plugins/support/cymru.h
plugins_identifier_ip_cymru_asn_la_LIBADD = $(dns_ldadd) liblimen.la
plugins_identifier_ip_cymru_asn_la_LDFLAGS = $(MODULE_LDFLAGS)
