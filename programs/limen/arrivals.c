/* SPDX-License-Identifier: Apache-2.0 */
#include "arrivals.h"

#include <limen/duration.h>
#include <string.h>

/* One Event stands for so many at most. */
#define OCCURRENCES_MAX ((int64_t)1000000)
/* Lists in lists. */
#define DEPTH_MAX 3

void
arrivals_start(arrivals *self)
{
	*self = (arrivals){ .items = g_array_new(FALSE, FALSE, sizeof(arrival)) };
	for (int i = 0; i < TYPES; i++)
		self->numbers[i] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	self->recorded = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void
arrivals_finish(arrivals *self)
{
	for (int i = 0; i < TYPES; i++)
		g_hash_table_destroy(self->numbers[i]);
	g_hash_table_destroy(self->recorded);
	g_array_free(self->items, TRUE);
}

size_t
arrivals_keys(const arrivals *self, int type)
{
	return g_hash_table_size(self->numbers[type]);
}

static uint32_t
number_of(arrivals *self, int type, const char *key)
{
	gpointer known;

	if (key == NULL)
		return ARRIVAL_NO_KEY;
	known = g_hash_table_lookup(self->numbers[type], key);
	if (known == NULL) {
		known = GUINT_TO_POINTER(g_hash_table_size(self->numbers[type]) + 1);
		g_hash_table_insert(self->numbers[type], g_strdup(key), known);
	}
	return GPOINTER_TO_UINT(known) - 1;
}

static void
add(arrivals *self, const arrival *one)
{
	if (self->items->len >= ARRIVALS_MAX)
		self->full = true;
	else
		g_array_append_vals(self->items, one, 1);
}

static const char *
text(limen_value object, const char *key)
{
	return limen_value_string(limen_value_get(object, key), NULL);
}

static bool
read_time(limen_value object, const char *key, limen_time *out)
{
	const char *words = text(object, key);
	limen_timestamp at;

	if (words == NULL ||
	    limen_timestamp_parse(words, strlen(words), 0, &at, NULL) != LIMEN_OK)
		return false;
	*out = at.time;
	return true;
}

/* Texts that are told apart by a byte that is in none of them; missing ones are empty. */
static char *
join(const char *const *texts, size_t count)
{
	GString *joined = g_string_new(NULL);

	for (size_t i = 0; i < count; i++) {
		g_string_append(joined, texts[i] == NULL ? "" : texts[i]);
		g_string_append_c(joined, '\x1f');
	}
	return g_string_free(joined, FALSE);
}

/* A line of the decision log.  Mutating webhooks see the same event once more. */
static bool
add_line(arrivals *self, limen_value line)
{
	limen_value event = limen_value_get(line, "event");
	const char *endpoint = text(line, "endpoint");
	bool dry_run = false;
	char *pair;
	arrival one;

	if (endpoint == NULL || strcmp(endpoint, "/admission/mutate") == 0 ||
	    !limen_value_is(limen_value_get(line, "resource"), "events") ||
	    !read_time(line, "time", &one.time))
		return false;
	limen_value_bool(limen_value_get(line, "dry_run"), &dry_run);
	if (dry_run)
		return false;
	pair = join((const char *const[]){ text(event, "source"), text(event, "object") }, 2);
	one.keys[TYPE_SERVER] = number_of(self, TYPE_SERVER, "");
	one.keys[TYPE_NAMESPACE] = number_of(self, TYPE_NAMESPACE, text(line, "namespace"));
	one.keys[TYPE_USER] = number_of(self, TYPE_USER, text(line, "user"));
	one.keys[TYPE_SOURCE_AND_OBJECT] =
		number_of(self, TYPE_SOURCE_AND_OBJECT, limen_value_exists(event) ? pair : NULL);
	add(self, &one);
	g_free(pair);
	return true;
}

/* What the bucket of a source and its object is told by, in either form of events. */
static char *
read_origin(limen_value event)
{
	limen_value source = limen_value_get(event, "source");
	limen_value about = limen_value_get(event, "involvedObject");
	const char *component = text(source, "component");

	if (!limen_value_exists(about))
		about = limen_value_get(event, "regarding");
	if (component == NULL)
		component = text(event, "reportingController");
	if (component == NULL)
		component = text(event, "reportingComponent");
	return join((const char *const[]){ component, text(source, "host"), text(about, "kind"),
	                                   text(about, "namespace"), text(about, "name"),
	                                   text(about, "uid"), text(about, "apiVersion") },
	            7);
}

/* How often an Event occurred, from when to when. */
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

/* Of an Event that is seen again only what is new counts; returns how much that is not. */
static int64_t
count_known(arrivals *self, limen_value event, int64_t count)
{
	const char *uid = text(limen_value_get(event, "metadata"), "uid");
	int64_t before;

	if (uid == NULL)
		return 0;
	before = GPOINTER_TO_INT(g_hash_table_lookup(self->recorded, uid));
	if (count > before)
		g_hash_table_insert(self->recorded, g_strdup(uid), GINT_TO_POINTER((int)count));
	return before;
}

/* Occurrences are taken to be as far apart as can be. */
static limen_time
time_of(const history *past, int64_t index)
{
	if (past->count < 2)
		return past->first;
	return past->first + (limen_time)((__int128)(past->last - past->first) * index /
	                                  (past->count - 1));
}

static bool
add_event(arrivals *self, limen_value event)
{
	const char *namespace = text(limen_value_get(event, "metadata"), "namespace");
	history past;
	char *origin;
	arrival one;

	if (!read_history(event, &past))
		return false;
	origin = read_origin(event);
	one.keys[TYPE_SERVER] = number_of(self, TYPE_SERVER, "");
	one.keys[TYPE_NAMESPACE] = number_of(self, TYPE_NAMESPACE, namespace);
	one.keys[TYPE_USER] = ARRIVAL_NO_KEY;
	one.keys[TYPE_SOURCE_AND_OBJECT] = number_of(self, TYPE_SOURCE_AND_OBJECT, origin);
	for (int64_t i = count_known(self, event, past.count); i < past.count; i++) {
		one.time = time_of(&past, i);
		add(self, &one);
	}
	g_free(origin);
	return true;
}

static bool
is_event(limen_value document)
{
	return limen_value_is(limen_value_get(document, "kind"), "Event") ||
	       limen_value_exists(limen_value_get(document, "involvedObject")) ||
	       limen_value_exists(limen_value_get(document, "regarding"));
}

static void
add_document(arrivals *self, limen_value document, unsigned depth)
{
	limen_value items = limen_value_get(document, "items");
	limen_value watched = limen_value_get(document, "object");
	limen_iter iter = limen_iter_start(items);
	limen_value item;
	bool good;

	if (depth < DEPTH_MAX && limen_value_type(items) == LIMEN_TYPE_ARRAY) {
		while (limen_iter_next(&iter, NULL, &item))
			add_document(self, item, depth + 1);
		return;
	}
	if (limen_value_exists(limen_value_get(document, "verdict")))
		good = add_line(self, document);
	else if (limen_value_type(watched) == LIMEN_TYPE_OBJECT)
		good = !limen_value_is(limen_value_get(document, "type"), "DELETED") &&
		       is_event(watched) && add_event(self, watched);
	else
		good = is_event(document) && add_event(self, document);
	if (!good)
		self->ignored++;
}

void
arrivals_add(arrivals *self, limen_value document)
{
	add_document(self, document, 0);
}

static gint
compare_times(gconstpointer a, gconstpointer b)
{
	const arrival *left = a;
	const arrival *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

void
arrivals_sort(arrivals *self)
{
	g_array_sort(self->items, compare_times);
}
