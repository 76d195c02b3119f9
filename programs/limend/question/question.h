/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.h - reads one question to the decision service from JSON or from the fields of a form:
 * its subject, hints and options.
 *
 * The member that holds the subject tells whether it is a task or an object; its content is never
 * inspected for that.
 */
#ifndef LIMEND_QUESTION_H
#define LIMEND_QUESTION_H

#include <limen/engine.h>

#include "http/arguments.h"
#include "service/service.h"

typedef struct question {
	limen_request *request;
	char *id; /* the sender's id as JSON, to free(); or NULL */
	limen_decide_options options;
} question;

/* The sender of a question. */
typedef struct question_sender {
	const http_peer *peer;
	bool trusted; /* trust_peer() */
} question_sender;

/*
 * Parses 'length' bytes of JSON that hold one question or several.  Returns a request that has
 * them as its document, to limen_request_free(), or NULL with a fault.
 */
limen_request *question_open(const char *text, size_t length, fault *why);

/*
 * Reads the question 'members'.  Returns false with a fault.  Clear 'out' in any case.
 */
bool question_read(const question_sender *sender, limen_value members, question *out,
                   fault *why);

/*
 * Reads a question about a task from the fields "task", "hints" (both JSON),
 * "requester", "server" and "rewrite".
 */
bool question_read_fields(const question_sender *sender, const arguments *fields, question *out,
                          fault *why);

void question_clear(question *of);

/* ---- for question*.c ---- */

/* Returns the subject: the member 'key' ("task" or "object"), or else the member "request". */
limen_value question_subject(limen_value members, const char *key);

/*
 * Sets the hints of the request from the connection and, if it exists, from the member 'hints',
 * whose values replace those of the connection.
 */
bool question_set_hints(const question_sender *sender, limen_request *req, limen_value hints,
                        fault *why);

/* Creates the request about an object, without the hints of the connection. */
bool question_read_object(limen_value members, limen_request **out, fault *why);

/* Sets a fault of status 400 with 'reason' and frees it (NULL: memory is short); returns false. */
bool question_refuse(char *reason, fault *why);

/* Parses a JSON text; 'what' names it in the fault if that fails. */
bool question_parse(limen_request *holder, const char *what, const char *text, size_t length,
                    fault *why);

#endif
