/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - fills a struct from an object in a policy file, by a table of
 * options.
 *
 * Used for the data of modules and for the entries of the policy's own
 * sections alike, so that every message about a key reads the same: the texts
 * of JSON Schema validation, which pScheduler's operators know.
 */
#ifndef LIMEN_CORE_OPTION_OPTIONS_H
#define LIMEN_CORE_OPTION_OPTIONS_H

#include <limen/diag.h>
#include <limen/option.h>

#include "base/cleanup.h"
#include "document/document.h"

typedef struct options_context {
	cleanup *owner;   /* what the fields point to is kept here */
	limen_diag *diag;
	bool lax;         /* unknown keys are warnings, not problems */
	bool secret;      /* problems do not show values */
	const limen_string_match *pattern; /* of the row being converted, or NULL */
	/* Resolves a store; NULL name is the default one.  May be NULL. */
	limen_store *(*find_store)(void *data, const char *name, limen_value where);
	void *find_data;
} options_context;

/*
 * Checks 'object' against 'rows' and fills 'target'.  Every problem is
 * reported; returns false if there was one, or if memory is short.
 */
bool options_fill(const limen_option *rows, limen_value object, void *target,
                  const options_context *context);

/* Frees 'doc' with 'owner'; returns false if memory is short or 'doc' is NULL. */
bool options_keep(cleanup *owner, document *doc);

/*
 * Checks the table of a module that is being loaded: each mistake is a problem at 'where', which
 * names 'module' (KIND/TYPE), the row and its member.  Rows fill an instance of 'instance_size'.
 */
bool options_check(const limen_option *rows, size_t instance_size, const char *module,
                   limen_diag *diag, limen_value where);

/*
 * Compiles the row's 'pattern'.  Returns LIMEN_OK, LIMEN_EINVAL with the mistake in 'why', or
 * LIMEN_ENOMEM.
 */
int option_pattern(const limen_option *row, limen_string_match **out,
                   char why[LIMEN_MATCH_WHY_MAX]);

/* Returns the bytes of the field that an option of 'type' fills; 0: there is no such type. */
size_t option_field_size(uint32_t type);

/* Returns the alignment of that field; the type must exist. */
size_t option_field_alignment(uint32_t type);

/* Stores the row's 'fallback', which is not NULL, in 'field'. */
bool option_fallback(const limen_option *row, void *field, const options_context *context);

/* Which of the row's bounds count? */
bool option_has_minimum(const limen_option *row);
bool option_has_maximum(const limen_option *row);

/* One row's converter: 'value' exists; 'field' is where to store. */
typedef bool option_convert(const limen_option *row, limen_value value, void *field,
                            const options_context *context);

option_convert option_string, option_strings, option_int, option_ints, option_ranges, option_real,
	option_bool, option_duration, option_timestamp, option_cidrs, option_match, option_enum,
	option_path, option_url, option_transform, option_json, option_object, option_store,
	option_script, option_time_of_day, option_date, option_rows;

/* The C string of 'value', or NULL after a report: fields cannot hold NULs. */
const char *option_plain_text(limen_value value, const options_context *context);

/* Report "VALUE is not of type 'TYPE'" and similar, "(secret)" for a secret; all return false. */
bool problem_type(const options_context *context, limen_value value, const char *type);
bool problem_value(const options_context *context, limen_value value, const char *text);
bool problem_memory(const options_context *context, limen_value value);

/*
 * Reports member 'key' of 'object' as unexpected, with the pointer of the
 * object, the place of the key and 'hint' (may be NULL).
 */
void problem_unexpected(limen_diag *diag, limen_severity severity, limen_value object,
                        limen_value key, const char *hint);

#endif
