# SPDX-License-Identifier: Apache-2.0
limend_iquote = -iquote $(top_srcdir)/programs/limend
EXTRA_DIST += programs/limend/rooms

# The daemon limend.  All of it but main.c is a convenience library, so that tests
# call endpoints without a server.
noinst_LTLIBRARIES += liblimend.la
liblimend_la_CPPFLAGS = $(program_cppflags) $(MHD_CFLAGS) $(GNUTLS_CFLAGS) \
	$(limend_iquote)
programs/limend/daemon/liblimend_la-options$(anything): AM_CPPFLAGS += $(help_cppflags)
liblimend_la_LDFLAGS =
liblimend_la_LIBADD = libprogram.la libpolicyurl.la $(program_libs) $(MHD_LIBS) \
	$(GNUTLS_LIBS) -lpthread
liblimend_la_SOURCES = programs/limend/endpoint/admission.c
liblimend_la_SOURCES += programs/limend/http/arguments.c programs/limend/http/arguments.h
liblimend_la_SOURCES += programs/limend/endpoint/buckets.c
liblimend_la_SOURCES += programs/limend/transport/certificate.c programs/limend/transport/certificate.h
liblimend_la_SOURCES += programs/limend/service/clients.c programs/limend/service/clients.h
liblimend_la_SOURCES += programs/limend/daemon/check_report.c
liblimend_la_SOURCES += programs/limend/daemon/daemon.c programs/limend/daemon/daemon.h
liblimend_la_SOURCES += programs/limend/daemon/daemon_load.c programs/limend/daemon/daemon_run.c
liblimend_la_SOURCES += programs/limend/endpoint/decide.c
liblimend_la_SOURCES += programs/limend/question/deciding.c programs/limend/question/deciding.h
liblimend_la_SOURCES += programs/limend/audit/decision_line.c programs/limend/audit/decision_line.h
liblimend_la_SOURCES += programs/limend/audit/decision_log.c programs/limend/audit/decision_log.h
liblimend_la_SOURCES += programs/limend/endpoint/endpoint.c programs/limend/endpoint/endpoint.h
liblimend_la_SOURCES += programs/limend/endpoint/endpoints.c
liblimend_la_SOURCES += programs/limend/base/exposition.c programs/limend/base/exposition.h
liblimend_la_SOURCES += programs/limend/base/fault.c programs/limend/base/fault.h
liblimend_la_SOURCES += programs/limend/base/coarse_clock.h
liblimend_la_SOURCES += programs/limend/base/file_state.h
liblimend_la_SOURCES += programs/limend/gate/description.c programs/limend/gate/description.h
liblimend_la_SOURCES += programs/limend/gate/forwarded.c programs/limend/gate/forwarded.h
liblimend_la_SOURCES += programs/limend/gate/gate.c programs/limend/gate/gate.h
liblimend_la_SOURCES += programs/limend/gate/profile.c programs/limend/gate/profile.h
liblimend_la_SOURCES += programs/limend/gate/rate_fields.c programs/limend/gate/rate_fields.h
liblimend_la_SOURCES += programs/limend/endpoint/gate.c
liblimend_la_SOURCES += programs/limend/http/http.c programs/limend/http/http.h
liblimend_la_SOURCES += programs/limend/metrics/history.c programs/limend/metrics/history.h
liblimend_la_SOURCES += programs/limend/metrics/instance_metrics.c
liblimend_la_SOURCES += programs/limend/base/line_file.c programs/limend/base/line_file.h
liblimend_la_SOURCES += programs/limend/transport/listeners.c programs/limend/transport/listeners.h
liblimend_la_SOURCES += programs/limend/base/log.c programs/limend/base/log.h
liblimend_la_SOURCES += programs/limend/base/memory.c programs/limend/base/memory.h
liblimend_la_SOURCES += programs/limend/metrics/metrics.c programs/limend/metrics/metrics.h
liblimend_la_SOURCES += programs/limend/transport/mhd.c programs/limend/transport/mhd.h
liblimend_la_SOURCES += programs/limend/transport/mhd_answer.c
liblimend_la_SOURCES += programs/limend/transport/mhd_client.c
liblimend_la_SOURCES += programs/limend/transport/mhd_head.c
liblimend_la_SOURCES += programs/limend/transport/mhd_request.c
liblimend_la_SOURCES += programs/limend/metrics/observer.c programs/limend/metrics/observer.h
liblimend_la_SOURCES += programs/limend/daemon/options.c programs/limend/daemon/options.h \
	programs/limend/daemon/options_values.c
liblimend_la_SOURCES += programs/limend/endpoint/origin.c programs/limend/endpoint/origin.h
liblimend_la_SOURCES += programs/limend/endpoint/passed.c
liblimend_la_SOURCES += programs/limend/service/policy_cache.c programs/limend/service/policy_cache.h
liblimend_la_SOURCES += programs/limend/service/policy_log.c programs/limend/service/policy_log.h
liblimend_la_SOURCES += programs/limend/service/policy_source.c programs/limend/service/policy_source.h
liblimend_la_SOURCES += programs/limend/endpoint/probes.c programs/limend/endpoint/recent.c
liblimend_la_SOURCES += programs/limend/audit/recent.c programs/limend/audit/recent.h
liblimend_la_SOURCES += programs/limend/audit/record.c programs/limend/audit/record.h
liblimend_la_SOURCES += programs/limend/audit/refusals.c programs/limend/audit/refusals.h
liblimend_la_SOURCES += programs/limend/metrics/process_metrics.c
liblimend_la_SOURCES += programs/limend/question/question.c programs/limend/question/question.h
liblimend_la_SOURCES += programs/limend/question/question_fields.c
liblimend_la_SOURCES += programs/limend/http/remaining.c programs/limend/http/remaining.h
liblimend_la_SOURCES += programs/limend/transport/service_manager.c programs/limend/transport/service_manager.h
liblimend_la_SOURCES += programs/limend/base/sockaddr.c programs/limend/base/sockaddr.h
liblimend_la_SOURCES += programs/limend/transport/transport.h
liblimend_la_SOURCES += programs/limend/endpoint/policy_review.c
liblimend_la_SOURCES += programs/limend/endpoint/ui.c programs/limend/endpoint/ui_assets.h
liblimend_la_SOURCES += programs/limend/endpoint/playground.c programs/limend/endpoint/playground.h
liblimend_la_SOURCES += programs/limend/endpoint/try.c
liblimend_la_SOURCES += programs/limend/question/edit_process.c programs/limend/question/edit_process.h
liblimend_la_SOURCES += programs/limend/endpoint/views.c
liblimend_la_SOURCES += programs/limend/service/service.h
liblimend_la_SOURCES += programs/limend/service/state_file.c programs/limend/service/state_file.h
liblimend_la_SOURCES += programs/limend/service/watch.c programs/limend/service/watch.h
liblimend_la_SOURCES += programs/limend/transport/workers.c programs/limend/transport/workers.h

# The files of the console are part of the program.
nodist_liblimend_la_SOURCES = programs/limend/endpoint/ui_assets.c
CLEANFILES += programs/limend/endpoint/ui_assets.c
ui_names = index.html app.js charts.js decisions.js dom.js graph.js playground.js policy.js \
	look.css style.css icon.svg
ui_dir = $(top_srcdir)/programs/limend/ui
ui_files = $(ui_names:%=programs/limend/ui/%)
EXTRA_DIST += build-aux/make-assets $(ui_files)
programs/limend/endpoint/ui_assets.c: $(ui_files) build-aux/make-assets
	$(AM_V_GEN)$(MKDIR_P) programs/limend/endpoint && \
		$(SHELL) $(top_srcdir)/build-aux/make-assets $(ui_dir) $(ui_names) > $@.new && \
		mv $@.new $@

# Linked twice, as limen is.
noinst_PROGRAMS += limend
limend_CPPFLAGS = $(program_cppflags) $(GNUTLS_CFLAGS) $(limend_iquote) $(tree_cppflags)
limend_LDADD = liblimend.la
limend_SOURCES = programs/limend/main.c programs/common/tree.c programs/common/tree.h

sbin_PROGRAMS += installed/limend
installed_limend_CPPFLAGS = $(program_cppflags) $(GNUTLS_CFLAGS) $(limend_iquote)
installed_limend_LDFLAGS = $(PROGRAM_LDFLAGS) $(LTO_LDFLAGS) $(PROGRAM_RUNPATH)
installed_limend_LDADD = $(limend_LDADD)
installed_limend_SOURCES = $(limend_SOURCES)
