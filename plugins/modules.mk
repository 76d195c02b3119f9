# The modules: one line each.  A module.mk holds four lines, for example
#
#	identifier_LTLIBRARIES += plugins/identifier/ip-cidr-list.la
#	plugins_identifier_ip_cidr_list_la_SOURCES = plugins/identifier/ip-cidr-list/ip-cidr-list.c
#	plugins_identifier_ip_cidr_list_la_LIBADD = liblimen.la
#	plugins_identifier_ip_cidr_list_la_LDFLAGS = $(MODULE_LDFLAGS)
