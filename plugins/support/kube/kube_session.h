/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_session.h - requests to an API server, one after another on one connection,
 * each of which ends at once when its watch is to stop.
 */
#ifndef LIMEN_KUBE_SESSION_H
#define LIMEN_KUBE_SESSION_H

#include <curl/curl.h>
#include <limen/types.h>

#include "../buffer.h"
#include "kube.h"

typedef struct kube_session {
	const kube_watch *watch;
	CURLM *multi;
	CURL *easy;
} kube_session;

typedef struct kube_request {
	const char *path;
	limen_duration timeout; /* of all together */
	size_t max;             /* bytes of the body, or of one line of it */
	/* Given each line of an answer of status 200, which is kept no longer; NULL: the
	 * body is kept.  False ends the request. */
	bool (*line)(void *data, const char *text, size_t length);
	void (*head)(void *data);  /* the answer has begun, with status 200; may be NULL */
	bool (*pause)(void *data); /* nothing more has arrived; may be NULL */
	void *data;
} kube_request;

typedef enum kube_end {
	KUBE_DONE = 0, /* there is an answer, of any status */
	KUBE_ENDED,    /* by 'line' or 'pause' */
	KUBE_STOPPED,
	KUBE_FAILED    /* and 'error' says why */
} kube_end;

typedef struct kube_answer {
	long status; /* 0: none */
	buffer body;
	limen_duration retry_after; /* 0: the server did not say */
	bool too_long; /* KUBE_FAILED as there is more than the request's 'max' */
	char error[KUBE_ERROR_MAX];
} kube_answer;

/* False when memory is short. */
bool kube_session_open(kube_session *session, const kube_watch *watch);
void kube_session_close(kube_session *session);

kube_end kube_session_get(kube_session *session, const kube_request *request, kube_answer *out);
void kube_answer_clear(kube_answer *answer);

/* Tells 'handle' whom to trust and who asks; what was read is kept in 'out' meanwhile. */
typedef struct kube_identity {
	char *authority;
	char *certificate;
	char *key;
	struct curl_slist *headers;
} kube_identity;

bool kube_identity_read(const kube_target *target, kube_identity *out, char why[KUBE_ERROR_MAX]);
bool kube_identity_set(const kube_target *target, const kube_identity *identity, CURL *handle);
void kube_identity_clear(kube_identity *identity);

/* ---- kube_lines.c: cuts a stream of bytes into lines of a bounded length ---- */

typedef enum kube_lines_result {
	KUBE_LINES_OK = 0,
	KUBE_LINES_LONG,
	KUBE_LINES_ENDED, /* by 'take' */
	KUBE_LINES_NO_MEMORY
} kube_lines_result;

typedef struct kube_lines {
	buffer text; /* the beginning of the line that has not ended; 'max' of a line */
	int64_t since; /* limen_host_monotonic() of its first byte */
} kube_lines;

/* Hands each line that ends in 'bytes' to 'take', without its end; empty ones are left out. */
kube_lines_result kube_lines_add(kube_lines *lines, const char *bytes, size_t size,
                                 bool (*take)(void *data, const char *line, size_t length),
                                 void *data);

void kube_lines_clear(kube_lines *lines);

#endif
