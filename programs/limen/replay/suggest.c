/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest.c - "limen suggest": proposes EventRateLimit rates from recorded events.
 */
#include <limen/documents.h>
#include <limen/duration.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/auto.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/yaml_out.h"
#include "common/json_out.h"
#include "common/option_values.h"
#include "replay.h"
#include "suggest.h"

/* Number of buckets that Kubernetes keeps without a cacheSize. */
#define CACHE_DEFAULT 4096

static const char *const type_names[TYPES] = { "Server", "Namespace", "User",
	                                       "SourceAndObject" };

/* The proposal for one type of limit. */
typedef struct proposal {
	size_t keys;
	size_t events; /* 0: no events to base it on */
	size_t refused;
	int64_t cache_size; /* 0: the default of Kubernetes */
	rate rate;
} proposal;

typedef struct result {
	proposal types[TYPES];
	size_t events;
	size_t refused; /* by at least one type */
	limen_time first;
	limen_time last;
} result;

/* Adds the JSON document 'text'; returns false if it cannot be parsed. */
static bool
add_text(arrivals *events, const char *text, size_t length)
{
	g_autoptr(limen_documents) parsed = NULL;

	if (limen_documents_parse("line.json", text, length, 0, &parsed, NULL) != LIMEN_OK)
		return false;
	arrivals_add(events, limen_documents_get(parsed, 0));
	return true;
}

/* Adds 'line' and all remaining lines as one document. */
static bool
read_whole(arrivals *events, line_input *lines, const char *line, size_t length)
{
	g_autoptr(GString) text = g_string_new(NULL);

	do {
		g_string_append_len(text, line, (gssize)length);
		g_string_append_c(text, '\n');
	} while (lines_next(lines, &line, &length) == LINES_LINE &&
	         text->len + length <= INPUT_MAX);
	return lines->ended && lines->failure == 0 && add_text(events, text->str, text->len);
}

/*
 * Reads one document on each line, as in a log; or, if the first line is not a document, the
 * whole input as one, as kubectl prints it.  'bad' counts other unreadable lines, such as the
 * last line of a log that is being written.
 */
static bool
read_lines(arrivals *events, line_input *lines, size_t *bad)
{
	const char *line;
	size_t length;
	bool first = true;
	lines_result got;

	while ((got = lines_next(lines, &line, &length)) != LINES_END) {
		if (got == LINES_LINE && lines_is_blank(line, length))
			continue;
		if (got == LINES_LINE && add_text(events, line, length))
			first = false;
		else if (got == LINES_LINE && first)
			return read_whole(events, lines, line, length);
		else
			++*bad;
	}
	return lines->failure == 0;
}

static bool
read_file(arrivals *events, const char *path)
{
	line_input lines;
	g_autofree char *why = NULL;
	size_t bad = 0;
	bool good;

	if (!lines_open(&lines, path, &why)) {
		message_error("%s", why);
		return false;
	}
	good = read_lines(events, &lines, &bad);
	if (!good && lines.failure != 0)
		message_error("%s: %s", input_name(path), g_strerror(lines.failure));
	else if (!good)
		message_error("%s: neither lines of JSON nor a JSON document", input_name(path));
	else if (bad > 0)
		message_error("%s: %zu lines are not JSON and were skipped", input_name(path), bad);
	lines_close(&lines);
	return good;
}

/* Returns a cache size for all buckets: an evicted bucket would start full again. */
static int64_t
propose_cache(size_t keys, double headroom)
{
	double wanted = (double)keys * headroom;
	int64_t size = CACHE_DEFAULT;

	while ((double)size < wanted && size < RATE_MAX / 2)
		size *= 2;
	return size > CACHE_DEFAULT ? size : 0;
}

static gint
compare_times(gconstpointer a, gconstpointer b)
{
	const arrival *left = a;
	const arrival *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static void
propose(const arrivals *what, const rate_goal *goal, result *out)
{
	char *marks = g_malloc0(what->items->len + 1);

	*out = (result){ .events = what->items->len };
	out->first = g_array_index(what->items, arrival, 0).time;
	out->last = g_array_index(what->items, arrival, what->items->len - 1).time;
	for (int type = 0; type < TYPES; type++) {
		proposal *one = &out->types[type];

		one->keys = g_hash_table_size(what->numbers[type]);
		for (guint i = 0; i < what->items->len; i++)
			one->events += g_array_index(what->items, arrival, i).keys[type] !=
			               ARRIVAL_NO_KEY;
		if (one->events == 0)
			continue;
		one->rate = rates_find(what, type, one->events, goal);
		one->refused = rates_refused(what, type, one->rate, marks);
		one->cache_size = type == TYPE_SERVER ? 0
		                                      : propose_cache(one->keys, goal->headroom);
	}
	for (size_t i = 0; i < out->events; i++)
		out->refused += marks[i] != 0;
	g_free(marks);
}

static void
append_limits(GString *out, const result *found, bool observed)
{
	for (int type = 0; type < TYPES; type++) {
		const proposal *one = &found->types[type];

		if (one->events == 0)
			continue;
		json_write(out, "{type:s", type_names[type]);
		if (observed)
			json_write(out, "keys:z events:z refused:z", one->keys, one->events,
			           one->refused);
		else
			json_write(out, "qps:i burst:i", one->rate.qps, one->rate.burst);
		if (!observed && one->cache_size > 0)
			json_write(out, "cacheSize:i", one->cache_size);
		json_write(out, "}");
	}
}

static void
append_configuration(GString *out, const result *found)
{
	json_write(out, "{apiVersion:s kind:s limits:[", "eventratelimit.admission.k8s.io/v1alpha1",
	           "Configuration");
	append_limits(out, found, false);
	json_write(out, "]}");
}

static void
print_yaml(const result *found)
{
	GString *json = g_string_new(NULL);

	append_configuration(json, found);
	/*
	 * The JSON holds names and whole numbers only, so parsing it fails only if memory is
	 * short.
	 */
	if (!yaml_print(json, ""))
		g_error("out of memory");
	g_string_free(json, TRUE);
}

static void
print_json(const result *found)
{
	GString *out = g_string_new(NULL);

	json_write(out, "{");
	json_key(out, "configuration");
	append_configuration(out, found);
	json_write(out, "events:z refused:z types:[", found->events, found->refused);
	append_limits(out, found, true);
	json_write(out, "]}");
	puts(out->str);
	g_string_free(out, TRUE);
}

/* Prints the observations as comments, so that the output is a valid Configuration. */
static void
print_text(const result *found)
{
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	printf("# %zu events from %s to %s", found->events, replay_time_text(found->first, first),
	       replay_time_text(found->last, last));
	printf("\n#\n# %-16s %8s %9s %9s %9s\n", "TYPE", "KEYS", "EVENTS", "REFUSED", "PASSED");
	for (int type = 0; type < TYPES; type++) {
		const proposal *one = &found->types[type];

		if (one->events == 0)
			printf("# %-16s not recorded\n", type_names[type]);
		else
			printf("# %-16s %8zu %9zu %9zu %8.3f%%\n", type_names[type], one->keys,
			       one->events, one->refused,
			       100.0 * (double)(one->events - one->refused) / (double)one->events);
	}
	printf("# %-16s %8s %9zu %9zu %8.3f%%\n#\n", "all together", "", found->events,
	       found->refused,
	       100.0 * (double)(found->events - found->refused) / (double)found->events);
	print_yaml(found);
}

static int
suggest(char **files, const rate_goal *goal, output_format format)
{
	arrivals what;
	result found;
	int status = STATUS_GOOD;

	arrivals_start(&what);
	for (char **file = files; *file != NULL && status == STATUS_GOOD; file++)
		status = read_file(&what, *file) ? STATUS_GOOD : STATUS_ERROR;
	if (status == STATUS_GOOD && what.full)
		message_error("only the first %zu events count", ARRIVALS_MAX);
	if (status == STATUS_GOOD && what.items->len == 0) {
		message_error("the files have no events");
		status = STATUS_ERROR;
	}
	if (status == STATUS_GOOD) {
		g_array_sort(what.items, compare_times);
		propose(&what, goal, &found);
		if (format == FORMAT_JSON)
			print_json(&found);
		else if (format == FORMAT_YAML)
			print_yaml(&found);
		else
			print_text(&found);
	}
	arrivals_finish(&what);
	return message_finish(status);
}

static const number_option numbers[] = {
	{ "share", "a number", 1, 100 },
	{ "headroom", "a number", 1, 100 },
	{ "window", "a number", 1, 86400 },
	{ NULL, NULL, 0, 0 },
};

static int
run_suggest(const command *self, common_options *common, int argc, char **argv)
{
	rate_goal goal = { .share = 99, .headroom = 1.5 };
	double window = 60;
	char *format_text = NULL;
	char **files = NULL;
	const GOptionEntry rows[] = {
		OPTION_REAL("share", 0, &goal.share, "PERCENT",
		            "Target share admitted, before headroom (default: 99)"),
		OPTION_REAL("headroom", 0, &goal.headroom, "FACTOR",
		            "Multiply the rates by this factor (default: 1.5)"),
		OPTION_REAL("window", 0, &window, "SECONDS",
		            "Maximum burst, in seconds of qps (default: 60)"),
		OPTION_TEXT("format", 0, &format_text, "FORMAT",
		            "Print as text (YAML with comments), yaml or json"),
		OPTION_REST(&files),
		OPTION_END,
	};
	output_format format = FORMAT_TEXT;
	int status;

	common->numbers = numbers;
	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	if (files == NULL)
		return message_usage(self, "missing argument: FILE");
	if (!options_format(self, format_text, FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML), &format))
		return STATUS_ERROR;
	goal.window = (int64_t)window;
	return suggest(files, &goal, format);
}

const command suggest_command = {
	.name = "suggest",
	.arguments = "FILE...",
	.summary = "Propose rates for EventRateLimit",
	.details = "Reads recorded events: the decision log of limend, or Events as kubectl prints\n"
	           "them, in JSON (a list, or one per line; '-' is standard input).  Prints a\n"
	           "Configuration that would have admitted nearly all, and how many events\n"
	           "it would have refused.\n"
	           "\n"
	           "Examples:\n"
	           "  kubectl get events -A -o json | limen suggest -\n"
	           "  limen suggest --share 99.9 /var/lib/limend/decisions.log\n",
	.run = run_suggest,
};
