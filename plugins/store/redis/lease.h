/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease.h - the leases of this process: tokens that Redis has set aside for it,
 * found by bucket, and the queue of those to report to Redis.
 *
 * A take uses leases only.  Redis has set aside 'held' plus 'used' since the last report;
 * a token given back before the next report undoes a use.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_LEASE_H
#define LIMEN_PLUGINS_STORE_REDIS_LEASE_H

#include <pthread.h>

#include "../../support/bucket/key_hash.h"
#include "table_spec.h"

typedef struct lease {
	struct lease *next;   /* with the same head */
	struct lease *queued_after;
	table_spec *table;
	uint64_t hash;
	int64_t held;
	int64_t used;
	int64_t given;       /* tokens given back after their use was reported */
	int64_t wanted;      /* the largest refused take since Redis was last asked */
	int64_t target;      /* tokens that the lease should hold */
	int64_t good_until;  /* Redis counts held tokens as used after that */
	int64_t none_before; /* Redis has no tokens before that */
	int64_t touched;     /* by a take */
	int64_t told;        /* when Redis last answered; 0: never */
	int64_t left;        /* in the bucket, as Redis last told; -1: it has not */
	limen_time left_since; /* when the bucket reached that, in microseconds; of a window: its reset */
	int64_t number;      /* of a window: the period that Redis last told of */
	int64_t requested;   /* what the call in flight asked for at most */
	bool queued;
	bool in_flight;
	uint16_t key_length;
	char key[];
} lease;

typedef struct leases {
	key_hash_seed seed;
	pthread_mutex_t lock; /* of the leases and of the queue */
	lease **heads;
	size_t capacity;
	atomic_size_t count;
	int64_t least; /* bounds of a target */
	int64_t most;
	atomic_bool up; /* Redis can be asked */
	lease *first;
	lease *last;
	atomic_bool awake; /* the thread that asks Redis has been woken */
	int wake; /* an eventfd */
} leases;

/* Returns false when memory or descriptors are short. */
bool leases_open(leases *all, size_t capacity, int64_t least, int64_t most);
void leases_close(leases *all);

/* Answers a batch from the leases, as a store does; false if Redis is unreachable. */
bool leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
                 limen_verdict *verdict);

void leases_give(leases *all, const limen_store_take *take);

/* Takes the next lease to report out of the queue; NULL: none. */
lease *leases_next(leases *all);

/* Calls 'each' with the lock held; frees each lease for which it returns false (NULL: all). */
void leases_each(leases *all, bool (*each)(void *data, lease *entry), void *data);

/* Empties all leases: the next connection starts without any. */
void leases_empty(leases *all);

/* The caller of these functions holds the lock. */

/* Queues 'entry', unless it is queued or in flight. */
void leases_queue(leases *all, lease *entry);

/* Counts tokens of a lapsed lease as used. */
void lease_forget_lapsed(lease *entry, int64_t now);

/* Returns the tokens it should hold, from its rate and its recent use. */
int64_t leases_target(const leases *all, const lease *entry);

#endif
