/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket_json.h - reads and writes buckets as JSON.  "limen buckets --format json" and limend's
 * /v1/buckets write this form; "limen buckets" reads what limend sent.
 */
#ifndef LIMEN_PROGRAMS_BUCKET_JSON_H
#define LIMEN_PROGRAMS_BUCKET_JSON_H

#include <glib.h>
#include <limen/store.h>
#include <limen/value.h>
#include <stdbool.h>

/* Returns the key as a text, to g_free().  Invalid UTF-8 becomes U+FFFD and NULs become "?". */
char *bucket_json_key(const limen_bucket *bucket);

/*
 * The same for people, to g_free(): the values of a key of the limit "rate", joined by ", ".  A
 * missing one is "(none)".
 */
char *bucket_json_shown(const limen_bucket *bucket);

/* Returns the time until more is left in whole seconds, rounded up, to g_free(); NULL: unknown. */
char *bucket_json_resets(const limen_bucket *bucket);

/* Buckets of a key, for limen_engine_reset_buckets(). */
typedef struct bucket_json_choice {
	const char *key; /* for people, or as it is */
	size_t count;    /* how many were chosen */
} bucket_json_choice;

/* Returns true, and counts, if the bucket is of the key of 'choice', a bucket_json_choice. */
bool bucket_json_choose(void *choice, const limen_bucket *bucket);

/* Appends the bucket as an object. */
void bucket_json_put(GString *out, const limen_bucket *bucket);

/* Reads such an object; the texts are borrowed from it.  Returns false if 'from' is no bucket. */
bool bucket_json_read(limen_value from, limen_bucket *out);

#endif
