/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.h - fetching a URL, for modules: one GET or POST with everything bounded that a
 * hostile server could stretch.
 *
 * Bounded are the time, the bytes of the body and of the headers, the number of
 * redirects and the protocols.  A fetch uses no cookies, no .netrc, no proxy of
 * the environment, no compression, and no HTTP/2; what it does depends on the
 * request alone.  It is a convenience library for modules and programs
 * (libhttp.la).
 */
#ifndef LIMEN_HTTP_H
#define LIMEN_HTTP_H

#include <limen/types.h>

/*
 * Keeps idle curl handles, so that connections are used again.  One an
 * instance; any number of threads may fetch with it at once.
 */
typedef struct http_client http_client;

/* The targets a request may use, redirects included; an empty list allows everything. */
typedef struct http_allowed {
	const char *const *schemes; /* "https" */
	size_t scheme_count;
	const char *const *hosts; /* as http_host_spell() writes them */
	size_t host_count;
} http_allowed;

/* Fields left zero mean what their comment says; only 'url' and 'max_body' are needed. */
typedef struct http_request {
	const char *url;
	const char *const *headers; /* "Name: value", without control characters */
	size_t header_count;
	const char *post;       /* the body of a POST; NULL: GET */
	/* NULL: all targets.  The URL and its redirects are checked; the proxy is not. */
	const http_allowed *allowed;
	const char *bind;       /* interface, host name or address; NULL: any */
	const char *proxy;      /* URL of a proxy; NULL: none */
	const char *unix_path;  /* of a socket to connect to, whatever the URL's host; NULL: none */
	const char *ca_pem;     /* trust these authorities only; NULL: those of the system */
	/* PEM: the client's certificate and its key, both or neither; NULL: none. */
	const char *certificate_pem;
	const char *key_pem;
	bool insecure;          /* do not verify the server's certificate */
	bool no_redirects;      /* an answer that redirects is the answer */
	bool allow_file;        /* file: URLs of regular files too; never by a redirect */
	bool cut_body;          /* a longer body than 'max_body' is cut, and no failure */
	/*
	 * A body that only the end of the connection delimits (RFC 9112, 6.3, 8) is a failure:
	 * a part of it could not be told from all of it.
	 */
	bool whole_body;
	limen_duration timeout; /* of all together; 0: none */
	limen_deadline deadline; /* limen_host_monotonic() time; INT64_MAX: none */
	size_t max_body;        /* bytes; see cut_body */
	/* Asked about once a second, NULL: never; true gives up. */
	bool (*stop)(void *data);
	void *stop_data;
} http_request;

#define HTTP_ERROR_MAX 256
#define HTTP_VALIDATOR_MAX 128

typedef struct http_answer {
	long status;     /* 200 for a file that was read, 400 if there was no answer */
	char *body;      /* NUL-terminated, never NULL after LIMEN_OK; may hold NULs */
	size_t length;
	bool transport_failed; /* there was no answer, and 'error' says why */
	/*
	 * The request failed because of 'deadline', not of 'timeout'.  Comparing the clock is
	 * not enough: libcurl's may be a part of a millisecond ahead of limen_host_monotonic().
	 */
	bool late;
	/*
	 * No word about the server: too many threads still wait for name servers, or no
	 * descriptor is left.
	 */
	bool crowded;
	char error[HTTP_ERROR_MAX];
	/*
	 * Validators of this version (RFC 9110, 8.8), for If-None-Match and
	 * If-Modified-Since; "" if the server sent none.
	 */
	char etag[HTTP_VALIDATOR_MAX];
	char modified[HTTP_VALIDATOR_MAX];
} http_answer;

/* NULL when memory is short or libcurl does not start. */
http_client *http_client_new(void);

/* No fetch may be running.  NULL is fine. */
void http_client_free(http_client *client);

/*
 * Fetches.  Returns LIMEN_OK whatever the server did, also when nothing could
 * be fetched; LIMEN_ENOMEM when memory is short, and there is no answer.
 */
int http_get(http_client *client, const http_request *request, http_answer *out);

void http_answer_clear(http_answer *out);

/* Is 'url' an absolute URL, in ASCII, without blanks and control characters? */
bool http_url_valid(const char *url);

/* Does 'url' have this scheme ("file")?  Letter case does not count. */
bool http_url_has_scheme(const char *url, const char *scheme);

/*
 * Returns 'text', the name of a host, "*." and a name for all hosts below it, or an
 * address, in the spelling in which a list has it, for the caller to free.  NULL when it
 * is none of these, or memory is short.
 */
char *http_host_spell(const char *text);

/* Returns true if 'allowed' lists the scheme and host of 'url'; else 'why' tells the problem. */
bool http_url_allowed(const char *url, const http_allowed *allowed, char why[HTTP_ERROR_MAX]);

/* Is 'text' an address, or written as a host or an interface: pScheduler's format "HostName"? */
bool http_bind_valid(const char *text);

/*
 * Returns true if 'url', of scheme "file", names something other than a regular file:
 * reading a pipe or a terminal may never end.
 */
bool http_url_is_special_file(const char *url);

/*
 * Returns 'url' as it may be shown to anybody: without a user, a password, the query
 * and the fragment, in memory the caller frees.  NULL when memory is short.
 */
char *http_url_shown(const char *url);

/* Likewise, but with scheme, host and port only, if the path may hold secrets too. */
char *http_url_origin(const char *url);

#endif
