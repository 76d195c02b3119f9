/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reconnect.h - makes connections on the store's own thread, with growing retry delays.
 *
 * Servers and proxies close idle connections: if one that lasted breaks without a call in
 * flight, that is no loss, and another is made at once.  A server that accepts the login and
 * then closes the connection or sends malformed replies counts as unreachable until it has
 * written something; retries slow down until a connection lasts.  A server without memory
 * (maxmemory) can be reached: what it cannot count is refused.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_RECONNECT_H
#define LIMEN_PLUGINS_STORE_REDIS_RECONNECT_H

#include <pthread.h>

#include "wire.h"

/* When to retry what a server without memory could not count, in microseconds. */
#define RECONNECT_FULL_WAIT LIMEN_SECOND

typedef struct reconnect {
	limen_host *host;
	const location *where;
	const settings *options;
	bool evicts_noted;
	pthread_mutex_t lock; /* of what follows */
	atomic_bool doubted;  /* only a write, not a connection, ends the loss */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since the last success */
	char error[200];      /* "" while Redis can be reached */
	int64_t full_logged;  /* when the log last told that memory is full (monotonic); 0: never */
} reconnect;

void reconnect_open(reconnect *self, limen_host *host, const location *where,
                    const settings *options);
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
 * Notes the failure of 'failed', with a call 'in_flight' or not.  Returns true if that is a loss;
 * a loss is logged once until Redis is back.
 */
bool reconnect_lost(reconnect *self, const wire *failed, bool in_flight);

/* Notes that a reply on 'by' confirmed a write. */
void reconnect_wrote(reconnect *self, wire *by);

/* Notes that memory for a write was lacking; logs that at most once a minute. */
void reconnect_full(reconnect *self);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reconnect_error(reconnect *self, char *out, size_t size);

#endif
