/* SPDX-License-Identifier: Apache-2.0 */
/* table_spec.h - one table of a limit: the names of its buckets, its rate and its counters. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_TABLE_SPEC_H
#define LIMEN_PLUGINS_STORE_REDIS_TABLE_SPEC_H

#include <limen-sdk/meter.h>
#include <limen/module.h>
#include <stdatomic.h>

/* The longest prefix of a table: names of entries are short. */
#define TABLE_PREFIX_MAX 1024

/* Longer keys are named by the first 128 bits of their SHA-256, as hexadecimal digits. */
#define TABLE_KEY_MAX 64
#define TABLE_HASH_DIGITS 32

typedef struct table_spec {
	atomic_size_t users; /* references of instances and leases */
	limen_meter meter;
	int64_t lease; /* tokens of a tenth of a second, 1 at least */
	void *local;   /* the table in memory for when Redis is away, or NULL */
	atomic_llong takes;
	atomic_llong refusals;
	atomic_llong without; /* takes that were answered without Redis */
	char *prefix;         /* of the names of buckets, behind that of the store */
} table_spec;

/*
 * NULL with a problem in 'diag'.  The prefix holds rate, burst, name and keys: another rate
 * has other buckets, and "limen buckets" can read them: "b:" TOKENS/PERIOD/BURST ":" (of windows
 * "f/PERIOD:", "s/PERIOD:", "c/UNIT:": N may change) LENGTH ":" NAME ":" LENGTH ":" KEYS ":".  With
 * long keys it is "h:" instead of "b:", so no key is named like the hash of a long one.
 */
table_spec *table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec,
                           limen_diag *diag);

/* The fields of a bucket's name; texts are borrowed from the name. */
typedef struct bucket_name {
	limen_meter meter;
	const char *table;
	size_t table_length;
	const char *key; /* if 'hashed', the digits of its hash */
	size_t key_length;
	bool hashed;
	unsigned short tag; /* in a cluster */
} bucket_name;

/* Returns the letter of a kind of window: "f", "s" or "c"; "" for tokens. */
const char *table_letter(limen_meter_kind kind);

/* The scripts count in numbers that are exact to 2^53: is the rate, reduced, in range? */
bool table_spec_is_exact(const limen_meter *meter);

/* Reads the name of a bucket, with a NUL behind it; false if table_spec_new() makes no such name. */
bool table_spec_read(bucket_name *out, const char *prefix, const char *name, size_t length);

void table_spec_ref(table_spec *spec);
void table_spec_unref(table_spec *spec);

#endif
