/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reconnect.h - makes connections on the store's own thread, with growing retry delays.
 *
 * Servers and proxies close idle connections: if one that lasted breaks without a call in
 * flight, that is no loss, and another is made at once.  A server that accepts the login and
 * then closes the connection, sends malformed replies or is out of memory counts as
 * unreachable until it has written something; retries slow down until a connection lasts.
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
	atomic_bool doubted;  /* only a write, not a connection, ends the loss */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since the last success */
	char error[200];      /* "" while Redis can be reached */
} reconnect;

void reconnect_open(reconnect *self, limen_host *host, const place *where, const settings *asked);
void reconnect_close(reconnect *self);

/*
 * Returns a connection, after a delay if the last one failed; NULL if the attempt fails or the
 * instance is closing.  The caller then tells the host that the store is ready.
 */
wire *reconnect_wire(reconnect *self);

/*
 * Waits until 'wake', an eventfd, was written, 'fd' (-1: none) is ready for 'events' of
 * poll(), 'milliseconds' (-1: no bound) have passed, or the instance is being closed.
 * Returns whether 'fd' is ready.
 */
bool reconnect_wait(const reconnect *self, int wake, int fd, short events, int milliseconds);

/*
 * Notes the failure of 'failed', 'asked' with a call in flight.  Returns true if that is a loss;
 * a loss is logged once until Redis is back.
 */
bool reconnect_lost(reconnect *self, const wire *failed, bool asked);

/* Notes that a reply on 'by' confirmed a write. */
void reconnect_wrote(reconnect *self, wire *by);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reconnect_error(reconnect *self, char *out, size_t size);

#endif
