# SPDX-License-Identifier: Apache-2.0
# The modules: one line each.  A module.mk holds four lines, for example
#
#	identifier_LTLIBRARIES += plugins/identifier/ip-cidr-list.la
#	plugins_identifier_ip_cidr_list_la_SOURCES = plugins/identifier/ip-cidr-list/ip-cidr-list.c
#	plugins_identifier_ip_cidr_list_la_LIBADD = liblimen.la
#	plugins_identifier_ip_cidr_list_la_LDFLAGS = $(MODULE_LDFLAGS)
include $(top_srcdir)/plugins/support/http/http.mk
include $(top_srcdir)/plugins/support/kube/kube.mk
include $(top_srcdir)/plugins/admission/EventRateLimit/module.mk
include $(top_srcdir)/plugins/admission/LimitRanger/module.mk
include $(top_srcdir)/plugins/identifier/always/module.mk
include $(top_srcdir)/plugins/identifier/header/module.mk
include $(top_srcdir)/plugins/identifier/hint/module.mk
include $(top_srcdir)/plugins/identifier/ip-cidr-list-url/module.mk
include $(top_srcdir)/plugins/identifier/ip-cidr-list/module.mk
include $(top_srcdir)/plugins/support/jq/module.mk
include $(top_srcdir)/plugins/support/bucket/module.mk
include $(top_srcdir)/plugins/support/dns/module.mk
include $(top_srcdir)/plugins/identifier/ip-cymru-asn/module.mk
include $(top_srcdir)/plugins/identifier/ip-cymru-bogon/module.mk
include $(top_srcdir)/plugins/identifier/ip-reverse-dns/module.mk
include $(top_srcdir)/plugins/identifier/jq/module.mk
include $(top_srcdir)/plugins/identifier/local-subnet/module.mk
include $(top_srcdir)/plugins/identifier/localif/module.mk
include $(top_srcdir)/plugins/limit/jq/module.mk
include $(top_srcdir)/plugins/limit/pass-fail/module.mk
include $(top_srcdir)/plugins/limit/rate/module.mk
include $(top_srcdir)/plugins/limit/route/module.mk
include $(top_srcdir)/plugins/limit/run-daterange/module.mk
include $(top_srcdir)/plugins/limit/run-schedule/module.mk
include $(top_srcdir)/plugins/limit/test-type/module.mk
include $(top_srcdir)/plugins/limit/test/module.mk
include $(top_srcdir)/plugins/limit/url-fetch/module.mk
include $(top_srcdir)/plugins/prioritizer/jq/module.mk
include $(top_srcdir)/plugins/rewriter/jq/module.mk
include $(top_srcdir)/plugins/store/memory/module.mk
include $(top_srcdir)/plugins/store/redis/module.mk
