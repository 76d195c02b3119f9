/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.h - the face of this room: what reading questions and reading reviews share.
 */
#ifndef LIMEN_CORE_QUESTION_QUESTION_H
#define LIMEN_CORE_QUESTION_QUESTION_H

#include <limen/question.h>
#include <string.h>

#include "decision/decision.h"

/*
 * Stores the text of 'value', NULL if it is absent or null.  Returns false, and stores NULL, if
 * it has another type or holds a NUL, where the C string would end too early.
 */
static inline bool
question_text(limen_value value, const char **out)
{
	size_t length = 0;

	*out = limen_value_string(value, &length);
	if (*out != NULL && strlen(*out) == length)
		return true;
	*out = NULL;
	return limen_value_type(value) <= LIMEN_TYPE_NULL;
}

/* As question_text(), with a problem that names 'field' instead of false: LIMEN_EINVAL. */
int question_field(limen_value value, const char *field, limen_diag *diag, const char **out);

/*
 * Returns LIMEN_EINVAL with a problem if a member of 'object' is repeated: which of them counts
 * would be a guess, and a proxy may have checked the other.
 */
int question_check_repeated(limen_value object, limen_diag *diag);

/* Copies 'options' (may be NULL), as far as its size goes.  Returns false if that was not set. */
bool question_options_copy(const limen_question_options *options, limen_question_options *out);

/* Returns true for CREATE, UPDATE, DELETE and CONNECT (admission.k8s.io/v1). */
bool question_is_operation(const char *text);

/* limen_request_describe() and limen_request_claim() without the hints. */
int question_describe(limen_request *req, const char *api_version, const char *kind,
                      const char *default_namespace, limen_diag *diag);
int question_claim(limen_request *req, limen_value operation, limen_value user,
                   limen_value groups, limen_diag *diag);

/* Returns the answer to the review that 'req' was made of; see limen_request_answer(). */
char *review_answer(const limen_request *req, const limen_decision *decision, bool brief,
                    size_t *length);

#endif
