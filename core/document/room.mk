# SPDX-License-Identifier: Apache-2.0
# core/document: nodes, values, paths, pointers, changes, diagnostics.
core_sources += core/document/builder.c
core_sources += core/document/diag.c
core_sources += core/document/document.c core/document/tree.h
core_sources += core/document/document_apply.c
core_sources += core/document/document_diff.c
core_sources += core/document/document_edit.c
core_sources += core/document/document_patch.c
core_sources += core/document/borrowed.c core/document/borrowed.h
core_sources += core/document/member_lookup.c core/document/member_lookup.h
core_sources += core/document/object_members.c core/document/object_members.h
core_sources += core/document/path.c core/document/path.h
core_sources += core/document/place.c
core_sources += core/document/pointer.c core/document/pointer.h
core_sources += core/document/quantity_value.c
core_sources += core/document/revision.c core/document/revision.h
core_sources += core/document/source_marks.c
core_sources += core/document/tree_hash.c core/document/tree_hash.h
core_sources += core/document/value.c
core_sources += core/document/value_builder.c
core_sources += core/document/value_equal.c
core_sources += core/document/value_keep.c
core_sources += core/document/value_print.c
core_sources += core/document/value_repr.c core/document/value_repr.h
core_sources += core/document/diag.h
core_sources += core/document/document_layout.h
core_sources += core/document/document.h
