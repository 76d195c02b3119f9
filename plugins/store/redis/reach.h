/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.h - gets connections on a worker of the engine, and tries again, later
 * and later, while it cannot.  A server that greets well and answers no question
 * is as good as none: it is back only once it has answered one.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_REACH_H
#define LIMEN_PLUGINS_STORE_REDIS_REACH_H

#include <pthread.h>
#include <stdatomic.h>

#include "wire.h"

/* Who wants connections: 'adopt' takes one over, as long as 'wants' says so. */
typedef struct seeker {
	bool (*wants)(void *data);
	void (*adopt)(void *data, wire *one);
	void *data;
} seeker;

typedef struct reach {
	limen_host *host;
	const place *where;
	limen_duration timeout; /* of one attempt */
	bool evicts_noted;
	seeker seekers[2];
	size_t seeker_count;
	pthread_mutex_t lock;
	bool working;
	atomic_bool answered; /* a question was, since a connection was made last */
	bool doubted;         /* one was made that answered none, or not as it should */
	unsigned failures;    /* since the last success */
	char error[200];      /* "" while Redis can be reached */
} reach;

void reach_open(reach *one, limen_host *host, const place *where, limen_duration timeout);
void reach_close(reach *one);

/* Before the first reach_start(). */
void reach_add(reach *one, seeker who);

/* Sees to it that everybody gets what he wants; any thread. */
void reach_start(reach *one);

/* Says, once until Redis is reached again, that it is lost, and why 'failed' failed. */
void reach_lost(reach *one, const wire *failed);

/* Says that Redis has answered a question. */
void reach_answered(reach *one);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reach_error(reach *one, char *out, size_t size);

#endif
