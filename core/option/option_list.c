/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_list.c - options that are arrays: strings, integers, ranges of
 * integers, addresses and networks, objects with a table of their own.
 */
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns an arena table of the elements, each by 'convert', or NULL after a report. */
static void *
make_list(const limen_option *row, limen_value value, size_t size, option_convert *convert,
          const options_context *context)
{
	limen_value element;
	bool good = true;
	char *table;
	char *field;

	if (limen_value_type(value) != LIMEN_TYPE_ARRAY) {
		problem_type(context, value, "array");
		limen_diag_hint(context->diag, "write an array: [ ... ]");
		return NULL;
	}
	if (limen_value_count(value) < row->minimum_count) {
		problem_value(context, value, "is too short");
		limen_diag_hint(context->diag, "give %" PRIu32 " or more", row->minimum_count);
		return NULL;
	}
	table = arena_calloc(&context->owner->arena, limen_value_count(value) + 1, size);
	if (table == NULL) {
		problem_memory(context, value);
		return NULL;
	}
	field = table;
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, NULL, &element);) {
		good = convert(row, element, field, context) && good;
		field += size;
	}
	return good ? table : NULL;
}

bool
option_strings(const limen_option *row, limen_value value, void *field,
               const options_context *context)
{
	const char **items = make_list(row, value, sizeof(*items), option_string, context);

	if (items == NULL)
		return false;
	*(limen_strings *)field = (limen_strings){ items, limen_value_count(value) };
	return true;
}

bool
option_ints(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	int64_t *items = make_list(row, value, sizeof(*items), option_int, context);

	if (items == NULL)
		return false;
	*(limen_ints *)field = (limen_ints){ items, limen_value_count(value) };
	return true;
}

/* Reads "22-6", as many write a range; the numbers are in reach of 'row'. */
static bool
read_span(const limen_option *row, limen_value value, limen_range *out)
{
	const char *text = limen_value_string(value, NULL);
	char *end = NULL;

	if (text == NULL)
		return false;
	out->lower = strtoll(text, &end, 10);
	if (end == text || *end != '-')
		return false;
	text = end + 1;
	out->upper = strtoll(text, &end, 10);
	return end != text && *end == '\0' && out->lower >= row->minimum &&
	       out->lower <= row->maximum && out->upper >= row->minimum &&
	       out->upper <= row->maximum;
}

static void
hint_range(const limen_option *row, limen_value value, limen_diag *diag)
{
	/* Weekday 0 is accepted and never matches. */
	int64_t lowest = strcmp(row->key, "weekday") == 0 ? 1 : row->minimum;
	limen_range span;

	if (!read_span(row, value, &span) || span.upper < lowest)
		limen_diag_hint(diag, "write a number, or a range such as "
		                      "{\"lower\": 8, \"upper\": 17}");
	else if (span.lower <= span.upper)
		limen_diag_hint(diag, "write {\"lower\": %" PRId64 ", \"upper\": %" PRId64 "}",
		                span.lower, span.upper);
	else
		limen_diag_hint(diag, "write two ranges: {\"lower\": %" PRId64 ", \"upper\": %" PRId64
		                "}, {\"lower\": %" PRId64 ", \"upper\": %" PRId64 "}",
		                span.lower, row->maximum, lowest, span.upper);
}

static bool
convert_range(const limen_option *row, limen_value value, void *field,
              const options_context *context)
{
	limen_range *range = field;
	const limen_option bounds[] = {
		LIMEN_OPT_INT(limen_range, lower, .key = "lower", .required = true,
		              .minimum = row->minimum, .maximum = row->maximum,
		              .help = "The lower end of the range"),
		LIMEN_OPT_INT(limen_range, upper, .key = "upper", .required = true,
		              .minimum = row->minimum, .maximum = row->maximum,
		              .help = "The upper end of the range"),
		LIMEN_OPT_END
	};

	if (limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return options_fill(bounds, value, range, context);
	if (!limen_value_int(value, &range->lower)) {
		problem_value(context, value, "is not valid under any of the given schemas");
		if (!context->secret)
			hint_range(row, value, context->diag);
		return false;
	}
	range->upper = range->lower;
	return option_int(row, value, &range->lower, context);
}

bool
option_ranges(const limen_option *row, limen_value value, void *field,
              const options_context *context)
{
	limen_range *items = make_list(row, value, sizeof(*items), convert_range, context);

	if (items == NULL && limen_value_type(value) != LIMEN_TYPE_ARRAY)
		limen_diag_hint(context->diag, "write an array of numbers and ranges, such as "
		                               "[6, {\"lower\": 8, \"upper\": 17}]");
	if (items == NULL)
		return false;
	*(limen_ranges *)field = (limen_ranges){ items, limen_value_count(value) };
	return true;
}

static bool
convert_network(const limen_option *row, limen_value value, void *field,
                const options_context *context)
{
	size_t length;
	const char *text = limen_value_string(value, &length);
	int result;

	(void)row;
	if (text == NULL)
		return problem_value(context, value,
		                     "is not valid under any of the given schemas");
	result = limen_network_parse(text, length, 0, field);
	if (result == LIMEN_ERANGE) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value, "%s has host bits set",
		               context->secret ? "(secret)" : text);
		limen_diag_hint(context->diag,
		                "clear the bits after the prefix, or drop the prefix");
		return false;
	}
	if (result != LIMEN_OK) {
		problem_value(context, value, "is not valid under any of the given schemas");
		limen_diag_hint(context->diag,
		                length > 0 && strspn(text, "0123456789./") == length
		                        ? "an IPv4 address is four numbers from 0 to 255, and a "
		                          "prefix at most /32, such as 192.0.2.0/24"
		                        : "an IPv4 or IPv6 address or CIDR, such as 192.0.2.0/24");
		return false;
	}
	return true;
}

static void
release_set(void *set)
{
	limen_cidr_set_free(set);
}

bool
option_cidrs(const limen_option *row, limen_value value, void *field,
             const options_context *context)
{
	limen_network *items = make_list(row, value, sizeof(*items), convert_network, context);
	limen_cidr_set *set;

	if (items == NULL)
		return false;
	set = limen_cidr_set_new(items, limen_value_count(value), NULL, 0);
	if (set == NULL || !cleanup_push(context->owner, release_set, set))
		return problem_memory(context, value);
	*(const limen_cidr_set **)field = set;
	return true;
}

static bool
convert_row(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	return options_fill(row->rows, value, field, context);
}

bool
option_rows(const limen_option *row, limen_value value, void *field, const options_context *context)
{
	void *items = make_list(row, value, row->row_size, convert_row, context);

	if (items == NULL)
		return false;
	*(limen_rows *)field = (limen_rows){ items, limen_value_count(value) };
	return true;
}
