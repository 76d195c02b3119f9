# SPDX-License-Identifier: Apache-2.0
# Files of one folder are included by name, others as "folder/file.h" (see rooms).
limen_iquote = -iquote $(top_srcdir)/programs/limen
EXTRA_DIST += programs/limen/rooms

# The command limen, which is linked twice: ./limen finds the files of the build tree, and
# installed/limen is installed.  All of it but main.c is a convenience library, so that fuzzers
# read what the commands read.
noinst_PROGRAMS += limen
limen_CPPFLAGS = $(program_cppflags) $(limen_iquote) $(tree_cppflags) $(help_cppflags)
limen_LDADD = liblimencommand.la
limen_SOURCES = programs/limen/main.c programs/common/tree.c programs/common/tree.h

bin_PROGRAMS += installed/limen
installed_limen_CPPFLAGS = $(program_cppflags) $(limen_iquote) $(help_cppflags)
installed_limen_LDFLAGS = $(PROGRAM_LDFLAGS) $(LTO_LDFLAGS) $(PROGRAM_RUNPATH)
installed_limen_LDADD = $(limen_LDADD)
installed_limen_SOURCES = $(limen_SOURCES)

noinst_LTLIBRARIES += liblimencommand.la
# A source that is made is not beside its header where the build tree is another.
liblimencommand_la_CPPFLAGS = $(program_cppflags) $(limen_iquote)
liblimencommand_la_LDFLAGS =
liblimencommand_la_LIBADD = libprogram.la libpolicyurl.la $(program_libs) -lpthread
liblimencommand_la_SOURCES = programs/limen/cli/command.h
liblimencommand_la_SOURCES += programs/limen/ask/answer.c programs/limen/ask/answer.h
liblimencommand_la_SOURCES += programs/limen/ask/ask.c programs/limen/ask/ask.h
liblimencommand_la_SOURCES += programs/limen/audit/audit.c programs/limen/audit/audit.h
liblimencommand_la_SOURCES += programs/limen/audit/audit_input.c
liblimencommand_la_SOURCES += programs/limen/audit/audit_lint.c
liblimencommand_la_SOURCES += programs/limen/audit/audit_object.c
liblimencommand_la_SOURCES += programs/limen/audit/audit_print.c
liblimencommand_la_SOURCES += programs/limen/audit/audit_report.c
liblimencommand_la_SOURCES += programs/limen/audit/object_stream.c programs/limen/audit/object_stream.h
liblimencommand_la_SOURCES += programs/limen/audit/suggest_limits.c programs/limen/audit/suggest_limits.h
liblimencommand_la_SOURCES += programs/limen/audit/tally.c programs/limen/audit/tally.h
liblimencommand_la_SOURCES += programs/limen/check/batch.c
liblimencommand_la_SOURCES += programs/limen/buckets/buckets.c
liblimencommand_la_SOURCES += programs/limen/remote/remote.c programs/limen/remote/remote.h
liblimencommand_la_SOURCES += programs/limen/top/top.c programs/limen/top/top_view.c programs/limen/top/top.h
liblimencommand_la_SOURCES += programs/limen/buckets/buckets_remote.c programs/limen/buckets/buckets_remote.h
liblimencommand_la_SOURCES += programs/limen/policy/catalog.c programs/limen/policy/catalog.h
liblimencommand_la_SOURCES += programs/limen/check/check.c programs/limen/check/check.h
liblimencommand_la_SOURCES += programs/limen/check/check_files.c
liblimencommand_la_SOURCES += programs/limen/check/check_output.c programs/limen/check/check_output.h
liblimencommand_la_SOURCES += programs/limen/cli/columns.c programs/limen/cli/columns.h
liblimencommand_la_SOURCES += programs/limen/ask/decision_text.c programs/limen/ask/decision_text.h
liblimencommand_la_SOURCES += programs/limen/policy/engine_cache.c programs/limen/policy/engine_cache.h
liblimencommand_la_SOURCES += programs/limen/explain/explain.c programs/limen/explain/explain.h
liblimencommand_la_SOURCES += programs/limen/explain/explain_policy.c
liblimencommand_la_SOURCES += programs/limen/explain/explain_schema.c
liblimencommand_la_SOURCES += programs/limen/explain/explain_text.c
liblimencommand_la_SOURCES += programs/limen/graph/graph.c programs/limen/graph/graph.h
liblimencommand_la_SOURCES += programs/limen/graph/graph_dot.c
liblimencommand_la_SOURCES += programs/limen/graph/graph_html.c
liblimencommand_la_SOURCES += programs/limen/graph/graph_model.c
liblimencommand_la_SOURCES += programs/limen/graph/graph_path.c
liblimencommand_la_SOURCES += programs/limen/graph/graph_render.c
liblimencommand_la_SOURCES += programs/limen/cli/fold.c programs/limen/cli/fold.h
liblimencommand_la_SOURCES += programs/limen/cli/input.c programs/limen/cli/input.h
liblimencommand_la_SOURCES += programs/limen/cli/jobs.c programs/limen/cli/jobs.h
liblimencommand_la_SOURCES += programs/limen/limits/limits.c
liblimencommand_la_SOURCES += programs/limen/cli/lines.c programs/limen/cli/lines.h
liblimencommand_la_SOURCES += programs/limen/cli/markup.c programs/limen/cli/markup.h
liblimencommand_la_SOURCES += programs/limen/cli/message.c programs/limen/cli/message.h
liblimencommand_la_SOURCES += programs/limen/cli/option_words.c programs/limen/cli/option_words.h
liblimencommand_la_SOURCES += programs/limen/cli/options.c programs/limen/cli/options.h
liblimencommand_la_SOURCES += programs/limen/policy/policy.c programs/limen/policy/policy.h
liblimencommand_la_SOURCES += programs/limen/policy/problems.c programs/limen/policy/problems.h
liblimencommand_la_SOURCES += programs/limen/cli/progress.c programs/limen/cli/progress.h
liblimencommand_la_SOURCES += programs/limen/ask/question_options.c programs/limen/ask/question_options.h
liblimencommand_la_SOURCES += programs/limen/report/report.c programs/limen/report/report.h
liblimencommand_la_SOURCES += programs/limen/limits/range_table.c programs/limen/limits/range_table.h
liblimencommand_la_SOURCES += programs/limen/policy/ranges.c programs/limen/policy/ranges.h
liblimencommand_la_SOURCES += programs/limen/cli/replace_file.c programs/limen/cli/replace_file.h
liblimencommand_la_SOURCES += programs/limen/replay/replay.h
liblimencommand_la_SOURCES += programs/limen/replay/replay_command.c
liblimencommand_la_SOURCES += programs/limen/replay/replay_record.c
liblimencommand_la_SOURCES += programs/limen/replay/replay_run.c
liblimencommand_la_SOURCES += programs/limen/replay/replay_tally.c
liblimencommand_la_SOURCES += programs/limen/replay/replay_report.c
liblimencommand_la_SOURCES += programs/limen/policy/resource_table.c programs/limen/policy/resource_table.h
liblimencommand_la_SOURCES += programs/limen/cli/sources.c programs/limen/cli/sources.h
liblimencommand_la_SOURCES += programs/limen/ask/case.c programs/limen/ask/case.h
liblimencommand_la_SOURCES += programs/limen/ask/case_files.c
liblimencommand_la_SOURCES += programs/limen/ask/http_options.c programs/limen/ask/http_options.h
liblimencommand_la_SOURCES += programs/limen/ask/judgement.c programs/limen/ask/judgement.h
liblimencommand_la_SOURCES += programs/limen/replay/suggest.c
liblimencommand_la_SOURCES += programs/limen/cli/terminal.c programs/limen/cli/terminal.h
liblimencommand_la_SOURCES += programs/limen/test/test.c programs/limen/test/tests.h
liblimencommand_la_SOURCES += programs/limen/test/tests_cover.c
liblimencommand_la_SOURCES += programs/limen/test/tests_expect.c
liblimencommand_la_SOURCES += programs/limen/test/tests_keys.c
liblimencommand_la_SOURCES += programs/limen/test/tests_output.c
liblimencommand_la_SOURCES += programs/limen/test/tests_policy.c
liblimencommand_la_SOURCES += programs/limen/test/tests_read.c
liblimencommand_la_SOURCES += programs/limen/test/tests_request.c
liblimencommand_la_SOURCES += programs/limen/test/tests_run.c
liblimencommand_la_SOURCES += programs/limen/test/tests_update.c
liblimencommand_la_SOURCES += programs/limen/ask/trace_text.c
liblimencommand_la_SOURCES += programs/limen/cli/tree.c programs/limen/cli/tree.h
liblimencommand_la_SOURCES += programs/limen/explain/validate.c
liblimencommand_la_SOURCES += programs/limen/webhook/webhook.h
liblimencommand_la_SOURCES += programs/limen/webhook/webhook_config.c
liblimencommand_la_SOURCES += programs/limen/webhook/webhook_needs.c
liblimencommand_la_SOURCES += programs/limen/webhook/webhook_objects.c
liblimencommand_la_SOURCES += programs/limen/webhook/webhook_text.c
liblimencommand_la_SOURCES += programs/limen/cli/yaml_out.c programs/limen/cli/yaml_out.h
liblimencommand_la_SOURCES += programs/limen/module/module_check.c
liblimencommand_la_SOURCES += programs/limen/module/list.c
liblimencommand_la_SOURCES += programs/limen/module/module.c
liblimencommand_la_SOURCES += programs/limen/module/new.c programs/limen/module/skeleton.h
liblimencommand_la_SOURCES += programs/limen/module/place.c programs/limen/module/place.h
liblimencommand_la_SOURCES += programs/limen/module/module_test.c
liblimencommand_la_SOURCES += programs/limen/module/trial.c programs/limen/module/trial.h
# The test kit, as a part of the program.
liblimencommand_la_SOURCES += tests/kit/testkit.c

# Pages look like the console.
nodist_liblimencommand_la_SOURCES = programs/limen/cli/look.c
EXTRA_DIST += programs/limend/ui/look.css
CLEANFILES += programs/limen/cli/look.c
programs/limen/cli/look.c: programs/limend/ui/look.css
	$(AM_V_GEN)$(MKDIR_P) programs/limen/cli && \
		{ printf '/* Made by programs/limen/sources.mk. */\n#include "cli/markup.h"\n\nconst char markup_look[] =\n' && \
		sed '1,2d; s/[\\"]/\\&/g; s/.*/\t"&\\n"/' $(top_srcdir)/programs/limend/ui/look.css && \
		printf '\t;\n'; } > $@.new && mv $@.new $@

# What "limen module new" makes is what the guide shows.
nodist_liblimencommand_la_SOURCES += programs/limen/module/skeletons.c
CLEANFILES += programs/limen/module/skeletons.c
EXTRA_DIST += build-aux/make-skeletons
skeleton_dir = $(top_srcdir)/docs/examples/modules
skeleton_sources = $(skeleton_dir)/at-most/at-most.c $(skeleton_dir)/at-most/test-at-most.c \
	$(skeleton_dir)/by-hint/by-hint.c $(skeleton_dir)/by-hint/test-by-hint.c \
	$(skeleton_dir)/fill-in/fill-in.c $(skeleton_dir)/fill-in/test-fill-in.c \
	$(skeleton_dir)/hint-list/hint-list.c $(skeleton_dir)/hint-list/test-hint-list.c \
	$(skeleton_dir)/replica-cap/replica-cap.c $(skeleton_dir)/replica-cap/test-replica-cap.c \
	$(skeleton_dir)/small-store/small-store.c $(skeleton_dir)/small-store/test-small-store.c
programs/limen/module/skeletons.c: $(skeleton_sources) $(skeleton_dir)/*/Makefile \
		$(skeleton_dir)/*/*.json $(skeleton_dir)/*/*.md $(top_srcdir)/build-aux/make-skeletons
	$(AM_V_GEN)$(MKDIR_P) programs/limen/module && \
		$(SHELL) $(top_srcdir)/build-aux/make-skeletons $(skeleton_dir) > $@.new && \
		mv $@.new $@
