/* SPDX-License-Identifier: Apache-2.0 */
/* base64.c - encodes bytes as base64 at the end of a GString, six bytes at a time. */
#include "base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes the lowest 24 bits, three bytes, as four letters. */
static inline void
put_group(char *to, unsigned bits)
{
	to[0] = alphabet[bits >> 18 & 63];
	to[1] = alphabet[bits >> 12 & 63];
	to[2] = alphabet[bits >> 6 & 63];
	to[3] = alphabet[bits & 63];
}

/* Writes the one or two bytes that are left, padded. */
static void
put_rest(char *to, const unsigned char *from, size_t left)
{
	put_group(to, (unsigned)from[0] << 16 | (left == 2 ? (unsigned)from[1] << 8 : 0));
	to[3] = '=';
	if (left == 1)
		to[2] = '=';
}

void
base64_append(GString *out, const char *bytes, size_t length)
{
	const unsigned char *from = (const unsigned char *)bytes;
	size_t before = out->len;
	char *to;

	g_string_set_size(out, before + (length + 2) / 3 * 4);
	to = out->str + before;
	/* Two groups of a word, of which two bytes are for the next one. */
	for (; length >= sizeof(uint64_t); length -= 6, from += 6, to += 8) {
		uint64_t word;

		memcpy(&word, from, sizeof(word));
		word = GUINT64_FROM_BE(word);
		put_group(to, (unsigned)(word >> 40));
		put_group(to + 4, (unsigned)(word >> 16));
	}
	for (; length >= 3; length -= 3, from += 3, to += 4)
		put_group(to, (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2]);
	if (length > 0)
		put_rest(to, from, length);
}
