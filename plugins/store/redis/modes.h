/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.h - how takes are answered: in mode strict, by one call of Redis for each batch, over one
 * of a few connections; in mode lease, from tokens that a thread leases; without Redis, locally.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_MODES_H
#define LIMEN_PLUGINS_STORE_REDIS_MODES_H

#include "call.h"
#include "reconnect.h"
#include "lease.h"

#define STRICT_WIRES_MAX 64

typedef struct strict {
	settings *options;
	reconnect *reconnect;
	size_t wanted; /* connections */
	int wake;      /* an eventfd: there are fewer */
	pthread_mutex_t lock;
	pthread_cond_t freed; /* a connection is idle, or all are gone */
	wire *idle[STRICT_WIRES_MAX];
	size_t idle_count;
	size_t up; /* idle ones and those in use */
	int64_t renewed_by; /* takes wait until then, even if none is up */
} strict;

/* Starts the thread.  Returns false if memory or descriptors are short. */
bool strict_open(strict *self, settings *options, reconnect *where);
void strict_close(strict *self);

/*
 * Answers a batch as a store does, with table specs as tables.  Returns false if Redis is
 * unreachable; after 'deadline' (monotonic) the verdict is LIMEN_ERROR in any case.
 */
bool strict_take(strict *self, limen_store_take *takes, size_t count, unsigned flags,
                 limen_deadline deadline, limen_verdict *verdict);

/* Gives back what one take was granted, if Redis can be reached at once. */
void strict_give(strict *self, const limen_store_take *take);

size_t strict_up(strict *self);

/* ---- sync.c: a thread that requests wanted tokens and returns idle ones, in pipelines ---- */

/* The most calls in one pipeline. */
#define SYNC_BATCH 128

typedef struct sync_state {
	leases *leases;
	settings *options;
	reconnect *reconnect;
	int64_t lasts; /* how long a lease is good, in nanoseconds */
	char client[40]; /* the name of the leases of this connection */
	wire *wire;
	lease *flight[SYNC_BATCH];
	size_t flight_count;
	size_t answered;
	int64_t sent_at;
	int64_t looked_at; /* all leases */
} sync_state;

/* Starts the thread.  Returns false if memory is short. */
bool sync_open(sync_state *self, leases *all, settings *options, reconnect *where);

/* ---- fallback.c: answers while Redis is unreachable: this process' share, or a fixed one ---- */

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
