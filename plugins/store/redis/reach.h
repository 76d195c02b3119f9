/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.h - makes connections, later and later while they come to nothing, for the thread
 * that each store has for it.
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

#include "wire.h"

typedef struct reach {
	limen_host *host;
	const place *where;
	const settings *asked;
	bool evicts_noted;
	pthread_mutex_t lock; /* of what follows */
	atomic_bool doubted;  /* a new connection alone does not make Redis be back */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since one came to something */
	char error[200];      /* "" while Redis can be reached */
} reach;

void reach_open(reach *one, limen_host *host, const place *where, const settings *asked);
void reach_close(reach *one);

/*
 * Returns a connection, after a wait if the last one came to nothing; NULL if there is none
 * to be had now, or the instance is being closed.  The caller then tells the host that the
 * store is ready.
 */
wire *reach_connect(reach *one);

/*
 * Waits until 'wake', an eventfd, was written, 'fd' (-1: none) is ready for 'events' of
 * poll(), 'milliseconds' (-1: no bound) have passed, or the instance is being closed.
 * Returns whether 'fd' is ready.
 */
bool reach_wait(const reach *one, int wake, int fd, short events, int milliseconds);

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
