/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_request.h - makes the request of a test or of one step.
 */
#ifndef LIMEN_PROGRAM_TESTS_REQUEST_H
#define LIMEN_PROGRAM_TESTS_REQUEST_H

#include "tests.h"

/* Default time of a test: 2026-01-01T12:00:00Z, a Thursday. */
#define TESTS_TIME_DEFAULT ((limen_time)1767268800 * LIMEN_SECOND)

typedef struct tests_request {
	limen_request *request;
	limen_decide_options options;
} tests_request;

/*
 * Makes the request of 'view' at the time 'now'.  Returns false with '*why' to g_free(); call
 * tests_request_clear() in any case.
 */
bool tests_request_make(tests_request *out, const test_file *file, const test_view *view,
                        limen_time now, char **why);
void tests_request_clear(tests_request *self);

#endif
