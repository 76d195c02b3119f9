/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_case.h - asks the endpoints of the admission webhook without a server,
 * and reads what they answer.
 */
#ifndef LIMEN_TESTS_DAEMON_WEBHOOK_CASE_H
#define LIMEN_TESTS_DAEMON_WEBHOOK_CASE_H

#include <limen/documents.h>

#include "endpoint/endpoint.h"
#include "suite.h"

#define MUTATE "/admission/mutate"
#define VALIDATE "/admission/validate"

/* An answer.  Its texts and values are good until webhook_answer_free(). */
typedef struct webhook_answer {
	int status;
	int64_t retry_after;
	GString *body;
	limen_documents *parsed;
	limen_value review;   /* all of it */
	limen_value response; /* its "response" */
} webhook_answer;

/* A service with the policy 'text', which must be good; NULL: without any policy. */
service *webhook_service(const char *text);
void webhook_service_free(service *shared);

/* Posts 'body' as an API server does.  Fails the test if the answer is not JSON. */
webhook_answer webhook_post(service *shared, const char *path, const char *body, size_t length);

/* Sends 'request', all of it as the caller has it. */
webhook_answer webhook_send(service *shared, const http_request *request);

void webhook_answer_free(webhook_answer *answer);

/* Returns a recorded review of tests/cli/data/reviews, for g_free(). */
char *webhook_read(const char *name, size_t *length);

/* Returns a member of the answer's "response.status" as text, or NULL. */
const char *webhook_status_text(const webhook_answer *answer, const char *key);

/* What was handed to record_decision() so far, and the hints of the last request. */
extern atomic_uint webhook_recorded;
extern char webhook_endpoint[64];
extern char *webhook_hints;

#endif
