/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

static const size_t sizes[] = { 0, 1, 7, 8, 16, 17, 100, 4095, 4096, 4097, 70000, 1, 3 };

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void
test_alignment_and_room(void)
{
	arena pool = ARENA_INIT;
	unsigned char *pieces[SIZES];

	for (size_t i = 0; i < SIZES; i++) {
		pieces[i] = arena_alloc(&pool, sizes[i]);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pieces[i]);
		CU_ASSERT_EQUAL((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		memset(pieces[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < SIZES; i++) {
		for (size_t j = 0; j < sizes[i]; j++)
			CU_ASSERT_EQUAL_FATAL(pieces[i][j], i);
	}
	arena_free(&pool);
	CU_ASSERT_PTR_NULL(pool.blocks);
}

static void
test_zeroed(void)
{
	arena pool = ARENA_INIT;
	const char *piece;

	memset(arena_alloc(&pool, 4096), 0xAA, 4096);
	arena_reset(&pool);
	piece = arena_calloc(&pool, 64, 8);
	CU_ASSERT_PTR_NOT_NULL_FATAL(piece);
	for (size_t i = 0; i < 512; i++)
		CU_ASSERT_EQUAL(piece[i], 0);
	arena_free(&pool);
}

static void
test_overflow(void)
{
	arena pool = ARENA_INIT;

	CU_ASSERT_PTR_NULL(arena_alloc(&pool, SIZE_MAX));
	CU_ASSERT_PTR_NULL(arena_alloc(&pool, SIZE_MAX - 15));
	CU_ASSERT_PTR_NULL(arena_calloc(&pool, SIZE_MAX / 2 + 1, 2));
	CU_ASSERT_PTR_NULL(arena_strndup(&pool, "", SIZE_MAX));
	CU_ASSERT_PTR_NOT_NULL(arena_calloc(&pool, SIZE_MAX, 0));
	arena_free(&pool);
}

static void
test_text(void)
{
	arena pool = ARENA_INIT;
	char wide[5000];

	memset(wide, 'x', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	CU_ASSERT_STRING_EQUAL(arena_strdup(&pool, ""), "");
	CU_ASSERT_STRING_EQUAL(arena_strndup(&pool, "abcdef", 3), "abc");
	CU_ASSERT_EQUAL(memcmp(arena_strndup(&pool, "a\0b", 3), "a\0b", 4), 0);
	CU_ASSERT_STRING_EQUAL(arena_printf(&pool, "%d %s", 7, "seven"), "7 seven");
	CU_ASSERT_STRING_EQUAL(arena_printf(&pool, "<%s>", wide) + 5000, ">");
	arena_free(&pool);
}

static void
test_reset(void)
{
	arena pool = ARENA_INIT;
	char *first;

	arena_reset(&pool);
	arena_alloc(&pool, 4000);
	arena_alloc(&pool, 4000);
	arena_alloc(&pool, 4000);
	arena_reset(&pool);
	first = arena_alloc(&pool, 16);
	/* The newest block is used again: no allocation is needed. */
	fail_malloc_from(1);
	CU_ASSERT_PTR_EQUAL((char *)arena_alloc(&pool, 4000) - 16, first);
	CU_ASSERT_FALSE(fail_malloc_stop());
	arena_free(&pool);
	arena_free(&pool);
}

static void
test_no_memory(void)
{
	arena pool = ARENA_INIT;

	fail_malloc_from(1);
	CU_ASSERT_PTR_NULL(arena_alloc(&pool, 1));
	CU_ASSERT_PTR_NULL(arena_calloc(&pool, 1, 1));
	CU_ASSERT_PTR_NULL(arena_strdup(&pool, "text"));
	CU_ASSERT_PTR_NULL(arena_printf(&pool, "%s", "text"));
	CU_ASSERT_TRUE(fail_malloc_stop());
	/* A shortage does no harm to what there is, nor to what comes after. */
	CU_ASSERT_STRING_EQUAL(arena_strdup(&pool, "text"), "text");
	arena_free(&pool);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "pieces are aligned and do not overlap", test_alignment_and_room },
		{ "calloc zeroes memory that was used before", test_zeroed },
		{ "sizes that overflow are refused", test_overflow },
		{ "text is copied and formatted", test_text },
		{ "a reset keeps the newest block", test_reset },
		{ "a shortage of memory is an answer", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/arena", tests);
}
