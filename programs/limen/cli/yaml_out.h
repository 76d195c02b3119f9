/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_out.h - writes a value as a YAML document: block style, and quotes
 * wherever a reader of YAML 1.1 or 1.2 could take a text for something else.
 */
#ifndef LIMEN_PROGRAM_YAML_OUT_H
#define LIMEN_PROGRAM_YAML_OUT_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>

/* Appends 'value', ended by a newline. */
void yaml_append(GString *out, limen_value value);

/*
 * Prints 'before' and the same of JSON text; false, having printed nothing, if that cannot be
 * read, as with NaN, or memory is short.
 */
bool yaml_print(const GString *json, const char *before);

/* Prints JSON text indented, or as it is if it cannot be read. */
void json_print_pretty(const GString *json);

/*
 * Appends JSON that readers of YAML take for the same value: they know its strings, but
 * not all characters that may stand in them as they are.
 */
void yaml_append_json(GString *out, const char *json);

#endif
