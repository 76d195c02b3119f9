/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - which known word did a misspelt one mean? */
#ifndef LIMEN_TEST_NEAREST_H
#define LIMEN_TEST_NEAREST_H

#include <stddef.h>

/*
 * Returns the one of 'words' (ended by NULL) that differs from the 'length'
 * bytes of 'text' in the fewest letters, at most two and fewer than it has
 * itself; NULL if there is none.
 */
const char *nearest_word(const char *text, size_t length, const char *const *words);

#endif
