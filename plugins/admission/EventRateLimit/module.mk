# SPDX-License-Identifier: Apache-2.0
admission_LTLIBRARIES += plugins/admission/EventRateLimit.la
plugins_admission_EventRateLimit_la_SOURCES = \
	plugins/admission/EventRateLimit/EventRateLimit.c \
	plugins/admission/EventRateLimit/configuration.c \
	plugins/admission/EventRateLimit/enforce.c \
	plugins/admission/EventRateLimit/event.c \
	plugins/admission/EventRateLimit/event_rate_limit.h \
	plugins/admission/EventRateLimit/exemption.c \
	plugins/admission/EventRateLimit/key.c \
	plugins/admission/EventRateLimit/origin.c \
	plugins/admission/EventRateLimit/override.c \
	plugins/admission/EventRateLimit/pattern.c \
	plugins/admission/EventRateLimit/rate.c \
	plugins/support/refuse.h plugins/support/unknown_key.c plugins/support/unknown_key.h
plugins_admission_EventRateLimit_la_LIBADD = liblimen.la
plugins_admission_EventRateLimit_la_LDFLAGS = $(MODULE_LDFLAGS)
