/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_scalar.c - options that are one string, number, boolean or raw value.
 */
#include "options.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <limen/nearest.h>

#include "base/strbuf.h"

const char *
option_plain_text(limen_value value, const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);

	if (text == NULL) {
		problem_type(context, value, "string");
		if (limen_value_type(value) >= LIMEN_TYPE_BOOL &&
		    limen_value_type(value) <= LIMEN_TYPE_REAL)
			limen_diag_hint(context->diag, "write it in quotes");
		return NULL;
	}
	if (strlen(text) != length) {
		problem_value(context, value, "holds a NUL character");
		return NULL;
	}
	return text;
}

static bool
problem_pattern(const limen_option *row, limen_value value, const options_context *context)
{
	strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "does not match '%s'", row->pattern);
	problem_value(context, value, text.failed ? "does not match" : text.text);
	strbuf_free(&text);
	return false;
}

bool
option_string(const limen_option *row, limen_value value, void *field,
              const options_context *context)
{
	const char *text = option_plain_text(value, context);

	if (text == NULL && row->help != NULL && limen_value_type(value) != LIMEN_TYPE_STRING)
		limen_diag_hint(context->diag, "write a string in quotes; %s: %s", row->key,
		                row->help);
	if (text == NULL)
		return false;
	if (context->pattern != NULL &&
	    limen_string_match_test(context->pattern, text, strlen(text)) != LIMEN_PASS)
		return problem_pattern(row, value, context);
	*(const char **)field = text;
	return true;
}

bool
option_has_minimum(const limen_option *row)
{
	return row->minimum != 0 || row->maximum != 0;
}

bool
option_has_maximum(const limen_option *row)
{
	return row->minimum < 0 || row->maximum != 0;
}

static bool
problem_bound(const options_context *context, limen_value value, const char *name, int64_t bound)
{
	char text[64];

	snprintf(text, sizeof(text), "is %s of %" PRId64, name, bound);
	return problem_value(context, value, text);
}

bool
option_int(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	int64_t number;

	if (!limen_value_int(value, &number))
		return problem_type(context, value, "integer");
	if (option_has_minimum(row) && number < row->minimum)
		return problem_bound(context, value, "less than the minimum", row->minimum);
	if (option_has_maximum(row) && number > row->maximum) {
		problem_bound(context, value, "greater than the maximum", row->maximum);
		/* A day that ends at 24:00 is often written so. */
		if (number == 24 && row->maximum == 23)
			limen_diag_hint(context->diag, "hours are 0 to 23; hour 23 lasts until 24:00");
		return false;
	}
	*(int64_t *)field = number;
	return true;
}

/* NaN is within no bounds. */
bool
option_real(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	double number;

	if (!limen_value_real(value, &number))
		return problem_type(context, value, "number");
	if (option_has_minimum(row) && !(number >= (double)row->minimum))
		return problem_bound(context, value, "less than the minimum", row->minimum);
	if (option_has_maximum(row) && !(number <= (double)row->maximum))
		return problem_bound(context, value, "greater than the maximum", row->maximum);
	*(double *)field = number;
	return true;
}

bool
option_bool(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	(void)row;
	if (!limen_value_bool(value, field))
		return problem_type(context, value, "boolean");
	return true;
}

static void
hint_nearest(limen_value value, const char *const *words, const options_context *context)
{
	const char *text = limen_value_string(value, NULL);
	const char *meant = text == NULL ? NULL : limen_nearest_of(text, words);

	if (meant != NULL)
		limen_diag_hint(context->diag, "did you mean '%s'?", meant);
}

static bool
report_choices(const limen_option *row, limen_value value, const options_context *context)
{
	strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "is not one of [");
	for (size_t i = 0; row->choices[i] != NULL; i++)
		strbuf_addf(&text, "%s'%s'", i == 0 ? "" : ", ", row->choices[i]);
	strbuf_adds(&text, "]");
	problem_value(context, value, text.failed ? "is not allowed" : text.text);
	strbuf_free(&text);
	hint_nearest(value, row->choices, context);
	return false;
}

bool
option_enum(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	for (int i = 0; row->choices[i] != NULL; i++) {
		if (limen_value_is(value, row->choices[i])) {
			*(int *)field = i;
			return true;
		}
	}
	return report_choices(row, value, context);
}

static void
release_path(void *path)
{
	limen_path_free(path);
}

/* RFC 6901 section 3: the one with a beginning that is easily forgotten. */
static bool
problem_pointer(const options_context *context, limen_value value, const char *text)
{
	problem_value(context, value, "is not a JSON pointer");
	if (text[0] != '/')
		limen_diag_hint(context->diag, "a JSON pointer begins with '/', as in '/test/spec'");
	return false;
}

bool
option_path(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);
	limen_path *path;
	int result;

	(void)row;
	if (text == NULL)
		return problem_type(context, value, "string");
	result = limen_path_new(text, length, &path);
	if (result == LIMEN_EINVAL)
		return problem_pointer(context, value, text);
	if (result != LIMEN_OK || !cleanup_push(context->owner, release_path, path))
		return problem_memory(context, value);
	*(const limen_path **)field = path;
	return true;
}

/* RFC 3986 section 3.1, and no character that section 2 leaves out. */
static bool
is_absolute_uri(const char *text)
{
	size_t i = 0;

	if (!isalpha((unsigned char)text[0]))
		return false;
	while (isalnum((unsigned char)text[i]) || (text[i] != '\0' && strchr("+-.", text[i])))
		i++;
	if (text[i] != ':' || text[i + 1] == '\0')
		return false;
	for (; text[i] != '\0'; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= ' ' || c >= 127 || strchr("\"<>\\^`{|}", c) != NULL)
			return false;
	}
	return true;
}

/* Hides passwords before an '@' and keys after a '?', because problems are logged. */
static bool
problem_url(const options_context *context, limen_value value, const char *text)
{
	if (strpbrk(text, "@?#") == NULL)
		return problem_value(context, value, "is not a 'uri'");
	return limen_diag_refuse(context->diag, value,
	                         "the value (not shown, it may hold a password) is not a 'uri'");
}

bool
option_url(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	options_context own = *context;
	const char *text;

	(void)row;
	/* Within a list or an object there may be a URL, and in it a password. */
	own.secret = context->secret || limen_value_count(value) > 0;
	text = option_plain_text(value, &own);
	if (text == NULL)
		return false;
	if (!is_absolute_uri(text))
		return problem_url(context, value, text);
	*(const char **)field = text;
	return true;
}

bool
option_json(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	(void)row;
	(void)context;
	*(limen_value *)field = value;
	return true;
}

bool
option_object(const limen_option *row, limen_value value, void *field,
              const options_context *context)
{
	(void)row;
	if (limen_value_type(value) != LIMEN_TYPE_OBJECT)
		return problem_type(context, value, "object");
	*(limen_value *)field = value;
	return true;
}

bool
option_store(const limen_option *row, limen_value value, void *field,
             const options_context *context)
{
	const char *name = NULL;
	limen_store *store;

	(void)row;
	if (limen_value_exists(value)) {
		name = option_plain_text(value, context);
		if (name == NULL)
			return false;
	}
	if (context->find_store == NULL)
		return limen_diag_refuse(context->diag, value, "a store cannot be used here");
	store = context->find_store(context->find_data, name, value);
	if (store == NULL)
		return false;
	*(limen_store **)field = store;
	return true;
}
