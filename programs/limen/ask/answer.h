/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - the JSON objects that "limen check" answers with.
 */
#ifndef LIMEN_PROGRAM_ANSWER_H
#define LIMEN_PROGRAM_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <limen/diag.h>

/*
 * Returns the object of 'decision', with the member 'key' of the value 'json'
 * before all others unless 'key' is NULL.  NULL when memory is short.
 */
GString *answer_make(const limen_decision *decision, const char *key, const char *json);

/*
 * Writes 'decision' as one line to standard output, "id" first if 'id' (JSON) is
 * not NULL.  Returns false when memory is short.
 */
bool answer_decision(const limen_decision *decision, const char *id);

/*
 * Writes {"error":{"message":TEXT,"problems":[...]}} as one line to standard
 * output.  'problems' may be NULL.
 */
void answer_error(const char *message, const limen_diag *problems);

/*
 * The same for line 'number' of a batch, "id" (JSON; NULL gives null) first.
 * 'placeless' leaves out places that nobody could look up.
 */
void answer_line_error(const char *id, unsigned long number, const char *message,
                       const limen_diag *problems, bool placeless);

#endif
