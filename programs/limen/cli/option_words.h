/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_words.h - describes the options of a module in words, for every format of "limen
 * explain" except the schema.
 */
#ifndef LIMEN_PROGRAM_OPTION_WORDS_H
#define LIMEN_PROGRAM_OPTION_WORDS_H

#include <glib.h>
#include <limen/engine.h>
#include <limen/option.h>

/* A table of options that LIMEN_OPT_END ends. */
typedef limen_option *option_table;

G_DEFINE_AUTO_CLEANUP_FREE_FUNC(option_table, g_free, NULL)

/*
 * Returns the options of 'module', or, unless NULL, those in the table of its option 'parent', as a
 * table that LIMEN_OPT_END ends; to g_free().
 */
limen_option *option_rows(const limen_module_info *module, const limen_option *parent);

/* Returns the type of the option's values in words: "integer", "list of strings". */
const char *option_type_name(const limen_option *option);

/* Store the effective bound; return false if there is none. */
bool option_minimum(const limen_option *option, int64_t *out);
bool option_maximum(const limen_option *option, int64_t *out);

/* Returns the range in words ("1 to 7", "at least PT1S"), or NULL; to g_free(). */
char *option_range(const limen_option *option);

/* Returns the words of an enumeration joined by ", ", or NULL; to g_free(). */
char *option_choices(const limen_option *option);

/* Returns how many items a list has to have ("at least 2 items"), or NULL; to g_free(). */
char *option_items(const limen_option *option);

/* Returns true if the default is JSON text, false if it is the text of a string. */
bool option_default_is_json(const limen_option *option);

#endif
