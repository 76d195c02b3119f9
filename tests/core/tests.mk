# Tests of the core, one program a file.  A test needs one line; its source is
# the same name with .c.  It may include the private headers ("arena.h") and
# "suite.h", and is linked with the core's objects and jansson.
core_tests += tests/core/test_calendar
core_tests += tests/core/test_duration
core_tests += tests/core/test_format
core_tests += tests/core/test_fraction
core_tests += tests/core/test_si
core_tests += tests/core/test_timestamp
core_tests += tests/core/test_timestamp_parse
core_tests += tests/core/test_builder
core_tests += tests/core/test_diag
core_tests += tests/core/test_document
core_tests += tests/core/test_documents
core_tests += tests/core/test_hash
core_tests += tests/core/test_json_block tests/core/test_json_block_plain
core_tests += tests/core/test_json_read
core_tests += tests/core/test_json_string
core_tests += tests/core/test_key_table
core_tests += tests/core/test_number
core_tests += tests/core/test_object_members
core_tests += tests/core/test_path
core_tests += tests/core/test_name_index
core_tests += tests/core/test_name_lookup
core_tests += tests/core/test_place
core_tests += tests/core/test_source_marks
core_tests += tests/core/test_text_read
core_tests += tests/core/test_utf8
core_tests += tests/core/test_value
core_tests += tests/core/test_value_equal
core_tests += tests/core/test_value_print
core_tests += tests/core/test_value_repr
EXTRA_DIST += tests/core/documents.h tests/core/json_cases.h
core_tests += tests/core/test_address
core_tests += tests/core/test_cidr_range
core_tests += tests/core/test_cidr_set
core_tests += tests/core/test_python_escape
core_tests += tests/core/test_python_group
core_tests += tests/core/test_python_pattern
core_tests += tests/core/test_result
core_tests += tests/core/test_string_match
core_tests += tests/core/test_string_match_bounds
EXTRA_DIST += tests/core/match_case.h tests/core/python_case.h
core_tests += tests/core/test_engine
core_tests += tests/core/test_engine_source
core_tests += tests/core/test_engine_stop
core_tests += tests/core/test_require
core_tests += tests/core/test_document_apply
core_tests += tests/core/test_document_diff
core_tests += tests/core/test_document_edit
core_tests += tests/core/test_member_lookup
core_tests += tests/core/test_tree_hash
core_tests += tests/core/test_yaml_check
core_tests += tests/core/test_yaml_compose
core_tests += tests/core/test_yaml_load
core_tests += tests/core/test_yaml_number
core_tests += tests/core/test_yaml_read
core_tests += tests/core/test_yaml_reader
core_tests += tests/core/test_yaml_scalar
core_tests += tests/core/test_yaml_tree
EXTRA_DIST += tests/core/jansson_value.h tests/core/yaml_case.h
core_tests += tests/core/test_background
core_tests += tests/core/test_clock
core_tests += tests/core/test_file_identity
core_tests += tests/core/test_host
core_tests += tests/core/test_host_cache
core_tests += tests/core/test_host_ready
core_tests += tests/core/test_host_run
core_tests += tests/core/test_host_work
core_tests += tests/core/test_path_watch
core_tests += tests/core/test_pool
core_tests += tests/core/test_sink
core_tests += tests/core/test_thread
core_tests += tests/core/test_watched_dirs
core_tests += tests/core/test_writable
EXTRA_DIST += tests/core/latch.h tests/core/scratch.h
core_tests += tests/core/test_engine_watch
core_tests += tests/core/test_host_memory
tests_core_test_host_memory_SOURCES = tests/core/test_host_memory.c tests/kit/fail_malloc.c \
	tests/kit/fail_malloc.h
tests_core_test_host_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=asprintf \
	-Wl,--wrap=__asprintf_chk
core_tests += tests/core/test_decimal
core_tests += tests/core/test_limbs
core_tests += tests/core/test_quantity_add
core_tests += tests/core/test_quantity_compare
# Held against another implementation of numbers.
core_tests += tests/core/test_quantity_gmp
tests_core_test_quantity_gmp_LDADD = $(LDADD) $(GMP_LIBS)
core_tests += tests/core/test_quantity_parse
core_tests += tests/core/test_quantity_print
core_tests += tests/core/test_quantity_product
core_tests += tests/core/test_quantity_ratio
core_tests += tests/core/test_quantity_round
core_tests += tests/core/test_quantity_value
EXTRA_DIST += tests/core/quantity_case.h
core_tests += tests/core/test_quantity
tests_core_test_quantity_SOURCES = tests/core/test_quantity.c tests/kit/fail_malloc.c \
	tests/kit/fail_malloc.h
tests_core_test_quantity_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=asprintf \
	-Wl,--wrap=__asprintf_chk

# Tests that make memory short: every allocation of the core can be refused.
fail_malloc_sources = tests/kit/fail_malloc.c tests/kit/fail_malloc.h
fail_malloc_ldflags = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=asprintf -Wl,--wrap=__asprintf_chk

core_tests += tests/core/test_recycle
core_tests += tests/core/test_arena
tests_core_test_arena_SOURCES = tests/core/test_arena.c $(fail_malloc_sources)
tests_core_test_arena_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_cleanup
tests_core_test_cleanup_SOURCES = tests/core/test_cleanup.c $(fail_malloc_sources)
tests_core_test_cleanup_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_decision
tests_core_test_decision_SOURCES = tests/core/test_decision.c $(fail_malloc_sources)
tests_core_test_decision_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_decision_print
tests_core_test_decision_print_SOURCES = tests/core/test_decision_print.c $(fail_malloc_sources)
tests_core_test_decision_print_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_decision_change
tests_core_test_decision_change_SOURCES = tests/core/test_decision_change.c \
	$(fail_malloc_sources)
tests_core_test_decision_change_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_file
tests_core_test_file_SOURCES = tests/core/test_file.c $(fail_malloc_sources)
tests_core_test_file_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_loader
tests_core_test_loader_SOURCES = tests/core/test_loader.c $(fail_malloc_sources)
tests_core_test_loader_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_module
tests_core_test_module_SOURCES = tests/core/test_module.c $(fail_malloc_sources)
tests_core_test_module_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_oom
tests_core_test_oom_SOURCES = tests/core/test_oom.c $(fail_malloc_sources)
tests_core_test_oom_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_reply
tests_core_test_reply_SOURCES = tests/core/test_reply.c $(fail_malloc_sources)
tests_core_test_reply_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_reply_changes
tests_core_test_reply_changes_SOURCES = tests/core/test_reply_changes.c $(fail_malloc_sources)
tests_core_test_reply_changes_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_request
tests_core_test_request_SOURCES = tests/core/test_request.c $(fail_malloc_sources)
tests_core_test_request_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_request_read
tests_core_test_request_read_SOURCES = tests/core/test_request_read.c $(fail_malloc_sources)
tests_core_test_request_read_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_strbuf
tests_core_test_strbuf_SOURCES = tests/core/test_strbuf.c $(fail_malloc_sources)
tests_core_test_strbuf_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_call
core_tests += tests/core/test_conf_read
core_tests += tests/core/test_conf_sections
core_tests += tests/core/test_identify_blocking
core_tests += tests/core/test_nearest
core_tests += tests/core/test_option_list
core_tests += tests/core/test_option_object
core_tests += tests/core/test_option_scalar
core_tests += tests/core/test_options
core_tests += tests/core/test_store
core_tests += tests/core/test_store_take
EXTRA_DIST += tests/core/option_case.h tests/core/policy_case.h tests/core/problems.h \
	tests/core/reply_case.h tests/core/store_case.h
core_tests += tests/core/test_admit
tests_core_test_admit_SOURCES = tests/core/test_admit.c $(fail_malloc_sources)
tests_core_test_admit_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_grafts
tests_core_test_grafts_SOURCES = tests/core/test_grafts.c $(fail_malloc_sources)
tests_core_test_grafts_LDFLAGS = $(fail_malloc_ldflags)
core_tests += tests/core/test_match
core_tests += tests/core/test_selector
core_tests += tests/core/test_text_set
tests_core_test_text_set_SOURCES = tests/core/test_text_set.c $(fail_malloc_sources)
tests_core_test_text_set_LDFLAGS = $(fail_malloc_ldflags)
