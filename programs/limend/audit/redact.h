/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - hides parts of a decision in its line of the decision log.
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

/* Writes the hash of 'text' into 'buffer' and returns that. */
const char *redact_hash(const line_rules *rules, const char *text, char buffer[REDACT_SHOWN_MAX]);

/*
 * Is anything hidden?  Then texts of modules are hidden whole, since they may quote
 * anything of the request.
 */
bool redact_any(const line_rules *rules);

#endif
