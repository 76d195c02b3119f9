/* SPDX-License-Identifier: Apache-2.0 */
#include "name.h"

#include <ares.h>

enum {
	NAME_MAX_BYTES = 255,
	POINTERS_MAX = 127 /* one for each label that a name can have */
};

/*
 * Is the name at 'at' no longer than names can be (RFC 1035 section 3.1)?  c-ares
 * writes out longer ones, of up to the whole message for each of its records, and
 * takes seconds for a message over TCP that is made for it.
 */
static bool
is_short(const uint8_t *bytes, size_t length, size_t at)
{
	size_t total = 0;
	unsigned pointers = 0;

	while (at + 1 < length) {
		uint8_t size = bytes[at];

		if ((size & 0xC0) == 0xC0) {
			at = ((size_t)(size & 0x3F) << 8) | bytes[at + 1];
			if (++pointers > POINTERS_MAX)
				return false;
			continue;
		}
		total += 1u + size;
		if (size == 0 || total > NAME_MAX_BYTES)
			return total <= NAME_MAX_BYTES;
		at += 1u + size;
	}
	return at < length && bytes[at] == 0 && total < NAME_MAX_BYTES;
}

char *
name_read(const uint8_t *bytes, size_t length, size_t at, size_t *taken, bool *short_memory)
{
	char *name = NULL;
	long size = 0;
	int status = ARES_EBADNAME;

	if (is_short(bytes, length, at))
		status = ares_expand_name(bytes + at, bytes, (int)length, &name, &size);
	*short_memory = *short_memory || status == ARES_ENOMEM;
	if (status != ARES_SUCCESS)
		return NULL;
	*taken = (size_t)size;
	return name;
}
