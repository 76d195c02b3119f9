/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - fills a struct from an object by a table of options: it checks keys, applies
 * defaults, calls the converters and words the problems as JSON Schema validation does.
 */
#include "options.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <limen/nearest.h>

#include "reader/reader.h"

#define FIELD(type) sizeof(type), alignof(type)

/* How each type is converted, and the size and alignment of the field that it fills. */
static const struct {
	option_convert *convert;
	size_t size;
	size_t alignment;
} types[] = {
	[LIMEN_OPTION_STRING] = { option_string, FIELD(const char *) },
	[LIMEN_OPTION_STRINGS] = { option_strings, FIELD(limen_strings) },
	[LIMEN_OPTION_INT] = { option_int, FIELD(int64_t) },
	[LIMEN_OPTION_INTS] = { option_ints, FIELD(limen_ints) },
	[LIMEN_OPTION_RANGES] = { option_ranges, FIELD(limen_ranges) },
	[LIMEN_OPTION_REAL] = { option_real, FIELD(double) },
	[LIMEN_OPTION_BOOL] = { option_bool, FIELD(bool) },
	[LIMEN_OPTION_DURATION] = { option_duration, FIELD(limen_duration) },
	[LIMEN_OPTION_TIMESTAMP] = { option_timestamp, FIELD(limen_timestamp) },
	[LIMEN_OPTION_CIDRS] = { option_cidrs, FIELD(const limen_cidr_set *) },
	[LIMEN_OPTION_MATCH] = { option_match, FIELD(const limen_string_match *) },
	[LIMEN_OPTION_ENUM] = { option_enum, FIELD(int) },
	[LIMEN_OPTION_PATH] = { option_path, FIELD(const limen_path *) },
	[LIMEN_OPTION_URL] = { option_url, FIELD(const char *) },
	[LIMEN_OPTION_TRANSFORM] = { option_transform, FIELD(limen_transform) },
	[LIMEN_OPTION_JSON] = { option_json, FIELD(limen_value) },
	[LIMEN_OPTION_OBJECT] = { option_object, FIELD(limen_value) },
	[LIMEN_OPTION_STORE] = { option_store, FIELD(limen_store *) },
	[LIMEN_OPTION_SCRIPT] = { option_script, FIELD(limen_transform) },
	[LIMEN_OPTION_ROWS] = { option_rows, FIELD(limen_rows) },
	[LIMEN_OPTION_TIME_OF_DAY] = { option_time_of_day, FIELD(limen_duration) },
	[LIMEN_OPTION_DATE] = { option_date, FIELD(limen_date) },
};

size_t
option_field_size(uint32_t type)
{
	return type < sizeof(types) / sizeof(types[0]) ? types[type].size : 0;
}

size_t
option_field_alignment(uint32_t type)
{
	return types[type].alignment;
}

/* A value in a message is cut to this many bytes: it may be a whole file. */
#define REPR_MAX 160

static char *
repr_of(limen_value value)
{
	strbuf text = STRBUF_INIT;

	value_repr(&text, value);
	if (!text.failed && text.length > REPR_MAX) {
		size_t end = REPR_MAX;

		while (end > 0 && ((unsigned char)text.text[end] & 0xC0) == 0x80)
			end--;
		text.length = end;
		strbuf_adds(&text, "...");
	}
	return strbuf_steal(&text, NULL);
}

bool
problem_memory(const options_context *context, limen_value value)
{
	return limen_diag_refuse(context->diag, value, "%s", limen_result_text(LIMEN_ENOMEM));
}

bool
problem_value(const options_context *context, limen_value value, const char *text)
{
	char *repr = context->secret ? strdup("(secret)") : repr_of(value);

	if (repr == NULL)
		return problem_memory(context, value);
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value, "%s %s", repr, text);
	free(repr);
	return false;
}

bool
problem_type(const options_context *context, limen_value value, const char *type)
{
	char text[64];

	snprintf(text, sizeof(text), "is not of type '%s'", type);
	return problem_value(context, value, text);
}

void
problem_unexpected(limen_diag *diag, limen_severity severity, limen_value object,
                   limen_value key, const char *hint)
{
	strbuf text = STRBUF_INIT;
	char *pointer, *repr, *line;
	place location;

	if (diag_leaves_out(diag, severity))
		return;
	location = value_place(key);
	pointer = diag_takes_pointers(diag) ? value_pointer(object) : NULL;
	repr = repr_of(key);
	strbuf_addf(&text, "Additional properties are not allowed (%s was unexpected)",
	            repr == NULL ? "?" : repr);
	line = strbuf_steal(&text, NULL);
	diag_add_place(diag, severity, location.file, location.line, location.column, pointer,
	               line == NULL ? limen_result_text(LIMEN_ENOMEM) : line);
	if (hint != NULL)
		limen_diag_hint(diag, "%s", hint);
	free(line);
	free(repr);
	free(pointer);
}

static const limen_option *
find_row(const limen_option *rows, limen_value key)
{
	for (const limen_option *row = rows; row->type != LIMEN_OPTION_NONE; row++)
		if (limen_value_is(key, row->key))
			return row;
	return NULL;
}

static void
report_unknown(const limen_option *rows, limen_value object, limen_value key,
               const options_context *context)
{
	limen_nearest best = limen_nearest_to(limen_value_string(key, NULL));
	/* Limits have a type, and entries of the admission chain have a plugin. */
	const char *twin = limen_value_is(key, "plugin") ? "type"
	                   : limen_value_is(key, "type") ? "plugin"
	                                                 : "";
	char hint[128] = "";

	for (const limen_option *row = rows; row->type != LIMEN_OPTION_NONE; row++) {
		limen_nearest_offer(&best, row->key);
		if (strcmp(row->key, twin) == 0)
			best.word = row->key;
		if (strcmp(row->key, "data") == 0 && !limen_value_exists(limen_value_get(object, "data")))
			snprintf(hint, sizeof(hint), "the options of a type stand in 'data'");
	}
	if (best.word != NULL)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", best.word);
	problem_unexpected(context->diag,
	                   context->lax ? LIMEN_SEVERITY_WARNING : LIMEN_SEVERITY_PROBLEM, object,
	                   key, hint[0] == '\0' ? NULL : hint);
}

static bool
check_keys(const limen_option *rows, limen_value object, const options_context *context)
{
	limen_value key, member;
	bool known = true;

	for (limen_iter iter = limen_iter_start(object); limen_iter_next(&iter, &key, &member);) {
		if (find_row(rows, key) != NULL)
			continue;
		report_unknown(rows, object, key, context);
		known = known && context->lax;
	}
	return known;
}

static void
release_document(void *doc)
{
	document_unref(doc);
}

bool
options_keep(cleanup *owner, document *doc)
{
	return doc != NULL && cleanup_push(owner, release_document, doc);
}

/* Texts stay texts for the types written as strings; all others are JSON. */
static bool
is_written_as_string(const limen_option *row)
{
	switch (row->type) {
	case LIMEN_OPTION_STRING:
	case LIMEN_OPTION_DURATION:
	case LIMEN_OPTION_TIMESTAMP:
	case LIMEN_OPTION_TIME_OF_DAY:
	case LIMEN_OPTION_DATE:
	case LIMEN_OPTION_ENUM:
	case LIMEN_OPTION_PATH:
	case LIMEN_OPTION_URL:
	case LIMEN_OPTION_STORE:
		return true;
	default:
		return false;
	}
}

/* The row's 'fallback' as a value, or none after a report. */
static limen_value
fallback_value(const limen_option *row, const options_context *context)
{
	document *doc = NULL;

	if (is_written_as_string(row)) {
		builder *build = builder_new();

		if (build != NULL) {
			builder_text(build, row->fallback);
			doc = builder_finish(build);
		}
	} else {
		doc = json_read(NULL, row->fallback, strlen(row->fallback), 0, context->diag);
	}
	if (options_keep(context->owner, doc))
		return document_root(doc);
	problem_memory(context, limen_value_none());
	return limen_value_none();
}

int
option_pattern(const limen_option *row, limen_string_match **out, char why[LIMEN_MATCH_WHY_MAX])
{
	return limen_string_match_new(LIMEN_MATCH_REGEX, row->pattern, strlen(row->pattern),
	                              LIMEN_MATCH_WHOLE, out, why);
}

static bool
convert(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	options_context own = *context;
	limen_string_match *pattern = NULL;
	bool good;

	if (row->pattern != NULL && option_pattern(row, &pattern, NULL) != LIMEN_OK)
		return problem_memory(context, value);
	own.pattern = pattern;
	own.secret = context->secret || row->secret;
	good = types[row->type].convert(row, value, field, &own);
	limen_string_match_free(pattern);
	return good;
}

bool
option_fallback(const limen_option *row, void *field, const options_context *context)
{
	limen_value value = fallback_value(row, context);

	return limen_value_exists(value) && convert(row, value, field, context);
}

static bool
fill_row(const limen_option *row, limen_value object, void *target, const options_context *context)
{
	limen_value value = limen_value_get(object, row->key);
	void *field = (char *)target + row->offset;

	if (limen_value_exists(value))
		return convert(row, value, field, context);
	if (row->required) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, object,
		               "'%s' is a required property", row->key);
		if (row->help != NULL)
			limen_diag_hint(context->diag, "%s: %s", row->key, row->help);
		return false;
	}
	if (row->fallback != NULL)
		return option_fallback(row, field, context);
	return row->type != LIMEN_OPTION_STORE || option_store(row, value, field, context);
}

/* Hides the value if a row is secret: a value in place of the object may be the secret. */
static bool
problem_object(const limen_option *rows, limen_value value, const options_context *context)
{
	options_context own = *context;

	for (const limen_option *row = rows; row->type != LIMEN_OPTION_NONE; row++)
		own.secret = own.secret || row->secret;
	return problem_type(&own, value, "object");
}

bool
options_fill(const limen_option *rows, limen_value object, void *target,
             const options_context *context)
{
	bool good;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return problem_object(rows, object, context);
	good = check_keys(rows, object, context);
	for (const limen_option *row = rows; row->type != LIMEN_OPTION_NONE; row++)
		good = fill_row(row, object, target, context) && good;
	return good;
}
