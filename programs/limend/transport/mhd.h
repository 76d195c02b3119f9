/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd.h - internals of the libmicrohttpd transport: mhd.c runs its daemons, mhd_client.c keeps
 * its connections, mhd_request.c gathers requests and mhd_answer.c sends responses.
 */
#ifndef LIMEND_MHD_H
#define LIMEND_MHD_H

#include <gnutls/abstract.h>
#include <microhttpd.h>

#include "service/clients.h"
#include "transport.h"
#include "workers.h"

/* One listening socket. */
typedef struct server {
	struct transport *owner;
	clients *clients;
	struct MHD_Daemon *daemon;
	watch_pool *pool;
	served purpose;
} server;

struct transport {
	transport_options options;
	workers *workers;
	watch_pool *pool; /* of the workers */
	watch_pool *waits; /* of decisions that wait without a thread */
	atomic_size_t gathered; /* bytes of bodies in memory now */
	atomic_size_t held;     /* bytes of answers in memory now */
	atomic_size_t claimed;  /* bytes that decisions about large bodies may take */
	size_t bytes_max;       /* of either */
	atomic_bool swollen; /* a large request was handled since memory was returned last */
	GPtrArray *servers;
	atomic_bool stopped; /* no new connections are accepted, and connections end */
	atomic_bool ending;  /* nothing is decided any more */
	pthread_mutex_t sleep_lock;
	GPtrArray *asleep; /* exchanges whose streams have nothing to tell; guarded by it */
	bool ends_early;    /* libmicrohttpd ends a head where it must not (mhd_head.c) */
};

typedef enum exchange_phase {
	EXCHANGE_HEAD,     /* the headers are not checked yet */
	EXCHANGE_BODY,     /* the body is arriving */
	EXCHANGE_REFUSED,  /* the request is refused, but its body is still arriving */
	EXCHANGE_DECIDING, /* a worker decides it */
	EXCHANGE_WAITING,  /* its decision waits, without a thread */
	EXCHANGE_RESUMED,  /* that has ended */
	EXCHANGE_DECIDED,  /* the worker is done */
	EXCHANGE_ANSWERED
} exchange_phase;

/* One request and its answer.  It is kept with its client, and with its memory, for the next one. */
typedef struct exchange {
	transport *owner;
	const server *server;
	struct MHD_Connection *connection;
	client *client;
	exchange_phase phase;
	GArray *arguments; /* of http_pair */
	GArray *fields;    /* likewise: the header */
	GString *body;
	GString *target;   /* split in place; 'request' points into it */
	struct MHD_Response *answer; /* NULL: none yet */
	http_fields *answer_fields;  /* its header fields; may be NULL */
	const char *raw_target; /* in the buffer of libmicrohttpd */
	size_t target_length;
	bool garbled;      /* the target has a blank or a control character */
	bool crowded;      /* its query has too many arguments */
	uint64_t declared; /* Content-Length; UINT64_MAX: there is none */
	size_t discarded;  /* bytes of the body that were read after the refusal */
	size_t held;       /* bytes of the answer, counted in 'transport.held' */
	http_request request;
	http_response response;
	deferral later;
	watch_call wait;
	work_kind kind;
	bool streamed;    /* the stream of the response has ended */
	bool again;       /* the decision waited for lookups */
	atomic_uint turn; /* mhd_request.c */
} exchange;

/* Takes 'size' off a count of bytes; of most requests it is 0, and an atomic operation costs more. */
static inline void
mhd_give_back(atomic_size_t *count, size_t size)
{
	if (size > 0)
		atomic_fetch_sub(count, size);
}

/* ---- mhd_client.c: callbacks of libmicrohttpd ---- */

void mhd_note_connection(void *data, struct MHD_Connection *connection, void **context,
                         enum MHD_ConnectionNotificationCode change);

/* The client of a connection. */
client *mhd_client_of(struct MHD_Connection *connection);

/* Did the client show a certificate that the authorities of --client-ca verify? */
bool mhd_client_certified(exchange *talk);

/* ---- mhd_request.c: callbacks of libmicrohttpd ---- */

void *mhd_begin(void *data, const char *target, struct MHD_Connection *connection);

enum MHD_Result mhd_handle(void *data, struct MHD_Connection *connection, const char *path,
                           const char *method, const char *version, const char *upload,
                           size_t *upload_size, void **context);

void mhd_end(void *data, struct MHD_Connection *connection, void **context,
             enum MHD_RequestTerminationCode why);

/* Frees what is kept for a client; NULL is fine. */
void mhd_exchange_free(exchange *talk);

/* ---- mhd_head.c ---- */

typedef enum head_verdict {
	HEAD_GOOD,
	HEAD_REFUSED, /* the response is set; the body is discarded, and the connection goes on */
	HEAD_BROKEN   /* the response is set; nothing more may be read from the connection */
} head_verdict;

/* Largest body of a refused request that is read, in bytes, so that the connection can go on. */
#define DISCARD_MAX ((size_t)64 << 10)

/* Does this version of libmicrohttpd have the parser errors that mhd_head.c works around? */
bool mhd_ends_early(const char *version);

/*
 * Checks method, target, version and headers.  'method' and 'version' must point into the buffer
 * of libmicrohttpd.
 */
head_verdict mhd_check_head(exchange *talk, const char *method, const char *version);

/* The largest body that the request may have, in bytes. */
size_t mhd_body_max(const exchange *talk);

/* ---- mhd_answer.c ---- */

/* Asks streams that had nothing to tell again. */
void mhd_wake_streams(transport *self);

/* Calls the endpoint, which fills the response unless the decision waits. */
void mhd_ask_endpoint(exchange *talk);

/* Fills the response with a 503 for lack of a worker; drops a decision that waits. */
void mhd_refuse(exchange *talk);

/* Sends the response. */
enum MHD_Result mhd_answer(exchange *talk);

/*
 * Sends the response while the body is still arriving, when libmicrohttpd accepts none, and ends
 * the connection.  Returns the value that the callback must return.
 */
enum MHD_Result mhd_cut_off(exchange *talk);

#endif
