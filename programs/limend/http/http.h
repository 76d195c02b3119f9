/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.h - requests and responses of endpoints.  Endpoints do not depend on the transport, so
 * tests can call them directly.
 */
#ifndef LIMEND_HTTP_H
#define LIMEND_HTTP_H

#include <glib.h>
#include <limen/cidr.h>
#include <limen/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum http_method {
	HTTP_OTHER = 0,
	HTTP_GET = 1 << 0, /* HEAD too: the transport leaves the body out */
	HTTP_POST = 1 << 1
} http_method;

/* A query argument, decoded, or a header; 'value' has a NUL after 'length' bytes. */
typedef struct http_pair {
	const char *name;
	const char *value;
	size_t length;
} http_pair;

/* The arguments of a query, or the fields of a form. */
typedef struct arguments {
	const http_pair *pairs;
	size_t count;
} arguments;

/* The client of a connection.  Addresses have no scope; IPv4-mapped ones are given as IPv4. */
typedef struct http_peer {
	const char *address; /* NULL on a unix socket */
	const char *local;   /* the address the client connected to; NULL on a unix socket */
	bool unix_socket;
	bool tls;
	bool certified;      /* showed a client certificate that was verified */
	bool trusted;        /* its hints count: http_trusts() */
} http_peer;

/* A whole request.  Everything is borrowed for the call. */
typedef struct http_request {
	http_method method;
	const char *path; /* as sent, without the query */
	arguments arguments;
	const char *content_type; /* NULL: none was given */
	const char *host;         /* with its port, if any; NULL: none was given */
	bool absolute;            /* 'host' is from a target in absolute form */
	const char *origin;       /* header Origin; NULL: none was given */
	const char *fetch_site;   /* header Sec-Fetch-Site; NULL: none was given */
	const char *body;         /* NUL after 'length' bytes; never NULL */
	size_t length;
	http_peer peer;
	int64_t arrived; /* limen_host_monotonic() when its headers had been read */
} http_request;

/* The response.  'body' is empty at first and owned by the transport. */
typedef struct http_response {
	int status;               /* 200 at first */
	const char *content_type; /* "application/json" at first; static text */
	GString *body;
	const char *content_policy; /* Content-Security-Policy of a page; NULL: none */
	int64_t retry_after; /* seconds for the header Retry-After; 0: none */
} http_response;

/*
 * Makes the response an error: 'status' and the JSON object
 * {"code": STATUS, "reason": WORDS OF THE STATUS, "message": TEXT}.  The text is
 * made valid UTF-8.
 */
void http_fail(http_response *response, int status, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/*
 * Do the hints of 'peer' count?  They do on the unix socket, with a verified client
 * certificate, and from an address in 'trusted' (may be NULL).
 */
bool http_trusts(const limen_cidr_set *trusted, const http_peer *peer);

/* Is the content type of the request 'type', with parameters or without? */
bool http_is_type(const http_request *request, const char *type);

#endif
