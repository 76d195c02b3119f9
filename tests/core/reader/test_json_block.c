/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "reader/json_block.h"

enum {
	BLOCKS = 3,
	SIZE = BLOCKS * JSON_BLOCK
};

/* Asks about one byte after the other. */
static bool
mark_slowly(const char *text, uint64_t *marks)
{
	bool ascii = true;

	memset(marks, 0, BLOCKS * sizeof(*marks));
	for (size_t i = 0; i < SIZE; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\' || c < 0x20)
			marks[i / JSON_BLOCK] |= UINT64_C(1) << i % JSON_BLOCK;
		ascii = ascii && c < 0x80;
	}
	return ascii;
}

static bool
agrees(const char *text)
{
	uint64_t marks[BLOCKS];
	uint64_t expected[BLOCKS];
	bool ascii = mark_slowly(text, expected);

	return json_block_mark(text, marks, BLOCKS) == ascii &&
	       memcmp(marks, expected, sizeof(marks)) == 0;
}

/* Among plain bytes, and among bytes next to which sums could carry. */
static void
test_each_byte(void)
{
	static const char fillers[] = { 'a', ' ', '"', '\\', '\0', '\x1F', '\x7F', '\x80', '\xFF' };
	char text[SIZE];

	for (size_t filler = 0; filler < sizeof(fillers); filler++) {
		for (size_t at = 0; at < SIZE; at++) {
			for (int c = 0; c < 256; c++) {
				memset(text, fillers[filler], SIZE);
				text[at] = (char)c;
				CU_ASSERT_TRUE(agrees(text));
			}
		}
	}
}

static void
test_random(void)
{
	uint64_t state = 88172645463325252;
	char text[SIZE + 7];

	for (int i = 0; i < 20000; i++) {
		for (size_t at = 0; at < sizeof(text); at++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			text[at] = (char)(state >> 40);
		}
		/* Blocks begin anywhere in memory. */
		CU_ASSERT_TRUE(agrees(text + i % 8));
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "marks each byte as one by one", test_each_byte },
		{ "marks random bytes as one by one", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/json_block", tests);
}
