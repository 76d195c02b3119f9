/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - notices what hangs: a module may ignore the deadline of its decision.
 *
 * Each thread that answers requests belongs to a pool and stamps the start and the end of each
 * call of an endpoint.  Decisions that wait without a thread are a pool without threads, and their
 * waits its calls.  A call that lasts three times --timeout (30 s without a timeout) hangs.
 */
#ifndef LIMEND_WATCH_H
#define LIMEND_WATCH_H

#include <glib.h>
#include <limen/engine.h>

typedef struct watch watch;

/* The threads of a listening socket, or the workers. */
typedef struct watch_pool watch_pool;

/* One call of an endpoint, owned by its thread, or one wait. */
typedef struct watch_call {
	GList link; /* in the list of the pool */
	watch_pool *pool;
	int64_t since; /* limen_host_monotonic() */
	limen_activity *activity;
	bool logged;
} watch_call;

/* 'timeout' is that of a decision. */
watch *watch_new(limen_duration timeout);

/* Frees the watch and its pools; no call may be running. */
void watch_free(watch *self);

/*
 * Adds a pool, which is dead when 'threads' of its threads hang, or 0 for decisions that wait;
 * 'connections' if they serve connections.  From any thread.
 */
watch_pool *watch_add(watch *self, size_t threads, bool connections);

/* Begins and ends a call.  'activity' says what it is in, until it ends. */
void watch_begin(watch_pool *pool, watch_call *call, limen_activity *activity);
void watch_end(watch_call *call);

typedef struct watch_summary {
	size_t hung;  /* calls, and so threads */
	size_t stuck; /* decisions that have waited too long */
	bool deaf;    /* a thread hangs that serves connections */
	bool dead;    /* a pool is dead */
} watch_summary;

/* 'self' may be NULL: then nothing hangs.  From any thread. */
watch_summary watch_look(watch *self);

/* Logs what hangs, each call once; of decisions that wait, the oldest.  Call it once a second. */
void watch_tick(watch *self);

#endif
