/* SPDX-License-Identifier: Apache-2.0 */
/*
 * url_fetch.h - what the files of the limit url-fetch share: the instance, what
 * one request asks its server, and how answers become verdicts.
 */
#ifndef URL_FETCH_H
#define URL_FETCH_H

#include <limen/module.h>
#include <stdatomic.h>

#include "../../support/http/http.h"
#include "../../support/jq/jq.h"
#include "../../support/buffer.h"

/* ---- fields.c: the objects "headers" and "params" as what is sent ---- */

/* The longest URL, and the most text of all headers together. */
#define FIELDS_MAX ((size_t)1024 * 1024)

/* Header lines, NUL-terminated one after another in one text. */
typedef struct header_lines {
	buffer text;
	const char **lines;
	size_t count;
} header_lines;

/*
 * Makes header lines of 'object', or a form-encoded query (both consume it).
 * Values are written as Python's str() does.  Returns LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_EINVAL with a static text in 'why'.
 */
int fields_make_headers(jv object, header_lines *out, const char **why);
int fields_make_query(jv object, buffer *out, const char **why);

/* Adds text in the way of Python's quote_plus(): as a form would send it. */
void fields_add_quoted(buffer *to, const char *text);

void header_lines_clear(header_lines *of);

/*
 * Writes 'url' with 'query' at the end of the query it has (RFC 3986 section 3:
 * before the fragment, which is not sent).  An empty query changes nothing.
 */
void fields_extend_url(const char *url, const buffer *query, buffer *out);

/* The three things that are sent, each of which a script may change. */
typedef enum url_fetch_part {
	PART_URL = 0,
	PART_HEADERS = 1,
	PART_PARAMS = 2,
	PARTS = 3
} url_fetch_part;

typedef struct url_fetch {
	const char *url;
	limen_value headers;
	limen_value params;
	limen_transform transforms[PARTS];
	limen_strings schemes;
	limen_strings hosts;
	const char *bind;
	const char *proxy;
	const char *ca_file;
	const char *ca_pem;
	bool verify_keys;
	bool follow_redirects;
	bool success_only;
	bool fail_result;
	limen_duration timeout;
	limen_duration transform_timeout;
	int64_t max_size;
	int sandbox;
	jq_script *scripts[PARTS];  /* NULL: no transform */
	header_lines fixed_headers; /* without a transform */
	buffer fixed_query;
	char **listed;              /* the hosts, as URLs spell them */
	http_allowed allowed;
	http_client *client;
	limen_host *host;
	limen_counter *answered;
	limen_counter *unanswered;
	atomic_bool failing; /* the last fetch brought no answer; changes while the rest is const */
} url_fetch;

/* The HTTP request. */
typedef struct web_request {
	char *url;                 /* as configured or transformed */
	buffer full_url;           /* with the parameters */
	header_lines own_headers;
	const header_lines *headers;
} web_request;

/*
 * Writes what 'self' asks about 'req'.  Returns LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_EINVAL with a text in 'why' that the caller frees: a transform failed.
 */
int web_request_make(const url_fetch *self, const limen_request *req, web_request *out, char **why);
void web_request_clear(web_request *of);

/*
 * Returns the requested URL without secrets, in memory the caller frees; NULL when memory
 * is short.  If a script made the URL, only its origin is shown: the path may hold the
 * script's arguments, or a password of the option.
 */
char *web_request_show(const url_fetch *self, const web_request *request);

/*
 * Reads the server's answer to 'request'.  '*missing' tells whether there was no answer
 * that counts, so that fail-result decided.
 */
limen_verdict answer_read(const url_fetch *self, const web_request *request,
                          const http_answer *answer, limen_reply *reply, bool *missing);

/* The verdict when no answer is to be had; the reason is the caller's. */
limen_verdict answer_missing(const url_fetch *self);

/* Do the options fit together?  Problems, warnings and notes go to 'diag'. */
bool check_options(const url_fetch *self, limen_opening *opening, limen_diag *diag);

/*
 * Reads the options schemes and hosts, to 'self->allowed'; problems go to 'diag'.
 * Call allowed_clear() after success and failure.
 */
int allowed_make(url_fetch *self, limen_opening *opening, limen_diag *diag);
void allowed_clear(url_fetch *self);

#endif
