# SPDX-License-Identifier: Apache-2.0
# Names and addresses from name servers: a library in the module directory, which
# the modules that need it share, and its tests.
dns_sources = \
	plugins/support/bucket/key_hash.c plugins/support/bucket/key_hash.h \
	plugins/support/dns/answer.c plugins/support/dns/answer.h \
	plugins/support/dns/cache.c plugins/support/dns/cache.h \
	plugins/support/dns/cares.c plugins/support/dns/cares.h \
	plugins/support/dns/channels.c plugins/support/dns/channels.h \
	plugins/support/dns/dns.c plugins/support/dns/dns.h \
	plugins/support/dns/message.c plugins/support/dns/message.h \
	plugins/support/dns/requester.c \
	plugins/support/dns/servers.c plugins/support/dns/servers.h \
	plugins/support/dns/text.c plugins/support/dns/text.h
dns_ldadd = plugins/support/dns/liblimen-dns.la

support_LTLIBRARIES += plugins/support/dns/liblimen-dns.la
plugins_support_dns_liblimen_dns_la_SOURCES = $(dns_sources)
plugins_support_dns_liblimen_dns_la_CPPFLAGS = $(AM_CPPFLAGS) $(CARES_CFLAGS)
plugins_support_dns_liblimen_dns_la_LIBADD = liblimen.la $(CARES_LIBS)
plugins_support_dns_liblimen_dns_la_LDFLAGS = $(support_ldflags)
