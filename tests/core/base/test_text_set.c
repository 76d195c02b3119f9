/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_set.h"

#include <stdio.h>

#include "fail_malloc.h"
#include "suite.h"

static const char *
number(arena *pool, unsigned n)
{
	return arena_printf(pool, "%u", n);
}

/* Around each size at which the table is made anew. */
static void
test_sizes(void)
{
	static const unsigned sizes[] = { 1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 5000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		arena pool = ARENA_INIT;
		text_set set = { .count = 0 };
		unsigned wrong = 0;

		for (unsigned n = 0; n < sizes[i]; n++)
			wrong += text_set_add(&set, &pool, number(&pool, n)) != TEXT_SET_ADDED;
		for (unsigned n = 0; n < sizes[i]; n++)
			wrong += text_set_add(&set, &pool, number(&pool, n)) != TEXT_SET_KNOWN;
		wrong += text_set_add(&set, &pool, "x") != TEXT_SET_ADDED;
		wrong += text_set_add(&set, &pool, "") != TEXT_SET_ADDED;
		wrong += text_set_add(&set, &pool, "") != TEXT_SET_KNOWN;
		CU_ASSERT_EQUAL(wrong, 0);
		CU_ASSERT_EQUAL(set.count, sizes[i] + 2);
		arena_free(&pool);
	}
}

#define MANY 2000

static void
test_no_memory(void)
{
	static char texts[MANY][8];
	bool failed = true;

	for (unsigned n = 0; n < MANY; n++)
		snprintf(texts[n], sizeof(texts[n]), "%u", n);

	for (unsigned long nth = 1; failed && nth < 100; nth++) {
		arena pool = ARENA_INIT;
		text_set set = { .count = 0 };

		failed = false;
		fail_malloc_once(nth);
		for (unsigned n = 0; n < MANY && !failed; n++)
			failed = text_set_add(&set, &pool, texts[n]) == TEXT_SET_FAILED;
		fail_malloc_stop();
		CU_ASSERT_EQUAL(text_set_add(&set, &pool, "later"), TEXT_SET_ADDED);
		arena_free(&pool);
	}
	CU_ASSERT_FALSE(failed);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "each text is new once, at every size", test_sizes },
		{ "a shortage of memory is told and does no harm", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/text_set", tests);
}
