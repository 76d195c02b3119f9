/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - hides texts of a decision, wherever they occur in it.
 */
#ifndef LIMEND_REDACT_H
#define LIMEND_REDACT_H

#include "decision_line.h"

/* Room for what stands in place of a hidden text. */
#define REDACT_SHOWN_MAX 32

/*
 * Returns what is shown of 'text', a 'part' of a decision: itself, 'buffer' with its
 * hash, or NULL.
 */
const char *redact_show(const line_rules *rules, redaction part, const char *text,
                        char buffer[REDACT_SHOWN_MAX]);

/* Replaces 'hidden' in 'text' by what is shown of it if 'part' is hidden. */
void redact_within(const line_rules *rules, redaction part, const char *hidden, GString *text);

#endif
