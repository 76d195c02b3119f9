/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reconnect.h - makes connections, later and later while they come to nothing, for the thread
 * that each store has for it.
 *
 * Servers and what stands before them end connections that are idle: one that
 * lasted and breaks while no question is under way is no loss, and another is made
 * at once.  A server that greets well and then ends the connection, answers
 * nonsense, or has no memory left for what is to be written is as good as none.  It
 * is back only once it has written something, and asked less often until a
 * connection has lasted.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_RECONNECT_H
#define LIMEN_PLUGINS_STORE_REDIS_RECONNECT_H

#include <pthread.h>

#include "wire.h"

typedef struct reconnect {
	limen_host *host;
	const place *where;
	const settings *asked;
	bool evicts_noted;
	pthread_mutex_t lock; /* of what follows */
	atomic_bool doubted;  /* a new connection alone does not make Redis be back */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since one came to something */
	char error[200];      /* "" while Redis can be reached */
} reconnect;

void reconnect_open(reconnect *self, limen_host *host, const place *where, const settings *asked);
void reconnect_close(reconnect *self);

/*
 * Returns a connection, after a wait if the last one came to nothing; NULL if there is none
 * to be had now, or the instance is being closed.  The caller then tells the host that the
 * store is ready.
 */
wire *reconnect_wire(reconnect *self);

/*
 * Waits until 'wake', an eventfd, was written, 'fd' (-1: none) is ready for 'events' of
 * poll(), 'milliseconds' (-1: no bound) have passed, or the instance is being closed.
 * Returns whether 'fd' is ready.
 */
bool reconnect_wait(const reconnect *self, int wake, int fd, short events, int milliseconds);

/*
 * Takes note that 'failed' has failed, with a question under way or without.  If that
 * is a loss, it is said, once until Redis is back.  Returns whether it is one.
 */
bool reconnect_lost(reconnect *self, const wire *failed, bool asked);

/* Says that something was written, as an answer on 'by' tells. */
void reconnect_wrote(reconnect *self, wire *by);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reconnect_error(reconnect *self, char *out, size_t size);

#endif
