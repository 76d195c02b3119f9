# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/run-schedule.la
plugins_limit_run_schedule_la_SOURCES = plugins/limit/run-schedule/run-schedule.c \
	plugins/limit/run-schedule/coverage.c plugins/limit/run-schedule/coverage.h \
	plugins/support/zone.c plugins/support/zone.h
plugins_limit_run_schedule_la_CPPFLAGS = $(AM_CPPFLAGS) $(GLIB_CFLAGS)
plugins_limit_run_schedule_la_LIBADD = liblimen.la $(GLIB_LIBS)
plugins_limit_run_schedule_la_LDFLAGS = $(MODULE_LDFLAGS)
