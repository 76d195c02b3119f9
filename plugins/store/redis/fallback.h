/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fallback.h - answers while Redis is unreachable: from the store "memory" with this
 * process' share of each allowance, or a fixed answer.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_FALLBACK_H
#define LIMEN_PLUGINS_STORE_REDIS_FALLBACK_H

#include "settings.h"
#include "table_spec.h"

typedef struct fallback {
	const settings *options;
	struct tables *tables; /* NULL unless takes are counted locally */
} fallback;

/* Returns false when memory is short. */
bool fallback_open(fallback *self, limen_host *host, const settings *options);
void fallback_close(fallback *self);

/* Gives 'owner' its share; false when memory is short. */
bool fallback_add(const fallback *self, table_spec *owner, const char *name,
                  const limen_table_spec *spec);
void fallback_remove(const fallback *self, table_spec *owner);

limen_verdict fallback_take(const fallback *self, limen_store_take *takes, size_t count,
                            unsigned flags, limen_time now);
void fallback_give(const fallback *self, const limen_store_take *take);

#endif
