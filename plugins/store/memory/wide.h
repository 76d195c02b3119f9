/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.h - numbers of 128 bits, for products of two of 64; sums wrap around.
 */
#ifndef LIMEN_PLUGINS_STORE_MEMORY_WIDE_H
#define LIMEN_PLUGINS_STORE_MEMORY_WIDE_H

#include <stdint.h>

typedef struct wide {
	uint64_t high;
	uint64_t low;
} wide;

static inline wide
wide_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 native;
	native product = (native)a * b;

	return (wide){ (uint64_t)(product >> 64), (uint64_t)product };
#else
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);

	return (wide){ (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
		       other << 32 | (low & UINT32_MAX) };
#endif
}

static inline wide
wide_add(wide a, wide b)
{
	uint64_t low = a.low + b.low;

	return (wide){ a.high + b.high + (low < a.low), low };
}

#endif
