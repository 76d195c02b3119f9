/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - opens, shares and closes the tables of a store.  Tables are reference-counted: each
 * handle holds a reference, and a walk holds one on its current table.  A struct tables owns
 * the list of tables, the mutex of the list and the 64 locks of the shards.
 */
#include "table.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define SHARDS 16
/* Below, one lock is no burden, and the order is worth more. */
#define LARGE 4096

tables *
tables_new(void)
{
	tables *all = aligned_alloc(alignof(tables), sizeof(*all));

	if (all == NULL)
		return NULL;
	memset(all, 0, sizeof(*all));
	key_hash_draw(&all->seed);
	pthread_mutex_init(&all->lock, NULL);
	return all;
}

void
tables_free(tables *all)
{
	if (all == NULL)
		return;
	pthread_mutex_destroy(&all->lock);
	free(all);
}

/* Lets a shard count its takes beside its lock, if there is room, and keep a state there. */
static void
join_lock(spin_lock *lock, shard *one)
{
	one->beside = &lock->common;
	for (size_t i = 0; i < SPIN_COUNTS; i++) {
		if ((lock->claimed & 1U << i) != 0)
			continue;
		lock->claimed |= (uint8_t)(1U << i);
		lock->counts[i] = 0;
		one->takes = &lock->counts[i];
		return;
	}
}

static void
leave_lock(spin_lock *lock, const shard *one)
{
	if (one->takes != &one->own_takes)
		lock->claimed &= (uint8_t)~(1U << (one->takes - lock->counts));
	spin_hold(lock);
	if (one->common != NULL)
		one->beside->owner = NULL;
	spin_release(lock);
}

static void
free_table(table *one)
{
	for (size_t i = 0; i < one->shard_count; i++)
		shard_close(&one->shards[i]);
	free(one->name);
	free(one->keys);
	free(one);
}

/*
 * Tables of one entry share a lock, because one batch takes from all of them;
 * "ENTRY/TABLE" is how they are named.
 */
static unsigned
choose_lock(const tables *all, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t length = slash == NULL ? strlen(name) : (size_t)(slash - name);

	if (length > LIMEN_KEY_MAX)
		length = LIMEN_KEY_MAX;
	return (unsigned)(key_hash(&all->seed, name, length) % LOCK_COUNT);
}

static table *
make_table(const tables *all, const char *name, const char *keys, const limen_meter *meter,
           size_t shards)
{
	table *one = calloc(1, sizeof(*one) + shards * sizeof(shard));

	if (one == NULL)
		return NULL;
	one->name = strdup(name);
	one->keys = strdup(keys);
	one->meter = *meter;
	one->first_lock = choose_lock(all, name);
	while (one->shard_count < shards && shard_open(&one->shards[one->shard_count]))
		one->shard_count++;
	if (one->name != NULL && one->keys != NULL && one->shard_count == shards)
		return one;
	free_table(one);
	return NULL;
}

/* Finds a table by name, keys and meter; sets '*other' if another one has the name. */
static table *
find_table(const tables *all, const char *name, const char *keys, const limen_meter *meter,
           bool *other)
{
	for (table *one = all->list; one != NULL; one = one->next) {
		if (strcmp(one->name, name) != 0)
			continue;
		if (limen_meter_equal(&one->meter, meter) && strcmp(one->keys, keys) == 0)
			return one;
		*other = true;
	}
	return NULL;
}

static table *
find_or_add(tables *all, const char *name, const char *keys, const limen_meter *meter, size_t shards,
            bool *other)
{
	table *one = find_table(all, name, keys, meter, other);

	if (one != NULL) {
		*other = false;
		return one;
	}
	one = make_table(all, name, keys, meter, shards);
	if (one == NULL)
		return NULL;
	for (size_t i = 0; i < shards; i++)
		join_lock(shard_lock(all, one, i), &one->shards[i]);
	one->next = all->list;
	all->list = one;
	return one;
}

handle *
table_open(tables *all, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	uint64_t capacity = spec->capacity == 0 ? all->capacity : spec->capacity;
	size_t shards = all->approximate && capacity > LARGE ? SHARDS : 1;
	const char *keys = spec->keys == NULL ? "" : spec->keys;
	limen_meter meter = limen_meter_of(spec);
	handle *held = calloc(1, sizeof(*held));
	bool other = false;

	if (held == NULL)
		return NULL;
	pthread_mutex_lock(&all->lock);
	held->table = find_or_add(all, name, keys, &meter, shards, &other);
	if (held->table != NULL)
		held->table->users++;
	pthread_mutex_unlock(&all->lock);
	if (held->table == NULL) {
		free(held);
		return NULL;
	}
	held->rules = (shard_rules){
		.meter = &held->table->meter,
		.capacity = capacity / held->table->shard_count +
		            (capacity % held->table->shard_count != 0),
		.evicts_fullest = spec->eviction == LIMEN_EVICT_FULLEST,
	};
	if (other)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_none(),
		               "its rate, burst or key has changed, so its buckets start full");
	return held;
}

/* Lets go of one use of 'one'. */
static void
leave_table(tables *all, table *one)
{
	table **link = &all->list;

	pthread_mutex_lock(&all->lock);
	if (--one->users > 0) {
		pthread_mutex_unlock(&all->lock);
		return;
	}
	while (*link != one)
		link = &(*link)->next;
	*link = one->next;
	for (size_t i = 0; i < one->shard_count; i++)
		leave_lock(shard_lock(all, one, i), &one->shards[i]);
	pthread_mutex_unlock(&all->lock);
	free_table(one);
}

void
table_close(tables *all, handle *held)
{
	table *one = held->table;

	free(held);
	leave_table(all, one);
}

table *
table_next(tables *all, table *before)
{
	table *next;

	pthread_mutex_lock(&all->lock);
	next = before == NULL ? all->list : before->next;
	if (next != NULL)
		next->users++;
	pthread_mutex_unlock(&all->lock);
	if (before != NULL)
		leave_table(all, before);
	return next;
}

spin_lock *
shard_lock(tables *all, const table *one, size_t index)
{
	return &all->locks[(one->first_lock + index) % LOCK_COUNT];
}

void
table_warn(const tables *all, const handle *held)
{
	table *one = held->table;

	if (!atomic_exchange(&one->warned, true))
		limen_host_log(all->host, LIMEN_LOG_WARNING,
		               "'%s' is full (%llu keys), and a bucket was evicted that was not "
		               "full: its key starts again with the whole burst; raise 'capacity'",
		               one->name,
		               (unsigned long long)(held->rules.capacity * one->shard_count));
}

void
table_report(tables *all, const handle *held, limen_builder *build)
{
	table *one = held->table;
	uint64_t buckets = 0;
	uint64_t evictions = 0;
	uint64_t takes = 0;
	uint64_t refusals = 0;

	for (size_t i = 0; i < one->shard_count; i++) {
		spin_lock *lock = shard_lock(all, one, i);

		spin_hold(lock);
		buckets += one->shards[i].count;
		evictions += one->shards[i].evictions;
		takes += *one->shards[i].takes;
		refusals += one->shards[i].refusals;
		spin_release(lock);
	}
	limen_builder_int(build, "buckets", (int64_t)buckets);
	limen_builder_int(build, "capacity", (int64_t)(held->rules.capacity * one->shard_count));
	limen_builder_int(build, "evictions", (int64_t)evictions);
	limen_builder_int(build, "takes", (int64_t)takes);
	limen_builder_int(build, "refusals", (int64_t)refusals);
}
