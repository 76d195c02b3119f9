/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script.h - the scripts that Redis runs.  Each changes its buckets atomically, by Redis' clock.
 *
 * A bucket is a hash.  Its field "s" holds the debt (the tokens missing from a full bucket)
 * and its time; other fields are leases: tokens that a process may use until a time.  Debt
 * counts in units of 1/period of a token; every microsecond restores 'tokens' of them, as in
 * limen-sdk/bucket.h.  Lua's numbers are exact to 2^53 (SCRIPT_UNITS_MAX).
 *
 * KEYS[1] marks the database: the time from which its state is reliable, and the run of the
 * server.  A missing bucket was full at that time if the database was new, else empty.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_SCRIPT_H
#define LIMEN_PLUGINS_STORE_REDIS_SCRIPT_H

#include <stdint.h>

/* (burst + 1) * period + tokens may be this at most, the rate being reduced. */
#define SCRIPT_UNITS_MAX (INT64_C(1) << 53)

typedef enum script_id {
	/*
	 * ARGV: run, trust, new, all, peek, then for each bucket tokens, period,
	 * burst, amount.  Answers for each bucket: granted (0 or 1), wait.
	 */
	SCRIPT_TAKE,
	/* ARGV: run, trust, new, tokens, period, burst, amount.  Answers 1 if tokens went back. */
	SCRIPT_GIVE,
	/*
	 * ARGV: run, trust, new, client, tokens, period, burst, kept, put back,
	 * given back, least, wanted, how long.  Answers: whether the lease had
	 * lapsed, tokens granted, wait for more.
	 */
	SCRIPT_LEASE,
	SCRIPT_COUNT
} script_id;

/* The texts; each begins with the functions that all scripts share. */
extern const char *const script_texts[SCRIPT_COUNT];

/*
 * Looks at buckets and changes nothing, the mark included.  ARGV: run, trust, then
 * for each bucket tokens, period, burst.  Answers for each bucket: tokens left,
 * tokens leased, microseconds since it was written (-1: it holds no state).
 */
extern const char *const script_look;

#endif
