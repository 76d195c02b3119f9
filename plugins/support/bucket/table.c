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

#define DAY (86400 * LIMEN_SECOND)

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

static void
free_table(table *owner)
{
	for (size_t i = 0; i < owner->shard_count; i++)
		shard_close(&owner->shards[i]);
	free(owner->name);
	free(owner->keys);
	free(owner);
}

static table *
make_table(const tables *all, const char *name, const char *keys, const limen_meter *meter,
           size_t shards)
{
	table *owner = calloc(1, sizeof(*owner) + shards * sizeof(shard));
	const char *slash = strrchr(name, '/');
	size_t length = slash == NULL ? strlen(name) : (size_t)(slash - name);

	if (owner == NULL)
		return NULL;
	owner->name = strdup(name);
	owner->keys = strdup(keys);
	owner->meter = *meter;
	/*
	 * Tables of one entry share a lock, because one batch takes from all of them;
	 * "ENTRY/TABLE" is how they are named.
	 */
	if (length > LIMEN_KEY_MAX)
		length = LIMEN_KEY_MAX;
	owner->first_lock = (unsigned)(key_hash(&all->seed, name, length) % LOCK_COUNT);
	while (owner->shard_count < shards && shard_open(&owner->shards[owner->shard_count]))
		owner->shard_count++;
	if (owner->name != NULL && owner->keys != NULL && owner->shard_count == shards)
		return owner;
	free_table(owner);
	return NULL;
}

/* Finds a table by name, keys and meter; sets '*other' if another one has the name. */
static table *
find_table(const tables *all, const char *name, const char *keys, const limen_meter *meter,
           bool *other)
{
	for (table *owner = all->list; owner != NULL; owner = owner->next) {
		if (strcmp(owner->name, name) != 0)
			continue;
		if (limen_meter_equal(&owner->meter, meter) && strcmp(owner->keys, keys) == 0)
			return owner;
		*other = true;
	}
	return NULL;
}

static table *
find_or_add(tables *all, const char *name, const char *keys, const limen_meter *meter,
            size_t shards, bool *other)
{
	table *owner = find_table(all, name, keys, meter, other);

	if (owner != NULL) {
		*other = false;
		return owner;
	}
	owner = make_table(all, name, keys, meter, shards);
	if (owner == NULL)
		return NULL;
	owner->next = all->list;
	all->list = owner;
	return owner;
}

handle *
table_open(tables *all, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	uint64_t capacity = spec->capacity == 0 ? all->capacity : spec->capacity;
	size_t shards = all->approximate && capacity > LARGE ? TABLE_SHARDS : 1;
	const char *keys = spec->keys == NULL ? "" : spec->keys;
	limen_meter meter = limen_meter_of(spec);
	handle *opened = calloc(1, sizeof(*opened));
	bool other = false;

	if (opened == NULL)
		return NULL;
	pthread_mutex_lock(&all->lock);
	opened->table = find_or_add(all, name, keys, &meter, shards, &other);
	if (opened->table != NULL) {
		opened->table->users++;
		atomic_store(&opened->table->quota, limen_meter_quota(&meter));
	}
	pthread_mutex_unlock(&all->lock);
	if (opened->table == NULL) {
		free(opened);
		return NULL;
	}
	opened->meter = meter;
	opened->rules = (shard_rules){
		.meter = &opened->meter,
		.capacity = capacity / opened->table->shard_count +
		            (capacity % opened->table->shard_count != 0),
		.evicts_fullest = spec->eviction == LIMEN_EVICT_FULLEST,
		.keeps_used = meter.kind == LIMEN_METER_CALENDAR ||
		              (meter.kind == LIMEN_METER_FIXED && spec->period >= DAY),
	};
	if (other)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
		               "the rate, burst, window or key of '%s' has changed, so its buckets "
		               "start full", name);
	return opened;
}

/* Lets go of one use of 'owner'. */
static void
leave_table(tables *all, table *owner)
{
	table **link = &all->list;

	pthread_mutex_lock(&all->lock);
	if (--owner->users > 0) {
		pthread_mutex_unlock(&all->lock);
		return;
	}
	while (*link != owner)
		link = &(*link)->next;
	*link = owner->next;
	pthread_mutex_unlock(&all->lock);
	free_table(owner);
}

void
table_close(tables *all, handle *opened)
{
	table *owner = opened->table;

	free(opened);
	leave_table(all, owner);
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

static bool
is_table_of(const table *owner, const limen_bucket *saved)
{
	return strcmp(owner->name, saved->table) == 0 && strcmp(owner->keys, saved->keys) == 0 &&
	       owner->meter.kind == saved->kind && owner->meter.unit == saved->unit &&
	       owner->meter.rate.period == (uint64_t)saved->period;
}

int
table_restore(tables *all, const limen_bucket *saved, limen_time now)
{
	uint64_t hash = key_hash(&all->seed, saved->key, saved->key_length);
	bucket_key key = { saved->key, saved->key_length, hash };
	int result = LIMEN_ENOENT;
	table *owner = table_next(all, NULL);

	for (; owner != NULL; owner = table_next(all, owner)) {
		const shard_rules rules = { .meter = &owner->meter, .capacity = UINT64_MAX };
		spin_lock *lock = &all->locks[table_lock_of(owner, hash)];
		bucket *entry;

		if (!is_table_of(owner, saved))
			continue;
		spin_hold(lock);
		entry = shard_use(table_shard(owner, hash), &key, &rules, now);
		if (entry != NULL)
			memcpy(entry->state.words, saved->state, sizeof(saved->state));
		spin_release(lock);
		result = entry != NULL ? LIMEN_OK : LIMEN_ENOMEM;
	}
	return result;
}

spin_lock *
shard_lock(tables *all, const table *owner, size_t index)
{
	return &all->locks[(owner->first_lock + index) % LOCK_COUNT];
}

/* Logs at most once a minute that new keys find no room. */
static void
warn_of_crowd(const tables *all, const handle *opened)
{
	table *owner = opened->table;
	int64_t now = limen_host_monotonic();
	int64_t told = atomic_load(&owner->told);

	if ((told == 0 || now - told >= 60 * INT64_C(1000000000)) &&
	    atomic_compare_exchange_strong(&owner->told, &told, now))
		limen_host_log(all->host, LIMEN_LOG_ERROR,
		               "'%s' is full (%llu keys) of quotas that are used by more than half: "
		               "requests with other keys are not decided; raise 'capacity'",
		               owner->name,
		               (unsigned long long)(opened->rules.capacity * owner->shard_count));
}

void
table_warn(const tables *all, const handle *opened)
{
	table *owner = opened->table;

	if (atomic_exchange(&owner->crowded, false))
		warn_of_crowd(all, opened);
	else if (!atomic_exchange(&owner->warned, true))
		limen_host_log(all->host, LIMEN_LOG_WARNING,
		               "'%s' is full (%llu keys), and a bucket was evicted that was not "
		               "full: its key starts again with the whole burst; raise 'capacity'",
		               owner->name,
		               (unsigned long long)(opened->rules.capacity * owner->shard_count));
}

void
table_report(tables *all, const handle *opened, limen_builder *build)
{
	table *owner = opened->table;
	uint64_t buckets = 0;
	uint64_t evictions = 0;
	uint64_t takes = 0;
	uint64_t refusals = 0;

	for (size_t i = 0; i < owner->shard_count; i++) {
		spin_lock *lock = shard_lock(all, owner, i);

		spin_hold(lock);
		buckets += owner->shards[i].count;
		evictions += owner->shards[i].evictions;
		takes += owner->shards[i].takes;
		refusals += owner->shards[i].refusals;
		spin_release(lock);
	}
	limen_builder_int(build, "buckets", (int64_t)buckets);
	limen_builder_int(build, "capacity",
	                  (int64_t)(opened->rules.capacity * owner->shard_count));
	limen_builder_int(build, "evictions", (int64_t)evictions);
	limen_builder_int(build, "takes", (int64_t)takes);
	limen_builder_int(build, "refusals", (int64_t)refusals);
}
