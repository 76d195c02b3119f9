# Tests of the core, one program a file.  A test needs one line; its source is
# the same name with .c.  It may include the private headers ("arena.h") and
# "suite.h", and is linked with the core's objects and jansson.
core_tests += tests/core/test_builder
core_tests += tests/core/test_diag
core_tests += tests/core/test_document
core_tests += tests/core/test_hash
core_tests += tests/core/test_json_read
core_tests += tests/core/test_json_string
core_tests += tests/core/test_key_table
core_tests += tests/core/test_number
core_tests += tests/core/test_object_members
core_tests += tests/core/test_path
core_tests += tests/core/test_place
core_tests += tests/core/test_text_read
core_tests += tests/core/test_utf8
core_tests += tests/core/test_value
core_tests += tests/core/test_value_equal
core_tests += tests/core/test_value_print
core_tests += tests/core/test_value_repr
EXTRA_DIST += tests/core/documents.h tests/core/json_cases.h
core_tests += tests/core/test_result
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
