# SPDX-License-Identifier: Apache-2.0
# core/reader: JSON and YAML text into documents.
core_sources += core/reader/documents.c
core_sources += core/reader/json_nodes.c core/reader/json_nodes.h
core_sources += core/reader/json_read.c
core_sources += core/reader/json_string.c core/reader/json_string.h
core_sources += core/reader/yaml_compose.c
core_sources += core/reader/yaml_load.c
core_sources += core/reader/yaml_number.c core/reader/yaml_number.h
core_sources += core/reader/yaml_read.c
core_sources += core/reader/yaml_reader.c core/reader/yaml_reader.h
core_sources += core/reader/yaml_scalar.c core/reader/yaml_scalar.h
core_sources += core/reader/yaml_text.c core/reader/yaml_text.h
core_sources += core/reader/yaml_tree.c core/reader/yaml_tree.h
core_sources += core/reader/reader.h
core_sources += core/reader/json_block.h
