/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transport.h - HTTP/1.1 on sockets: what is between a listening socket and
 * endpoint_answer().
 *
 * The only transport is that of libmicrohttpd, in mhd*.c.  Another one would have
 * to offer these functions and nothing else.
 */
#ifndef LIMEND_TRANSPORT_H
#define LIMEND_TRANSPORT_H

#include "certificate.h"
#include "service/service.h"

typedef struct transport transport;

typedef struct transport_options {
	service *shared;
	certificate *certificate;     /* NULL: no TLS anywhere */
	bool require_certificate;     /* of every request over TLS but for probes */
	size_t max_body;              /* bytes of one request */
	size_t max_url;               /* bytes of the target of one request */
	unsigned max_connections;     /* of one listening socket */
	unsigned max_per_peer;        /* of one address; 0: no bound */
	unsigned threads;             /* that serve the connections of a listening socket */
	unsigned workers;             /* that decide where modules may wait */
	unsigned queue;               /* requests that wait for a worker at most */
	limen_duration idle_timeout;  /* of a connection between requests */
	limen_duration client_timeout;/* for a client to send a request or to take an answer */
} transport_options;

/* So many bytes of bodies may be in memory at once, and as many of answers. */
size_t transport_held_maximum(size_t max_body);

/* NULL if threads cannot be had.  What the options refer to must outlive it. */
transport *transport_new(const transport_options *options);

/*
 * Serves the listening socket 'fd', which stays the caller's and is closed after
 * transport_stop_listening().  'health': probes and metrics alone, with few connections,
 * which do not count among the others.  Returns NULL, or why not, to g_free().
 */
char *transport_serve(transport *self, int fd, bool tls, bool health);

/* To be called once a second. */
void transport_tick(transport *self);

/*
 * Takes no new connections, but those that the kernel has taken already.  From
 * now on answers end their connections if the service is draining.
 */
void transport_stop_listening(transport *self);

/* Is there no request, and has there been none for 'quiet' nanoseconds? */
bool transport_is_quiet(transport *self, int64_t quiet);

/*
 * Ends all connections.  Returns false, with everything still in place, if
 * decisions are running that will not wait: the process can only exit.
 */
bool transport_free(transport *self);

#endif
