/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_buckets.c - lists the buckets that are used most, so that operators see which
 * clients are limited.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/wide.h"
#include "engine.h"
#include "top_buckets.h"
#include "module/module.h"

typedef struct listing {
	const policy *held;
	void (*each)(void *data, const limen_bucket *bucket);
	void *data;
	const char *wanted; /* the name of a store, or NULL: all */
	const char *store;  /* being listed */
	limen_time now;
	limen_deadline deadline;
	fullest found;
	limen_diag *diag;
	int result;
	bool known; /* a store of that name */
} listing;

static bool
take_offer(void *data, const limen_bucket *bucket)
{
	listing *how = data;

	fullest_offer(&how->found, how->store, bucket);
	return !how->found.failed;
}

/*
 * Finds the entry with the table 'path', "limits/ENTRY/TABLE" or "admission/ENTRY/TABLE", and
 * the table; or NULL.
 */
static const entry *
find_entry(const policy *held, const char *path, const limen_table **found)
{
	const char *name = strchr(path, '/');
	const char *last = strrchr(path, '/');
	bool is_limit = strncmp(path, "limits/", 7) == 0;
	const entry_list *list = is_limit ? &held->limits : &held->admission;
	const entry *owner;
	char *copy;

	if (name == last || (!is_limit && strncmp(path, "admission/", 10) != 0))
		return NULL;
	copy = strndup(name + 1, (size_t)(last - name - 1));
	owner = copy == NULL ? NULL : entry_find(list, copy);
	free(copy);
	*found = owner == NULL || owner->instance == NULL ? NULL : owner->instance->tables;
	while (*found != NULL && strcmp((*found)->name, last + 1) != 0)
		*found = (*found)->next;
	return *found == NULL ? NULL : owner;
}

/* A store may keep a rate in lowest terms. */
static bool
has_rate(const limen_table *table, const limen_bucket *bucket)
{
	return (wide)table->tokens * (wide)bucket->period ==
	       (wide)bucket->tokens * (wide)table->period;
}

/* Adds what the policy says of the bucket's table; another process may have other tables. */
static void
show_bucket(void *data, const limen_bucket *bucket)
{
	const listing *how = data;
	const limen_table *table = NULL;
	const entry *owner = find_entry(how->held, bucket->table, &table);
	limen_bucket shown = *bucket;

	if (owner != NULL) {
		shown.entry = owner->name;
		shown.rate = has_rate(table, bucket) ? table->rate : NULL;
	}
	how->each(how->data, &shown);
}

static void
list_store(listing *how, const entry *store)
{
	const instance *keeper = store->instance;
	const limen_store_module *type = &keeper->module->descriptor.store;
	int result;

	how->known = true;
	if (type->each_bucket == NULL) {
		if (how->wanted == NULL)
			return;
		limen_diag_add(how->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a store of type %s cannot list its buckets", store->type);
		how->result = LIMEN_EINVAL;
		return;
	}
	how->store = store->name;
	instance_enter(keeper);
	result = type->each_bucket(keeper->self, how->now, how->deadline, take_offer, how,
	                           how->diag);
	instance_leave(keeper);
	if (how->result == LIMEN_OK)
		how->result = result;
}

static void
list_stores(listing *how)
{
	for (size_t i = 0; i < how->held->stores.count; i++) {
		const entry *store = &how->held->stores.items[i];

		if (store->instance != NULL &&
		    (how->wanted == NULL || strcmp(store->name, how->wanted) == 0))
			list_store(how, store);
	}
	if (how->found.failed)
		how->result = LIMEN_ENOMEM;
	else if (how->wanted != NULL && !how->known)
		how->result = LIMEN_ENOENT;
}

int
limen_engine_each_bucket(limen_engine *engine, const char *store, size_t most,
                         limen_duration timeout,
                         void (*each)(void *data, const limen_bucket *bucket), void *data,
                         limen_diag *diag)
{
	listing how = { .each = each, .data = data, .wanted = store, .now = clock_steady(),
		        .deadline = clock_deadline(timeout), .diag = diag };
	policy_reader *reader;
	policy *held;

	if (engine == NULL || each == NULL)
		return LIMEN_EINVAL;
	held = engine_hold(engine, &reader);
	if (held == NULL)
		return LIMEN_ENOPOLICY;
	how.held = held;
	if (fullest_open(&how.found, most)) {
		list_stores(&how);
		if (how.result == LIMEN_OK)
			fullest_each(&how.found, show_bucket, &how);
		fullest_close(&how.found);
	} else {
		how.result = LIMEN_ENOMEM;
	}
	engine_release(held, reader);
	return how.result;
}
