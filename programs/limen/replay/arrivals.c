/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrivals.c - reads decision log lines and Kubernetes Events, and numbers the bucket keys of
 * each.  Spreads the occurrences of an Event evenly from its first to its last time; a later copy
 * of the same Event adds only new occurrences.
 */
#include "suggest.h"

#include <limen/duration.h>
#include <string.h>

#include "common/event_origin.h"

/* Largest number of occurrences taken from one Event. */
#define OCCURRENCES_MAX ((int64_t)1000000)
/* Deepest nesting of lists. */
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
	size_t length = 0;
	const char *found = limen_value_string(limen_value_get(object, key), &length);

	if (found != NULL && strlen(found) != length)
		*odd = true;
	return found;
}

static bool
read_time(limen_value object, const char *key, limen_time *out)
{
	size_t length = 0;
	const char *words = limen_value_string(limen_value_get(object, key), &length);
	limen_timestamp at;

	if (words == NULL || limen_timestamp_parse(words, length, 0, &at, NULL) != LIMEN_OK)
		return false;
	*out = at.time;
	return true;
}

/* Joins texts with a separator byte that none of them has; missing ones are empty. */
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

/* Returns the buckets of an event. */
static arrival
number_all(arrivals *self, const char *namespace, const char *user, const char *origin)
{
	const char *const keys[TYPES] = { [TYPE_SERVER] = "",
		                          [TYPE_NAMESPACE] = namespace,
		                          [TYPE_USER] = user,
		                          [TYPE_SOURCE_AND_OBJECT] = origin };
	arrival one;

	for (int type = 0; type < TYPES; type++)
		one.keys[type] = number_of(self, type, keys[type]);
	return one;
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
	char *origin;
	limen_time time;
	arrival one;

	if (!is_decided_event(line) || !read_time(line, "time", &time) || odd || !has_room(self))
		return;
	origin = limen_value_exists(event) ? join(pair, G_N_ELEMENTS(pair)) : NULL;
	one = number_all(self, namespace, user, origin);
	one.time = time;
	g_array_append_val(self->items, one);
	g_free(origin);
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
	return join(texts, G_N_ELEMENTS(texts));
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
	arrival one;

	if (known >= past->count || !has_room(self))
		return;
	one = number_all(self, namespace, NULL, origin);
	for (int64_t i = known; i < past->count && has_room(self); i++) {
		/* Occurrences are spread evenly, as far apart as possible. */
		one.time = past->first + (limen_time)((__int128)(past->last - past->first) * i /
		                                      MAX(past->count - 1, 1));
		g_array_append_val(self->items, one);
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
	char *origin = read_origin(event, &odd);
	history past;

	if (read_history(event, &past) && !odd)
		add_occurrences(self, &past, uid, namespace, origin);
	g_free(origin);
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

void
arrivals_add(arrivals *self, limen_value document)
{
	add_document(self, document, 0);
}
