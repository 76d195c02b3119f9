/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_answer.h - prints a decision without its reasons (--messages=short).  It contains no text
 * or name from the policy, except what a rewriter puts into a task or an object.
 */
#ifndef LIMEND_SHORT_ANSWER_H
#define LIMEND_SHORT_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <stdbool.h>

/* Returns the fixed text that replaces the reason of such a decision; static. */
const char *short_answer_reason(const limen_decision *decision);

/*
 * Appends the decision object; members that could tell the reason are null or empty.  'id' is the
 * JSON of its first member, or NULL.  Returns false and appends nothing if memory is short.
 */
bool short_answer_append(GString *out, const char *id, const limen_decision *decision);

#endif
