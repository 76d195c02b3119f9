/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - hides parts of a decision in its line of the decision log.
 */
#ifndef LIMEND_REDACT_H
#define LIMEND_REDACT_H

#include "decision_line.h"

/* Size of a buffer for a shown hash, with the NUL. */
#define REDACT_SHOWN_MAX 32

/*
 * Returns what to log for 'text', a 'part' of a decision: the text itself, its hash in 'buffer',
 * or NULL to remove it.
 */
const char *redact_show(const line_rules *rules, redaction part, const char *text,
                        char buffer[REDACT_SHOWN_MAX]);

/* Writes the hash of 'text' into 'buffer' and returns that. */
const char *redact_hash(const line_rules *rules, const char *text, char buffer[REDACT_SHOWN_MAX]);

/*
 * Is any part removed or hashed?  Texts of modules are left out then, since they may quote any
 * part of the request.
 */
bool redact_any(const line_rules *rules);

#endif
