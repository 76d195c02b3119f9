/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h - what calls of scripts have in common in both modes.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_RULES_H
#define LIMEN_PLUGINS_STORE_REDIS_RULES_H

#include "book.h"
#include "wire.h"

/* What a granted take leaves in its 'wait' for 'give_back': who granted it. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* and above: what the buckets in memory left there */
	GRANTED_BITS = 2
};

typedef struct rules {
	const char *prefix; /* of all keys; with RULES_MARK, the key that marks the database */
	bool trusts_restart;
	bool starts_empty;         /* also in a database without the mark */
	atomic_bool has_seen_mark; /* it can only have been lost since */
	int64_t timeout;           /* nanoseconds for one answer */
} rules;

#define RULES_MARK "mark"

/* What a call has beside keys and arguments: EVALSHA, script, number of keys, the mark. */
#define CALL_WORDS 4

/* Begins a call of 'which' on 'keys' buckets, with as many arguments; the keys follow. */
void call_begin(wire *to, const rules *how, script_id which, size_t keys, size_t arguments);

/* The same by the text of a script, which Redis need not know. */
void call_begin_text(wire *to, const rules *how, const char *script, size_t keys,
                     size_t arguments);

/* After the keys, three arguments: run, trust, new.  */
void call_rules(wire *to, const rules *how);

/* Three arguments: tokens, period, burst. */
void call_rate(wire *to, const book *table);

/* One argument: no more than a burst and one, which is never granted either. */
void call_amount(wire *to, const book *table, int64_t amount);

/*
 * Returns whether 'reply' is an array of 'count' numbers that are -1 or more; if it is
 * not, the connection has failed.
 */
bool answer_check(wire *from, const redisReply *reply, size_t count);

#endif
