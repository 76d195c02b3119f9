# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/ip-reverse-dns.la
plugins_identifier_ip_reverse_dns_la_SOURCES = plugins/identifier/ip-reverse-dns/ip-reverse-dns.c
plugins_identifier_ip_reverse_dns_la_LIBADD = $(dns_ldadd) liblimen.la
plugins_identifier_ip_reverse_dns_la_LDFLAGS = $(MODULE_LDFLAGS)
