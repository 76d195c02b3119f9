/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_out.h - writes a value as a YAML document in block style.  Texts are quoted wherever a
 * reader of YAML 1.1 or 1.2 could misread them.
 */
#ifndef LIMEN_PROGRAM_YAML_OUT_H
#define LIMEN_PROGRAM_YAML_OUT_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>

/* Appends 'value', ended by a newline. */
void yaml_append(GString *out, limen_value value);

/*
 * Prints 'before' and JSON text as YAML.  Returns false and prints nothing if the JSON cannot
 * be parsed, as with NaN, or memory is short.
 */
bool yaml_print(const GString *json, const char *before);

/* Prints JSON text indented, or unchanged if it cannot be parsed. */
void json_print_pretty(const GString *json);

/*
 * Appends JSON text that YAML readers understand in the same way, with the characters escaped
 * that YAML does not allow.
 */
void yaml_append_json(GString *out, const char *json);

#endif
