/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis.c - the store that keeps buckets in Redis, so that several processes
 * share one allowance.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "settings.h"
#include "store.h"

static int
open_redis(void *self, limen_opening *opening, limen_diag *diag)
{
	settings *asked = self;
	place where = { .path = NULL };
	int result = settings_place(asked, opening, &where, diag);

	if (result == LIMEN_OK)
		result = store_new(asked, &where, opening, diag, &asked->store);
	if (result != LIMEN_OK)
		place_clear(&where);
	return result;
}

static void
close_redis(void *self)
{
	store_free(((settings *)self)->store);
}

static int
open_table(void *self, const char *name, const limen_table_spec *spec, void **out,
           limen_diag *diag)
{
	book *table = store_table(((settings *)self)->store, name, spec, diag);

	if (table == NULL)
		return LIMEN_EINVAL;
	*out = table;
	return LIMEN_OK;
}

static void
close_table(void *self, void *table)
{
	store_release(((settings *)self)->store, table);
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     int64_t deadline)
{
	return store_take(((settings *)self)->store, takes, count, flags, now, deadline);
}

static void
give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	(void)now;
	store_settle(((settings *)self)->store, takes, count);
}

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
	(void)now;
	return store_list(((settings *)self)->store, deadline, each, data, diag);
}

static void
status(const void *self, limen_sink *sink)
{
	store_report(((const settings *)self)->store, sink);
}

LIMEN_STORE("redis",
	.version = LIMEN_VERSION,
	.summary = "Keeps buckets in Redis, for several processes that share one allowance",
	.options = settings_options,
	.instance_size = sizeof(settings),
	.open = open_redis,
	.close = close_redis,
	.status = status,
	.open_table = open_table,
	.close_table = close_table,
	.take = take,
	.give_back = give_back,
	.table_status = table_status,
	.each_bucket = each_bucket);
