/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weight.h - the memory that values take in libjq 1.6.  It has places for eight members
 * in each object, so that "{}" takes 416 bytes: a text of three megabytes could take
 * four hundred.
 */
#ifndef LIMEN_SUPPORT_JQ_WEIGHT_H
#define LIMEN_SUPPORT_JQ_WEIGHT_H

#include <stdbool.h>
#include <stddef.h>

/* A document that takes more than this is not given to scripts, nor taken from them. */
#define WEIGHT_MAX ((size_t)32 << 20)

/* Nor is one of more values. */
#define VALUES_MAX ((size_t)1000000)

/* Each adds a value to '*bytes'; false: it is more than 'most' now. */
bool weight_add_string(size_t *bytes, size_t length, size_t most);

/* With places for 'count' elements, and no more (jv_array_sized()). */
bool weight_add_array(size_t *bytes, size_t count, size_t most);
bool weight_add_object(size_t *bytes, size_t count, size_t most);

#endif
