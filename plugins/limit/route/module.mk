# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/route.la
plugins_limit_route_la_SOURCES = plugins/limit/route/route.c
plugins_limit_route_la_LIBADD = liblimen.la
plugins_limit_route_la_LDFLAGS = $(MODULE_LDFLAGS)
