/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h - what takes of both modes need to know of the store.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_RULES_H
#define LIMEN_PLUGINS_STORE_REDIS_RULES_H

#include "book.h"
#include "wire.h"

/* What a granted take leaves in its 'wait' for 'give_back': who granted it. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* and above: what the store "memory" left there */
	GRANTED_BITS = 2
};

typedef struct rules {
	char *prefix;
	char *mark; /* the key that marks the database */
	size_t mark_length;
	bool trusts_restart;
	bool starts_empty;         /* also in a database without the mark */
	atomic_bool has_seen_mark; /* it can only have been lost since */
	int64_t timeout;           /* nanoseconds for one answer */
} rules;

/* What each command begins with: EVALSHA, script, number of keys, the mark. */
#define WORDS_BEFORE_KEYS 4
/* What each script takes first: run, trust, new. */
#define WORDS_AFTER_KEYS 3

/* A command under construction; words are borrowed. */
typedef struct command {
	const char **words;
	size_t *lengths;
	size_t count;
	char keys_text[NUMBER_MAX];
} command;

/* Begins a call of 'which' on 'key_count' buckets, whose keys follow. */
void command_begin(command *out, const rules *how, const wire *to, script_id which,
                   size_t key_count);
void command_add(command *out, const char *word, size_t length);
void command_text(command *out, const char *word);

/* After the keys. */
void command_rules(command *out, const rules *how, const wire *to);

/* Adds the rate of a table: three words. */
void command_book(command *out, const book *table);

/*
 * Stores the integers of an answer, which must be 'count' numbers of 0 or more,
 * or -1.  Returns false for anything else, which the wire then fails of.
 */
bool answer_read(wire *from, const redisReply *reply, int64_t *out, size_t count);

#endif
