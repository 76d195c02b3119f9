/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_map.h"

#include <stdio.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

enum { MANY = 5000 };

static char texts[MANY][8];

static void
write_texts(void)
{
	for (unsigned n = 0; n < MANY; n++)
		snprintf(texts[n], sizeof(texts[n]), "%u", n);
}

static bool
put(text_map *map, arena *pool, const char *text, void *value)
{
	void **place = text_map_put(map, pool, text, strlen(text));

	if (place == NULL || *place != NULL)
		return false;
	*place = value;
	return true;
}

/* Around each size at which the table is made anew; half of the maps live in an arena. */
static void
test_sizes(void)
{
	static const unsigned sizes[] = { 0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 127, 128, MANY };

	write_texts();
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		arena memory = ARENA_INIT;
		arena *pool = i % 2 == 0 ? NULL : &memory;
		text_map map = { .count = 0 };
		unsigned size = sizes[i / 2];
		unsigned wrong = 0;

		for (unsigned n = 0; n < size; n++)
			wrong += !put(&map, pool, texts[n], texts[n]);
		for (unsigned n = 0; n < size; n++) {
			wrong += text_map_get(&map, texts[n], strlen(texts[n])) != texts[n];
			wrong += *text_map_put(&map, pool, texts[n], strlen(texts[n])) != texts[n];
		}
		wrong += text_map_get(&map, "x", 1) != NULL;
		wrong += text_map_get(&map, "", 0) != NULL;
		wrong += !put(&map, pool, "", &map);
		wrong += text_map_get(&map, "", 0) != &map;
		CU_ASSERT_EQUAL(wrong, 0);
		CU_ASSERT_EQUAL(map.count, size + 1);
		if (pool == NULL)
			text_map_free(&map);
		CU_ASSERT_TRUE(pool != NULL || map.count == 0);
		arena_free(&memory);
	}
}

/* Texts are compared in their length, and a value may be replaced. */
static void
test_texts(void)
{
	text_map map = { .count = 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(text_map_put(&map, NULL, "ab", 1));
	*text_map_put(&map, NULL, "ab", 1) = texts[0];
	*text_map_put(&map, NULL, "a\0", 2) = texts[1];
	CU_ASSERT_PTR_EQUAL(text_map_get(&map, "a", 1), texts[0]);
	CU_ASSERT_PTR_EQUAL(text_map_get(&map, "a\0", 2), texts[1]);
	CU_ASSERT_PTR_NULL(text_map_get(&map, "ab", 2));
	*text_map_put(&map, NULL, "a", 1) = texts[2];
	CU_ASSERT_PTR_EQUAL(text_map_get(&map, "a", 1), texts[2]);
	text_map_free(&map);
}

static void
test_reserve(void)
{
	text_map map = { .count = 0 };
	unsigned wrong = 0;

	CU_ASSERT_FALSE(text_map_reserve(&map, NULL, SIZE_MAX));
	CU_ASSERT_TRUE_FATAL(text_map_reserve(&map, NULL, MANY));
	fail_malloc_from(1);
	for (unsigned n = 0; n < MANY; n++)
		wrong += !put(&map, NULL, texts[n], texts[n]);
	CU_ASSERT_FALSE(fail_malloc_stop());
	CU_ASSERT_EQUAL(wrong, 0);
	text_map_free(&map);
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long nth = 1; failed && nth < 100; nth++) {
		arena pool = ARENA_INIT;
		text_map map = { .count = 0 };

		failed = false;
		fail_malloc_once(nth);
		for (unsigned n = 0; n < MANY && !failed; n++)
			failed = !put(&map, &pool, texts[n], texts[n]);
		fail_malloc_stop();
		CU_ASSERT_TRUE(put(&map, &pool, "later", texts[0]));
		arena_free(&pool);
	}
	CU_ASSERT_FALSE(failed);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "each text is new once, at every size", test_sizes },
		{ "texts and values", test_texts },
		{ "what room was made for needs no memory", test_reserve },
		{ "a shortage of memory is told and does no harm", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/text_map", tests);
}
