# SPDX-License-Identifier: Apache-2.0
identifier_LTLIBRARIES += plugins/identifier/local-subnet.la
plugins_identifier_local_subnet_la_SOURCES = plugins/identifier/local-subnet/local-subnet.c \
	plugins/support/requester.c plugins/support/requester.h \
	plugins/support/local_addresses.c plugins/support/local_addresses.h \
	plugins/support/network.h plugins/support/swap.c plugins/support/swap.h
plugins_identifier_local_subnet_la_LIBADD = liblimen.la
plugins_identifier_local_subnet_la_LDFLAGS = $(MODULE_LDFLAGS)
