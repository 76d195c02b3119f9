# SPDX-License-Identifier: Apache-2.0
# liblimen-jq: what the modules that run jq scripts share.  It is a library of
# its own so that a process has one template and one conversion of a document.  A module that uses it is linked with
#
#	..._CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
#	..._LIBADD = liblimen.la $(jq_support)
support_LTLIBRARIES += liblimen-jq.la
jq_support = liblimen-jq.la $(JQ_LIBS)

# All of it once more for the program that scripts run in which are not trusted:
# linked statically, because it finds its libraries with an empty environment.
noinst_LTLIBRARIES += libjqall.la
libjqall_la_SOURCES = \
	plugins/support/jq/budget.c plugins/support/jq/budget.h \
	plugins/support/jq/worker/channel.c plugins/support/jq/worker/channel.h \
	plugins/support/jq/document.c \
	plugins/support/jq/imports.c \
	plugins/support/jq/worker/jail.c plugins/support/jq/worker/jail.h \
	plugins/support/jq/jq.h \
	plugins/support/jq/print.c \
	plugins/support/jq/worker/process.c \
	plugins/support/jq/program.c \
	plugins/support/jq/report.c \
	plugins/support/jq/run.c \
	plugins/support/jq/script.c plugins/support/jq/script.h \
	plugins/support/jq/worker/shared.h \
	plugins/support/jq/worker/state.c plugins/support/jq/worker/state.h \
	plugins/support/jq/worker/template.c plugins/support/jq/worker/template.h \
	plugins/support/jq/words.c \
	plugins/support/jq/worker/wire.c plugins/support/jq/worker/wire.h \
	plugins/support/jq/worker/worker.c
libjqall_la_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS) $(SECCOMP_CFLAGS) \
	-DLIMEN_JQDIR='"$(jqdir)"' -DLIMEN_JQ_SANDBOX='"$(pkglibexecdir)/limen-jq-sandbox"'
libjqall_la_LDFLAGS =
liblimen_jq_la_SOURCES =
liblimen_jq_la_LIBADD = libjqall.la liblimen.la $(JQ_LIBS) $(SECCOMP_LIBS) -lpthread -lm
liblimen_jq_la_LDFLAGS = $(support_ldflags)

pkglibexec_PROGRAMS = limen-jq-sandbox
limen_jq_sandbox_SOURCES = plugins/support/jq/worker/sandbox.c
limen_jq_sandbox_CPPFLAGS = $(AM_CPPFLAGS) $(JQ_CFLAGS)
limen_jq_sandbox_LDADD = libjqall.la libcore.la $(JQ_LIBS) $(SECCOMP_LIBS) -lpthread -lm
limen_jq_sandbox_LDFLAGS = $(PROGRAM_LDFLAGS) $(NO_LTO_LDFLAGS)

# What scripts may import.
jqdir = $(pkgdatadir)/jq
jqschedulerdir = $(jqdir)/pscheduler
jqscheduler_DATA = \
	plugins/support/jq/lib/pscheduler/iso8601.jq \
	plugins/support/jq/lib/pscheduler/si.jq
