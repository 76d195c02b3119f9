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

/* What is to be hidden in the words of others; the texts have to outlive it. */
typedef struct redact_list {
	const line_rules *rules;
	GArray *texts;
	size_t bytes; /* of them that are compared */
	size_t steps; /* comparisons so far, in all words */
} redact_list;

void redact_list_open(redact_list *self, const line_rules *rules);
void redact_list_close(redact_list *self);

/* Adds 'text' (may be NULL) if 'part' is hidden. */
void redact_list_add(redact_list *self, redaction part, const char *text);

/*
 * Returns 'words' with what is shown of the listed texts in their place, to g_free():
 * all of it, or more than 'most' bytes.  Where it takes too long to look for them, with
 * what was looked through before, the rest is hidden.
 */
char *redact_list_apply(redact_list *self, const char *words, size_t most);

/* Was some of the words hidden only because it took too long? */
bool redact_list_is_spent(const redact_list *self);

/* Returns 'text', or what is shown of the listed text that is the same. */
const char *redact_list_show(const redact_list *self, const char *text);

/* Adds what others may quote of the request of a decision, and of who sent it. */
void redact_list_add_request(redact_list *self, const record *made);

/* Returns the reason of a decision so, with the texts of its request hidden. */
char *redact_reason(const line_rules *rules, const record *made, size_t most);

#endif
