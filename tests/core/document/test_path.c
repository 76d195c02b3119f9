/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "documents.h"

/* RFC 6901 section 5: the example document and its pointers. */
static void
test_rfc(void)
{
	static const char text[] = "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,"
	                           "\"e^f\":3,\"g|h\":4,"
	                           "\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";
	static const struct {
		const char *pointer, *found;
	} cases[] = {
		{ "/foo", "[\"bar\",\"baz\"]" }, { "/foo/0", "\"bar\"" },
		{ "/", "0" },                    { "/a~1b", "1" },
		{ "/c%d", "2" },                 { "/e^f", "3" },
		{ "/g|h", "4" },                 { "/i\\j", "5" },
		{ "/k\"l", "6" },                { "/ ", "7" },
		{ "/m~0n", "8" },
	};
	document *doc = read_literal(text);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_TRUE(prints_as(find_value(doc, cases[i].pointer), cases[i].found));
	CU_ASSERT_PTR_EQUAL(find_value(doc, "").node, document_root(doc).node);
	document_unref(doc);
}

static void
test_tokens(void)
{
	static const struct {
		const char *pointer, *found; /* NULL: nothing there */
	} cases[] = {
		{ "/a/0", "1" },
		{ "/a/2", NULL },
		{ "/a/-", NULL },
		{ "/a/00", NULL },
		{ "/a/01", NULL },
		{ "/a/+1", NULL },
		{ "/a/1x", NULL },
		{ "/a/", NULL },
		{ "/a/18446744073709551616", NULL },
		{ "/a/18446744073709551615", NULL },
		{ "/a/1/~01", "2" },
		{ "/a/1/~10", "3" },
		{ "/a/1/01", "4" },
		{ "/a/1/-", "5" },
		{ "/a/1//x", "6" },
		{ "/a/1/", "{\"x\":6}" },
		{ "/s/0", NULL },
		{ "/n/x", NULL },
		{ "/b", NULL },
		{ "/b/c/d", NULL },
	};
	document *doc = read_literal("{\"a\":[1,{\"~1\":2,\"/0\":3,\"01\":4,\"-\":5,"
	                             "\"\":{\"x\":6}}],\"s\":\"text\",\"n\":null}");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_value found = find_value(doc, cases[i].pointer);

		if (cases[i].found == NULL)
			CU_ASSERT_FALSE(limen_value_exists(found))
		else
			CU_ASSERT_TRUE(prints_as(found, cases[i].found));
	}
	document_unref(doc);
}

static void
test_malformed(void)
{
	static const char *const pointers[] = { "a", "a/b", " /a", "/a~", "/~2", "/~/", "/a/~x/b",
		"#/a", "/\xFF", "/\xC3" };
	limen_path *path = NULL;

	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++)
		CU_ASSERT_EQUAL(limen_path_new(pointers[i], strlen(pointers[i]), &path),
		                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_path_new("/", SIZE_MAX, &path), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(path);
	limen_path_free(NULL);
}

static void
test_text(void)
{
	static const char *const pointers[] = { "", "/", "//", "/a~0~1b/\xC3\xA9/0" };

	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		limen_path *path = NULL;

		CU_ASSERT_EQUAL_FATAL(limen_path_new(pointers[i], strlen(pointers[i]), &path),
		                      LIMEN_OK);
		CU_ASSERT_STRING_EQUAL(limen_path_text(path), pointers[i]);
		limen_path_free(path);
	}
}

static void
test_nul(void)
{
	document *doc = read_literal("{\"a\\u0000b\":1,\"a\":2}");
	limen_path *path = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_path_new("/a\0b", 4, &path), LIMEN_OK);
	CU_ASSERT_TRUE(prints_as(limen_value_find(document_root(doc), path), "1"));
	limen_path_free(path);
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the examples of RFC 6901", test_rfc },
		{ "tokens are indexes of arrays and keys of objects", test_tokens },
		{ "malformed pointers are refused", test_malformed },
		{ "a path remembers its text", test_text },
		{ "keys may hold a NUL", test_nul },
		{ NULL, NULL },
	};

	return suite_run("core/path", tests);
}
