# SPDX-License-Identifier: Apache-2.0
# All but the descriptor is a library, for tests of its functions.
noinst_LTLIBRARIES += plugins/limit/rate/librate.la
plugins_limit_rate_librate_la_SOURCES = \
	plugins/limit/rate/cost.c plugins/limit/rate/cost.h \
	plugins/limit/rate/key.c plugins/limit/rate/key.h plugins/limit/rate/key_rules.c \
	plugins/limit/rate/spell.c plugins/limit/rate/spell.h plugins/support/network.h \
	plugins/limit/rate/calendar.c plugins/limit/rate/calendar.h \
	plugins/limit/rate/windows.c plugins/limit/rate/windows.h \
	plugins/support/zone.c plugins/support/zone.h plugins/support/hint_names.h
plugins_limit_rate_librate_la_CPPFLAGS = $(AM_CPPFLAGS) $(NETTLE_CFLAGS) $(GLIB_CFLAGS)
plugins_limit_rate_librate_la_LIBADD = $(NETTLE_LIBS) $(GLIB_LIBS)

limit_LTLIBRARIES += plugins/limit/rate.la
plugins_limit_rate_la_SOURCES = plugins/limit/rate/rate.c \
	plugins/support/requester.c plugins/support/requester.h
plugins_limit_rate_la_LIBADD = plugins/limit/rate/librate.la liblimen.la
plugins_limit_rate_la_LDFLAGS = $(MODULE_LDFLAGS)
