/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clients.h - tracks the connections of a listener and shuts down those that are too slow.
 *
 * The timeout of the HTTP library restarts with every byte, so a client that trickles would stay
 * for ever.  Here each state of a connection has a bound from its beginning: a connection that
 * exceeds it is shut down without an answer.
 *
 * When all connections of a listener are taken, one of the peer that has the most is shut down:
 * the connection that has been idle the longest, else the one that has waited longest for the
 * head of a request, else the one that has been sending a body or taking an answer for the
 * longest.  A request that is being decided is never shed.
 */
#ifndef LIMEND_CLIENTS_H
#define LIMEND_CLIENTS_H

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum client_state {
	CLIENT_GREETING, /* the TLS handshake is not complete */
	CLIENT_IDLE,     /* between requests */
	CLIENT_READING,  /* the head of a request is arriving */
	CLIENT_BODY,     /* the body of a request is arriving */
	CLIENT_BUSY,     /* the request is being decided, which has no bound here */
	CLIENT_WRITING   /* the answer is being sent */
} client_state;

/* One connection, from accept() until its descriptor is closed. */
typedef struct client {
	GList link; /* in the list of its peer */
	struct peer *peer;
	bool shed;            /* shut down to make room */
	int fd;
	bool unix_socket;
	bool linger;          /* the answer was sent before the whole request was read */
	bool more;            /* the next TLS record is sent together with the one after it */
	struct records *records; /* owned by the transport; NULL: no TLS */
	struct exchange *kept;   /* likewise, of the last request, for the next; NULL: none */
	struct credentials *credentials; /* of the session, owned by the transport; NULL: no TLS */
	bool certified;
	int64_t verified_until; /* limen_host_wall_time(); 'certified' is checked again then */
	uint64_t received;    /* bytes received at the last look by clients_tick() */
	int64_t looked_since; /* 'since' at that look */
	char *address;        /* as in http_peer */
	char *local;
	atomic_int state;
	_Atomic(int64_t) since; /* limen_host_monotonic(), a few milliseconds early */
} client;

typedef struct clients clients;

/*
 * Creates the list of a listener.  'idle' bounds idle connections and 'slow' every other state, in
 * nanoseconds.  When more than three quarters of 'most' connections are open, the smaller bound
 * holds for idle ones too: clients that open many idle connections must not keep others out.
 */
clients *clients_new(int64_t idle, int64_t slow, size_t most);

/* Frees the list; every client must have been removed. */
void clients_free(clients *all);

/* Creates the record of connection 'fd'; the caller still owns the descriptor. */
client *client_new(int fd, client_state state);

/*
 * Adds 'connection', whose addresses are set; clients_remove() frees it.  Returns true if a
 * connection was shut down because more than 'most' were open.
 */
bool clients_add(clients *all, client *connection);

/* Removes and frees 'gone'; call it before its descriptor is closed. */
void clients_remove(clients *all, client *gone);

/* The bound of a request's body runs from the request's start. */
void client_enter(client *connection, client_state state);

/*
 * Returns the peer of a connection: its address, or its network of 64 bits (IPv6: RFC 4291 gives
 * each host one), or "" for a unix socket.
 */
const char *client_peer(const client *connection);

/* Shuts down connections that exceeded their bounds; call it once a second. */
void clients_tick(clients *all);

typedef struct clients_summary {
	size_t open;
	size_t active;       /* with a request, or with a handshake that has begun */
	size_t busy;
	int64_t last_change; /* when an open connection last changed its state; 0: none is open */
} clients_summary;

/* Adds the connections of a listener to 'sum'. */
void clients_count(clients *all, clients_summary *sum);

#endif
