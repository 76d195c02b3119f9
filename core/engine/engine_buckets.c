/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_buckets.c - lists the buckets that are used most, so that operators see which
 * clients are limited.
 */
#include <string.h>

#include "base/clock.h"
#include "engine.h"
#include "top_buckets.h"
#include "module/module.h"

typedef struct listing {
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
list_stores(listing *how, const policy *held)
{
	for (size_t i = 0; i < held->stores.count; i++) {
		const entry *store = &held->stores.items[i];

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
	listing how = { .wanted = store, .now = clock_steady(),
		        .deadline = clock_deadline(timeout), .diag = diag };
	policy *held;

	if (engine == NULL || each == NULL)
		return LIMEN_EINVAL;
	held = engine_hold(engine);
	if (held == NULL)
		return LIMEN_ENOPOLICY;
	if (fullest_open(&how.found, most)) {
		list_stores(&how, held);
		if (how.result == LIMEN_OK)
			fullest_each(&how.found, each, data);
		fullest_close(&how.found);
	} else {
		how.result = LIMEN_ENOMEM;
	}
	policy_unref(held);
	return how.result;
}
