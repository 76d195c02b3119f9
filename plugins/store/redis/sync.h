/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync.h - talks to Redis about leases, on the engine's background thread: it
 * asks for what is wanted, in pipelines, and puts back what lies idle.
 *
 * An epoll descriptor, which the engine watches, stands for the socket, a timer
 * and the wish of somebody who took; so reconnecting needs no descriptor of the
 * engine's.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_SYNC_H
#define LIMEN_PLUGINS_STORE_REDIS_SYNC_H

#include "lease.h"
#include "reach.h"
#include "rules.h"

/* The most questions in one pipeline. */
#define SYNC_BATCH 128

typedef struct sync_state {
	leases *leases;
	rules *rules;
	reach *reach;
	limen_host *host;
	int64_t lasts; /* how long a lease is good, in nanoseconds */
	char client[40]; /* the name of the leases of this connection */
	int events; /* the epoll descriptor; the engine closes it */
	int timer;
	bool ticking;
	wire *wire;
	bool writing; /* epoll waits for room, too */
	lease *flight[SYNC_BATCH];
	size_t flight_count;
	size_t answered;
	int64_t sent_at;
	wire *_Atomic adopted; /* a connection the background thread has not seen yet */
	atomic_bool connected;
} sync_state;

/* Adds itself to 'where'.  Returns false if the system refuses. */
bool sync_open(sync_state *one, leases *all, rules *how, reach *where, limen_host *host,
               limen_duration lasts);

/*
 * Writes a question about 'which', which is in flight from then on.  With
 * 'leaving' everything is put back.  Returns false if there is nothing to ask.
 */
bool sync_ask(sync_state *one, lease *which, int64_t now, bool leaving);

/* Takes the answer over; false if it is malformed, and the connection has then failed. */
bool sync_answer(sync_state *one, lease *which, const redisReply *reply);

/* When no job runs any more: puts back what is held, if that takes no time. */
void sync_close(sync_state *one);

#endif
