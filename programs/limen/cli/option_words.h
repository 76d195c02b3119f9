/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_words.h - what an option of a module is, in words: for every form of
 * "limen explain" but the schema.
 */
#ifndef LIMEN_PROGRAM_OPTION_WORDS_H
#define LIMEN_PROGRAM_OPTION_WORDS_H

#include <glib.h>
#include <limen/engine.h>
#include <limen/option.h>

/* Returns the options of 'module' as a table, ended by LIMEN_OPT_END; to g_free(). */
limen_option *option_rows(const limen_module_info *module);

/* Returns what values of the option look like: "integer", "list of strings". */
const char *option_type_name(const limen_option *option);

/* Stores the bounds that count; false where there is none on that side. */
bool option_minimum(const limen_option *option, int64_t *out);
bool option_maximum(const limen_option *option, int64_t *out);

/* Returns the range in words ("1 to 7", "at least PT1S"), or NULL; to g_free(). */
char *option_range(const limen_option *option);

/* Returns the words of an enumeration joined by ", ", or NULL; to g_free(). */
char *option_choices(const limen_option *option);

/* Is the default JSON text, rather than the text of a string? */
bool option_default_is_json(const limen_option *option);

#endif
