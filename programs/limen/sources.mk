# The command limen.  It is built at the top, so that ./limen works after make.  All of it
# but main.c is a convenience library, so that fuzzers read what the commands read.
bin_PROGRAMS += limen
limen_CPPFLAGS = $(program_cppflags) -iquote $(top_srcdir)/programs/limen
limen_LDFLAGS = $(PROGRAM_LDFLAGS) $(LTO_LDFLAGS)
limen_LDADD = liblimencommand.la
limen_SOURCES = programs/limen/main.c

noinst_LTLIBRARIES += liblimencommand.la
# A source that is made is not beside its header where the build tree is another.
liblimencommand_la_CPPFLAGS = $(program_cppflags) $(CURL_CFLAGS) \
	-iquote $(top_srcdir)/programs/limen
liblimencommand_la_LDFLAGS =
liblimencommand_la_LIBADD = libprogram.la $(program_libs) $(CURL_LIBS) -lpthread
liblimencommand_la_SOURCES = programs/limen/command.h
liblimencommand_la_SOURCES += $(policy_url_sources)
liblimencommand_la_SOURCES += programs/limen/answer.c programs/limen/answer.h
liblimencommand_la_SOURCES += programs/limen/arrivals.c programs/limen/arrivals.h
liblimencommand_la_SOURCES += programs/limen/ask.c programs/limen/ask.h
liblimencommand_la_SOURCES += programs/limen/batch.c
liblimencommand_la_SOURCES += programs/limen/batch_line.c programs/limen/batch_line.h
liblimencommand_la_SOURCES += programs/limen/buckets.c
liblimencommand_la_SOURCES += programs/limen/buckets_remote.c programs/limen/buckets_remote.h
liblimencommand_la_SOURCES += programs/limen/catalog.c programs/limen/catalog.h
liblimencommand_la_SOURCES += programs/limen/check.c programs/limen/check.h
liblimencommand_la_SOURCES += programs/limen/check_files.c
liblimencommand_la_SOURCES += programs/limen/check_output.c programs/limen/check_output.h
liblimencommand_la_SOURCES += programs/limen/columns.c programs/limen/columns.h
liblimencommand_la_SOURCES += programs/limen/decision_text.c programs/limen/decision_text.h
liblimencommand_la_SOURCES += programs/limen/describe.c
liblimencommand_la_SOURCES += programs/limen/engine_cache.c programs/limen/engine_cache.h
liblimencommand_la_SOURCES += programs/limen/explain.c programs/limen/explain.h
liblimencommand_la_SOURCES += programs/limen/explain_policy.c
liblimencommand_la_SOURCES += programs/limen/explain_schema.c
liblimencommand_la_SOURCES += programs/limen/explain_text.c
liblimencommand_la_SOURCES += programs/limen/get.c
liblimencommand_la_SOURCES += programs/limen/graph.c
liblimencommand_la_SOURCES += programs/limen/graph_dot.c programs/limen/graph_dot.h
liblimencommand_la_SOURCES += programs/limen/graph_html.c programs/limen/graph_html.h
liblimencommand_la_SOURCES += programs/limen/graph_model.c programs/limen/graph_model.h
liblimencommand_la_SOURCES += programs/limen/graph_path.c programs/limen/graph_path.h
liblimencommand_la_SOURCES += programs/limen/graph_render.c programs/limen/graph_render.h
liblimencommand_la_SOURCES += programs/limen/input.c programs/limen/input.h
liblimencommand_la_SOURCES += programs/limen/jobs.c programs/limen/jobs.h
liblimencommand_la_SOURCES += programs/limen/limits_command.c programs/limen/limits_command.h
liblimencommand_la_SOURCES += programs/limen/lines.c programs/limen/lines.h
liblimencommand_la_SOURCES += programs/limen/message.c programs/limen/message.h
liblimencommand_la_SOURCES += programs/limen/modules.c
liblimencommand_la_SOURCES += programs/limen/new_module.c programs/limen/skeleton.h
liblimencommand_la_SOURCES += programs/limen/option_words.c programs/limen/option_words.h
liblimencommand_la_SOURCES += programs/limen/options.c programs/limen/options.h
liblimencommand_la_SOURCES += programs/limen/patch_out.c programs/limen/patch_out.h
liblimencommand_la_SOURCES += programs/limen/policy.c programs/limen/policy.h
liblimencommand_la_SOURCES += programs/limen/policy_state.c programs/limen/policy_state.h
liblimencommand_la_SOURCES += programs/limen/problems.c programs/limen/problems.h
liblimencommand_la_SOURCES += programs/limen/progress.c programs/limen/progress.h
liblimencommand_la_SOURCES += programs/limen/question_options.c programs/limen/question_options.h
liblimencommand_la_SOURCES += programs/limen/range_table.c programs/limen/range_table.h
liblimencommand_la_SOURCES += programs/limen/ranges.c programs/limen/ranges.h
liblimencommand_la_SOURCES += programs/limen/rates.c programs/limen/rates.h
liblimencommand_la_SOURCES += programs/limen/replace_file.c programs/limen/replace_file.h
liblimencommand_la_SOURCES += programs/limen/replay.h
liblimencommand_la_SOURCES += programs/limen/replay_audit.c
liblimencommand_la_SOURCES += programs/limen/replay_batch.c programs/limen/replay_batch.h
liblimencommand_la_SOURCES += programs/limen/replay_command.c
liblimencommand_la_SOURCES += programs/limen/replay_html.c
liblimencommand_la_SOURCES += programs/limen/replay_json.c
liblimencommand_la_SOURCES += programs/limen/replay_logged.c
liblimencommand_la_SOURCES += programs/limen/replay_outcome.c programs/limen/replay_outcome.h
liblimencommand_la_SOURCES += programs/limen/replay_record.c
liblimencommand_la_SOURCES += programs/limen/replay_run.c
liblimencommand_la_SOURCES += programs/limen/replay_source.c programs/limen/replay_source.h
liblimencommand_la_SOURCES += programs/limen/replay_tally.c
liblimencommand_la_SOURCES += programs/limen/replay_text.c
liblimencommand_la_SOURCES += programs/limen/resource_table.c programs/limen/resource_table.h
liblimencommand_la_SOURCES += programs/limen/sources.c programs/limen/sources.h
liblimencommand_la_SOURCES += programs/limen/subjects.c programs/limen/subjects.h
liblimencommand_la_SOURCES += programs/limen/unseen.c programs/limen/unseen.h
liblimencommand_la_SOURCES += programs/limen/suggest.c
liblimencommand_la_SOURCES += programs/limen/terminal.c programs/limen/terminal.h
liblimencommand_la_SOURCES += programs/limen/test.c programs/limen/tests.h
liblimencommand_la_SOURCES += programs/limen/tests_cover.c
liblimencommand_la_SOURCES += programs/limen/tests_edit.c programs/limen/tests_edit.h
liblimencommand_la_SOURCES += programs/limen/tests_expect.c
liblimencommand_la_SOURCES += programs/limen/tests_find.c programs/limen/tests_find.h
liblimencommand_la_SOURCES += programs/limen/tests_fit.c programs/limen/tests_fit.h
liblimencommand_la_SOURCES += programs/limen/tests_keys.c
liblimencommand_la_SOURCES += programs/limen/tests_output.c
liblimencommand_la_SOURCES += programs/limen/tests_policy.c programs/limen/tests_policy.h
liblimencommand_la_SOURCES += programs/limen/tests_read.c
liblimencommand_la_SOURCES += programs/limen/tests_report.c
liblimencommand_la_SOURCES += programs/limen/tests_request.c programs/limen/tests_request.h
liblimencommand_la_SOURCES += programs/limen/tests_run.c
liblimencommand_la_SOURCES += programs/limen/tests_text.c
liblimencommand_la_SOURCES += programs/limen/tests_update.c
liblimencommand_la_SOURCES += programs/limen/tests_view.c
liblimencommand_la_SOURCES += programs/limen/text_kind.c programs/limen/text_kind.h
liblimencommand_la_SOURCES += programs/limen/text_places.c programs/limen/text_places.h
liblimencommand_la_SOURCES += programs/limen/trace_text.c
liblimencommand_la_SOURCES += programs/limen/tree.c programs/limen/tree.h
liblimencommand_la_SOURCES += programs/limen/validate.c
liblimencommand_la_SOURCES += programs/limen/webhook.c programs/limen/webhook.h
liblimencommand_la_SOURCES += programs/limen/webhook_config.c
liblimencommand_la_SOURCES += programs/limen/workload.c programs/limen/workload.h
liblimencommand_la_SOURCES += programs/limen/yaml_out.c programs/limen/yaml_out.h

# What "limen new-module" makes is what the guide shows.
nodist_liblimencommand_la_SOURCES = programs/limen/skeletons.c
CLEANFILES += programs/limen/skeletons.c
EXTRA_DIST += build-aux/make-skeletons
skeleton_dir = $(top_srcdir)/docs/examples/modules
skeleton_sources = $(skeleton_dir)/at-most/at-most.c $(skeleton_dir)/at-most/test-at-most.c \
	$(skeleton_dir)/by-hint/by-hint.c $(skeleton_dir)/by-hint/test-by-hint.c \
	$(skeleton_dir)/fill-in/fill-in.c $(skeleton_dir)/fill-in/test-fill-in.c \
	$(skeleton_dir)/hint-list/hint-list.c $(skeleton_dir)/hint-list/test-hint-list.c \
	$(skeleton_dir)/replica-cap/replica-cap.c $(skeleton_dir)/replica-cap/test-replica-cap.c \
	$(skeleton_dir)/small-store/small-store.c $(skeleton_dir)/small-store/test-small-store.c
programs/limen/skeletons.c: $(skeleton_sources) $(skeleton_dir)/*/Makefile \
		$(skeleton_dir)/*/*.json $(skeleton_dir)/*/*.md $(top_srcdir)/build-aux/make-skeletons
	$(AM_V_GEN)$(MKDIR_P) programs/limen && \
		$(SHELL) $(top_srcdir)/build-aux/make-skeletons $(skeleton_dir) > $@.new && \
		mv $@.new $@
