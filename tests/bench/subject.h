/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subject.h - what is measured: engines with a policy, requests, and decisions about
 * them.  Everything ends the program if it fails.
 */
#ifndef LIMEN_TESTS_BENCH_SUBJECT_H
#define LIMEN_TESTS_BENCH_SUBJECT_H

#include <limen/limen.h>

#include "harness.h"

/* Reads a file of tests/bench; the text is freed by the caller. */
char *subject_read(const char *name, size_t *length);

/* An engine with the policy in a file of tests/bench, or in a text. */
limen_engine *subject_engine(const char *name);
limen_engine *subject_engine_text(const char *policy);

/* The request of an AdmissionReview, as limend reads it. */
limen_request *subject_review(const char *text, size_t length);

/* A task, asked for by 'requester' (may be NULL). */
limen_request *subject_task(const char *text, const char *requester);

/* One question, to be asked again and again. */
typedef struct subject {
	limen_engine *engine;
	limen_request *request;
	limen_decide_options options;
	const char *text; /* an AdmissionReview, if it is to be read each time */
	size_t length;
	bool refused;   /* what the answer must be */
	bool unsettled; /* it may be either */
} subject;

/* Rows for the harness: 'data' is a subject. */
void subject_decide(void *data, size_t calls); /* the request, which has been read */
void subject_answer(void *data, size_t calls); /* the text, to the text of the answer */

/* Adds a row on how often one such call allocates once everything is warm. */
void subject_count(const char *name, void (*run)(void *data, size_t calls), void *data,
                   double goal);

#endif
