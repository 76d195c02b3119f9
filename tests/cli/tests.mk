# SPDX-License-Identifier: Apache-2.0
# Tests of the command limen, as people run it.
script_tests += tests/cli/usage.sh
script_tests += tests/cli/validate.sh
script_tests += tests/cli/check.sh
script_tests += tests/cli/policies.sh
script_tests += tests/cli/explain.sh
script_tests += tests/cli/width.sh
script_tests += tests/cli/audit.sh
script_tests += tests/cli/batch.sh
script_tests += tests/cli/events.sh
script_tests += tests/cli/buckets.sh
script_tests += tests/cli/module.sh tests/cli/modules.sh tests/cli/tree.sh
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
script_tests += tests/cli/ci.sh
script_tests += tests/cli/demo.sh tests/cli/docs.sh
script_tests += tests/cli/http.sh
script_tests += tests/cli/rate.sh
script_tests += tests/cli/policy_url.sh
script_tests += tests/cli/replay.sh
script_tests += tests/cli/rewrite.sh
script_tests += tests/cli/suggest.sh
script_tests += tests/cli/test_command.sh
script_tests += tests/cli/test_update.sh
script_tests += tests/cli/webhook_config.sh
script_tests += tests/cli/deploy.sh tests/cli/chart.sh
script_tests += tests/cli/conf_d.sh
script_tests += tests/cli/reference.sh

# Parts of the command that no policy shows directly: a suite a file, one program.
cli_suites =
cli_suites += tests/cli/test_json_out.c
cli_suites += tests/cli/test_yaml_out.c
other_suites += $(cli_suites)
other_programs += tests/cli/run
tests_cli_run_SOURCES = $(cli_suites) programs/limen/cli/yaml_out.c
tests_cli_run_CPPFLAGS = $(program_cppflags) $(test_cppflags) $(limen_iquote)
tests_cli_run_LDADD = libprogram.la $(engine_ldadd) $(GLIB_LIBS)
