/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.h - numbers of 128 bits, for products of two of 64; sums wrap around.
 * The compiler's own where it has them, which takes half the time.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_WIDE_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_WIDE_H

#include <stdint.h>

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

static inline wide
wide_multiply(uint64_t a, uint64_t b)
{
	return (wide)a * b;
}

static inline wide
wide_add(wide a, wide b)
{
	return a + b;
}

static inline wide
wide_make(uint64_t high, uint64_t low)
{
	return (wide)high << 64 | low;
}

static inline uint64_t
wide_high(wide number)
{
	return (uint64_t)(number >> 64);
}

static inline uint64_t
wide_low(wide number)
{
	return (uint64_t)number;
}

#else

typedef struct wide {
	uint64_t high;
	uint64_t low;
} wide;

static inline wide
wide_multiply(uint64_t a, uint64_t b)
{
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);

	return (wide){ (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
		       other << 32 | (low & UINT32_MAX) };
}

static inline wide
wide_add(wide a, wide b)
{
	uint64_t low = a.low + b.low;

	return (wide){ a.high + b.high + (low < a.low), low };
}

static inline wide
wide_make(uint64_t high, uint64_t low)
{
	return (wide){ high, low };
}

static inline uint64_t
wide_high(wide number)
{
	return number.high;
}

static inline uint64_t
wide_low(wide number)
{
	return number.low;
}

#endif

#endif
