/* SPDX-License-Identifier: Apache-2.0 */
/* table_spec.h - one table of a limit: the names of its buckets, its rate and its counters. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_TABLE_SPEC_H
#define LIMEN_PLUGINS_STORE_REDIS_TABLE_SPEC_H

#include <limen/module.h>
#include <stdatomic.h>

/* The longest prefix of a table: names of entries are short. */
#define TABLE_PREFIX_MAX 1024

typedef struct table_spec {
	atomic_size_t users; /* references of instances and leases */
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
} table_spec;

/*
 * NULL with a problem in 'diag'.  The prefix holds rate, burst, name and keys: another rate
 * has other buckets, and "limen buckets" can read them: PREFIX "b:" TOKENS/PERIOD/BURST ":"
 * LENGTH ":" NAME ":" LENGTH ":" KEYS ":".
 */
table_spec *table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec,
                           limen_diag *diag);

/* The fields of a bucket's key; texts are borrowed from the key. */
typedef struct bucket_name {
	int64_t tokens;
	int64_t period;
	int64_t burst;
	const char *table;
	size_t table_length;
	const char *key;
	size_t key_length;
} bucket_name;

/* The scripts count in numbers that are exact to 2^53: is the rate, reduced, in range? */
bool table_spec_is_exact(int64_t tokens, int64_t period, int64_t burst);

/* Reads the name of a bucket in Redis; false if table_spec_new() makes no such name. */
bool table_spec_read(bucket_name *out, const char *prefix, const char *text, size_t length);

void table_spec_ref(table_spec *spec);
void table_spec_unref(table_spec *spec);

#endif
