/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis.c - the store that keeps buckets in Redis, so that several processes
 * share one allowance: how it counts, where, and what it does when it cannot.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "fallback.h"
#include "settings.h"
#include "strict.h"
#include "sync.h"

typedef struct store {
	settings asked; /* first: the options are read into it */
	place where;
	reach reach;
	fallback fallback;
	strict strict; /* in mode strict */
	leases leases; /* otherwise */
	sync_state sync;
} store;

static bool
is_strict(const store *one)
{
	return one->asked.mode == MODE_STRICT;
}

/* ---- opening ---- */

static bool
open_mode(store *one)
{
	const settings *asked = &one->asked;

	if (is_strict(one))
		return strict_open(&one->strict, &one->asked, &one->reach);
	if (!leases_open(&one->leases, (size_t)asked->capacity, asked->lease_least,
	                 asked->lease_most))
		return false;
	if (sync_open(&one->sync, &one->leases, &one->asked, &one->reach))
		return true;
	leases_close(&one->leases);
	return false;
}

static int
open_redis(void *self, limen_opening *opening, limen_diag *diag)
{
	store *one = self;
	limen_host *host = limen_opening_host(opening);
	int result = settings_place(&one->asked, opening, &one->where, diag);

	if (result != LIMEN_OK)
		goto fail;
	limen_host_set_ready(host, false);
	reach_open(&one->reach, host, &one->where, &one->asked);
	if (!fallback_open(&one->fallback, &one->asked) || !open_mode(one)) {
		fallback_close(&one->fallback);
		reach_close(&one->reach);
		result = report_no_memory(diag);
		goto fail;
	}
	if (is_strict(one))
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	if (one->asked.on_error == ON_ERROR_LOCAL &&
	    !limen_value_exists(limen_opening_option(opening, "replicas")))
		limen_diag_add(diag, LIMEN_NOTE, limen_opening_data(opening),
		               "'replicas' is not given, so while Redis is away each process "
		               "admits what all together may");
	return LIMEN_OK;
fail:
	place_clear(&one->where);
	return result;
}

static void
close_redis(void *self)
{
	store *one = self;

	if (is_strict(one))
		strict_close(&one->strict);
	else
		leases_close(&one->leases);
	fallback_close(&one->fallback);
	reach_close(&one->reach);
	place_clear(&one->where);
}

/* ---- tables ---- */

static int
open_table(void *self, const char *name, const limen_table_spec *spec, void **out,
           limen_diag *diag)
{
	store *one = self;
	book *table = book_new(one->asked.prefix, name, spec, diag);

	if (table == NULL)
		return LIMEN_EINVAL;
	if (!fallback_add(&one->fallback, table, name, spec)) {
		book_unref(table);
		return report_no_memory(diag);
	}
	if (spec->capacity != 0)
		limen_diag_add(diag, LIMEN_NOTE, limen_value_none(),
		               "a store of type redis drops no bucket for another, so the bound of "
		               "%llu buckets does not count there: a bucket goes once it is full",
		               (unsigned long long)spec->capacity);
	*out = table;
	return LIMEN_OK;
}

static void
close_table(void *self, void *table)
{
	fallback_remove(&((store *)self)->fallback, table);
	book_unref(table);
}

/* ---- takes ---- */

static bool
are_sound(limen_store_take *takes, size_t count)
{
	bool sound = true;

	for (size_t i = 0; i < count; i++) {
		takes[i].granted = false;
		takes[i].wait = -1;
		sound = sound && takes[i].key_length <= LIMEN_KEY_MAX && takes[i].amount >= 1;
	}
	return sound;
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     int64_t deadline)
{
	store *one = self;
	limen_verdict verdict = LIMEN_ERROR;
	bool answered;

	if (!are_sound(takes, count))
		return LIMEN_ERROR;
	if (is_strict(one))
		answered = strict_take(&one->strict, takes, count, flags, deadline, &verdict);
	else
		answered = leases_take(&one->leases, takes, count, flags, &verdict);
	if (!answered)
		verdict = fallback_take(&one->fallback, takes, count, flags, now);
	for (size_t i = 0; i < count; i++) {
		book *table = takes[i].table;

		atomic_fetch_add_explicit(&table->takes, 1, memory_order_relaxed);
		if (!takes[i].granted)
			atomic_fetch_add_explicit(&table->refusals, 1, memory_order_relaxed);
	}
	return verdict;
}

static void
give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	store *one = self;

	(void)now;
	for (size_t i = 0; i < count; i++) {
		int by = (int)(takes[i].wait & ((1 << GRANTED_BITS) - 1));

		if (by == GRANTED_BY_LEASE)
			leases_give(&one->leases, &takes[i]);
		else if (by == GRANTED_BY_REDIS)
			strict_give(&one->strict, &takes[i]);
		else
			fallback_give(&one->fallback, &takes[i]);
	}
}

/* ---- looking in ---- */

static void
table_status(void *self, void *table, limen_sink *sink)
{
	const book *one = table;

	(void)self;
	limen_sink_int(sink, "takes", atomic_load(&one->takes));
	limen_sink_int(sink, "refusals", atomic_load(&one->refusals));
	limen_sink_int(sink, "without_redis", atomic_load(&one->without));
}

/* Time is Redis' own. */
static int
each_bucket(void *self, limen_time now, int64_t deadline,
            bool (*each)(void *data, const limen_bucket *bucket), void *data,
            limen_diag *diag)
{
	store *one = self;

	(void)now;
	return list_buckets(&one->where, &one->asked, deadline, each, data, diag);
}

static void
status(const void *self, limen_sink *sink)
{
	store *one = (store *)(uintptr_t)self;
	char error[200];

	limen_sink_string(sink, "redis", one->where.shown);
	limen_sink_string(sink, "mode", is_strict(one) ? "strict" : "lease");
	if (is_strict(one)) {
		size_t up = strict_up(&one->strict);

		limen_sink_bool(sink, "ready", up > 0);
		limen_sink_int(sink, "connections", (int64_t)up);
	} else {
		limen_sink_bool(sink, "ready", atomic_load(&one->leases.up));
		limen_sink_int(sink, "leases", (int64_t)atomic_load(&one->leases.count));
	}
	if (reach_error(&one->reach, error, sizeof(error)))
		limen_sink_string(sink, "error", error);
}

LIMEN_STORE("redis",
	.version = LIMEN_VERSION,
	.summary = "Keeps buckets in Redis, for several processes that share one allowance",
	.options = settings_options,
	.instance_size = sizeof(store),
	.open = open_redis,
	.close = close_redis,
	.status = status,
	.open_table = open_table,
	.close_table = close_table,
	.take = take,
	.give_back = give_back,
	.table_status = table_status,
	.each_bucket = each_bucket);
