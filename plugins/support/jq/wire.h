/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - values as bytes, for another process of the same machine: a number
 * stays the double it is, and a NaN a NaN, which JSON could not say.
 */
#ifndef LIMEN_SUPPORT_JQ_WIRE_H
#define LIMEN_SUPPORT_JQ_WIRE_H

#include <jv.h>

#include "text.h"
#include "weight.h"

/*
 * The longest message, and the most values in one, with what they take in memory, also
 * for a process that lies.
 */
#define WIRE_BYTES_MAX  ((size_t)64 << 20)
#define WIRE_NODES_MAX  4000000
#define WIRE_WEIGHT_MAX (2 * WEIGHT_MAX)

/*
 * Adds 'value', which is consumed, to 'out'.  Returns false if it is too large
 * or too deep for a message, or if memory is short.
 */
bool wire_put(text *out, jv value);

/* Reads what 'length' bytes must hold exactly; an invalid value if they do not. */
jv wire_get(const char *bytes, size_t length);

#endif
