/* SPDX-License-Identifier: Apache-2.0 */
/* sync.h - a thread that requests wanted tokens from Redis and returns idle ones, in pipelines. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_SYNC_H
#define LIMEN_PLUGINS_STORE_REDIS_SYNC_H

#include "call.h"
#include "lease.h"
#include "reconnect.h"

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

#endif
