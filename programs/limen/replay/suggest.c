/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest.c - "limen suggest": proposes EventRateLimit rates from recorded events.  Reads decision
 * log lines and Kubernetes Events, numbers the bucket keys of each, simulates token buckets over
 * them, and finds the lowest limits that admit the target share.
 */
#include <limen/documents.h>
#include <limen/duration.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/case.h"
#include "audit/suggest_limits.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/yaml_out.h"
#include "common/event_origin.h"
#include "common/json_out.h"
#include "common/option_values.h"
#include "replay.h"

/* The types of limit, in the order of the output. */
enum { TYPE_SERVER, TYPE_NAMESPACE, TYPE_USER, TYPE_SOURCE_AND_OBJECT, TYPES };

/* The arrival has no bucket of this type. */
#define ARRIVAL_NO_KEY UINT32_MAX

/* Largest number of arrivals kept, 24 bytes each. */
#define ARRIVALS_MAX ((size_t)4000000)

typedef struct arrival {
	limen_time time;
	uint32_t keys[TYPES]; /* numbers from 0 */
} arrival;

typedef struct arrivals {
	GArray *items;               /* arrival */
	GHashTable *numbers[TYPES];  /* key -> its number + 1 */
	GHashTable *recorded;        /* uid of an Event -> occurrences counted so far */
	bool full;                   /* some arrivals were dropped */
} arrivals;

/* qps and burst are 32-bit integers in Kubernetes. */
#define RATE_MAX ((int64_t)INT32_MAX)

typedef struct rate {
	int64_t qps;
	int64_t burst;
} rate;

/* The target for a limit. */
typedef struct rate_goal {
	double share;    /* percentage to be admitted */
	int64_t window;  /* largest burst, in seconds of qps */
	double headroom; /* factor applied to the result */
} rate_goal;

/* Largest number of occurrences taken from one Event. */
#define OCCURRENCES_MAX ((int64_t)1000000)
/* Deepest nesting of lists. */
#define DEPTH_MAX 3

/*
 * Returns true if another arrival fits; checked before keys are numbered, so that dropped
 * arrivals have none.
 */
static bool
has_room(arrivals *self)
{
	self->full = self->full || self->items->len >= ARRIVALS_MAX;
	return !self->full;
}

/*
 * Returns the text of a member, or NULL.  A NUL sets '*odd': the part before it may be another
 * name.
 */
static const char *
text(limen_value object, const char *key, bool *odd)
{
	const char *found;

	*odd = !case_text(limen_value_get(object, key), &found) || *odd;
	return found;
}

static bool
read_time(limen_value object, const char *key, limen_time *out)
{
	limen_value value = limen_value_get(object, key);

	return limen_value_type(value) == LIMEN_TYPE_STRING && ask_read_time(value, out);
}

/* Returns the buckets of an event; a type without a key gets ARRIVAL_NO_KEY. */
static arrival
number_all(arrivals *self, const char *namespace, const char *user, const char *origin)
{
	const char *const keys[TYPES] = { [TYPE_SERVER] = "",
		                          [TYPE_NAMESPACE] = namespace,
		                          [TYPE_USER] = user,
		                          [TYPE_SOURCE_AND_OBJECT] = origin };
	arrival arrived;

	for (int type = 0; type < TYPES; type++) {
		GHashTable *numbers = self->numbers[type];
		gpointer known = keys[type] == NULL ? NULL : g_hash_table_lookup(numbers, keys[type]);

		if (known == NULL && keys[type] != NULL) {
			known = GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
			g_hash_table_insert(numbers, g_strdup(keys[type]), known);
		}
		arrived.keys[type] = GPOINTER_TO_UINT(known) - 1;
	}
	return arrived;
}

/*
 * Returns true for a line about a decided event.  Lines of the mutating webhook are skipped,
 * because the same event also reaches the validating one.
 */
static bool
is_decided_event(limen_value line)
{
	limen_value endpoint = limen_value_get(line, "endpoint");
	bool dry_run = false;

	limen_value_bool(limen_value_get(line, "dry_run"), &dry_run);
	return limen_value_type(endpoint) == LIMEN_TYPE_STRING &&
	       !limen_value_is(endpoint, "/admission/mutate") &&
	       limen_value_is(limen_value_get(line, "resource"), "events") && !dry_run;
}

/* Adds a line of the decision log. */
static void
add_line(arrivals *self, limen_value line)
{
	limen_value event = limen_value_get(line, "event");
	bool odd = false;
	const char *namespace = text(line, "namespace", &odd);
	const char *user = text(line, "user", &odd);
	/* The reporter is logged only if it replaces an empty source. */
	const char *reporter = text(event, "reporter", &odd);
	const char *source = reporter == NULL ? text(event, "source", &odd) : reporter;
	const char *const pair[] = { source, text(event, "object", &odd) };
	g_autofree char *origin = NULL;
	limen_time time;
	arrival arrived;

	if (!is_decided_event(line) || !read_time(line, "time", &time) || odd || !has_room(self))
		return;
	origin = limen_value_exists(event) ? event_origin_join(pair, G_N_ELEMENTS(pair)) : NULL;
	arrived = number_all(self, namespace, user, origin);
	arrived.time = time;
	g_array_append_val(self->items, arrived);
}

/* Returns true for the events.k8s.io form, also without an apiVersion, as in elements of a list. */
static bool
is_new_form(limen_value event)
{
	if (limen_value_exists(limen_value_get(event, "apiVersion")))
		return event_origin_is_new(event);
	return limen_value_exists(limen_value_get(event, "regarding")) &&
	       !limen_value_exists(limen_value_get(event, "involvedObject"));
}

/* Returns the key of the source and its object. */
static char *
read_origin(limen_value event, bool *odd)
{
	event_origin origin;
	const char *texts[EVENT_SOURCE_FIELDS + EVENT_OBJECT_FIELDS];

	event_origin_read(&origin, event, is_new_form(event));
	*odd = *odd || origin.odd;
	memcpy(texts, event_origin_needs_reporter(&origin) ? origin.reporter : origin.source,
	       sizeof origin.source);
	memcpy(texts + EVENT_SOURCE_FIELDS, origin.object, sizeof origin.object);
	return event_origin_join(texts, G_N_ELEMENTS(texts));
}

/* Number of occurrences of an Event, and the times of the first and last one. */
typedef struct history {
	limen_time first;
	limen_time last;
	int64_t count;
} history;

static bool
read_history(limen_value event, history *out)
{
	limen_value series = limen_value_get(event, "series");
	limen_value metadata = limen_value_get(event, "metadata");

	if (!read_time(event, "firstTimestamp", &out->first) &&
	    !read_time(event, "deprecatedFirstTimestamp", &out->first) &&
	    !read_time(event, "eventTime", &out->first) &&
	    !read_time(metadata, "creationTimestamp", &out->first))
		return false;
	if (!read_time(series, "lastObservedTime", &out->last) &&
	    !read_time(event, "lastTimestamp", &out->last) &&
	    !read_time(event, "deprecatedLastTimestamp", &out->last))
		out->last = out->first;
	if (!limen_value_int(limen_value_get(series, "count"), &out->count) &&
	    !limen_value_int(limen_value_get(event, "count"), &out->count) &&
	    !limen_value_int(limen_value_get(event, "deprecatedCount"), &out->count))
		out->count = 1;
	out->count = CLAMP(out->count, 1, OCCURRENCES_MAX);
	out->last = MAX(out->first, out->last);
	return true;
}

/* Adds the occurrences in 'past' that were not counted yet, as long as there is room. */
static void
add_occurrences(arrivals *self, const history *past, const char *uid, const char *namespace,
                const char *origin)
{
	/* A later copy of an Event adds only its new occurrences. */
	int64_t known = uid == NULL ? 0
	                            : GPOINTER_TO_INT(g_hash_table_lookup(self->recorded, uid));
	arrival arrived;

	if (known >= past->count || !has_room(self))
		return;
	arrived = number_all(self, namespace, NULL, origin);
	for (int64_t i = known; i < past->count && has_room(self); i++) {
		/* Occurrences are spread evenly, as far apart as possible. */
		arrived.time = past->first + (limen_time)((__int128)(past->last - past->first) * i /
		                                      MAX(past->count - 1, 1));
		g_array_append_val(self->items, arrived);
	}
	if (uid != NULL)
		g_hash_table_insert(self->recorded, g_strdup(uid),
		                    GINT_TO_POINTER((int)past->count));
}

static void
add_event(arrivals *self, limen_value event)
{
	limen_value metadata = limen_value_get(event, "metadata");
	bool odd = false;
	const char *namespace = text(metadata, "namespace", &odd);
	const char *uid = text(metadata, "uid", &odd);
	g_autofree char *origin = read_origin(event, &odd);
	history past;

	if (read_history(event, &past) && !odd)
		add_occurrences(self, &past, uid, namespace, origin);
}

static bool
is_event(limen_value document)
{
	return limen_value_is(limen_value_get(document, "kind"), "Event") ||
	       limen_value_exists(limen_value_get(document, "involvedObject")) ||
	       limen_value_exists(limen_value_get(document, "regarding"));
}

/*
 * Adds the events of 'document': a line of the decision log, an Event, a list of Events, or an
 * Event in the form of "kubectl get --output-watch-events".  Other documents are left out.
 */
static void
add_document(arrivals *self, limen_value document, unsigned depth)
{
	limen_value items = limen_value_get(document, "items");
	limen_value watched = limen_value_get(document, "object");
	limen_iter iter = limen_iter_start(items);
	limen_value item;

	if (depth < DEPTH_MAX && limen_value_type(items) == LIMEN_TYPE_ARRAY) {
		while (limen_iter_next(&iter, NULL, &item))
			add_document(self, item, depth + 1);
	} else if (limen_value_exists(limen_value_get(document, "verdict"))) {
		add_line(self, document);
	} else if (limen_value_type(watched) == LIMEN_TYPE_OBJECT) {
		if (!limen_value_is(limen_value_get(document, "type"), "DELETED") &&
		    is_event(watched))
			add_event(self, watched);
	} else if (is_event(document)) {
		add_event(self, document);
	}
}

/*
 * Parts of a token: at one token a second, one part comes each microsecond, so nothing is
 * rounded.
 */
#define TOKEN LIMEN_SECOND

typedef struct bucket {
	limen_time last;
	int64_t level; /* in parts of a token */
	bool used;
} bucket;

/* Adds the tokens of the time since the last event; a new bucket is full. */
static void
fill(bucket *room, rate limit, limen_time now)
{
	int64_t most = limit.burst * TOKEN;
	int64_t more;

	if (!room->used) {
		*room = (bucket){ now, most, true };
		return;
	}
	if (__builtin_mul_overflow(now - room->last, limit.qps, &more) ||
	    more >= most - room->level)
		room->level = most;
	else
		room->level += more;
	room->last = now;
}

/*
 * Counts the arrivals, sorted by time, that token buckets of 'limit' refuse.  Each key of 'type' has
 * a bucket, full at first.  'marks' (may be NULL) has a byte for each arrival; those of refused ones
 * are set to 1.
 */
static size_t
rates_refused(const arrivals *events, int type, rate limit, char *marks)
{
	g_autofree bucket *buckets = g_new0(bucket, g_hash_table_size(events->numbers[type]) + 1);
	size_t refused = 0;

	for (guint i = 0; i < events->items->len; i++) {
		const arrival *arrived = &g_array_index(events->items, arrival, i);
		bucket *mine;

		if (arrived->keys[type] == ARRIVAL_NO_KEY)
			continue;
		mine = &buckets[arrived->keys[type]];
		fill(mine, limit, arrived->time);
		if (mine->level >= TOKEN) {
			mine->level -= TOKEN;
			continue;
		}
		refused++;
		if (marks != NULL)
			marks[i] = 1;
	}
	return refused;
}

static int64_t
burst_of(int64_t qps, int64_t window)
{
	int64_t burst;

	return __builtin_mul_overflow(qps, window, &burst) ? RATE_MAX : MIN(burst, RATE_MAX);
}

static int64_t
lift(int64_t value, double factor)
{
	double more = ceil((double)value * factor);

	return more >= (double)RATE_MAX ? RATE_MAX : (int64_t)more;
}

/*
 * Returns the lowest number from 'low' to 'high' that refuses 'most' events at most: as burst of
 * 'qps' or, if that is 0, as qps with a burst of 'window' seconds.  With more tokens, never more
 * events are refused.
 */
static int64_t
bisect(const arrivals *events, int type, size_t most, int64_t low, int64_t high, int64_t qps,
       int64_t window)
{
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		rate tried = qps > 0 ? (rate){ qps, middle }
		                     : (rate){ middle, burst_of(middle, window) };

		if (rates_refused(events, type, tried, NULL) > most)
			low = middle + 1;
		else
			high = middle;
	}
	return high;
}

/*
 * Returns the lowest whole qps that admits the share of the 'counted' arrivals with a key of
 * this type, with a burst within the window, and the lowest burst that does so at this qps; both
 * multiplied by the headroom.
 */
static rate
rates_find(const arrivals *events, int type, size_t counted, const rate_goal *goal)
{
	size_t most = (size_t)floor((double)counted * (100 - goal->share) / 100 + 1e-9);
	int64_t low = 1;
	int64_t high = 1;
	int64_t burst;

	while (high < RATE_MAX &&
	       rates_refused(events, type, (rate){ high, burst_of(high, goal->window) }, NULL) > most) {
		low = high + 1;
		high = MIN(high * 2, RATE_MAX);
	}
	high = bisect(events, type, most, low, high, 0, goal->window);
	burst = bisect(events, type, most, 1, burst_of(high, goal->window), high, 0);
	return (rate){ lift(high, goal->headroom), lift(burst, goal->headroom) };
}

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
	add_document(events, limen_documents_get(parsed, 0), 0);
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
propose(const arrivals *events, const rate_goal *goal, result *out)
{
	g_autofree char *marks = g_malloc0(events->items->len + 1);

	*out = (result){ .events = events->items->len };
	out->first = g_array_index(events->items, arrival, 0).time;
	out->last = g_array_index(events->items, arrival, events->items->len - 1).time;
	for (int type = 0; type < TYPES; type++) {
		proposal *advice = &out->types[type];

		advice->keys = g_hash_table_size(events->numbers[type]);
		for (guint i = 0; i < events->items->len; i++)
			advice->events += g_array_index(events->items, arrival, i).keys[type] !=
			               ARRIVAL_NO_KEY;
		if (advice->events == 0)
			continue;
		advice->rate = rates_find(events, type, advice->events, goal);
		advice->refused = rates_refused(events, type, advice->rate, marks);
		advice->cache_size = type == TYPE_SERVER ? 0
		                                      : propose_cache(advice->keys, goal->headroom);
	}
	for (size_t i = 0; i < out->events; i++)
		out->refused += marks[i] != 0;
}

static void
append_limits(GString *out, const result *found, bool observed)
{
	for (int type = 0; type < TYPES; type++) {
		const proposal *advice = &found->types[type];

		if (advice->events == 0)
			continue;
		json_write(out, "{type:s", type_names[type]);
		if (observed)
			json_write(out, "keys:z events:z refused:z", advice->keys, advice->events,
			           advice->refused);
		else
			json_write(out, "qps:i burst:i", advice->rate.qps, advice->rate.burst);
		if (!observed && advice->cache_size > 0)
			json_write(out, "cacheSize:i", advice->cache_size);
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
	g_autoptr(GString) json = g_string_new(NULL);

	append_configuration(json, found);
	/*
	 * The JSON holds names and whole numbers only, so parsing it fails only if memory is
	 * short.
	 */
	if (!yaml_print(json, ""))
		g_error("out of memory");
}

static void
print_json(const result *found)
{
	g_autoptr(GString) out = g_string_new("{\"configuration\":");

	append_configuration(out, found);
	json_write(out, "events:z refused:z types:[", found->events, found->refused);
	append_limits(out, found, true);
	json_write(out, "]}");
	puts(out->str);
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
		const proposal *advice = &found->types[type];

		if (advice->events == 0)
			printf("# %-16s not recorded\n", type_names[type]);
		else
			printf("# %-16s %8zu %9zu %9zu %8.3f%%\n", type_names[type], advice->keys,
			       advice->events, advice->refused,
			       100.0 * (double)(advice->events - advice->refused) / (double)advice->events);
	}
	printf("# %-16s %8s %9zu %9zu %8.3f%%\n#\n", "all together", "", found->events,
	       found->refused,
	       100.0 * (double)(found->events - found->refused) / (double)found->events);
	print_yaml(found);
}

static int
suggest(const arrivals *events, const rate_goal *goal, output_format format)
{
	result found;

	if (events->full)
		message_error("only the first %zu events count", ARRIVALS_MAX);
	if (events->items->len == 0) {
		message_error("the files have no events");
		return STATUS_ERROR;
	}
	g_array_sort(events->items, compare_times);
	propose(events, goal, &found);
	if (format == FORMAT_JSON)
		print_json(&found);
	else if (format == FORMAT_YAML)
		print_yaml(&found);
	else
		print_text(&found);
	return STATUS_GOOD;
}

/* Reads the files, and makes the suggestion. */
static int
read_and_suggest(char **files, const rate_goal *goal, output_format format)
{
	arrivals events = { .items = g_array_new(FALSE, FALSE, sizeof(arrival)) };
	bool good = true;
	int status;

	for (int i = 0; i < TYPES; i++)
		events.numbers[i] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	events.recorded = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **file = files; good && *file != NULL; file++)
		good = read_file(&events, *file);
	status = good ? suggest(&events, goal, format) : STATUS_ERROR;
	for (int i = 0; i < TYPES; i++)
		g_hash_table_destroy(events.numbers[i]);
	g_hash_table_destroy(events.recorded);
	g_array_free(events.items, TRUE);
	return status;
}

static const number_option numbers[] = {
	{ "share", "a number", 1, 100 },
	{ "headroom", "a number", 1, 100 },
	{ "window", "seconds", 1, 86400 },
	{ NULL, NULL, 0, 0 },
};

/* Removes the word that says what to suggest. */
static void
drop_word(common_options *common)
{
	common->argv[1] = common->argv[0];
	common->argv++;
	common->argc--;
}

static int
suggest_limits(common_options *common)
{
	drop_word(common);
	common->self = &suggest_limits_command;
	return suggest_limits_command.run(common);
}

static int
run_suggest(common_options *common)
{
	rate_goal goal = { .share = 99, .headroom = 1.5 };
	double window = 60;
	char **files = NULL;
	const GOptionEntry rows[] = {
		OPTION_REAL("share", 0, &goal.share, "PERCENT",
		            "Target share admitted, before headroom (default: 99)"),
		OPTION_REAL("headroom", 0, &goal.headroom, "FACTOR",
		            "Multiply the rates by this factor (default: 1.5)"),
		OPTION_REAL("window", 0, &window, "SECONDS",
		            "Maximum burst, in seconds of qps (default: 60)"),
		OPTION_FORMAT(common, "Print as text (YAML with comments), yaml or json"),
		OPTION_REST(&files),
		OPTION_END,
	};

	/* The word "events" may be left out. */
	if (common->argc > 1 && strcmp(common->argv[1], "limits") == 0)
		return suggest_limits(common);
	if (common->argc > 1 && strcmp(common->argv[1], "events") == 0)
		drop_word(common);
	if (!options_read(common, rows))
		return common->status;
	if (files == NULL)
		return message_usage(common->self, "missing argument: FILE");
	goal.window = (int64_t)window;
	return read_and_suggest(files, &goal, common->format);
}

const command suggest_command = {
	.name = "suggest",
	.arguments = "[events] FILE...",
	.verbatim = true,
	.summary = "Propose rates for events; 'suggest limits': LimitRanges",
	.details = "Reads recorded events: the decision log of limend, or Events as kubectl prints\n"
	           "them, in JSON (a list, or one per line; '-' is standard input).  Prints a\n"
	           "Configuration that would have admitted nearly all, and how many events\n"
	           "it would have refused.\n"
	           "\n"
	           "\"limen suggest limits --help\" tells how to propose LimitRanges.\n"
	           "\n"
	           "Examples:\n"
	           "  kubectl get events -A -o json | limen suggest events -\n"
	           "  limen suggest events --share 99.9 /var/lib/limend/decisions.log\n",
	.formats = FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML),
	.numbers = numbers,
	.run = run_suggest,
};
