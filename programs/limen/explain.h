/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - the forms in which "limen explain" shows one module.  All print to
 * standard output.
 */
#ifndef LIMEN_PROGRAM_EXPLAIN_H
#define LIMEN_PROGRAM_EXPLAIN_H

#include <limen/engine.h>

/* For people at a terminal of 'width' columns. */
void explain_text(const limen_module_info *module, size_t width);

/* For docs/reference. */
void explain_markdown(const limen_module_info *module);

/* One line of JSON: the module and its options. */
void explain_json(const limen_module_info *module);

/* A JSON Schema (draft 2020-12) of the "data" of an entry. */
void explain_schema(const limen_module_info *module);

#endif
