/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.h - lists of texts in which "*" stands for any characters, as in the
 * "match" of an admission entry.
 */
#ifndef LIMEN_EVENTRATELIMIT_PATTERN_H
#define LIMEN_EVENTRATELIMIT_PATTERN_H

#include <limen/value.h>

/* The patterns stay where they were read: in the data of the instance. */
typedef struct pattern_list {
	limen_value values; /* one string, or an array of them */
	size_t count;
} pattern_list;

/*
 * Reads a pattern or an array of patterns without NUL; false if 'value' is neither.  None
 * makes an empty list.
 */
bool pattern_list_read(pattern_list *out, limen_value value);

/* Returns the next pattern of the list; 'iter' begins with limen_iter_start(list->values). */
limen_value pattern_list_next(const pattern_list *list, limen_iter *iter);

/* Does one of the patterns describe 'length' bytes of 'text'? */
bool pattern_list_match(const pattern_list *list, const char *text, size_t length);

#endif
