/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sized.c - copies structs that may be longer or shorter than those of this library.
 */
#include "sized.h"

#include <string.h>

/* More is no struct of options, but a 'size' that was not set. */
#define SIZE_MAX_KNOWN 4096

bool
sized_copy(void *out, size_t known, const void *from)
{
	const unsigned char *bytes = from;
	size_t size;

	memcpy(&size, from, sizeof(size));
	if (size > SIZE_MAX_KNOWN)
		return false;
	for (size_t i = known; i < size; i++)
		if (bytes[i] != 0)
			return false;
	memcpy(out, from, size < known ? size : known);
	return true;
}
