/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script.h - what Redis runs: each script changes its buckets at once or not at
 * all, by Redis' own clock.
 *
 * A bucket is a hash.  Its field "s" holds the debt, what is missing of a full
 * bucket, and when it was that; other fields are leases: tokens that a process
 * holds and may use until a time.  Debt is counted in units of 1/period of a
 * token, of which every microsecond brings 'tokens' (as level.h of the store
 * "memory" counts).  Lua's numbers are exact to 2^53, which bounds what a table
 * may be (SCRIPT_UNITS_MAX).
 *
 * The key KEYS[1] marks the database: since when its state can be relied on, and
 * which run of the server that was.  A bucket that is not there was full at that
 * time if the database was new, and empty if it had been lost.
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
	/* ARGV: run, trust, new, tokens, period, burst, amount.  Answers 1 if it went back. */
	SCRIPT_GIVE,
	/*
	 * ARGV: run, trust, new, client, tokens, period, burst, kept, put back,
	 * given back, least, wanted, how long.  Answers: whether the lease had
	 * lapsed, tokens granted, wait for more.
	 */
	SCRIPT_LEASE,
	SCRIPT_COUNT
} script_id;

/* The text; what all scripts share stands at its beginning. */
extern const char *const script_texts[SCRIPT_COUNT];

/*
 * Looks at buckets and changes nothing, the mark included.  ARGV: run, trust, then
 * for each bucket tokens, period, burst.  Answers for each bucket: tokens left,
 * tokens leased, microseconds since it was written (-1: it holds no state).
 */
extern const char *const script_look;

#endif
