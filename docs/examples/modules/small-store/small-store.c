/* SPDX-License-Identifier: Apache-2.0 */
/*
 * small-store.c - a store: keeps a few buckets of rate limits in the memory of the
 * process.  A full bucket need not be stored, so another key may replace it; without a
 * full bucket a new key is an error.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <limen-sdk/bucket.h>
#include <limen/module.h>

struct bucket {
	struct bucket *next;
	limen_level level;
	size_t length;
	char key[];
};

struct table {
	struct table *next;
	struct bucket *buckets;
	char *name;
	char *keys;
	limen_rate rate;
	int64_t count;    /* number of buckets */
	unsigned holders; /* policies that have it open */
};

struct small_store {
	int64_t keys;
	pthread_mutex_t mutex; /* guards the members below */
	struct table *tables;
};

static const limen_option small_store_options[] = {
	LIMEN_OPT_INT(struct small_store, keys, .key = "keys", .fallback = "1000", .minimum = 1,
	              .maximum = 10000, .help = "The most keys of one table at a time"),
	LIMEN_OPT_END
};

static int
small_store_open(void *self, limen_opening *opening, limen_diag *diag)
{
	struct small_store *store = self;

	(void)opening;
	if (pthread_mutex_init(&store->mutex, NULL) == 0)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "cannot create a mutex");
	return LIMEN_EINVAL;
}

static void
free_table(struct table *table)
{
	while (table->buckets != NULL) {
		struct bucket *next = table->buckets->next;

		free(table->buckets);
		table->buckets = next;
	}
	free(table->name);
	free(table->keys);
	free(table);
}

/* All tables are closed before. */
static void
small_store_close(void *self)
{
	struct small_store *store = self;

	pthread_mutex_destroy(&store->mutex);
}

/* ---- tables ---- */

static struct table *
make_table(const char *name, const limen_table_spec *spec)
{
	struct table *table = calloc(1, sizeof *table);

	if (table == NULL)
		return NULL;
	table->name = strdup(name);
	table->keys = strdup(spec->keys != NULL ? spec->keys : "");
	table->rate = limen_rate_of(spec);
	if (table->name != NULL && table->keys != NULL)
		return table;
	free_table(table);
	return NULL;
}

static struct table *
find_table(const struct small_store *store, const struct table *like)
{
	for (struct table *table = store->tables; table != NULL; table = table->next)
		if (strcmp(table->name, like->name) == 0 && strcmp(table->keys, like->keys) == 0 &&
		    table->rate.tokens == like->rate.tokens &&
		    table->rate.period == like->rate.period &&
		    table->rate.burst == like->rate.burst)
			return table;
	return NULL;
}

/* After a reload the same table is found again, with its buckets. */
static int
small_store_open_table(void *self, limen_opening *opening, const char *name,
                       const limen_table_spec *spec, void **out, limen_diag *diag)
{
	struct small_store *store = self;
	struct table *fresh = make_table(name, spec);
	struct table *table;

	if (fresh == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_data(opening),
		               "out of memory");
		return LIMEN_ENOMEM;
	}
	pthread_mutex_lock(&store->mutex);
	table = find_table(store, fresh);
	if (table == NULL) {
		table = fresh;
		table->next = store->tables;
		store->tables = table;
		fresh = NULL;
	}
	table->holders++;
	pthread_mutex_unlock(&store->mutex);
	if (fresh != NULL)
		free_table(fresh);
	*out = table;
	return LIMEN_OK;
}

static void
small_store_close_table(void *self, void *released)
{
	struct small_store *store = self;
	struct table *table = released;
	struct table **link = &store->tables;

	pthread_mutex_lock(&store->mutex);
	table->holders--;
	if (table->holders == 0) {
		while (*link != table)
			link = &(*link)->next;
		*link = table->next;
		free_table(table);
	}
	pthread_mutex_unlock(&store->mutex);
}

/* ---- buckets ---- */

static struct bucket *
find_bucket(const struct table *table, const char *key, size_t length)
{
	for (struct bucket *bucket = table->buckets; bucket != NULL; bucket = bucket->next)
		if (bucket->length == length && memcmp(bucket->key, key, length) == 0)
			return bucket;
	return NULL;
}

/* Drops buckets that are full by now. */
static void
drop_full(struct table *table, limen_time now)
{
	struct bucket **link = &table->buckets;

	while (*link != NULL) {
		struct bucket *bucket = *link;

		limen_level_fill(&bucket->level, &table->rate, now);
		if (bucket->level.tokens < table->rate.burst) {
			link = &bucket->next;
			continue;
		}
		*link = bucket->next;
		free(bucket);
		table->count--;
	}
}

static struct bucket *
add_bucket(const struct small_store *store, struct table *table, const char *key, size_t length,
           limen_time now)
{
	struct bucket *bucket;

	if (table->count >= store->keys)
		drop_full(table, now);
	if (table->count >= store->keys)
		return NULL;
	bucket = malloc(sizeof *bucket + length);
	if (bucket == NULL)
		return NULL;
	*bucket = (struct bucket){ .next = table->buckets,
		                   .level = limen_level_full(&table->rate, now),
		                   .length = length };
	memcpy(bucket->key, key, length);
	table->buckets = bucket;
	table->count++;
	return bucket;
}

/* ---- takes ---- */

static limen_verdict
take_one(const struct small_store *store, limen_store_take *take, limen_time now)
{
	struct table *table = take->table;
	struct bucket *bucket = find_bucket(table, take->key, take->key_length);

	if (bucket == NULL)
		bucket = add_bucket(store, table, take->key, take->key_length, now);
	if (bucket == NULL)
		return LIMEN_ERROR;
	take->granted = limen_level_take(&bucket->level, &table->rate, take->amount, now,
	                                 &take->wait);
	return take->granted ? LIMEN_PASS : LIMEN_FAIL;
}

/* Gives granted tokens back, if the bucket still exists. */
static void
give_back(const limen_store_take *take)
{
	const struct table *table = take->table;
	struct bucket *bucket = find_bucket(table, take->key, take->key_length);

	if (bucket != NULL)
		limen_level_give(&bucket->level, &table->rate, take->amount);
}

/* LIMEN_TAKE_PEEK takes and gives back. */
static limen_verdict
small_store_take(void *self, limen_store_take *takes, size_t count, unsigned flags,
                 limen_time now, limen_deadline deadline, limen_reply *reply)
{
	struct small_store *store = self;
	limen_verdict verdict = LIMEN_PASS;
	bool none, undo;

	(void)deadline;
	pthread_mutex_lock(&store->mutex);
	for (size_t i = 0; i < count; i++) {
		limen_verdict result = take_one(store, &takes[i], now);

		if (result == LIMEN_ERROR || (result == LIMEN_FAIL && verdict == LIMEN_PASS))
			verdict = result;
	}
	none = verdict != LIMEN_PASS && (flags & LIMEN_TAKE_ALL);
	undo = none || (flags & LIMEN_TAKE_PEEK);
	for (size_t i = 0; i < count && undo; i++) {
		if (!takes[i].granted)
			continue;
		give_back(&takes[i]);
		takes[i].granted = !none;
		takes[i].wait = 0;
	}
	pthread_mutex_unlock(&store->mutex);
	if (verdict == LIMEN_ERROR)
		limen_reply_reason(reply, "out of memory, or all %lld keys are in use",
		                   (long long)store->keys);
	return verdict;
}

static void
small_store_give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	struct small_store *store = self;

	(void)now;
	pthread_mutex_lock(&store->mutex);
	for (size_t i = 0; i < count; i++)
		give_back(&takes[i]);
	pthread_mutex_unlock(&store->mutex);
}

static void
small_store_table_status(void *self, void *table, limen_builder *build)
{
	struct small_store *store = self;

	pthread_mutex_lock(&store->mutex);
	limen_builder_int(build, "buckets", ((const struct table *)table)->count);
	pthread_mutex_unlock(&store->mutex);
}

LIMEN_STORE("small-store",
	.version = "1.0",
	.summary = "Keeps a few buckets in the memory of the process",
	.options = small_store_options,
	.instance_size = sizeof(struct small_store),
	.open = small_store_open,
	.close = small_store_close,
	.open_table = small_store_open_table,
	.close_table = small_store_close_table,
	.take = small_store_take,
	.give_back = small_store_give_back,
	.table_status = small_store_table_status);
