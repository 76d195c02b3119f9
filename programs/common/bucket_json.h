/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket_json.h - buckets as JSON: what "limen buckets --format json" and limend's
 * /v1/buckets write, and what the former reads of the latter.
 */
#ifndef LIMEN_PROGRAMS_BUCKET_JSON_H
#define LIMEN_PROGRAMS_BUCKET_JSON_H

#include <glib.h>
#include <limen/store.h>
#include <limen/value.h>
#include <stdbool.h>

/*
 * The key as a text, to g_free(): what is no UTF-8 is replaced, and so are NULs,
 * which end texts.
 */
char *bucket_json_key(const limen_bucket *bucket);

/* Appends the bucket as an object. */
void bucket_json_put(GString *out, const limen_bucket *bucket);

/* Reads such an object; the texts are borrowed from it.  False if it is none. */
bool bucket_json_read(limen_value from, limen_bucket *out);

#endif
