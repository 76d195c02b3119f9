/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "reader/yaml_reader.h"

static const char text[] = "ab\n\xC3\xBC\xE2\x82\xAC" "c\n\nd";

static yaml_reader
make_reader(limen_diag *diag)
{
	return (yaml_reader){ .name = "x",
		              .text = text,
		              .length = sizeof(text) - 1,
		              .source = source_new("x", text, sizeof(text) - 1),
		              .diag = diag };
}

static void
test_places(void)
{
	limen_diag *diag = limen_diag_new();
	yaml_reader reader = make_reader(diag);
	unsigned seed = 5;

	for (unsigned i = 0; i < 90; i++) {
		size_t offset = (size_t)rand_r(&seed) % (sizeof(text) + 1);
		size_t inside = offset < sizeof(text) ? offset : sizeof(text) - 1;
		utf8_position spot = utf8_locate(text, inside);
		const limen_problem *entry;

		yaml_problem(&reader, offset, "%u", i);
		entry = limen_diag_get(diag, i);
		CU_ASSERT_EQUAL(entry->line, spot.line);
		CU_ASSERT_EQUAL(entry->column, spot.column);
		CU_ASSERT_STRING_EQUAL(entry->file, "x");
	}
	CU_ASSERT_EQUAL(reader.problems, 90);
	source_unref(reader.source);
	limen_diag_free(diag);
}

static void
test_bounds(void)
{
	limen_diag *diag = limen_diag_new();
	yaml_reader reader = make_reader(diag);

	for (unsigned i = 0; i < YAML_NOTES_MAX; i++)
		CU_ASSERT_TRUE(yaml_note(&reader, 0, "note"));
	CU_ASSERT_FALSE(yaml_note(&reader, 0, "note"));
	CU_ASSERT_FALSE(yaml_reader_failed(&reader));
	for (unsigned i = 0; i < YAML_PROBLEMS_MAX; i++) {
		CU_ASSERT_FALSE(yaml_reader_stopped(&reader));
		yaml_problem(&reader, 0, "problem");
	}
	CU_ASSERT_TRUE(yaml_reader_stopped(&reader));
	CU_ASSERT_TRUE(yaml_reader_failed(&reader));
	yaml_problem(&reader, 0, "one more");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), YAML_PROBLEMS_MAX);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE),
	                YAML_PROBLEMS_MAX + YAML_NOTES_MAX);
	source_unref(reader.source);
	limen_diag_free(diag);
}

static void
test_without_list(void)
{
	yaml_reader reader = make_reader(NULL);

	yaml_problem(&reader, 0, "problem");
	CU_ASSERT_FALSE(yaml_note(&reader, 0, "note"));
	CU_ASSERT_TRUE(yaml_reader_failed(&reader));
	CU_ASSERT_FALSE(yaml_reader_stopped(&reader));
	reader.no_memory = true;
	CU_ASSERT_TRUE(yaml_reader_stopped(&reader));
	source_unref(reader.source);
}

static void
test_excerpts(void)
{
	static const struct {
		const char *text, *excerpt;
	} cases[] = {
		{ "", "" },
		{ "abc", "abc" },
		{ "a\nb", "a..." },
		{ "a\xC0\x80 b", "a..." },
		{ "\xFF", "..." },
		{ "01234567890123456789012345678901234567890123",
		  "01234567890123456789012345678901234567890123" },
		{ "012345678901234567890123456789012345678901234",
		  "01234567890123456789012345678901234567890123..." },
		{ "0123456789012345678901234567890123456789012\xC3\xBC",
		  "0123456789012345678901234567890123456789012..." },
		{ "012345678901234567890123456789012345678901\xC3\xBC",
		  "012345678901234567890123456789012345678901\xC3\xBC" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		yaml_excerpt found = yaml_excerpt_of(cases[i].text, strlen(cases[i].text));

		CU_ASSERT_STRING_EQUAL(found.text, cases[i].excerpt);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "places in any order", test_places },
		{ "so many entries and no more", test_bounds },
		{ "nobody listens", test_without_list },
		{ "excerpts fit one line", test_excerpts },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_reader", tests);
}
