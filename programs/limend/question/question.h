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

#include <limen/documents.h>
#include <limen/question.h>

#include "http/arguments.h"

/* A question that was read, and how it is decided. */
typedef struct deciding {
	limen_request *request;
	limen_decide_options options;
	limen_http_fields fields; /* of an HTTP request: how the answer tells what is left of rates */
} deciding;

/*
 * Parses 'length' bytes of JSON; 'name' is theirs in the fault if that fails.  Returns one
 * document, to limen_documents_free(), or NULL with a fault.
 */
limen_documents *question_open(const char *name, const char *text, size_t length, fault *why);

/*
 * Reads the question 'members' of 'peer'; members that need a trusted peer are refused from
 * others.  Returns false with a fault.  Clear 'out' in any case.
 */
bool question_read(const http_peer *peer, limen_value members, deciding *out, fault *why);

/* Returns false with a fault if the question has a whole AdmissionReview. */
bool question_is_no_review(limen_value members, fault *why);

/* Appends the entries of 'diag' as an array of objects: severity, line, column, text, hint. */
void question_append_problems(GString *out, const limen_diag *diag);

/*
 * Reads a question about a task from the fields "task", "hints" (both JSON),
 * "requester", "server" and "rewrite".
 */
bool question_read_fields(const http_peer *peer, const arguments *fields, deciding *out,
                          fault *why);

void deciding_clear(deciding *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(deciding, deciding_clear)

/* ---- for question*.c ---- */

/* Sets the fault of a sender that is not trusted, who is told whom limend trusts. */
bool question_distrust(const char *refusal, fault *why);

/* Sets the fault of a JSON text, named by 'name', whose reading has ended with 'result'. */
bool question_is_read(int result, const limen_diag *diag, const char *name, fault *why);

#endif
