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

/* Settings of lines: parts to remove or hash (REDACT_*), and the key of the hashes. */
typedef struct line_rules {
	unsigned removed;
	unsigned hashed;
	bool documents;
	bool kept_back;
	guint8 key[32];
} line_rules;

/* Adds a text member, cut to 'most' bytes, unless 'text' is NULL. */
void decision_line_put_text(GString *out, const char *key, const char *text, size_t most);

/* Adds a list of texts, cut to LINE_LIST_MAX texts of LINE_TEXT_MAX bytes, unless it is empty. */
void decision_line_put_list(GString *out, const char *key, const char *const *items,
                            size_t count);

/* Appends the line with its newline. */
void decision_line_write(GString *out, const line_rules *rules, const record *made,
                         limen_time now);

#endif
