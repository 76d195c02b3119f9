/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - writes the JSON answers of "limen check".
 */
#ifndef LIMEN_PROGRAM_ANSWER_H
#define LIMEN_PROGRAM_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <limen/diag.h>

#include "judgement.h"

/*
 * Returns the JSON object of a decision, which says neither admitted nor refused of an object that
 * was not judged; unless 'key' is NULL, its first member is 'key' with the value 'json'.  Returns
 * NULL when memory is short.
 */
GString *answer_make(const case_result *result, const char *key, const char *json);

/*
 * Writes {"error":{"message":TEXT,"problems":[...]}} as one line to standard output. 'problems'
 * may be NULL.
 */
void answer_error(const char *message, const limen_diag *problems);

/*
 * As answer_error(), for line 'number' of a batch, with "id" (JSON; NULL gives null) first.
 * 'placeless' leaves out file positions: those in a policy of the line mean nothing to the
 * reader.
 */
void answer_line_error(const char *id, unsigned long number, const char *message,
                       const limen_diag *problems, bool placeless);

#endif
