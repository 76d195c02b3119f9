/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_back.h - what a line of the decision log has beside the rest where requesters
 * are told what was decided, and not why (--messages=short).
 */
#ifndef LIMEND_KEPT_BACK_H
#define LIMEND_KEPT_BACK_H

#include "decision_line.h"

/* Behind so many bytes of "kept_back" nothing more is begun in it. */
#define KEPT_BACK_MAX ((size_t)64 << 10)

/* The longest account of a task, in bytes. */
#define KEPT_BACK_ACCOUNT_MAX ((size_t)16 << 10)

/*
 * Appends the members "id", by which both sides find the decision, "identifiers" and
 * "kept_back", as far as there is something.
 */
void kept_back_write(GString *out, const line_rules *rules, const record *made);

#endif
