/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - values as bytes for another process of the same machine: a letter for the kind, the
 * length, the content.  Numbers stay doubles, and a NaN stays one, which JSON cannot say.
 */
#ifndef LIMEN_SUPPORT_JQ_WIRE_H
#define LIMEN_SUPPORT_JQ_WIRE_H

#include "../budget.h"

/* The longest message. */
#define WIRE_BYTES_MAX ((size_t)64 << 20)

/* A message that is being written.  The writer never reads what it has written. */
typedef struct wire_out {
	char *bytes;
	size_t length;
	size_t room;
	bool failed; /* it does not fit */
} wire_out;

void wire_bytes(wire_out *out, const void *bytes, size_t length);

/* Begins a value; 'a' is an array of 'count' elements, which the caller writes next. */
void wire_head(wire_out *out, char letter, uint32_t count);

/*
 * Writes 'value' (consumed).  Returns NULL, or what is wrong: it does not fit, it is too deep, or
 * an output has an infinity, which pScheduler refuses.
 */
const char *wire_put(wire_out *out, jv value, bool is_output);

extern const char wire_too_large[];

/* A message that is being read. */
typedef struct wire_in {
	const char *at;
	size_t left;
	budget budget;
	bool is_spent; /* what was read was more than the budget */
} wire_in;

bool wire_take(wire_in *from, void *out, size_t length);

/* Reads the next value; an invalid one if there is none or it breaks a bound. */
jv wire_value(wire_in *from);

#endif
