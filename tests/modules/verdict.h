/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - what the identifier and the limit "verdict" share: a module that
 * says what it is told to, so that cases can put any answer anywhere.
 */
#ifndef LIMEN_TESTS_MODULES_VERDICT_H
#define LIMEN_TESTS_MODULES_VERDICT_H

#include <limen/module.h>

struct verdict {
	int word;              /* index in verdict_words; the last: not given */
	const char *from_hint; /* the hint that holds the word, or NULL */
	const char *reason;
	limen_strings reasons;
	limen_duration sleep;
	limen_duration close_sleep;
	int64_t leak; /* bytes of each call that are never freed */
	int64_t debt;
	bool blocking;
	bool notes_deadline;
	bool exits; /* calls exit(0) instead of an answer */
	int ends;   /* or ends the program otherwise: index in end_words */
	const char *asks; /* a classifier; only to be opened with */
	limen_rows notes; /* of struct verdict_note */
	int opens;        /* what 'open' does wrong: index in open_words */
	int misuse;
};

/* The words of the option "verdict", in the order of limen_verdict and then what is none. */
extern const char *const verdict_words[];

extern const limen_option verdict_options[];

int verdict_open(void *self, limen_opening *opening, limen_diag *diag);
void verdict_close(void *self);
limen_verdict verdict_give(const void *self, const limen_request *req, limen_reply *reply);

#endif
