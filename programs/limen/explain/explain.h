/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - prints one module, or all, to standard output in the formats of "limen explain".
 */
#ifndef LIMEN_PROGRAM_EXPLAIN_H
#define LIMEN_PROGRAM_EXPLAIN_H

#include <glib.h>
#include <limen/engine.h>

#include "policy/catalog.h"

#define SCHEMA_DIALECT "https://json-schema.org/draft/2020-12/schema"

/* Text, wrapped for a terminal of 'width' columns. */
void explain_text(const limen_module_info *module, size_t width);

/* Markdown, for docs/reference. */
void explain_markdown(const limen_module_info *module);

/* One line of JSON: the module and its options. */
void explain_json(const limen_module_info *module);

/* A JSON Schema (draft 2020-12) of the "data" of an entry. */
void explain_schema(const limen_module_info *module);

/* A JSON Schema of whole policies, with the types in 'catalog'. */
void explain_policy_schema(const module_catalog *catalog);

/*
 * Appends the members of a schema of objects that have 'options'; 'others' are further
 * properties as JSON text, or NULL.
 */
void explain_append_object(GString *out, const limen_option *options, const char *others);

#endif
