/* SPDX-License-Identifier: Apache-2.0 */
/* call.h - shared by the calls of scripts in both modes, and the list of buckets. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_CALL_H
#define LIMEN_PLUGINS_STORE_REDIS_CALL_H

#include "table_spec.h"
#include "wire.h"

/* The part that granted a take: the low bits of its cookie. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* the higher bits hold the cookie of the memory store */
	GRANTED_BITS = 2
};

/* With the prefix, the key that marks the database. */
#define CALL_MARK "mark"

/*
 * Begins a call of 'script' on 'keys' buckets, with as many arguments; the keys follow.  The
 * script is its hash, as in wire.sha, or its text, which Redis need not have loaded.
 */
void
call_begin(wire *to, const settings *options, const char *script, size_t keys, size_t arguments);

/* One of the arguments: what a change of the server leaves of the state. */
const char *call_trust(const settings *options);

/* After the keys, three arguments: run, trust, new. */
void call_state(wire *to, const settings *options);

/* The name of a bucket: of its key or, if that is long, of the key's hash. */
void call_bucket(wire *to, const table_spec *table, const char *key, size_t length);

/*
 * As many arguments: tokens, period, burst; of a window its letter, its length or the two periods
 * of a calendar that it may be now, and N (0: as at its latest take).
 */
#define CALL_METER 3
void call_meter(wire *to, const limen_meter *meter);

/* One argument: at most the quota + 1, which is never granted either. */
void call_amount(wire *to, const limen_meter *meter, int64_t amount);

/* Returns true for the error of a Redis without memory (maxmemory); NULL is none. */
bool answer_is_full(const redisReply *reply);

/* Checks that 'reply' is an array of 'count' numbers from -1 on; else the connection fails. */
bool answer_check(wire *from, const redisReply *reply, size_t count);

/*
 * Lists the buckets as 'each_bucket' of a store does, or resets them as 'reset_buckets' does, over
 * a separate connection.
 */
int
list_buckets(const location *where, const settings *options, bool resets, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag);

#endif
