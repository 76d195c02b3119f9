/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#include "fallback.h"
#include "list.h"
#include "strict.h"
#include "sync.h"

typedef struct store {
	bool strict;
	place where;
	rules rules;
	reach reach;
	fallback fallback;
	strict asking; /* if strict */
	leases leases; /* otherwise */
	sync_state sync;
} store;

static bool
write_rules(rules *out, const settings *asked)
{
	size_t length = strlen(asked->prefix);

	out->prefix = strdup(asked->prefix);
	out->mark = calloc(1, length + sizeof("mark"));
	if (out->prefix == NULL || out->mark == NULL)
		return false;
	memcpy(out->mark, asked->prefix, length);
	memcpy(out->mark + length, "mark", sizeof("mark"));
	out->mark_length = length + sizeof("mark") - 1;
	out->trusts_restart = asked->keeps_all;
	out->starts_empty = asked->new_database == NEW_IS_EMPTY;
	out->timeout = asked->timeout * 1000;
	return true;
}

static bool
open_mode(store *one, const settings *asked, limen_host *host)
{
	if (one->strict)
		return strict_open(&one->asking, &one->rules, &one->reach,
		                   (size_t)asked->connections);
	if (!leases_open(&one->leases, (size_t)asked->capacity, asked->lease_least,
	                 asked->lease_most))
		return false;
	if (sync_open(&one->sync, &one->leases, &one->rules, &one->reach, host,
	              asked->lease_time))
		return true;
	leases_close(&one->leases);
	return false;
}

static bool
open_parts(store *one, const settings *asked, limen_host *host)
{
	reach_open(&one->reach, host, &one->where, asked->connect_timeout);
	if (!write_rules(&one->rules, asked) ||
	    !fallback_open(&one->fallback, (fallback_how)asked->on_error, asked->replicas))
		return false;
	if (open_mode(one, asked, host))
		return true;
	fallback_close(&one->fallback);
	return false;
}

static void
free_rest(store *one)
{
	reach_close(&one->reach);
	free(one->rules.prefix);
	free(one->rules.mark);
	place_clear(&one->where);
	free(one);
}

/* What operators should know before it matters. */
static void
note_share(const settings *asked, limen_opening *opening, limen_diag *diag)
{
	if (asked->on_error != FALLBACK_LOCAL ||
	    limen_value_exists(limen_opening_option(opening, "replicas")))
		return;
	limen_diag_add(diag, LIMEN_NOTE, limen_opening_data(opening),
	               "'replicas' is not given, so while Redis is away each process admits what "
	               "all together may");
}

static int
report_no_memory(limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(), "%s",
	               limen_result_text(LIMEN_ENOMEM));
	return LIMEN_ENOMEM;
}

int
store_new(const settings *asked, place *where, limen_opening *opening, limen_diag *diag,
          struct store **out)
{
	limen_host *host = limen_opening_host(opening);
	store *one = calloc(1, sizeof(*one));

	if (one == NULL)
		return LIMEN_ENOMEM;
	one->strict = asked->mode == MODE_STRICT;
	one->where = *where;
	if (!open_parts(one, asked, host)) {
		one->where = (place){ .path = NULL };
		free_rest(one);
		return report_no_memory(diag);
	}
	if (one->strict)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	note_share(asked, opening, diag);
	limen_host_set_ready(host, false);
	if (!reach_start(&one->reach)) {
		one->where = (place){ .path = NULL };
		store_free(one);
		return report_no_memory(diag);
	}
	*out = one;
	return LIMEN_OK;
}

void
store_free(struct store *one)
{
	if (one->strict) {
		strict_close(&one->asking);
	} else {
		sync_close(&one->sync);
		leases_close(&one->leases);
	}
	fallback_close(&one->fallback);
	free_rest(one);
}

book *
store_table(struct store *one, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	book *table = book_new(one->rules.prefix, name, spec, diag);

	if (table == NULL)
		return NULL;
	if (!fallback_add(&one->fallback, table, name, spec)) {
		book_unref(table);
		limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if (spec->capacity != 0)
		limen_diag_add(diag, LIMEN_NOTE, limen_value_none(),
		               "a store of type redis drops no bucket for another, so the bound of "
		               "%llu buckets does not count there: a bucket goes once it is full",
		               (unsigned long long)spec->capacity);
	return table;
}

void
store_release(struct store *one, book *table)
{
	fallback_remove(&one->fallback, table);
	book_unref(table);
}

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

static void
count_takes(const limen_store_take *takes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		book *table = takes[i].table;

		atomic_fetch_add_explicit(&table->takes, 1, memory_order_relaxed);
		if (!takes[i].granted)
			atomic_fetch_add_explicit(&table->refusals, 1, memory_order_relaxed);
	}
}

limen_verdict
store_take(struct store *one, limen_store_take *takes, size_t count, unsigned flags,
           limen_time now, int64_t deadline)
{
	limen_verdict verdict = LIMEN_ERROR;
	bool answered;

	if (!are_sound(takes, count))
		return LIMEN_ERROR;
	if (one->strict)
		answered = strict_take(&one->asking, takes, count, flags, deadline, &verdict);
	else
		answered = leases_take(&one->leases, takes, count, flags, &verdict);
	/* What began it before may have found no memory for it. */
	if (!answered)
		reach_start(&one->reach);
	if (!answered)
		verdict = fallback_take(&one->fallback, takes, count, flags, now);
	count_takes(takes, count);
	return verdict;
}

void
store_settle(struct store *one, const limen_store_take *takes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int by = (int)(takes[i].wait & ((1 << GRANTED_BITS) - 1));

		if (by == GRANTED_BY_LEASE)
			leases_give(&one->leases, &takes[i]);
		else if (by == GRANTED_BY_REDIS)
			strict_give(&one->asking, &takes[i]);
		else
			fallback_give(&one->fallback, &takes[i]);
	}
}

int
store_list(struct store *one, int64_t deadline,
           bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	const list_place from = { &one->where, &one->rules, one->reach.timeout };

	return list_buckets_in(&from, deadline, each, data, diag);
}

void
store_report(struct store *one, limen_sink *sink)
{
	char error[200];

	limen_sink_string(sink, "redis", one->where.shown);
	limen_sink_string(sink, "mode", one->strict ? "strict" : "lease");
	if (one->strict) {
		size_t up = strict_up(&one->asking);

		limen_sink_bool(sink, "ready", up > 0);
		limen_sink_int(sink, "connections", (int64_t)up);
	} else {
		limen_sink_bool(sink, "ready", atomic_load(&one->leases.up));
		limen_sink_int(sink, "leases", (int64_t)atomic_load(&one->leases.count));
	}
	if (reach_error(&one->reach, error, sizeof(error)))
		limen_sink_string(sink, "error", error);
}
