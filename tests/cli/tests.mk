# Tests of the command limen, as people run it.
script_tests += tests/cli/usage.sh
script_tests += tests/cli/validate.sh
script_tests += tests/cli/check.sh
script_tests += tests/cli/explain.sh
script_tests += tests/cli/batch.sh
script_tests += tests/cli/events.sh
script_tests += tests/cli/buckets.sh
script_tests += tests/cli/modules.sh
script_tests += tests/cli/new_module.sh
script_tests += tests/cli/schema.sh
script_tests += tests/cli/completion.sh
script_tests += tests/cli/hostile.sh
script_tests += tests/cli/forged.sh
script_tests += tests/cli/reviews.sh
script_tests += tests/cli/graph.sh
script_tests += tests/cli/lint.sh
script_tests += tests/cli/describe.sh
script_tests += tests/cli/manifests.sh
script_tests += tests/cli/docs.sh
script_tests += tests/cli/rate.sh
script_tests += tests/cli/policy_url.sh
script_tests += tests/cli/replay.sh
script_tests += tests/cli/rewrite.sh
script_tests += tests/cli/suggest.sh
script_tests += tests/cli/test_command.sh
script_tests += tests/cli/test_update.sh
script_tests += tests/cli/webhook_config.sh
script_tests += tests/cli/deploy.sh
script_tests += tests/cli/conf_d.sh
script_tests += tests/cli/reference.sh

# Parts of the command that no policy shows directly.
other_test_programs += tests/cli/test_json_out
tests_cli_test_json_out_SOURCES = tests/cli/test_json_out.c
tests_cli_test_json_out_CPPFLAGS = $(program_cppflags) $(test_cppflags)
tests_cli_test_json_out_LDADD = libprogram.la $(engine_ldadd) $(GLIB_LIBS)
other_test_programs += tests/cli/test_review
tests_cli_test_review_SOURCES = tests/cli/test_review.c
tests_cli_test_review_CPPFLAGS = $(program_cppflags) $(test_cppflags) \
	$(limen_iquote)
tests_cli_test_review_LDADD = libprogram.la $(engine_ldadd) $(GLIB_LIBS)
other_test_programs += tests/cli/test_yaml_out
tests_cli_test_yaml_out_SOURCES = tests/cli/test_yaml_out.c programs/limen/cli/yaml_out.c
tests_cli_test_yaml_out_CPPFLAGS = $(program_cppflags) $(test_cppflags) \
	$(limen_iquote)
tests_cli_test_yaml_out_LDADD = libprogram.la $(engine_ldadd) $(GLIB_LIBS)
