/* SPDX-License-Identifier: Apache-2.0 */
/*
 * book.h - one table of a limit: what its buckets are called in Redis, how they
 * fill, and what was counted.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_BOOK_H
#define LIMEN_PLUGINS_STORE_REDIS_BOOK_H

#include <limen/module.h>
#include <stdatomic.h>

/* The longest prefix of a table: names of entries are short. */
#define BOOK_PREFIX_MAX 1024

typedef struct book {
	atomic_size_t users; /* who opened it, and leases */
	int64_t tokens;      /* with 'period', the rate, reduced */
	int64_t period;
	int64_t burst;
	int64_t lease; /* tokens of a tenth of a second, 1 at least */
	void *local;   /* the table in memory for when Redis is away, or NULL */
	atomic_llong takes;
	atomic_llong refusals;
	atomic_llong without; /* takes that were answered without Redis */
	size_t prefix_length;
	char prefix[]; /* of the keys of its buckets */
} book;

/*
 * NULL with a problem in 'diag'.  The prefix tells rate, burst, name and keys, so
 * that a table with another rate has other buckets and "limen buckets" can read
 * them: PREFIX "b:" TOKENS/PERIOD/BURST ":" LENGTH ":" NAME ":" LENGTH ":" KEYS ":".
 */
book *book_new(const char *prefix, const char *name, const limen_table_spec *spec,
               limen_diag *diag);

/* The fields of a bucket's key; texts are borrowed from the key. */
typedef struct book_entry {
	int64_t tokens;
	int64_t period;
	int64_t burst;
	const char *table;
	size_t table_length;
	const char *key;
	size_t key_length;
} book_entry;

/* The scripts count in numbers that are exact to 2^53: is the rate, reduced, in reach? */
bool book_is_exact(int64_t tokens, int64_t period, int64_t burst);

/* Reads the name of a bucket in Redis; false if it is none that book_new() makes. */
bool book_read(book_entry *out, const char *prefix, const char *text, size_t length);

void book_ref(book *one);
void book_unref(book *one);

#endif
