/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

static char order[8];
static size_t count;

static void
record(void *pointer)
{
	order[count++] = *(const char *)pointer;
}

static void
forget(void)
{
	memset(order, 0, sizeof(order));
	count = 0;
}

static void
test_newest_first(void)
{
	cleanup list = CLEANUP_INIT;
	char letters[] = "abc";

	forget();
	for (size_t i = 0; i < 3; i++)
		CU_ASSERT_TRUE(cleanup_push(&list, record, &letters[i]));
	CU_ASSERT_EQUAL(count, 0);
	cleanup_run(&list);
	CU_ASSERT_STRING_EQUAL(order, "cba");
	cleanup_run(&list);
	CU_ASSERT_STRING_EQUAL(order, "cba");
}

/* What is released may live in the list's own arena. */
static void
test_arena_goes_last(void)
{
	cleanup list = CLEANUP_INIT;
	char *letter = arena_strdup(&list.arena, "x");

	forget();
	CU_ASSERT_TRUE(cleanup_push(&list, record, letter));
	CU_ASSERT_TRUE(cleanup_push(&list, free, malloc(10)));
	cleanup_run(&list);
	CU_ASSERT_STRING_EQUAL(order, "x");
	CU_ASSERT_PTR_NULL(list.arena.blocks);
}

static void
test_no_memory(void)
{
	cleanup list = CLEANUP_INIT;
	char letter = 'n';

	forget();
	fail_malloc_once(1);
	CU_ASSERT_FALSE(cleanup_push(&list, record, &letter));
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_STRING_EQUAL(order, "n");
	cleanup_run(&list);
	CU_ASSERT_STRING_EQUAL(order, "n");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "things are released once, the newest first", test_newest_first },
		{ "the arena is freed last", test_arena_goes_last },
		{ "what cannot be remembered is released at once", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/cleanup", tests);
}
