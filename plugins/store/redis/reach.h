/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.h - gets connections on a worker of the engine, and tries again, later
 * and later, while they come to nothing.
 *
 * Servers and what stands before them end connections that are idle: one that
 * lasted and breaks while no question is under way is no loss, and another is made
 * at once.  A server that greets well and then ends the connection, answers
 * nonsense, or has no memory left for what is to be written is as good as none.  It
 * is back only once it has written something, and asked less often until a
 * connection has lasted.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_REACH_H
#define LIMEN_PLUGINS_STORE_REDIS_REACH_H

#include <pthread.h>
#include <stdatomic.h>

#include "wire.h"

/*
 * Who wants connections: 'adopt' takes one over, as long as 'wants' says so; 'miss', if
 * not NULL, is told that none could be made.
 */
typedef struct seeker {
	bool (*wants)(void *data);
	void (*adopt)(void *data, wire *one);
	void (*miss)(void *data);
	void *data;
} seeker;

typedef struct reach {
	limen_host *host;
	const place *where;
	limen_duration timeout; /* of one attempt */
	bool evicts_noted;
	seeker seeker; /* set before the first reach_start() */
	pthread_mutex_t lock;
	atomic_bool working;
	atomic_bool losing;  /* one was lost since the present job began */
	atomic_bool doubted; /* a new connection alone does not make Redis be back */
	unsigned attempts;   /* since one came to something */
	char error[200];     /* "" while Redis can be reached */
} reach;

void reach_open(reach *one, limen_host *host, const place *where, limen_duration timeout);
void reach_close(reach *one);

/*
 * Sees to it that everybody gets what he wants; any thread.  Returns false if memory is
 * short: who still wants a connection says so again, and it costs little to say.
 */
bool reach_start(reach *one);

/*
 * Takes note that 'failed' has failed, with a question under way or without.  If that
 * is a loss, it is said, once until Redis is back.  Returns whether it is one.
 */
bool reach_lost(reach *one, const wire *failed, bool asked);

/* Says that something was written, as an answer on 'by' tells. */
void reach_wrote(reach *one, wire *by);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reach_error(reach *one, char *out, size_t size);

#endif
