/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_private.h - what the files of the HTTP support share: handles, what a
 * transfer collects, and the signal a closed connection raises.
 */
#ifndef LIMEN_HTTP_PRIVATE_H
#define LIMEN_HTTP_PRIVATE_H

#include <curl/curl.h>
#include <signal.h>

#include "../buffer.h"
#include "http.h"

/* Returns a handle that is as new except for its open connections; NULL: no memory. */
CURL *http_pool_take(http_client *client);
void http_pool_give(http_client *client, CURL *handle);

/*
 * Notes an abandoned lookup.  libcurl looks names up on separate threads.  If a name server
 * does not answer in time, the thread is abandoned (CURLOPT_QUICK_EXIT); it keeps two
 * descriptors until the system's resolver gives up.
 */
void http_pool_note_lookup(http_client *client);

/* Returns false if too many abandoned lookups are still running. */
bool http_pool_may_look_up(http_client *client);

/*
 * Gives 'handle' its URL.  A user and a password are set apart from it: libcurl 8.14 forgets
 * those of a URL at a redirect, also at one to the same server.
 */
bool http_url_use(CURL *handle, const char *url);

/* The reason why limen ended a transfer. */
typedef enum sink_end {
	SINK_OPEN = 0,
	SINK_ENOUGH,      /* the status is known and nothing else matters */
	SINK_LONG_BODY,
	SINK_LONG_HEADERS,
	SINK_HALF_HEADERS,
	SINK_REFUSED, /* a redirect leads to a target that is not allowed */
	SINK_STOPPED,
	SINK_NO_MEMORY
} sink_end;

/* Collects an answer while it arrives. */
typedef struct sink {
	CURL *handle;
	const http_request *request;
	char *error; /* of HTTP_ERROR_MAX bytes */
	buffer body;
	size_t header_bytes;
	bool in_head;        /* a head has begun and not ended */
	sink_end end;
} sink;

/* Makes the handle deliver to 'to', which must outlive the transfer. */
bool http_sink_connect(sink *to);

/* Sets 'error' if the answer is invalid or incomplete; returns false if it is neither. */
bool http_sink_explain(const sink *from);

enum { HTTP_REDIRECTS_MAX = 10 };

/* Returns true if 'allowed' lists the scheme and host of 'url'; else 'why' names the wrong one. */
bool http_allowed_check(const http_allowed *allowed, CURLU *url, bool redirected,
                        char why[HTTP_ERROR_MAX]);

/* The signal mask around a transfer. */
typedef struct pipe_guard {
	sigset_t before;
	bool pending;
} pipe_guard;

void http_pipe_block(pipe_guard *guard);
void http_pipe_unblock(const pipe_guard *guard);

#endif
