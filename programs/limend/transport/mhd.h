/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd.h - the transport of libmicrohttpd from the inside: mhd.c runs its daemons,
 * mhd_client.c keeps its connections, mhd_request.c gathers requests and
 * mhd_answer.c sends what became of them.
 */
#ifndef LIMEND_MHD_H
#define LIMEND_MHD_H

#include <gnutls/abstract.h>
#include <microhttpd.h>

#include "endpoint/endpoint.h"
#include "service/clients.h"
#include "transport.h"
#include "workers.h"

/* One listening socket. */
typedef struct server {
	struct transport *owner;
	clients *clients;
	struct MHD_Daemon *daemon;
	bool health; /* probes and metrics alone */
} server;

struct transport {
	transport_options options;
	workers *workers;
	atomic_size_t gathered; /* bytes of bodies held at this moment */
	size_t gathered_max;
	atomic_bool swollen; /* there was a request that took much memory */
	GPtrArray *servers;
	bool stopped;       /* listening */
	bool ends_early;    /* libmicrohttpd ends a head where it must not (mhd_head.c) */
};

typedef enum exchange_phase {
	EXCHANGE_HEAD,     /* its headers are to be looked at */
	EXCHANGE_BODY,     /* its body arrives */
	EXCHANGE_REFUSED,  /* the answer is known, but the body arrives */
	EXCHANGE_DECIDING, /* with a worker */
	EXCHANGE_DECIDED,  /* the worker is done */
	EXCHANGE_ANSWERED
} exchange_phase;

/* One request and its answer. */
typedef struct exchange {
	transport *owner;
	const server *server;
	struct MHD_Connection *connection;
	client *client;
	exchange_phase phase;
	/* These three are used again by the next exchange on the thread. */
	GString *target;   /* as sent, taken apart; 'request' points into it */
	GArray *arguments; /* of http_pair */
	GString *body;
	const char *raw_target; /* where libmicrohttpd has it */
	size_t target_length;
	bool garbled;      /* the target has a blank or a control character */
	bool crowded;      /* its query has too many arguments */
	uint64_t declared; /* Content-Length; UINT64_MAX: there is none */
	size_t discarded;  /* bytes of the body of a request that is refused */
	bool counted;      /* the endpoint counted its answer */
	http_request request;
	http_response response;
} exchange;

/* ---- mhd_client.c: callbacks of libmicrohttpd ---- */

void mhd_note_connection(void *data, struct MHD_Connection *connection, void **context,
                         enum MHD_ConnectionNotificationCode what);

/* The client of a connection. */
client *mhd_client_of(struct MHD_Connection *connection);

/* Did it show a certificate that the authorities of --client-ca vouch for? */
bool mhd_client_certified(exchange *one);

/* ---- mhd_request.c: callbacks of libmicrohttpd ---- */

void *mhd_begin(void *data, const char *target, struct MHD_Connection *connection);

enum MHD_Result mhd_handle(void *data, struct MHD_Connection *connection, const char *path,
                           const char *method, const char *version, const char *upload,
                           size_t *upload_size, void **context);

void mhd_end(void *data, struct MHD_Connection *connection, void **context,
             enum MHD_RequestTerminationCode why);

/* ---- mhd_head.c ---- */

typedef enum head_verdict {
	HEAD_GOOD,
	HEAD_REFUSED, /* the response says why; what follows can be told from the next request */
	HEAD_BROKEN   /* the response says why; nothing more is to be read */
} head_verdict;

/* The body of a refused request that is read all the same: the connection goes on. */
#define DISCARD_MAX ((size_t)64 << 10)

/* Has libmicrohttpd of this version the faults that mhd_head.c makes up for? */
bool mhd_ends_early(const char *version);

/* Looks at method, target, version and headers; 'method' and 'version' are libmicrohttpd's own. */
head_verdict mhd_check_head(exchange *one, const char *method, const char *version);

/* ---- mhd_answer.c ---- */

/* Lets the endpoint make the response. */
void mhd_ask_endpoint(exchange *one);

/* Sends the response. */
enum MHD_Result mhd_answer(exchange *one);

/*
 * Sends the response while a body is still on its way, where libmicrohttpd takes
 * none, and ends the connection: what the caller returns.
 */
enum MHD_Result mhd_cut_off(exchange *one);

#endif
