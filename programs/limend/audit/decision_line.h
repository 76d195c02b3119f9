/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_line.h - writes a decision as a line of the decision log (docs/decision-log.md).
 */
#ifndef LIMEND_DECISION_LINE_H
#define LIMEND_DECISION_LINE_H

#include <glib.h>

#include "decision_log.h"

/* Caps of texts in bytes and of lists in elements: clients could send more. */
#define LINE_TEXT_MAX 1024
#define LINE_REASON_MAX 4096
#define LINE_LIST_MAX 64

/* Once "kept_back" has more bytes than this, nothing more is added to it. */
#define KEPT_BACK_MAX ((size_t)64 << 10)

/* The longest text of diagnostics, in bytes. */
#define KEPT_BACK_ACCOUNT_MAX ((size_t)16 << 10)

/* Settings of lines: parts to remove or hash (REDACT_*), and the key of the hashes. */
typedef struct line_rules {
	unsigned removed;
	unsigned hashed;
	bool documents;
	bool kept_back;
	guint8 key[32];
} line_rules;

/*
 * Returns the next annotation, from '*index' on, that says why an entry with "enforce": "audit"
 * would have refused; NULL past the end.
 */
const limen_annotation *decision_line_next_refusal(const limen_decision *decision, size_t *index);

/* Appends the line with its newline. */
void decision_line_write(GString *out, const line_rules *rules, const record *facts,
                         limen_time now);

#endif
