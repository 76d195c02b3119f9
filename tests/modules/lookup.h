/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup.h - a lookup of a module that waits without a thread: it ends after a delay, by a job of
 * the background thread.
 */
#ifndef LIMEN_TESTS_LOOKUP_H
#define LIMEN_TESTS_LOOKUP_H

#include <limen/module.h>

struct lookup_options {
	limen_host *host;
	limen_duration delay;   /* 0: it never ends */
	limen_duration timeout;
};

/* Is the lookup of this request over, or its time?  Starts it, once a request. */
bool lookup_is_over(const struct lookup_options *options, const limen_request *req, bool *found);

#endif
