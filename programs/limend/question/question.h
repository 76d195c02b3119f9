/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.h - one question to the decision service, read from JSON or from the
 * fields of a form: what is asked about, under which hints, with which options.
 *
 * The content of a task or object never says which of the two it is: the member it
 * stands in does.
 */
#ifndef LIMEND_QUESTION_H
#define LIMEND_QUESTION_H

#include <limen/engine.h>

#include "http/arguments.h"
#include "service/service.h"

typedef struct question {
	limen_request *request;
	char *id; /* JSON, the sender's name for it, to free(); or NULL */
	limen_decide_options options;
} question;

/* Who asks. */
typedef struct question_sender {
	const http_peer *peer;
	bool trusted; /* trust_peer() */
} question_sender;

/*
 * Reads 'length' bytes of JSON, that hold one question or several, as the document of what is
 * returned, for limen_request_free(); NULL with a fault.
 */
limen_request *question_open(const char *text, size_t length, fault *why);

/*
 * Reads the question 'members'.  False with a fault; clear it in
 * any case.
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

/* Returns what is asked about: member 'key', "task" or "object", or else "request". */
limen_value question_subject(limen_value members, const char *key);

/*
 * Gives the request the hints that the connection and, if 'hints' exists, the
 * sender gives.
 */
bool question_set_hints(const question_sender *sender, limen_request *req, limen_value hints,
                        fault *why);

/* Makes the request about an object, all of it but the hints of the connection. */
bool question_read_object(limen_value members, limen_request **out, fault *why);

/* Makes a fault of the reason, which is taken over (NULL: memory is short); false. */
bool question_refuse(char *reason, fault *why);

/* Parses the JSON text called 'what'; false with a fault. */
bool question_parse(limen_request *holder, const char *what, const char *text, size_t length,
                    fault *why);

#endif
