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

/* Size of a buffer for a shown hash, with the NUL. */
#define LINE_HASH_MAX 32

/* Sets the rules that 'options' ask for.  The key of the hashes is one for the process. */
void line_rules_set(line_rules *rules, const decision_log_options *options);

/*
 * Returns what to show for 'text', a 'part' of a decision: the text itself, its hash in 'buffer', or
 * NULL to remove it.
 */
const char *line_redact(const line_rules *rules, redaction part, const char *text,
                        char buffer[LINE_HASH_MAX]);

/* Likewise for a reason.  It may quote any part of the request, so any redaction hides it. */
const char *line_redact_reason(const line_rules *rules, const char *reason,
                               char buffer[LINE_HASH_MAX]);

/* Appends the request as a question (limen/question.h), or nothing if it may contain a Secret. */
void decision_line_question(GString *out, const record *facts);

/* Appends the line with its newline. */
void decision_line_write(GString *out, const line_rules *rules, const record *facts,
                         limen_time now);

#endif
