/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_answer.h - a decision for those who are told what it is, and not why
 * (--messages=short): no text or name that comes from the policy is in it, but for
 * what a rewriter puts into a task or an object.
 */
#ifndef LIMEND_SHORT_ANSWER_H
#define LIMEND_SHORT_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <stdbool.h>

/* Returns what stands in place of the reason, for its sort of decision. */
const char *short_answer_reason(const limen_decision *decision);

/*
 * Appends the decision object, with everything else in it null or empty.  'id' is its
 * first member, JSON, or NULL.  False and nothing appended when memory is short.
 */
bool short_answer_append(GString *out, const char *id, const limen_decision *decision);

#endif
