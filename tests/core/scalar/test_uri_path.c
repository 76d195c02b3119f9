/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of URIs: one spelling for all that mean the same, none for those that servers disagree about. */
#include <string.h>

#include "scalar/scalar.h"
#include "suite.h"

/* Checks what becomes of 'path'; "" if servers disagree about it. */
static void
check(const char *path, const char *expected)
{
	char room[64];
	size_t size = uri_path_normalize(path, strlen(path), room);

	CU_ASSERT_EQUAL(size, strlen(expected));
	CU_ASSERT_EQUAL(memcmp(room, expected, size), 0);
	CU_ASSERT_TRUE(strcmp(path, expected) == 0 || uri_path_is_special(path, strlen(path)));
}

static void
test_spellings(void)
{
	static const char *const rows[][2] = {
		{ "/", "/" },
		{ "/a/b", "/a/b" },
		{ "/a/b/", "/a/b/" },
		{ "/%61/%7E%2d%5F%2e5", "/a/~-_.5" },
		{ "/a//b///", "/a/b/" },
		{ "/./a/./b/.", "/a/b/" },
		{ "/a/../b", "/b" },
		{ "/a/b/..", "/a/" },
		{ "/a/..", "/" },
		{ "/a//../b", "/b" },
		{ "/a/%2e%2E/b", "/b" },
		{ "/a/.../..b/c..", "/a/.../..b/c.." },
		{ "/.a", "/.a" },
		{ "/a%3a%20%25", "/a%3A%20%25" },
		{ "/a:b;c=d", "/a:b;c=d" },
		{ "/a%23b", "/a%23b" },
		{ "/%c3%A4", "/\xc3\xa4" },
		{ "/\xc3\xa4", "/\xc3\xa4" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(rows[i][0], rows[i][1]);
}

static void
test_ambiguous(void)
{
	static const char *const rows[] = {
		"/..", "/a/../..", "/%2e%2e/a", "/a%2Fb", "/a%2fb", "/a%5cb", "/a\\b", "/a#b", "/%00",
		"/\n", "/%1f", "/%7F", "/\x7f", "/%", "/%4", "/%zz", "/%ff", "/\xff", "/%c3", "a/./b",
		"%2fa", "",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(rows[i], "");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "spellings that mean the same are one", test_spellings },
		{ "what servers read in different ways is none", test_ambiguous },
		{ NULL, NULL },
	};

	return suite_run("core/uri_path", tests);
}
