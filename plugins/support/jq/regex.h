/* SPDX-License-Identifier: Apache-2.0 */
/* regex.h - jq's regular expressions, without the faults of jq 1.6. */
#ifndef LIMEN_SUPPORT_JQ_REGEX_H
#define LIMEN_SUPPORT_JQ_REGEX_H

#include <jv.h>
#include <oniguruma.h>
#include <stdint.h>

#define REGEX_KEPT 4

/* A compiled expression. */
typedef struct regex_kept {
	jv pattern; /* a string */
	OnigOptionType options;
	regex_t *compiled; /* NULL: an empty place */
} regex_kept;

/* Scripts use the same few expressions each time they run. */
typedef struct regex_cache {
	regex_kept kept[REGEX_KEPT];
	unsigned next; /* the place to use next */
} regex_cache;

void regex_forget(regex_cache *cache);

/*
 * Does what jq's _match_impl does with 'call', [NAME, INPUT, EXPRESSION, FLAGS,
 * TEST]: returns an array of matches, a truth value if TEST is true, or an
 * invalid value with a message.  Gives up at 'deadline'.  Consumes 'call'.
 */
jv regex_match(regex_cache *cache, jv call, int64_t deadline);

#endif
