/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup.h - what the modules "await" share, which wait without a thread: a lookup that ends after a
 * delay, by a job of the background thread.
 */
#ifndef LIMEN_TESTS_LOOKUP_H
#define LIMEN_TESTS_LOOKUP_H

#include <limen/module.h>

struct lookup {
	limen_host *host;
	limen_duration delay;   /* 0: it never ends */
	limen_duration timeout;
	limen_duration sleep;   /* how long the call lasts that finds its end */
};

extern const limen_option lookup_options[];

int lookup_open(void *self, limen_opening *opening, limen_diag *diag);

/*
 * Is the lookup of this request over, or its time?  Starts it, once a request.  Stores whether it
 * ended, and how often this was asked ('asked' may be NULL).
 */
bool lookup_is_over(const struct lookup *self, const limen_request *req, bool *found,
                    unsigned *asked);

#endif
