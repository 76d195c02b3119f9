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

#include "../common/http_document.h"
#include "base/fault.h"

typedef enum http_method {
	HTTP_CONNECT = 0,  /* no path has it */
	HTTP_GET = 1 << 0, /* HEAD too: the transport leaves the body out */
	HTTP_POST = 1 << 1,
	HTTP_OTHER = 1 << 2
} http_method;

/* The types of bodies that endpoints take. */
typedef enum http_type {
	HTTP_JSON = 1 << 0,  /* application/json */
	HTTP_LINES = 1 << 1, /* application/x-ndjson (https://github.com/ndjson/ndjson-spec) */
	HTTP_FORM = 1 << 2,  /* application/x-www-form-urlencoded */
	HTTP_YAML = 1 << 3   /* application/yaml (RFC 9512) */
} http_type;

/* The row of a path that is not in the table of endpoints. */
#define HTTP_NO_ROW SIZE_MAX

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
	bool console;        /* came to an address of --ui-listen, and is trusted */
} http_peer;

/* A whole request.  Everything is borrowed for the call. */
typedef struct http_request {
	http_method method;
	const char *verb; /* the method as sent */
	const char *path; /* as sent, without the query; of an endpoint for proxies its own */
	const char *rest; /* for such an endpoint: what follows its path, as sent; else NULL */
	size_t row;       /* of the path in the table of endpoints, or HTTP_NO_ROW */
	arguments arguments;
	const char *content_type; /* NULL: none was given */
	const char *host;         /* with its port, if any; NULL: none was given */
	bool absolute;            /* 'host' is from a target in absolute form */
	const char *origin;       /* header Origin; NULL: none was given */
	const char *fetch_site;   /* header Sec-Fetch-Site; NULL: none was given */
	arguments fields;         /* the header */
	const char *body;         /* NUL after 'length' bytes; never NULL */
	size_t length;
	http_peer peer;
	int64_t arrived; /* limen_host_monotonic() when its headers had been read */
	/* For a decision that waits without a thread (deciding.h); NULL: this thread waits. */
	struct deferral *deferral;
} http_request;

/* A response that goes on after the body: whoever makes one puts it at the start of its own struct. */
typedef struct http_stream {
	/*
	 * Appends what is new; called about once a second, on one thread at a time.  False: this was the end.
	 */
	bool (*more)(struct http_stream *self, GString *out);
	void (*end)(struct http_stream *self); /* frees it; the client may have gone */
} http_stream;

/* Most header fields of a response, beside those of libmicrohttpd. */
#define HTTP_FIELDS_MAX 16

/* Header fields; a value ends with a NUL, behind which the next one begins. */
typedef struct http_fields {
	GString *values;
	size_t count;
	const char *names[HTTP_FIELDS_MAX]; /* static texts */
	size_t starts[HTTP_FIELDS_MAX];     /* of their values */
} http_fields;

/* The response.  'body' is empty at first and owned by the transport. */
typedef struct http_response {
	int status;               /* 200 at first */
	const char *content_type; /* "application/json" at first; static text */
	GString *body;
	http_fields *fields; /* NULL: none yet */
	int64_t retry_after; /* seconds for the header Retry-After; 0: none */
	http_stream *stream; /* owned; NULL: the body is all of it */
} http_response;

/* Adds a header field; 'name' is a static text. */
void http_add_field(http_response *response, const char *name, const char *value);

/*
 * Begins a header field: its value is what is appended to the text that is returned, until
 * http_end_field().
 */
GString *http_begin_field(http_response *response, const char *name);
void http_end_field(http_response *response);

static inline const char *
http_value(const http_fields *fields, size_t index)
{
	return fields->values->str + fields->starts[index];
}

void http_fields_free(http_fields *fields); /* NULL is fine */

/* Frees what the response owns. */
void http_response_clear(http_response *response);

/* Is it a token (RFC 9110, 5.6.2), such as a method or the name of a header field? */
bool http_is_token(const char *text, size_t length);

/* Is it the header field 'name' of 'length' bytes?  Names may be in any case. */
bool http_is_named(const http_pair *field, const char *name, size_t length);

/*
 * Stores the value of a header field, whose name may be in any case, or NULL if it is missing;
 * false with a fault if there are several.
 */
bool http_field(const http_request *request, const char *name, const char **out, fault *why);

/* The longest name of a host: RFC 1035, 2.3.4. */
#define HTTP_HOST_MAX 255

/*
 * Copies 'host' (RFC 9110, 7.2) in small letters, without its port and a final dot; false if it is
 * too long, or more than a name and a port.
 */
bool http_read_host(const char *host, char out[HTTP_HOST_MAX + 1]);

/* Returns the reason phrase (RFC 9110, 15) of a status that limend sends in error responses. */
const char *http_words(int status);

/*
 * Makes the response an error: 'status' and the JSON object
 * {"code": STATUS, "reason": WORDS OF THE STATUS, "message": TEXT}.  The text is
 * made valid UTF-8.
 */
void http_fail(http_response *response, int status, const char *text);

/*
 * Do the hints of 'peer' count?  They do on the unix socket, with a verified client
 * certificate, and from an address in 'trusted' (may be NULL).
 */
bool http_trusts(const limen_cidr_set *trusted, const http_peer *peer);

/* Returns the type of the body, which may have parameters; 0: another one, or none. */
unsigned http_type_of(const http_request *request);

/* Is the type of the body one of 'set'?  Returns false with a fault. */
bool http_check_type(const http_request *request, unsigned set, fault *why);

#endif
