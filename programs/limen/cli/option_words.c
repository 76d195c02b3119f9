/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_words.c - describes the options of a module in words: type, range, choices and form of
 * the default.
 */
#include "option_words.h"

#include <inttypes.h>
#include <limen/documents.h>
#include <string.h>

#include "common/auto.h"

limen_option *
option_rows(const limen_module_info *module, const limen_option *parent)
{
	static const limen_option end = LIMEN_OPT_END;
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(end));
	const limen_option *row;

	for (guint i = 0; (row = parent == NULL ? limen_module_option(module, i)
	                                        : limen_module_suboption(parent, i)) != NULL; i++)
		g_array_append_vals(rows, row, 1);
	g_array_append_val(rows, end);
	return (limen_option *)(void *)g_array_free(rows, FALSE);
}

/* The types: in words, and whether their values are strings of any text. */
static const struct {
	const char *name;
	bool is_string;
} types[] = {
	[LIMEN_OPTION_NONE] = { "nothing", false },
	[LIMEN_OPTION_STRING] = { "string", true },
	[LIMEN_OPTION_STRINGS] = { "list of strings", false },
	[LIMEN_OPTION_INT] = { "integer", false },
	[LIMEN_OPTION_INTS] = { "list of integers", false },
	[LIMEN_OPTION_RANGES] = { "list of integers and ranges", false },
	[LIMEN_OPTION_REAL] = { "number", false },
	[LIMEN_OPTION_BOOL] = { "boolean", false },
	[LIMEN_OPTION_DURATION] = { "duration", true },
	[LIMEN_OPTION_TIMESTAMP] = { "timestamp", true },
	[LIMEN_OPTION_CIDRS] = { "list of addresses and networks", false },
	[LIMEN_OPTION_MATCH] = { "string match", false },
	[LIMEN_OPTION_ENUM] = { "word", true },
	[LIMEN_OPTION_PATH] = { "JSON pointer", true },
	[LIMEN_OPTION_URL] = { "URL", true },
	[LIMEN_OPTION_TRANSFORM] = { "jq transform", false },
	[LIMEN_OPTION_JSON] = { "anything", false },
	[LIMEN_OPTION_OBJECT] = { "object", false },
	[LIMEN_OPTION_STORE] = { "name of a store", true },
	[LIMEN_OPTION_SCRIPT] = { "jq script", false },
	[LIMEN_OPTION_ROWS] = { "list of objects", false },
	[LIMEN_OPTION_TIME_OF_DAY] = { "time of day", true },
	[LIMEN_OPTION_DATE] = { "date", true },
};

const char *
option_type_name(const limen_option *option)
{
	return option->type < G_N_ELEMENTS(types) ? types[option->type].name : "unknown";
}

/* Only options of types with bounds have these members (limen/option.h). */
bool
option_minimum(const limen_option *option, int64_t *out)
{
	*out = option->minimum;
	return (option->minimum != 0 || option->maximum != 0) && option->minimum != INT64_MIN;
}

bool
option_maximum(const limen_option *option, int64_t *out)
{
	*out = option->maximum;
	return (option->minimum < 0 || option->maximum != 0) && option->maximum != INT64_MAX;
}

static char *
print_bound(const limen_option *option, int64_t bound)
{
	char text[LIMEN_DURATION_TEXT_MAX];

	if (option->type != LIMEN_OPTION_DURATION)
		return g_strdup_printf("%" PRId64, bound);
	limen_duration_print(bound, text);
	return g_strdup(text);
}

char *
option_range(const limen_option *option)
{
	int64_t minimum;
	int64_t maximum;
	bool has_minimum = option_minimum(option, &minimum);
	bool has_maximum = option_maximum(option, &maximum);
	g_autofree char *low = has_minimum ? print_bound(option, minimum) : NULL;
	g_autofree char *high = has_maximum ? print_bound(option, maximum) : NULL;

	if (has_minimum && has_maximum)
		return g_strdup_printf("%s to %s", low, high);
	return has_minimum   ? g_strdup_printf("at least %s", low)
	       : has_maximum ? g_strdup_printf("at most %s", high)
	                     : NULL;
}

char *
option_choices(const limen_option *option)
{
	if (option->type != LIMEN_OPTION_ENUM || option->choices == NULL)
		return NULL;
	return g_strjoinv(", ", (char **)option->choices);
}

char *
option_items(const limen_option *option)
{
	if (option->minimum_count == 0)
		return NULL;
	return g_strdup_printf("at least %" PRIu32 " item%s", option->minimum_count,
	                       option->minimum_count == 1 ? "" : "s");
}

bool
option_default_is_json(const limen_option *option)
{
	bool is_string = option->type < G_N_ELEMENTS(types) && types[option->type].is_string;
	g_autoptr(limen_documents) parsed = NULL;

	return option->fallback != NULL && !is_string &&
	       limen_documents_parse("default.json", option->fallback, strlen(option->fallback), 0,
	                             &parsed, NULL) == LIMEN_OK;
}
