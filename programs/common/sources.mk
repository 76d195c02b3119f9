# SPDX-License-Identifier: Apache-2.0
# What the programs share: policies from URLs.
noinst_LTLIBRARIES += libpolicyurl.la
libpolicyurl_la_CPPFLAGS = $(program_cppflags)
libpolicyurl_la_LDFLAGS =
libpolicyurl_la_LIBADD = libhttp.la
libpolicyurl_la_SOURCES = programs/common/policy_url.c programs/common/policy_url.h

# What needs nothing but liblimen and GLib.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_CPPFLAGS = $(program_cppflags)
libprogram_la_LDFLAGS =
libprogram_la_LIBADD = $(program_libs)
libprogram_la_SOURCES = programs/common/help.c programs/common/help.h
libprogram_la_SOURCES += programs/common/exit_guard.c programs/common/exit_guard.h
libprogram_la_SOURCES += programs/common/bucket_json.c programs/common/bucket_json.h
libprogram_la_SOURCES += programs/common/auto.h programs/common/controller.c programs/common/controller.h
libprogram_la_SOURCES += programs/common/control.h programs/common/cut.h programs/common/verdict_name.h
libprogram_la_SOURCES += programs/common/event_origin.c programs/common/event_origin.h
libprogram_la_SOURCES += programs/common/http_document.c programs/common/http_document.h
libprogram_la_SOURCES += programs/common/json_out.c programs/common/json_out.h
libprogram_la_SOURCES += programs/common/member.h
libprogram_la_SOURCES += programs/common/option_values.c programs/common/option_values.h
libprogram_la_SOURCES += programs/common/print.c programs/common/print.h
libprogram_la_SOURCES += programs/common/message_put.c programs/common/message_put.h
libprogram_la_SOURCES += programs/common/policy_problems.c programs/common/policy_problems.h
libprogram_la_SOURCES += programs/common/objects.c programs/common/objects.h
libprogram_la_SOURCES += programs/common/workload.c programs/common/workload.h
