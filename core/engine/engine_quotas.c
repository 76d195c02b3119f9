/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_quotas.c - what quotas of a day or more have used, for programs that keep it across
 * restarts.  Only stores with the method 'restore' need that.
 */
#include <string.h>

#include "base/clock.h"
#include "engine.h"
#include "module/module.h"

#define DAY (86400 * LIMEN_SECOND)

typedef struct walk {
	const char *store;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
} walk;

static bool
is_quota(limen_meter_kind kind, limen_duration period)
{
	return kind == LIMEN_METER_CALENDAR || (kind == LIMEN_METER_FIXED && period >= DAY);
}

static const limen_store_module *
type_of(const instance *keeper)
{
	return &keeper->module->descriptor.store;
}

static size_t
count_quotas(const entry_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const instance *owner = list->items[i].instance;
		const limen_table *table = owner == NULL ? NULL : owner->tables;

		for (; table != NULL; table = table->next)
			count += is_quota(table->spec.kind, table->spec.period) &&
			         type_of(table->store->instance)->restore != NULL;
	}
	return count;
}

size_t
limen_engine_count_quotas(limen_engine *engine)
{
	policy_reader *reader;
	policy *loaded = engine == NULL ? NULL : engine_hold(engine, &reader);
	size_t count;

	if (loaded == NULL)
		return 0;
	count = count_quotas(&loaded->limits) + count_quotas(&loaded->admission);
	engine_release(loaded, reader);
	return count;
}

static bool
offer(void *data, const limen_bucket *bucket)
{
	const walk *self = data;
	limen_bucket shown = *bucket;

	shown.store = self->store;
	return !is_quota(shown.kind, shown.period) || self->each(self->data, &shown);
}

int
limen_engine_each_quota(limen_engine *engine, bool (*each)(void *data, const limen_bucket *bucket),
                        void *data)
{
	walk walking = { .each = each, .data = data };
	policy_reader *reader;
	policy *loaded;

	if (engine == NULL || each == NULL)
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	if (loaded == NULL)
		return LIMEN_ENOPOLICY;
	for (size_t i = 0; i < loaded->stores.count; i++) {
		const entry *store = &loaded->stores.items[i];
		const instance *keeper = store->instance;

		/* A store with 'restore' is at least as new as the members of limen_bucket. */
		if (keeper == NULL || type_of(keeper)->restore == NULL ||
		    type_of(keeper)->each_bucket == NULL)
			continue;
		walking.store = store->name;
		instance_enter(keeper);
		type_of(keeper)->each_bucket(keeper->self, clock_steady(), INT64_MAX, offer, &walking,
		                             NULL);
		instance_leave(keeper);
	}
	engine_release(loaded, reader);
	return LIMEN_OK;
}

static int
restore(const policy *loaded, const limen_bucket *bucket)
{
	const entry *store = entry_find(&loaded->stores, bucket->store);
	const instance *keeper = store == NULL ? NULL : store->instance;
	int result;

	if (keeper == NULL || type_of(keeper)->restore == NULL)
		return LIMEN_ENOENT;
	instance_enter(keeper);
	result = type_of(keeper)->restore(keeper->self, bucket, clock_steady());
	instance_leave(keeper);
	return result;
}

int
limen_engine_restore_bucket(limen_engine *engine, const limen_bucket *bucket)
{
	policy_reader *reader;
	policy *loaded;
	int result;

	if (engine == NULL || bucket == NULL || bucket->size != sizeof(*bucket) ||
	    bucket->store == NULL || bucket->table == NULL || bucket->keys == NULL ||
	    bucket->key == NULL || bucket->key_length > LIMEN_KEY_MAX)
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	if (loaded == NULL)
		return LIMEN_ENOPOLICY;
	result = restore(loaded, bucket);
	engine_release(loaded, reader);
	return result;
}
