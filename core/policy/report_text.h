/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_text.h - report text about applications and priorities, in pScheduler's
 * words.  Text that is the same in every decision is written when the policy is
 * compiled: writing it would cost more than deciding.
 */
#ifndef LIMEN_CORE_POLICY_REPORT_TEXT_H
#define LIMEN_CORE_POLICY_REPORT_TEXT_H

#include "report_lines.h"
#include "base/arena.h"
#include "compiled.h"
#include "verdict.h"

/* Adds the line of a limit that passed in group 'number'. */
void wording_passed(strbuf *out, size_t number, const char *limit);

/* Adds the last report line of group 'number'; 'met' is its outcome. */
void wording_group(strbuf *out, const group *target, size_t number, const tally *count,
                   outcome met);

/* Returns the text of a priority: cut to an integer (%d), as in pScheduler. */
const char *wording_priority(arena *memory, double priority);

#endif
