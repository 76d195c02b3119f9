/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis_party.h - processes that ask one limit in one Redis as often as they can,
 * each with an engine of its own, and count what they are told.
 */
#ifndef LIMEN_TESTS_PLUGINS_STORE_REDIS_PARTY_H
#define LIMEN_TESTS_PLUGINS_STORE_REDIS_PARTY_H

#include <stdbool.h>
#include <stdint.h>

#define PARTY_SIZE 2

/* How often one process was told what, so far. */
typedef struct party_count {
	int64_t admitted;
	int64_t refused;
	int64_t errors;
	int64_t longest; /* decision, in nanoseconds */
} party_count;

struct party;

/*
 * Starts the processes under a limit of 'rate' and 'burst' for all together, in a
 * store with these options (JSON members).  Returns once all have loaded it.
 */
struct party *party_start(const char *rate, int burst, const char *options);

/* Waits until 'holds' is true of what was counted; a failure of the test if it never is. */
void party_wait(const struct party *all, bool (*holds)(const party_count *now, int64_t bound),
                int64_t bound);

/* What all have been told so far, and the longest decision of any. */
party_count party_sum(const struct party *all);

/* What one has been told so far. */
party_count party_one(const struct party *all, int which);

/* Ends the processes, which must not have crashed, and returns their sum. */
party_count party_stop(struct party *all);

#endif
