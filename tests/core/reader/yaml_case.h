/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_case.h - for tests of the YAML reader: a text, and the documents and
 * entries it must give.
 */
#ifndef LIMEN_TESTS_CORE_YAML_CASE_H
#define LIMEN_TESTS_CORE_YAML_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "document/document.h"
#include "base/strbuf.h"
#include "reader/reader.h"

typedef struct yaml_case {
	const char *text;
	unsigned flags;
	const char *json;    /* the documents, one a line; NULL if the text is refused */
	const char *entries; /* "LINE:COLUMN TEXT" of every entry, one a line; NULL for none */
} yaml_case;

static inline char *
print_entries(const limen_diag *diag)
{
	strbuf out = STRBUF_INIT;
	const limen_problem *entry;

	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_SEVERITY_NOTE); i++) {
		entry = limen_diag_get(diag, i);
		strbuf_addf(&out, "%s%u:%u %s", i == 0 ? "" : "\n", entry->line, entry->column,
		            entry->text);
	}
	return strbuf_steal(&out, NULL);
}

/* Takes the documents, and returns them as JSON, one a line. */
static inline char *
print_documents(document **list, size_t count)
{
	strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		char *text = limen_value_to_json(document_root(list[i]), 0, NULL);

		strbuf_addf(&out, "%s%s", i == 0 ? "" : "\n", text);
		free(text);
		document_unref(list[i]);
	}
	free(list);
	return strbuf_steal(&out, NULL);
}

static inline void
check_same(const char *text, const char *what, const char *expected, const char *found)
{
	if (strcmp(expected, found) != 0)
		fprintf(stderr, "# %s\n# %s expected:\n%s\n# found:\n%s\n", text, what, expected,
		        found);
	CU_ASSERT_STRING_EQUAL(found, expected);
}

/* Reads 'length' bytes, more than strlen() knows of if the text has NULs. */
static inline void
check_yaml_bytes(const yaml_case *test, size_t length)
{
	limen_diag *diag = limen_diag_new();
	document **list = NULL;
	size_t count = 0;
	int result = yaml_read("a.yaml", test->text, length, test->flags, &list, &count, diag);
	char *entries = print_entries(diag);
	char *json = result == LIMEN_OK ? print_documents(list, count) : strdup("(refused)");

	CU_ASSERT_TRUE(result == LIMEN_OK || result == LIMEN_EINVAL);
	check_same(test->text, "documents", test->json == NULL ? "(refused)" : test->json, json);
	check_same(test->text, "entries", test->entries == NULL ? "" : test->entries, entries);
	CU_ASSERT_EQUAL(result == LIMEN_OK, limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
	free(entries);
	free(json);
	limen_diag_free(diag);
}

static inline void
check_yaml_cases(const yaml_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_yaml_bytes(&cases[i], strlen(cases[i].text));
}

#endif
