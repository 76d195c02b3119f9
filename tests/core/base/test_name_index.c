/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "fail_malloc.h"

#define MANY 2000

typedef struct row {
	int before;
	const char *name;
	char room[12];
} row;

static name_column
column_of(const row *rows, size_t count)
{
	return (name_column){ .first = &rows->name, .stride = sizeof(*rows), .count = count };
}

/* The definition, without any index. */
static size_t
find_naively(const row *rows, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].name != NULL && strcmp(rows[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static void
check_all(const name_index *index, const row *rows, size_t count)
{
	name_column column = column_of(rows, count);

	for (size_t i = 0; i < count; i++) {
		if (rows[i].name == NULL)
			continue;
		CU_ASSERT_EQUAL(name_index_find(index, &column, rows[i].name),
		                find_naively(rows, count, rows[i].name));
	}
	CU_ASSERT_EQUAL(name_index_find(index, &column, "x"), SIZE_MAX);
	CU_ASSERT_EQUAL(name_index_find(index, &column, ""), SIZE_MAX);
}

/* Every third name is one of a few, and some rows have none. */
static row *
make_rows(void)
{
	row *rows = calloc(MANY, sizeof(*rows));

	CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
	for (size_t i = 0; i < MANY; i++) {
		snprintf(rows[i].room, sizeof(rows[i].room), "%zu", i % 3 == 0 ? i % 50 : i);
		rows[i].name = i % 7 == 0 ? NULL : rows[i].room;
	}
	return rows;
}

static void
test_growing(void)
{
	static const size_t counts[] = { 0, 1, 15, 16, 17, 31, 32, 33, 34, 64, 65, 66, 400, MANY };
	row *rows = make_rows();
	name_index index = { .covered = 0 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		name_column column = column_of(rows, counts[i]);

		check_all(&index, rows, counts[i]);
		name_index_update(&index, &column);
		CU_ASSERT_EQUAL(index.covered, counts[i]);
		check_all(&index, rows, counts[i]);
	}
	name_index_free(&index);
	free(rows);
}

static void
test_one_by_one(void)
{
	row *rows = make_rows();
	name_index index = { .covered = 0 };

	for (size_t i = 0; i < MANY; i++) {
		name_column before = column_of(rows, i);

		name_index_update(&index, &before);
		if (rows[i].name != NULL)
			CU_ASSERT_EQUAL(name_index_find(&index, &before, rows[i].name),
			                find_naively(rows, i, rows[i].name));
	}
	name_index_free(&index);
	CU_ASSERT_EQUAL(index.covered, 0);
	name_index_free(&index);
	free(rows);
}

/* Names without memory are searched one by one, and added the next time. */
static void
test_no_memory(void)
{
	row *rows = make_rows();
	name_column column = column_of(rows, MANY);
	name_index index = { .covered = 0 };

	for (unsigned long nth = 1; index.covered < MANY && nth < 100; nth++) {
		name_index_free(&index);
		fail_malloc_once(nth);
		name_index_update(&index, &column);
		fail_malloc_stop();
		check_all(&index, rows, MANY);
	}
	name_index_free(&index);
	fail_malloc_once(3);
	name_index_update(&index, &column);
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_TRUE(index.covered < MANY);
	name_index_update(&index, &column);
	CU_ASSERT_EQUAL(index.covered, MANY);
	check_all(&index, rows, MANY);
	name_index_free(&index);
	free(rows);
}

static void
test_nothing(void)
{
	name_column none = { .first = NULL, .stride = sizeof(row), .count = 0 };
	name_index index = { .covered = 0 };

	name_index_update(&index, &none);
	CU_ASSERT_EQUAL(name_index_find(&index, &none, "a"), SIZE_MAX);
	name_index_free(&index);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "finds the first of each name at every size", test_growing },
		{ "follows a list that grows", test_one_by_one },
		{ "without memory names are found all the same", test_no_memory },
		{ "an empty list has no names", test_nothing },
		{ NULL, NULL },
	};

	return suite_run("core/name_index", tests);
}
