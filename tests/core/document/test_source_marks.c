/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <pthread.h>
#include <stdio.h>

#include "document/document_layout.h"
#include "documents.h"

#define LENGTH 20000

/* Compares every place of the text with one found by counting from its beginning. */
static void
check_places(const char *text, size_t length)
{
	source *from = source_new(NULL, text, length);
	unsigned wrong = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(from);
	for (size_t i = 0; i <= length; i++) {
		/* Not in order: the answers do not depend on what was asked before. */
		size_t offset = (i * 7919) % (length + 1);
		utf8_position found = source_locate(from, offset);
		utf8_position wanted = utf8_locate(text, offset);

		wrong += found.line != wanted.line || found.column != wanted.column;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(source_locate(from, length + 1).column,
	                source_locate(from, length).column);
	CU_ASSERT_EQUAL(source_locate(from, SIZE_MAX).line, source_locate(from, length).line);
	source_unref(from);
}

/* One character in 'rarity' ends a line; 0: none does. */
static void
fill_text(char *text, size_t length, uint32_t rarity, uint64_t *state)
{
	static const char pieces[] = "ab\xC3\xA9\r\xE2\x82\xAC \xF0\x9F\x98\x80";

	for (size_t i = 0; i < length; i++) {
		if (rarity > 0 && draw(state, rarity) == 0)
			text[i] = '\n';
		else
			text[i] = pieces[draw(state, sizeof(pieces) - 1)];
	}
}

static void
test_random_texts(void)
{
	static const uint32_t rarities[] = { 0, 1, 2, 50, 700, 5000 };
	static char text[LENGTH];
	uint64_t state = 7;

	for (size_t i = 0; i < sizeof(rarities) / sizeof(rarities[0]); i++) {
		fill_text(text, LENGTH, rarities[i], &state);
		check_places(text, 3000);
	}
	fill_text(text, LENGTH, 0, &state);
	check_places(text, LENGTH);
}

static void
test_lengths(void)
{
	static const size_t lengths[] = { 0, 1, 511, 512, 513, 1023, 1024, 1025 };
	char text[1025];
	uint64_t state = 11;

	fill_text(text, sizeof(text), 40, &state);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		check_places(text, lengths[i]);
}

static void *
ask_all(void *data)
{
	source *from = data;
	size_t sum = 0;

	for (size_t i = 0; i < LENGTH; i += 97)
		sum += source_locate(from, i).column;
	return (void *)(uintptr_t)sum;
}

static void
test_threads(void)
{
	static char text[LENGTH];
	uint64_t state = 13;

	for (int round = 0; round < 20; round++) {
		pthread_t threads[4];
		source *from;
		void *sum;

		fill_text(text, LENGTH, 300, &state);
		from = source_new("name", text, LENGTH);
		CU_ASSERT_PTR_NOT_NULL_FATAL(from);
		for (int i = 0; i < 4; i++)
			CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, ask_all, from), 0);
		for (int i = 0; i < 4; i++) {
			CU_ASSERT_EQUAL(pthread_join(threads[i], &sum), 0);
			CU_ASSERT_PTR_EQUAL(sum, ask_all(from));
		}
		source_unref(from);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "as if counted from the beginning, on lines of any length", test_random_texts },
		{ "texts of whole steps and one byte more or less", test_lengths },
		{ "several threads ask for the first time", test_threads },
		{ NULL, NULL },
	};

	return suite_run("core/source_marks", tests);
}
