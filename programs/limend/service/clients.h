/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clients.h - who is connected, and who is too slow.
 *
 * The HTTP library's own time-out begins anew with every byte, so a client that
 * trickles would stay for ever.  Here every state of a connection has a bound
 * from its beginning: what overstays is shut down, without a word.
 *
 * When all connections of a listener are taken, room is made at the cost of the peer
 * that has the most: the connection that has been idle the longest, else the one whose
 * request has not had a head for the longest, else the one that has been sending a body or
 * taking an answer for the longest.  A request that is being decided is never shed.
 */
#ifndef LIMEND_CLIENTS_H
#define LIMEND_CLIENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum client_state {
	CLIENT_GREETING, /* TLS is not agreed on yet */
	CLIENT_IDLE,     /* between requests */
	CLIENT_READING,  /* the head of a request is on its way to us */
	CLIENT_BODY,     /* its body is */
	CLIENT_BUSY,     /* being decided: no fault of the client's */
	CLIENT_WRITING   /* the answer is on its way */
} client_state;

/* One connection, from accept() until its descriptor is closed. */
typedef struct client {
	struct client *next; /* of the same peer, in the order of their arrival */
	struct client *previous;
	struct peer *peer;
	bool shed;            /* it was shut down to make room */
	int fd;
	bool unix_socket;
	bool linger;          /* an answer went out before all was read */
	struct credentials *credentials; /* of its session, the transport's; NULL: no TLS */
	bool certified;
	int64_t verified_until; /* limen_host_wall_time() when 'certified' is found out anew */
	uint64_t received;    /* bytes when it was looked at in the idle time that began at ... */
	int64_t looked_since; /* ... this moment */
	char *address;        /* as in http_peer */
	char *local;
	atomic_int state;
	_Atomic(int64_t) since; /* limen_host_monotonic() */
} client;

typedef struct clients clients;

/*
 * Those of one listener.  Bounds in nanoseconds: of an idle connection, and of every other
 * state.  When more than three quarters of 'most' connections are open, idle ones have no
 * longer than the others: who opens many and says nothing is not to keep everybody else out.
 */
clients *clients_new(int64_t idle, int64_t slow, size_t most);

/* Every client must be gone. */
void clients_free(clients *all);

/* Of the connection 'fd', which stays the caller's. */
client *client_new(int fd, client_state state);

/*
 * Adds 'made' once its addresses are known; it is freed by clients_remove().  If there are
 * more than 'most' then, one is shut down: true.
 */
bool clients_add(clients *all, client *made);

/* Before the descriptor of 'gone' is closed; frees it. */
void clients_remove(clients *all, client *gone);

void client_enter(client *one, client_state state);

/* The head of its request has been read, and its time goes on. */
void client_note_head(client *one);

/* Once a second: shuts down what overstayed. */
void clients_tick(clients *all);

typedef struct clients_summary {
	size_t open;
	size_t active;       /* neither idle nor greeting */
	int64_t last_change; /* when one of those that are open was last heard of; 0: none */
} clients_summary;

/* Adds those of a listener to 'sum'. */
void clients_count(clients *all, clients_summary *sum);

#endif
