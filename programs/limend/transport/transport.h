/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transport.h - serves HTTP/1.1 on listening sockets and calls endpoint_answer().
 *
 * The only transport is that of libmicrohttpd, in mhd*.c.  Another one would have to implement
 * these functions and nothing else.
 */
#ifndef LIMEND_TRANSPORT_H
#define LIMEND_TRANSPORT_H

#include "certificate.h"
#include "endpoint/endpoint.h"

typedef struct transport transport;

typedef struct transport_options {
	service *shared;              /* for the endpoints */
	metrics *metrics;
	limen_engine *engine;         /* tells whether a decision may block */
	const limen_cidr_set *trusted; /* peers whose hints count; may be NULL */
	certificate *certificate;     /* NULL: no TLS anywhere */
	bool require_certificate;     /* for every request over TCP but probes */
	size_t max_body;              /* bytes of one request */
	size_t max_url;               /* bytes of the target of one request */
	unsigned max_connections;     /* of one listening socket */
	unsigned max_per_peer;        /* of one address; 0: no bound */
	unsigned threads;             /* threads for the connections of one listening socket */
	unsigned workers;             /* threads for decisions that may block or take long */
	unsigned queue;               /* most requests that wait for a worker */
	limen_duration idle_timeout;  /* of a connection between requests */
	limen_duration client_timeout;/* for a client to send a request or to take an answer */
} transport_options;

/* The paths that a listening socket serves. */
typedef enum served {
	SERVED_ALL = 0,
	SERVED_HEALTH, /* probes and metrics, with a few connections beside the limit */
	SERVED_GATE,   /* those for proxies */
	SERVED_CONSOLE /* those of the console, with as few connections as SERVED_HEALTH */
} served;

/* Returns NULL if threads cannot be created.  Objects in the options must outlive the transport. */
transport *transport_new(const transport_options *options);

/*
 * Serves the listening socket 'fd'.  The caller owns it and closes it after
 * transport_stop_listening().  Returns NULL, or an error text to g_free().
 */
char *transport_serve(transport *self, int fd, bool tls, served purpose);

/* Ends slow connections and returns free memory; call it once a second. */
void transport_tick(transport *self);

/*
 * Accepts the connections that the kernel has established already, and no more.
 */
void transport_stop_listening(transport *self);

/* Is there no connection, or has no request been active for 'quiet' nanoseconds? */
bool transport_is_quiet(transport *self, int64_t quiet);

/*
 * Ends all connections and frees the transport.  Returns false and frees nothing if decisions
 * are still running; then the process can only exit.
 */
bool transport_free(transport *self);

#endif
