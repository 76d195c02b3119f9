/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history.c - decisions add to totals, with two atomic additions and no lock.  Once a second, what was
 * added since goes into the slots of a second and of a minute.
 */
#include "history.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../common/json_out.h"
#include "base/log.h"

#define SECONDS 120
#define MINUTES 60
#define SECOND INT64_C(1000000000)

/* Durations are counted in halves of octaves from 2^FIRST ns on, to 16 s. */
#define FIRST 12
#define DURATIONS 46

/* The types of the limits of EventRateLimit, as its counters name them. */
static const char *const event_types[] = { "server", "namespace", "user", "source_and_object" };

#define EVENT_TYPES G_N_ELEMENTS(event_types)

/* The outcomes, then the durations, then events granted and refused by each type. */
#define EVENTS (RECORD_OUTCOMES + DURATIONS)
#define COUNTS (EVENTS + 2 * EVENT_TYPES)

typedef struct slot {
	uint32_t counts[COUNTS];
} slot;

struct history {
	atomic_uint_fast32_t counts[COUNTS];
	int64_t started; /* limen_host_monotonic() */
	GHashTable *events; /* the counters by entry and name; of the thread that ticks */
	bool limited[EVENT_TYPES]; /* there was such a counter; guarded by 'lock' */
	pthread_mutex_t lock; /* guards the rest */
	int64_t ended;   /* seconds since the start that have a slot */
	slot totals;     /* at the end of the last of them */
	slot seconds[SECONDS];
	slot minutes[MINUTES + 1]; /* the one that goes on is the last */
};

_Static_assert(sizeof(history) < 64 << 10, "the history is to stay small");

history *
history_new(void)
{
	history *self = g_new0(history, 1);

	self->started = limen_host_monotonic();
	self->events = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	pthread_mutex_init(&self->lock, NULL);
	return self;
}

void
history_free(history *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->events);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

static size_t
place_of(int64_t nanoseconds)
{
	unsigned octave;
	size_t place;

	if (nanoseconds < INT64_C(1) << FIRST)
		return 0;
	octave = 63 - (unsigned)__builtin_clzll((uint64_t)nanoseconds);
	place = (octave - FIRST) * 2 + ((uint64_t)nanoseconds >> (octave - 1) & 1) + 1;
	return MIN(place, DURATIONS - 1);
}

/* The least duration in a place, in nanoseconds. */
static double
least_of(size_t place)
{
	return place == 0 ? 0 : (double)((UINT64_C(2) + (place - 1) % 2) << ((place - 1) / 2 + FIRST - 1));
}

void
history_count(history *self, record_outcome outcome, int64_t nanoseconds)
{
	if (self == NULL)
		return;
	atomic_fetch_add_explicit(&self->counts[outcome], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&self->counts[RECORD_OUTCOMES + place_of(nanoseconds)], 1,
	                          memory_order_relaxed);
}

/* Moves the slots of a list by one, and empties the last. */
static void
shift(slot *list, size_t count)
{
	memmove(list, list + 1, (count - 1) * sizeof(*list));
	list[count - 1] = (slot){ .counts = { 0 } };
}

/* Adds what was counted since the last time to the newest slots; with the lock held. */
static void
collect(history *self)
{
	slot *second = &self->seconds[SECONDS - 1];
	slot *minute = &self->minutes[MINUTES];

	for (size_t i = 0; i < COUNTS; i++) {
		uint32_t now = (uint32_t)atomic_load_explicit(&self->counts[i], memory_order_relaxed);

		second->counts[i] += now - self->totals.counts[i];
		minute->counts[i] += now - self->totals.counts[i];
		self->totals.counts[i] = now;
	}
}

/* The counters as they are now, beside those of the last tick. */
typedef struct event_reading {
	history *self;
	GHashTable *events;
} event_reading;

/* Counts the events since the last tick.  An entry that was loaded anew counts from 0. */
static void
add_counter(void *data, const limen_counted *count)
{
	const event_reading *reading = data;
	history *self = reading->self;
	bool refused = g_str_has_prefix(count->name, "refused_by_");
	gsize now = (gsize)count->value;
	gsize before;
	char *key;

	if (strcmp(count->type, "EventRateLimit") != 0 ||
	    (!refused && !g_str_has_prefix(count->name, "admitted_by_")))
		return;
	key = g_strconcat(count->name, " ", count->entry, NULL);
	before = GPOINTER_TO_SIZE(g_hash_table_lookup(self->events, key));
	g_hash_table_insert(reading->events, key, GSIZE_TO_POINTER(now));
	for (size_t i = 0; i < EVENT_TYPES; i++)
		if (strcmp(strstr(count->name, "_by_") + 4, event_types[i]) == 0) {
			atomic_fetch_add(&self->counts[EVENTS + 2 * i + refused],
			                 (uint_fast32_t)(now < before ? now : now - before));
			self->limited[i] = true;
		}
}

static void
count_events(history *self, limen_engine *engine)
{
	event_reading reading = { self, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };

	limen_engine_each_counter(engine, add_counter, &reading);
	g_hash_table_destroy(self->events);
	self->events = reading.events;
}

void
history_tick(history *self, limen_engine *engine)
{
	int64_t now = (limen_host_monotonic() - self->started) / SECOND;

	pthread_mutex_lock(&self->lock);
	count_events(self, engine);
	/* After a pause, all of it counts as the last second. */
	while (self->ended < now) {
		shift(self->seconds, SECONDS);
		if (++self->ended % 60 == 0)
			shift(self->minutes, MINUTES + 1);
		if (self->ended == now)
			collect(self);
	}
	pthread_mutex_unlock(&self->lock);
}

/* Appends the duration, in seconds, below which the share 'part' of a slot is; null without any. */
static void
append_quantile(GString *out, const slot *from, double part)
{
	const uint32_t *durations = &from->counts[RECORD_OUTCOMES];
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	double total = 0;
	double below = 0;
	size_t i = 0;

	for (size_t place = 0; place < DURATIONS; place++)
		total += durations[place];
	if (total == 0) {
		json_raw(out, NULL);
		return;
	}
	while (below + durations[i] < part * total)
		below += durations[i++];
	/* Those in a place are taken as evenly spread. */
	below = (part * total - below) / durations[i];
	below = least_of(i) + below * (least_of(i + 1) - least_of(i));
	json_raw(out, g_ascii_formatd(text, sizeof(text), "%.3g", below / 1e9));
}

/* Appends a member with the number 'which' of each slot. */
static void
write_numbers(const char *key, const slot *list, size_t count, size_t which, GString *out)
{
	json_write(out, "@:[", key);
	for (size_t i = 0; i < count; i++)
		json_int(out, list[i].counts[which]);
	g_string_append_c(out, ']');
}

/* Appends the numbers of 'count' slots. */
static void
write_slots(const history *self, const slot *list, size_t count, int step, limen_time end, GString *out)
{
	static const char *const keys[RECORD_OUTCOMES] = { "refused", "would", "errors", "admitted" };
	static const struct {
		const char *key;
		double part;
	} quantiles[] = { { "p50", 0.5 }, { "p99", 0.99 } };
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(end, text);
	json_write(out, "{end:s step:d", text, step);
	for (size_t i = 0; i < RECORD_OUTCOMES; i++)
		write_numbers(keys[i], list, count, i, out);
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++) {
		json_write(out, "@:[", quantiles[i].key);
		for (size_t at = 0; at < count; at++)
			append_quantile(out, &list[at], quantiles[i].part);
		g_string_append_c(out, ']');
	}
	json_write(out, "events:{");
	for (size_t i = 0; i < EVENT_TYPES; i++) {
		if (!self->limited[i])
			continue;
		json_write(out, "@:{", event_types[i]);
		write_numbers("granted", list, count, EVENTS + 2 * i, out);
		write_numbers("refused", list, count, EVENTS + 2 * i + 1, out);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "}}");
}

void
history_write_rates(history *self, GString *out)
{
	static const char *const keys[RECORD_OUTCOMES] = { "refused", "would-refuse", "errors", "admitted" };
	double sums[RECORD_OUTCOMES] = { 0 };
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	pthread_mutex_lock(&self->lock);
	for (size_t i = 0; i < 10 * RECORD_OUTCOMES; i++)
		sums[i % RECORD_OUTCOMES] +=
			self->seconds[SECONDS - 1 - i / RECORD_OUTCOMES].counts[i % RECORD_OUTCOMES];
	pthread_mutex_unlock(&self->lock);
	json_open(out, '{');
	for (size_t i = 0; i < RECORD_OUTCOMES; i++)
		json_write(out, "@:j", keys[i],
		           g_ascii_formatd(text, sizeof(text), "%.1f", sums[i] / 10));
	g_string_append_c(out, '}');
}

void
history_write(history *self, GString *out)
{
	limen_time now = limen_host_wall_time();
	limen_time second;

	pthread_mutex_lock(&self->lock);
	second = now - (limen_host_monotonic() - self->started - self->ended * SECOND) / 1000;
	json_open(out, '{');
	json_key(out, "seconds");
	write_slots(self, self->seconds, SECONDS, 1, second, out);
	json_key(out, "minutes");
	write_slots(self, self->minutes, MINUTES, 60, second - self->ended % 60 * LIMEN_SECOND, out);
	pthread_mutex_unlock(&self->lock);
	g_string_append_c(out, '}');
}
