# SPDX-License-Identifier: Apache-2.0
# Tests of the core: a folder a room, a suite a file, a program a room (tests/kit/suite.h).
# A new file is one more line, beside the others of its room; nothing else lists it:
#
#	scalar_suites += tests/core/scalar/test_si.c
#
# It may include the headers of the core and of tests/core, and those of tests/kit.  The program
# is linked with the core's own objects, any of whose allocations can be refused
# (tests/kit/fail_malloc.h).  One suite, with what limen is built as and alone:
#
#	make check TESTS=tests/core/scalar/test_si
#	make tests/core/scalar/run && tests/core/scalar/run test_si
#
# A new room is a program here, whose suites go into core_suites.
core_programs =
core_suites =

# Tests that make memory short: every allocation of the program's own objects can be refused.
fail_malloc_sources = tests/kit/fail_malloc.c tests/kit/fail_malloc.h
fail_malloc_ldflags = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=asprintf -Wl,--wrap=__asprintf_chk

base_suites =
base_suites += tests/core/base/test_arena.c
base_suites += tests/core/base/test_cleanup.c
base_suites += tests/core/base/test_clock.c
base_suites += tests/core/base/test_format.c
base_suites += tests/core/base/test_hash.c
base_suites += tests/core/base/test_name_index.c
base_suites += tests/core/base/test_nearest.c
base_suites += tests/core/base/test_recycle.c
base_suites += tests/core/base/test_result.c
base_suites += tests/core/base/test_sized.c
base_suites += tests/core/base/test_strbuf.c
base_suites += tests/core/base/test_text_map.c
base_suites += tests/core/base/test_thread.c
base_suites += tests/core/base/test_utf8.c
core_suites += $(base_suites)
core_programs += tests/core/base/run
tests_core_base_run_SOURCES = $(base_suites) $(fail_malloc_sources)
tests_core_base_run_LDFLAGS = $(fail_malloc_ldflags)

scalar_suites =
scalar_suites += tests/core/scalar/test_address.c
scalar_suites += tests/core/scalar/test_calendar.c
scalar_suites += tests/core/scalar/test_cidr_range.c
scalar_suites += tests/core/scalar/test_cidr_set.c
scalar_suites += tests/core/scalar/test_decimal.c
scalar_suites += tests/core/scalar/test_duration.c
scalar_suites += tests/core/scalar/test_fraction.c
scalar_suites += tests/core/scalar/test_number.c
scalar_suites += tests/core/scalar/test_quantity.c
scalar_suites += tests/core/scalar/test_quantity_add.c
scalar_suites += tests/core/scalar/test_quantity_compare.c
# Held against another implementation of numbers.
scalar_suites += tests/core/scalar/test_quantity_gmp.c
scalar_suites += tests/core/scalar/test_quantity_parse.c
scalar_suites += tests/core/scalar/test_quantity_print.c
scalar_suites += tests/core/scalar/test_quantity_product.c
scalar_suites += tests/core/scalar/test_quantity_ratio.c
scalar_suites += tests/core/scalar/test_quantity_round.c
scalar_suites += tests/core/scalar/test_si.c
scalar_suites += tests/core/scalar/test_timestamp.c
scalar_suites += tests/core/scalar/test_timestamp_parse.c
scalar_suites += tests/core/scalar/test_uri_path.c
core_suites += $(scalar_suites)
core_programs += tests/core/scalar/run
tests_core_scalar_run_SOURCES = $(scalar_suites) $(fail_malloc_sources)
tests_core_scalar_run_LDFLAGS = $(fail_malloc_ldflags)
tests_core_scalar_run_LDADD = $(LDADD) $(GMP_LIBS)

pattern_suites =
pattern_suites += tests/core/pattern/test_python_escape.c
pattern_suites += tests/core/pattern/test_python_group.c
pattern_suites += tests/core/pattern/test_python_pattern.c
pattern_suites += tests/core/pattern/test_string_match.c
pattern_suites += tests/core/pattern/test_string_match_bounds.c
core_suites += $(pattern_suites)
core_programs += tests/core/pattern/run
tests_core_pattern_run_SOURCES = $(pattern_suites) $(fail_malloc_sources)
tests_core_pattern_run_LDFLAGS = $(fail_malloc_ldflags)

document_suites =
document_suites += tests/core/document/test_builder.c
document_suites += tests/core/document/test_diag.c
document_suites += tests/core/document/test_document.c
document_suites += tests/core/document/test_document_apply.c
document_suites += tests/core/document/test_document_diff.c
document_suites += tests/core/document/test_document_edit.c
document_suites += tests/core/document/test_document_patch.c
document_suites += tests/core/document/test_grafts.c
document_suites += tests/core/document/test_member_lookup.c
document_suites += tests/core/document/test_object_members.c
document_suites += tests/core/document/test_path.c
document_suites += tests/core/document/test_place.c
document_suites += tests/core/document/test_pointer.c
document_suites += tests/core/document/test_quantity_value.c
document_suites += tests/core/document/test_source_marks.c
document_suites += tests/core/document/test_tree_hash.c
document_suites += tests/core/document/test_value.c
document_suites += tests/core/document/test_value_builder.c
document_suites += tests/core/document/test_value_equal.c
document_suites += tests/core/document/test_value_print.c
document_suites += tests/core/document/test_value_repr.c
core_suites += $(document_suites)
core_programs += tests/core/document/run
tests_core_document_run_SOURCES = $(document_suites) $(fail_malloc_sources)
tests_core_document_run_LDFLAGS = $(fail_malloc_ldflags)

reader_suites =
reader_suites += tests/core/reader/test_documents.c
reader_suites += tests/core/reader/test_json_block.c
reader_suites += tests/core/reader/test_json_block_plain.c
reader_suites += tests/core/reader/test_json_read.c
reader_suites += tests/core/reader/test_json_string.c
reader_suites += tests/core/reader/test_text_read.c
reader_suites += tests/core/reader/test_yaml_check.c
reader_suites += tests/core/reader/test_yaml_compose.c
reader_suites += tests/core/reader/test_yaml_load.c
reader_suites += tests/core/reader/test_yaml_number.c
reader_suites += tests/core/reader/test_yaml_read.c
reader_suites += tests/core/reader/test_yaml_reader.c
reader_suites += tests/core/reader/test_yaml_scalar.c
reader_suites += tests/core/reader/test_yaml_tree.c
core_suites += $(reader_suites)
core_programs += tests/core/reader/run
tests_core_reader_run_SOURCES = $(reader_suites) $(fail_malloc_sources)
tests_core_reader_run_LDFLAGS = $(fail_malloc_ldflags)

file_suites =
file_suites += tests/core/file/test_file.c
file_suites += tests/core/file/test_file_identity.c
file_suites += tests/core/file/test_trust.c
file_suites += tests/core/file/test_trust_way.c
file_suites += tests/core/file/test_watched_dirs.c
file_suites += tests/core/file/test_writable.c
core_suites += $(file_suites)
core_programs += tests/core/file/run
tests_core_file_run_SOURCES = $(file_suites) $(fail_malloc_sources)
tests_core_file_run_LDFLAGS = $(fail_malloc_ldflags)

host_suites =
host_suites += tests/core/host/test_background.c
host_suites += tests/core/host/test_host.c
host_suites += tests/core/host/test_host_cache.c
host_suites += tests/core/host/test_host_memory.c
host_suites += tests/core/host/test_host_ready.c
host_suites += tests/core/host/test_host_run.c
host_suites += tests/core/host/test_host_work.c
host_suites += tests/core/host/test_path_watch.c
host_suites += tests/core/host/test_pool.c
core_suites += $(host_suites)
core_programs += tests/core/host/run
tests_core_host_run_SOURCES = $(host_suites) $(fail_malloc_sources)
tests_core_host_run_LDFLAGS = $(fail_malloc_ldflags)

option_suites =
option_suites += tests/core/option/test_option_list.c
option_suites += tests/core/option/test_option_object.c
option_suites += tests/core/option/test_option_scalar.c
option_suites += tests/core/option/test_options.c
option_suites += tests/core/option/test_options_check.c
option_suites += tests/core/option/test_selector.c
core_suites += $(option_suites)
core_programs += tests/core/option/run
tests_core_option_run_SOURCES = $(option_suites) $(fail_malloc_sources)
tests_core_option_run_LDFLAGS = $(fail_malloc_ldflags)

conf_suites =
conf_suites += tests/core/conf/test_conf_modules.c
conf_suites += tests/core/conf/test_conf_read.c
conf_suites += tests/core/conf/test_conf_sections.c
core_suites += $(conf_suites)
core_programs += tests/core/conf/run
tests_core_conf_run_SOURCES = $(conf_suites) $(fail_malloc_sources)
tests_core_conf_run_LDFLAGS = $(fail_malloc_ldflags)

module_suites =
module_suites += tests/core/module/test_loader.c
module_suites += tests/core/module/test_module.c
module_suites += tests/core/module/test_store.c
core_suites += $(module_suites)
core_programs += tests/core/module/run
tests_core_module_run_SOURCES = $(module_suites) $(fail_malloc_sources)
tests_core_module_run_LDFLAGS = $(fail_malloc_ldflags)

policy_suites =
policy_suites += tests/core/policy/test_match.c
policy_suites += tests/core/policy/test_name_lookup.c
policy_suites += tests/core/policy/test_verdict.c
core_suites += $(policy_suites)
core_programs += tests/core/policy/run
tests_core_policy_run_SOURCES = $(policy_suites) $(fail_malloc_sources)
tests_core_policy_run_LDFLAGS = $(fail_malloc_ldflags)

decision_suites =
decision_suites += tests/core/decision/test_admit.c
decision_suites += tests/core/decision/test_call.c
decision_suites += tests/core/decision/test_decision.c
decision_suites += tests/core/decision/test_decision_annotate.c
decision_suites += tests/core/decision/test_decision_change.c
decision_suites += tests/core/decision/test_decision_print.c
decision_suites += tests/core/decision/test_identify_blocking.c
decision_suites += tests/core/decision/test_templates.c
decision_suites += tests/core/decision/test_wait.c
decision_suites += tests/core/decision/test_subject.c
decision_suites += tests/core/decision/test_mixes.c
decision_suites += tests/core/decision/test_reply.c
decision_suites += tests/core/decision/test_reply_changes.c
decision_suites += tests/core/decision/test_reply_set_at.c
decision_suites += tests/core/decision/test_reply_trace.c
decision_suites += tests/core/decision/test_request.c
decision_suites += tests/core/decision/test_request_read.c
decision_suites += tests/core/decision/test_store_take.c
core_suites += $(decision_suites)
core_programs += tests/core/decision/run
tests_core_decision_run_SOURCES = $(decision_suites) $(fail_malloc_sources)
tests_core_decision_run_LDFLAGS = $(fail_malloc_ldflags)

engine_suites =
engine_suites += tests/core/engine/test_engine.c
engine_suites += tests/core/engine/test_engine_hold.c
engine_suites += tests/core/engine/test_engine_modules.c
engine_suites += tests/core/engine/test_engine_source.c
engine_suites += tests/core/engine/test_engine_stop.c
engine_suites += tests/core/engine/test_engine_watch.c
engine_suites += tests/core/engine/test_null.c
engine_suites += tests/core/engine/test_oom.c
core_suites += $(engine_suites)
core_programs += tests/core/engine/run
tests_core_engine_run_SOURCES = $(engine_suites) $(fail_malloc_sources)
tests_core_engine_run_LDFLAGS = $(fail_malloc_ldflags)

question_suites =
question_suites += tests/core/question/test_question_read.c
question_suites += tests/core/question/test_review_read.c
core_suites += $(question_suites)
core_programs += tests/core/question/run
tests_core_question_run_SOURCES = $(question_suites) $(fail_malloc_sources)
tests_core_question_run_LDFLAGS = $(fail_malloc_ldflags)
