/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sized.h - copies structs whose first member, 'size', says how large the caller's header has them.
 */
#ifndef LIMEN_CORE_BASE_SIZED_H
#define LIMEN_CORE_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies what both sides know of the struct at 'from' to 'out', which has 'known' bytes; the rest
 * of 'out' stays.  Returns false, with 'out' unchanged, if a byte behind 'known' is not 0: a newer
 * caller asks for something that this library does not know, and might do less than it should.
 */
bool sized_copy(void *out, size_t known, const void *from);

#endif
