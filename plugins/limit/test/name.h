/* SPDX-License-Identifier: Apache-2.0 */
/* name.h - the readable name of a parameter, made from its key. */
#ifndef LIMEN_TEST_NAME_H
#define LIMEN_TEST_NAME_H

#include <stddef.h>

/*
 * Returns 'key' in words: hyphens become blanks, each word begins with a
 * capital, and abbreviations are all capitals ("ip-version" is "IP Version").
 * Freed with free(); NULL when memory is short.
 */
char *name_new(const char *key, size_t length);

#endif
