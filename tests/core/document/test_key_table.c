/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include "document/key_table.h"

#define MANY 1000

static node
make_key(const char *text)
{
	return (node){ .type = LIMEN_TYPE_STRING, .length = (uint32_t)strlen(text), .text = text };
}

static void
test_put_and_get(void)
{
	static char names[MANY][8];
	static node keys[MANY];
	key_table table;

	CU_ASSERT_TRUE_FATAL(key_table_init(&table, MANY));
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "%zu", i);
		keys[i] = make_key(names[i]);
		CU_ASSERT_PTR_NULL(key_table_put(&table, &keys[i]));
	}
	for (size_t i = 0; i < MANY; i++)
		CU_ASSERT_PTR_EQUAL(key_table_get(&table, names[i], strlen(names[i])), &keys[i]);
	CU_ASSERT_PTR_NULL(key_table_get(&table, "1000", 4));
	CU_ASSERT_PTR_NULL(key_table_get(&table, "", 0));
	key_table_free(&table);
}

static void
test_replace(void)
{
	node first = make_key("a");
	node second = make_key("a");
	node third = make_key("b");
	key_table table;

	CU_ASSERT_TRUE_FATAL(key_table_init(&table, 2));
	CU_ASSERT_PTR_NULL(key_table_put(&table, &first));
	CU_ASSERT_PTR_NULL(key_table_put(&table, &third));
	CU_ASSERT_PTR_EQUAL(key_table_put(&table, &second), &first);
	CU_ASSERT_PTR_EQUAL(key_table_get(&table, "a", 1), &second);
	CU_ASSERT_PTR_EQUAL(key_table_get(&table, "b", 1), &third);
	key_table_free(&table);
}

static void
test_absurd_size(void)
{
	key_table table;

	CU_ASSERT_FALSE(key_table_init(&table, SIZE_MAX));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every key that was put is found", test_put_and_get },
		{ "a repeated key replaces the earlier one", test_replace },
		{ "a size beyond memory is refused", test_absurd_size },
		{ NULL, NULL },
	};

	return suite_run("core/key_table", tests);
}
