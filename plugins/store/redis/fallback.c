/* SPDX-License-Identifier: Apache-2.0 */
/* fallback.c - answers takes without Redis; the buckets are those of support/bucket. */
#include "modes.h"

#include <stdlib.h>

#include "../../support/bucket/table.h"

/* The default capacity of the store "memory". */
#define CAPACITY 65536

bool
fallback_open(fallback *self, limen_host *host, const settings *options)
{
	*self = (fallback){ .options = options };
	if (options->on_error != ON_ERROR_LOCAL)
		return true;
	self->tables = tables_new();
	if (self->tables == NULL)
		return false;
	self->tables->host = host;
	self->tables->capacity = CAPACITY;
	return true;
}

void
fallback_close(fallback *self)
{
	if (self->tables != NULL)
		tables_free(self->tables);
}

bool
fallback_add(const fallback *self, table_spec *owner, const char *name,
             const limen_table_spec *spec)
{
	limen_table_spec share = *spec;

	if (self->tables == NULL)
		return true;
	if (spec->kind != LIMEN_METER_TOKEN) {
		share.tokens = spec->tokens / self->options->replicas;
		share.tokens = share.burst = share.tokens < 1 ? 1 : share.tokens;
		owner->local = table_open(self->tables, name, &share, NULL);
		return owner->local != NULL;
	}
	/* A period above 64 bits is capped: no token refills in 292000 years. */
	if (__builtin_mul_overflow(spec->period, self->options->replicas, &share.period))
		share.period = INT64_MAX;
	share.burst = spec->burst / self->options->replicas;
	if (share.burst < 1)
		share.burst = 1;
	owner->local = table_open(self->tables, name, &share, NULL);
	return owner->local != NULL;
}

void
fallback_remove(const fallback *self, table_spec *owner)
{
	if (owner->local != NULL)
		table_close(self->tables, owner->local);
	owner->local = NULL;
}

/* Calls the store "memory" with its tables instead of the table specs. */
static limen_verdict
take_locally(const fallback *self, limen_store_take *takes, size_t count, unsigned flags,
             limen_time now)
{
	limen_store_take *list = calloc(count, sizeof(*list));
	limen_verdict verdict;

	if (list == NULL)
		return LIMEN_ERROR;
	for (size_t i = 0; i < count; i++) {
		list[i] = takes[i];
		list[i].table = ((const table_spec *)takes[i].table)->local;
	}
	verdict = take_batch(self->tables, list, count, flags, now);
	for (size_t i = 0; i < count; i++) {
		takes[i].granted = list[i].granted;
		takes[i].wait = list[i].wait;
		/* The memory store's cookie is a number of 62 bits. */
		takes[i].cookie = list[i].cookie << GRANTED_BITS | GRANTED_LOCALLY;
	}
	free(list);
	return verdict;
}

limen_verdict
fallback_take(const fallback *self, limen_store_take *takes, size_t count, unsigned flags,
              limen_time now)
{
	bool allows = self->options->on_error == ON_ERROR_ALLOW;

	for (size_t i = 0; i < count; i++)
		atomic_fetch_add(&((table_spec *)takes[i].table)->without, 1);
	if (self->tables != NULL)
		return take_locally(self, takes, count, flags, now);
	for (size_t i = 0; i < count; i++) {
		takes[i].granted = allows;
		/* Uncounted takes are not given back. */
		takes[i].cookie = GRANTED_LOCALLY;
	}
	return allows ? LIMEN_PASS : LIMEN_ERROR;
}

void
fallback_give(const fallback *self, const limen_store_take *take)
{
	const table_spec *owner = take->table;
	limen_store_take mine = *take;

	if (owner->local == NULL)
		return;
	mine.table = owner->local;
	mine.cookie = take->cookie >> GRANTED_BITS;
	take_settle(self->tables, &mine, 1);
}
