# The command limen.  It is built at the top, so that ./limen works after make.
bin_PROGRAMS += limen
# A source that is made is not beside its header where the build tree is another.
limen_CPPFLAGS = $(program_cppflags) $(CURL_CFLAGS) -iquote $(top_srcdir)/programs/limen
limen_LDFLAGS = $(PROGRAM_LDFLAGS)
limen_LDADD = libprogram.la $(program_libs) $(CURL_LIBS) -lpthread
limen_SOURCES = programs/limen/main.c programs/limen/command.h
limen_SOURCES += $(policy_url_sources)
limen_SOURCES += programs/limen/answer.c programs/limen/answer.h
limen_SOURCES += programs/limen/arrivals.c programs/limen/arrivals.h
limen_SOURCES += programs/limen/ask.c programs/limen/ask.h
limen_SOURCES += programs/limen/batch.c
limen_SOURCES += programs/limen/batch_line.c programs/limen/batch_line.h
limen_SOURCES += programs/limen/buckets.c
limen_SOURCES += programs/limen/buckets_remote.c programs/limen/buckets_remote.h
limen_SOURCES += programs/limen/catalog.c programs/limen/catalog.h
limen_SOURCES += programs/limen/check.c programs/limen/check.h
limen_SOURCES += programs/limen/check_files.c
limen_SOURCES += programs/limen/check_output.c programs/limen/check_output.h
limen_SOURCES += programs/limen/columns.c programs/limen/columns.h
limen_SOURCES += programs/limen/decision_text.c programs/limen/decision_text.h
limen_SOURCES += programs/limen/describe.c
limen_SOURCES += programs/limen/engine_cache.c programs/limen/engine_cache.h
limen_SOURCES += programs/limen/explain.c programs/limen/explain.h
limen_SOURCES += programs/limen/explain_policy.c
limen_SOURCES += programs/limen/explain_schema.c
limen_SOURCES += programs/limen/explain_text.c
limen_SOURCES += programs/limen/get.c
limen_SOURCES += programs/limen/graph.c
limen_SOURCES += programs/limen/graph_dot.c programs/limen/graph_dot.h
limen_SOURCES += programs/limen/graph_html.c programs/limen/graph_html.h
limen_SOURCES += programs/limen/graph_model.c programs/limen/graph_model.h
limen_SOURCES += programs/limen/graph_path.c programs/limen/graph_path.h
limen_SOURCES += programs/limen/graph_render.c programs/limen/graph_render.h
limen_SOURCES += programs/limen/input.c programs/limen/input.h
limen_SOURCES += programs/limen/jobs.c programs/limen/jobs.h
limen_SOURCES += programs/limen/limits_command.c programs/limen/limits_command.h
limen_SOURCES += programs/limen/lines.c programs/limen/lines.h
limen_SOURCES += programs/limen/message.c programs/limen/message.h
limen_SOURCES += programs/limen/modules.c
limen_SOURCES += programs/limen/new_module.c programs/limen/skeleton.h
limen_SOURCES += programs/limen/option_words.c programs/limen/option_words.h
limen_SOURCES += programs/limen/options.c programs/limen/options.h
limen_SOURCES += programs/limen/patch_out.c programs/limen/patch_out.h
limen_SOURCES += programs/limen/policy.c programs/limen/policy.h
limen_SOURCES += programs/limen/policy_state.c programs/limen/policy_state.h
limen_SOURCES += programs/limen/problems.c programs/limen/problems.h
limen_SOURCES += programs/limen/progress.c programs/limen/progress.h
limen_SOURCES += programs/limen/range_table.c programs/limen/range_table.h
limen_SOURCES += programs/limen/ranges.c programs/limen/ranges.h
limen_SOURCES += programs/limen/rates.c programs/limen/rates.h
limen_SOURCES += programs/limen/replay.h
limen_SOURCES += programs/limen/replay_audit.c
limen_SOURCES += programs/limen/replay_batch.c programs/limen/replay_batch.h
limen_SOURCES += programs/limen/replay_command.c
limen_SOURCES += programs/limen/replay_html.c
limen_SOURCES += programs/limen/replay_json.c
limen_SOURCES += programs/limen/replay_logged.c
limen_SOURCES += programs/limen/replay_outcome.c programs/limen/replay_outcome.h
limen_SOURCES += programs/limen/replay_record.c
limen_SOURCES += programs/limen/replay_run.c
limen_SOURCES += programs/limen/replay_source.c programs/limen/replay_source.h
limen_SOURCES += programs/limen/replay_tally.c
limen_SOURCES += programs/limen/replay_text.c
limen_SOURCES += programs/limen/resource_table.c programs/limen/resource_table.h
limen_SOURCES += programs/limen/sources.c programs/limen/sources.h
limen_SOURCES += programs/limen/subjects.c programs/limen/subjects.h
limen_SOURCES += programs/limen/unseen.c programs/limen/unseen.h
limen_SOURCES += programs/limen/suggest.c
limen_SOURCES += programs/limen/terminal.c programs/limen/terminal.h
limen_SOURCES += programs/limen/test.c programs/limen/tests.h
limen_SOURCES += programs/limen/tests_cover.c
limen_SOURCES += programs/limen/tests_expect.c
limen_SOURCES += programs/limen/tests_find.c programs/limen/tests_find.h
limen_SOURCES += programs/limen/tests_keys.c
limen_SOURCES += programs/limen/tests_output.c
limen_SOURCES += programs/limen/tests_policy.c programs/limen/tests_policy.h
limen_SOURCES += programs/limen/tests_read.c
limen_SOURCES += programs/limen/tests_report.c
limen_SOURCES += programs/limen/tests_request.c programs/limen/tests_request.h
limen_SOURCES += programs/limen/tests_run.c
limen_SOURCES += programs/limen/tests_update.c
limen_SOURCES += programs/limen/tests_view.c
limen_SOURCES += programs/limen/text_kind.c programs/limen/text_kind.h
limen_SOURCES += programs/limen/trace_text.c
limen_SOURCES += programs/limen/tree.c programs/limen/tree.h
limen_SOURCES += programs/limen/validate.c
limen_SOURCES += programs/limen/webhook.c programs/limen/webhook.h
limen_SOURCES += programs/limen/webhook_config.c
limen_SOURCES += programs/limen/workload.c programs/limen/workload.h
limen_SOURCES += programs/limen/yaml_out.c programs/limen/yaml_out.h

# What "limen new-module" makes is what the guide shows.
nodist_limen_SOURCES = programs/limen/skeletons.c
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
