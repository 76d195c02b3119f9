/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_object.c - options with a structure of their own: pScheduler's
 * StringMatch and jq transform, each described by a table in turn, and times.
 */
#include "options.h"

#include <string.h>

#include "base/strbuf.h"
#include "scalar/scalar.h"

bool
option_duration(const limen_option *row, limen_value value, void *field,
                const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);
	limen_duration duration;
	int result;

	if (text == NULL)
		return problem_type(context, value, "string");
	result = limen_duration_parse(text, length, LIMEN_DURATION_SHORT, &duration, NULL);
	if (result == LIMEN_ERANGE)
		return problem_value(context, value, "is too long a duration.");
	if (result != LIMEN_OK) {
		problem_value(context, value, "is not a valid ISO 8601 duration.");
		limen_diag_hint(context->diag, "such as 30s, 5m, PT4H or P1D");
		return false;
	}
	if (option_has_minimum(row) && duration < row->minimum)
		return problem_value(context, value, "is too short.");
	if (option_has_maximum(row) && duration > row->maximum)
		return problem_value(context, value, "is too long.");
	if (text[0] != 'P')
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, value,
		               "pScheduler 5.2 refuses '%s': it takes ISO 8601 durations", text);
	*(limen_duration *)field = duration;
	return true;
}

bool
option_timestamp(const limen_option *row, limen_value value, void *field,
                 const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);
	const char *why = "Invalid ISO8601 date";

	(void)row;
	if (text == NULL)
		return problem_type(context, value, "string");
	if (limen_timestamp_parse(text, length, 0, field, &why) != LIMEN_OK) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value, "%s", why);
		limen_diag_hint(context->diag, "such as 2026-06-21T08:00:00Z");
		return false;
	}
	return true;
}

bool
option_time_of_day(const limen_option *row, limen_value value, void *field,
                   const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);

	(void)row;
	if (text == NULL)
		return problem_type(context, value, "string");
	return calendar_read_time(text, length, field) ||
	       problem_value(context, value, "is not a time of day: use HH:MM or HH:MM:SS");
}

bool
option_date(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);

	(void)row;
	if (text == NULL)
		return problem_type(context, value, "string");
	return calendar_read_date(text, length, field) ||
	       problem_value(context, value, "is not a date: use YYYY-MM-DD");
}

struct match_fields {
	int style;
	limen_value match;
	bool caseless;
	bool invert;
};

static const char *const match_styles[] = { "exact", "contains", "regex", NULL };

static const limen_option match_rows[] = {
	LIMEN_OPT_ENUM(struct match_fields, style, .key = "style", .required = true,
	               .choices = match_styles, .help = "How to compare"),
	LIMEN_OPT_JSON(struct match_fields, match, .key = "match", .required = true,
	               .help = "The text or regular expression to compare with"),
	LIMEN_OPT_BOOL(struct match_fields, caseless, .key = "case-insensitive",
	               .help = "Ignore the case of letters"),
	LIMEN_OPT_BOOL(struct match_fields, invert, .key = "invert",
	               .help = "Match when the text does not"),
	LIMEN_OPT_END
};

static void
release_match(void *match)
{
	limen_string_match_free(match);
}

/* pScheduler passes the flag in the wrong place: Python takes it for the start position. */
static void
note_match(const struct match_fields *fields, const limen_string_match *match, limen_value value,
           limen_diag *diag)
{
	if (limen_string_match_note(match) != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, fields->match, "%s",
		               limen_string_match_note(match));
	if (fields->style == LIMEN_MATCH_REGEX && fields->caseless)
		limen_diag_add(
			diag, LIMEN_SEVERITY_NOTE, limen_value_get(value, "case-insensitive"),
			"pScheduler 5.2 keeps case significant in a regex and skips the first two "
			"characters; limen ignores case");
}

bool
option_match(const limen_option *row, limen_value value, void *field,
             const options_context *context)
{
	options_context strict = *context;
	struct match_fields fields = { .style = 0 };
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *match;
	const char *text;
	size_t length;
	int result;

	(void)row;
	strict.lax = false;
	if (!options_fill(match_rows, value, &fields, &strict))
		return false;
	text = limen_value_string(fields.match, &length);
	if (text == NULL)
		return problem_type(context, fields.match, "string");
	result = limen_string_match_new((limen_match_style)fields.style, text, length,
	                                (fields.caseless ? LIMEN_MATCH_CASELESS : 0U) |
	                                        (fields.invert ? LIMEN_MATCH_INVERT : 0U),
	                                &match, why);
	if (result == LIMEN_EINVAL)
		return limen_diag_refuse(context->diag, fields.match, "%s", why);
	if (result != LIMEN_OK || !cleanup_push(context->owner, release_match, match))
		return problem_memory(context, value);
	note_match(&fields, match, value, context->diag);
	*(const limen_string_match **)field = match;
	return true;
}

struct transform_fields {
	limen_value script;
	limen_value args;
	bool output_raw;
};

static const limen_option transform_rows[] = {
	LIMEN_OPT_JSON(struct transform_fields, script, .key = "script", .required = true,
	               .help = "The jq script, a string or an array of lines"),
	LIMEN_OPT_OBJECT(struct transform_fields, args, .key = "args", .secret = true,
	                 .help = "Variables for the script"),
	LIMEN_OPT_BOOL(struct transform_fields, output_raw, .key = "output-raw",
	               .help = "Take the output as text"),
	LIMEN_OPT_END
};

/* The lines of an array as one text, or NULL after a report. */
static const char *
join_lines(limen_value lines, const options_context *context)
{
	limen_value line;
	strbuf text = STRBUF_INIT;
	const char *joined = NULL;
	bool good = true;

	for (limen_iter iter = limen_iter_start(lines); limen_iter_next(&iter, NULL, &line);) {
		const char *part = option_plain_text(line, context);

		if (part == NULL) {
			good = false;
			continue;
		}
		if (text.text != NULL)
			strbuf_addc(&text, '\n');
		strbuf_adds(&text, part);
	}
	strbuf_add(&text, "", 0);
	if (good && !text.failed)
		joined = arena_strndup(&context->owner->arena, text.text, text.length);
	if (good && joined == NULL)
		problem_memory(context, lines);
	strbuf_free(&text);
	return joined;
}

static const char *
script_text(limen_value script, const options_context *context)
{
	switch (limen_value_type(script)) {
	case LIMEN_TYPE_STRING:
		return option_plain_text(script, context);
	case LIMEN_TYPE_ARRAY:
		return join_lines(script, context);
	default:
		problem_value(context, script, "is not valid under any of the given schemas");
		return NULL;
	}
}

bool
option_script(const limen_option *row, limen_value value, void *field,
              const options_context *context)
{
	limen_transform *transform = field;
	const char *script = script_text(value, context);

	(void)row;
	if (script == NULL)
		return false;
	transform->script = script;
	transform->where = value;
	return true;
}

bool
option_transform(const limen_option *row, limen_value value, void *field,
                 const options_context *context)
{
	options_context strict = *context;
	struct transform_fields fields = { .output_raw = false };
	const char *script;

	(void)row;
	strict.lax = false;
	if (!options_fill(transform_rows, value, &fields, &strict))
		return false;
	script = script_text(fields.script, context);
	if (script == NULL)
		return false;
	*(limen_transform *)field = (limen_transform){
		.script = script,
		.args = fields.args,
		.where = fields.script,
		.output_raw = fields.output_raw,
	};
	return true;
}
