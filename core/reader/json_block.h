/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_block.h - 64 bytes of JSON text at once.  The same answer comes from SSE2
 * (every x86-64), from NEON (every AArch64) and from plain C, which is what
 * LIMEN_NO_VECTORS asks for, so that a test can compare them.
 */
#ifndef LIMEN_CORE_READER_JSON_BLOCK_H
#define LIMEN_CORE_READER_JSON_BLOCK_H

#include <limen/types.h>
#include <string.h>

#if defined(__SSE2__) && !defined(LIMEN_NO_VECTORS)
#include <emmintrin.h>
#define JSON_BLOCK_PART 16
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(LIMEN_NO_VECTORS)
#include <arm_neon.h>
#define JSON_BLOCK_PART 16
#else
#define JSON_BLOCK_PART 8
#endif

/* One bit for each byte of a block fits a word. */
#define JSON_BLOCK 64

/*
 * json_block_part() returns a bit for each byte of a part, the first lowest, that
 * is a quote, a backslash or a control character: what a string cannot hold as
 * it is.  The top bits of '*high' collect those of all bytes.
 */
#if defined(__SSE2__) && !defined(LIMEN_NO_VECTORS)

typedef __m128i json_block_high;

static inline uint64_t
json_block_part(const char *text, json_block_high *high)
{
	const __m128i last_control = _mm_set1_epi8(0x1F);
	__m128i bytes, quote, backslash, control;

	memcpy(&bytes, text, sizeof(bytes));
	quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
	/* Only signed bytes can be compared for less; the larger of two is unsigned. */
	control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last_control), last_control);
	*high = _mm_or_si128(*high, bytes);
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control));
}

static inline bool
json_block_ascii(json_block_high high)
{
	return _mm_movemask_epi8(high) == 0;
}

#elif JSON_BLOCK_PART == 16

typedef uint8x16_t json_block_high;

static inline uint64_t
json_block_part(const char *text, json_block_high *high)
{
	static const uint8_t bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	const uint8x8_t weights = vld1_u8(bits);
	uint8x16_t bytes = vld1q_u8((const uint8_t *)text);
	uint8x16_t special = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('"')),
	                              vceqq_u8(bytes, vdupq_n_u8('\\')));

	special = vorrq_u8(special, vcltq_u8(bytes, vdupq_n_u8(0x20)));
	*high = vorrq_u8(*high, bytes);
	return vaddv_u8(vand_u8(vget_low_u8(special), weights)) |
	       (uint64_t)vaddv_u8(vand_u8(vget_high_u8(special), weights)) << 8;
}

static inline bool
json_block_ascii(json_block_high high)
{
	return vmaxvq_u8(high) < 0x80;
}

#else

typedef uint64_t json_block_high;

#define JSON_BLOCK_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns the top bit of each byte that is zero, and no other bit. */
static inline uint64_t
json_block_zeros(uint64_t word)
{
	const uint64_t most = JSON_BLOCK_EACH(0x7F);

	return ~(((word & most) + most) | word | most);
}

static inline uint64_t
json_block_part(const char *text, json_block_high *high)
{
	uint64_t word, special;

	memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	special = json_block_zeros(word ^ JSON_BLOCK_EACH('"')) |
	          json_block_zeros(word ^ JSON_BLOCK_EACH('\\')) |
	          json_block_zeros(word & JSON_BLOCK_EACH(0xE0));
	*high |= word;
	/* The multiplication gathers the eight bits in the top byte. */
	return (special >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline bool
json_block_ascii(json_block_high high)
{
	return (high & JSON_BLOCK_EACH(0x80)) == 0;
}

#endif

/* The bits of four parts: written out, for compilers do not unroll so short a loop. */
static inline uint64_t
json_block_parts(const char *text, json_block_high *high)
{
	enum { PART = JSON_BLOCK_PART };

	return json_block_part(text, high) | json_block_part(text + PART, high) << PART |
	       json_block_part(text + 2 * PART, high) << 2 * PART |
	       json_block_part(text + 3 * PART, high) << 3 * PART;
}

/*
 * Stores the bits of 'count' blocks from 'text' on, one word a block; returns
 * whether all bytes are ASCII.
 */
static inline bool
json_block_mark(const char *text, uint64_t *marks, size_t count)
{
	json_block_high high;

	memset(&high, 0, sizeof(high));
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = 0;

		for (unsigned first = 0; first < JSON_BLOCK; first += 4 * JSON_BLOCK_PART)
			bits |= json_block_parts(text + first, &high) << first;
		marks[i] = bits;
		text += JSON_BLOCK;
	}
	return json_block_ascii(high);
}

/* Returns the first byte from 'offset' on that has a mark; there must be one. */
static inline size_t
json_block_next(const uint64_t *marks, size_t offset)
{
	size_t block = offset / JSON_BLOCK;
	uint64_t bits = marks[block] & UINT64_MAX << offset % JSON_BLOCK;

	while (bits == 0)
		bits = marks[++block];
	return block * JSON_BLOCK + (unsigned)__builtin_ctzll(bits);
}

#endif
