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
 * libcurl looks names up on threads of their own.  Where a name server does not answer
 * in time, nobody waits for them (CURLOPT_QUICK_EXIT), but they are there until the
 * system gives up, with two descriptors each.
 */
void http_pool_note_lookup(http_client *client);

/* Are there so few of them that there may be another one? */
bool http_pool_may_look_up(http_client *client);

/*
 * Gives 'handle' the headers of 'request', for a server that is 'strange' without
 * credentials.  The list before, if there is one, is replaced; the caller frees the last.
 */
bool http_headers_set(CURL *handle, const http_request *request, bool strange,
                      struct curl_slist **list);

/*
 * Gives 'handle' its URL.  A user and a password are set apart from it: libcurl 8.14 forgets
 * those of a URL at a redirect, also at one to the same server.
 */
bool http_url_use(CURL *handle, const char *url);

/* Why a transfer was ended by us. */
typedef enum sink_end {
	SINK_OPEN = 0,
	SINK_ENOUGH,      /* the status is known and nothing else matters */
	SINK_LONG_BODY,
	SINK_LONG_HEADERS,
	SINK_STOPPED,
	SINK_NO_MEMORY
} sink_end;

/* Where an answer goes while it arrives. */
typedef struct sink {
	const http_request *request;
	buffer body;
	size_t header_bytes;
	bool in_head;        /* a head has begun and not ended */
	sink_end end;
} sink;

/* Makes 'handle' deliver to 'to', which must outlive the transfer. */
bool http_sink_connect(sink *to, CURL *handle);

/* Says why what arrived is no answer, or returns false if it is all right. */
bool http_sink_explain(const sink *from, char out[HTTP_ERROR_MAX]);

enum { HTTP_REDIRECTS_MAX = 10 };

/* Does 'allowed' hold 'url'?  Otherwise 'why' says of scheme and host what it is. */
bool http_allowed_check(const http_allowed *allowed, CURLU *url, bool redirected,
                        char why[HTTP_ERROR_MAX]);

/* Where a request with a list of what is allowed has come to. */
typedef struct http_hops {
	const http_request *request;
	CURLU *first;
	CURLU *next;  /* what the handle fetches next */
	int count;    /* redirects followed */
	bool strange; /* one of them led to another server: it gets no credentials, nor do later ones */
} http_hops;

/* Gives 'handle' its URL, or returns why not.  http_hops_end() is due in any case. */
CURLcode http_hops_start(http_hops *hops, CURL *handle, const http_request *request,
                         char error[HTTP_ERROR_MAX]);

/*
 * After an answer: is there another URL to fetch, which 'handle' has now?  'code' tells
 * if there is one that must not be fetched, and 'error' why, or it is not touched.
 */
bool http_hops_go_on(http_hops *hops, CURL *handle, CURLcode *code, char error[HTTP_ERROR_MAX]);

void http_hops_end(http_hops *hops);

/* The signal mask around a transfer. */
typedef struct pipe_guard {
	sigset_t before;
	bool pending;
} pipe_guard;

void http_pipe_block(pipe_guard *guard);
void http_pipe_unblock(const pipe_guard *guard);

#endif
