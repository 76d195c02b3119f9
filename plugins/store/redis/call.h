/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.h - what calls of scripts have in common in both modes, and the list of buckets.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_CALL_H
#define LIMEN_PLUGINS_STORE_REDIS_CALL_H

#include "table_spec.h"
#include "wire.h"

/* Kept in 'wait' of a granted take, for 'give_back': the part that granted it. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* and above: what the buckets in memory left there */
	GRANTED_BITS = 2
};

/* With the prefix, the key that marks the database. */
#define CALL_MARK "mark"

/* Begins a call of 'which' on 'keys' buckets, with as many arguments; the keys follow. */
void call_begin(wire *to, const settings *asked, script_id which, size_t keys, size_t arguments);

/* The same by the text of a script, which Redis need not know. */
void call_begin_text(wire *to, const settings *asked, const char *script, size_t keys,
                     size_t arguments);

/* After the keys, three arguments: run, trust, new. */
void call_state(wire *to, const settings *asked);

/* Three arguments: tokens, period, burst. */
void call_rate(wire *to, const table_spec *table);

/* One argument: no more than a burst and one, which is never granted either. */
void call_amount(wire *to, const table_spec *table, int64_t amount);

/*
 * Returns whether 'reply' is an array of 'count' numbers that are -1 or more; if it is
 * not, the connection has failed.
 */
bool answer_check(wire *from, const redisReply *reply, size_t count);

/*
 * Lists the buckets, as the method 'each_bucket' of a store does, over a connection of its
 * own.
 */
int list_buckets(const place *where, const settings *asked, int64_t deadline,
                 bool (*each)(void *data, const limen_bucket *bucket), void *data,
                 limen_diag *diag);

#endif
