# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/run-daterange.la
plugins_limit_run_daterange_la_SOURCES = plugins/limit/run-daterange/run-daterange.c
plugins_limit_run_daterange_la_LIBADD = liblimen.la
plugins_limit_run_daterange_la_LDFLAGS = $(MODULE_LDFLAGS)
