# The daemon limend.  All of it but main.c is a convenience library, so that tests
# call endpoints without a server.
noinst_LTLIBRARIES += liblimend.la
liblimend_la_CPPFLAGS = $(program_cppflags) $(CURL_CFLAGS) $(MHD_CFLAGS) $(GNUTLS_CFLAGS) \
	$(SYSTEMD_CFLAGS) -iquote $(top_srcdir)/programs/limend
liblimend_la_LDFLAGS =
liblimend_la_LIBADD = libprogram.la $(program_libs) $(MHD_LIBS) $(GNUTLS_LIBS) \
	$(CURL_LIBS) -lpthread
liblimend_la_SOURCES = $(policy_url_sources)
liblimend_la_SOURCES += programs/limend/admission.c
liblimend_la_SOURCES += programs/limend/arguments.c programs/limend/arguments.h
liblimend_la_SOURCES += programs/limend/batch.c
liblimend_la_SOURCES += programs/limend/blame.c programs/limend/blame.h
liblimend_la_SOURCES += programs/limend/buckets.c
liblimend_la_SOURCES += programs/limend/certificate.c programs/limend/certificate.h
liblimend_la_SOURCES += programs/limend/clients.c programs/limend/clients.h
liblimend_la_SOURCES += programs/limend/codes.c programs/limend/codes.h
liblimend_la_SOURCES += programs/limend/daemon.c programs/limend/daemon.h
liblimend_la_SOURCES += programs/limend/daemon_load.c programs/limend/daemon_run.c
liblimend_la_SOURCES += programs/limend/decide.c
liblimend_la_SOURCES += programs/limend/deciding.c programs/limend/deciding.h
liblimend_la_SOURCES += programs/limend/decision_line.c programs/limend/decision_line.h
liblimend_la_SOURCES += programs/limend/decision_log.c programs/limend/decision_log.h
liblimend_la_SOURCES += programs/limend/descriptors.c programs/limend/descriptors.h
liblimend_la_SOURCES += programs/limend/endpoint.c programs/limend/endpoint.h
liblimend_la_SOURCES += programs/limend/endpoints.c
liblimend_la_SOURCES += programs/limend/exposition.c programs/limend/exposition.h
liblimend_la_SOURCES += programs/limend/fault.c programs/limend/fault.h
liblimend_la_SOURCES += programs/limend/file_state.c programs/limend/file_state.h
liblimend_la_SOURCES += programs/limend/figures.c programs/limend/figures.h
liblimend_la_SOURCES += programs/limend/form.c programs/limend/form.h
liblimend_la_SOURCES += programs/limend/http.c programs/limend/http.h
liblimend_la_SOURCES += programs/limend/instance_metrics.c programs/limend/instance_metrics.h
liblimend_la_SOURCES += programs/limend/journal.c programs/limend/journal.h
liblimend_la_SOURCES += programs/limend/kept_back.c programs/limend/kept_back.h
liblimend_la_SOURCES += programs/limend/line_file.c programs/limend/line_file.h
liblimend_la_SOURCES += programs/limend/listeners.c programs/limend/listeners.h
liblimend_la_SOURCES += programs/limend/log.c programs/limend/log.h
liblimend_la_SOURCES += programs/limend/log_output.c programs/limend/log_output.h
liblimend_la_SOURCES += programs/limend/log_time.c programs/limend/log_time.h
liblimend_la_SOURCES += programs/limend/memory.c programs/limend/memory.h
liblimend_la_SOURCES += programs/limend/metrics.c programs/limend/metrics.h
liblimend_la_SOURCES += programs/limend/mhd.c programs/limend/mhd.h
liblimend_la_SOURCES += programs/limend/mhd_answer.c
liblimend_la_SOURCES += programs/limend/mhd_client.c
liblimend_la_SOURCES += programs/limend/mhd_head.c
liblimend_la_SOURCES += programs/limend/mhd_request.c
liblimend_la_SOURCES += programs/limend/observer.c programs/limend/observer.h
liblimend_la_SOURCES += programs/limend/options.c programs/limend/options.h \
	programs/limend/options_values.c programs/limend/options_values.h
liblimend_la_SOURCES += programs/limend/origin.c programs/limend/origin.h
liblimend_la_SOURCES += programs/limend/passed.c
liblimend_la_SOURCES += programs/limend/places.c programs/limend/places.h
liblimend_la_SOURCES += programs/limend/policy_log.c programs/limend/policy_log.h
liblimend_la_SOURCES += programs/limend/policy_source.c programs/limend/policy_source.h
liblimend_la_SOURCES += programs/limend/probes.c
liblimend_la_SOURCES += programs/limend/process_metrics.c programs/limend/process_metrics.h
liblimend_la_SOURCES += programs/limend/query.c programs/limend/query.h
liblimend_la_SOURCES += programs/limend/question_object.c
liblimend_la_SOURCES += programs/limend/question.c programs/limend/question.h
liblimend_la_SOURCES += programs/limend/question_fields.c
liblimend_la_SOURCES += programs/limend/question_hints.c
liblimend_la_SOURCES += programs/limend/record.c programs/limend/record.h
liblimend_la_SOURCES += programs/limend/redact.c programs/limend/redact_reason.c \
	programs/limend/redact.h
liblimend_la_SOURCES += programs/limend/remaining.c programs/limend/remaining.h
liblimend_la_SOURCES += programs/limend/service.h
liblimend_la_SOURCES += programs/limend/service_manager.c programs/limend/service_manager.h
liblimend_la_SOURCES += programs/limend/short_answer.c programs/limend/short_answer.h
liblimend_la_SOURCES += programs/limend/sockaddr.c programs/limend/sockaddr.h
liblimend_la_SOURCES += programs/limend/top.c programs/limend/top.h
liblimend_la_SOURCES += programs/limend/transport.h
liblimend_la_SOURCES += programs/limend/trust.c programs/limend/trust.h
liblimend_la_SOURCES += programs/limend/ui.c programs/limend/ui_assets.h
liblimend_la_SOURCES += programs/limend/views.c
liblimend_la_SOURCES += programs/limend/workers.c programs/limend/workers.h

# The files of the console are part of the program.
nodist_liblimend_la_SOURCES = programs/limend/ui_assets.c
CLEANFILES += programs/limend/ui_assets.c
ui_names = index.html app.js graph.js style.css icon.svg
ui_dir = $(top_srcdir)/programs/limend/ui
EXTRA_DIST += build-aux/make-assets programs/limend/ui/index.html programs/limend/ui/app.js \
	programs/limend/ui/graph.js programs/limend/ui/style.css programs/limend/ui/icon.svg
programs/limend/ui_assets.c: $(ui_dir)/index.html $(ui_dir)/app.js $(ui_dir)/graph.js \
		$(ui_dir)/style.css $(ui_dir)/icon.svg $(top_srcdir)/build-aux/make-assets
	$(AM_V_GEN)$(MKDIR_P) programs/limend && \
		$(SHELL) $(top_srcdir)/build-aux/make-assets $(ui_dir) $(ui_names) > $@.new && \
		mv $@.new $@

# Built at the top, as limen is.
sbin_PROGRAMS += limend
limend_CPPFLAGS = $(program_cppflags) $(GNUTLS_CFLAGS)
limend_LDFLAGS = $(PROGRAM_LDFLAGS) $(LTO_LDFLAGS)
limend_LDADD = liblimend.la
limend_SOURCES = programs/limend/main.c
