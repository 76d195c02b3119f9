/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include "document/object_members.h"

#define MEMBERS_MAX 64

/* Fills 'nodes' with an object whose keys are the characters of 'keys'. */
static void
fill_object(node nodes[2 * MEMBERS_MAX + 1], char texts[MEMBERS_MAX][2], const char *keys)
{
	uint32_t count = (uint32_t)strlen(keys);

	nodes[0] = (node){ .type = LIMEN_TYPE_OBJECT, .length = count, .span = 2 * count + 1 };
	for (uint32_t i = 0; i < count; i++) {
		texts[i][0] = keys[i];
		texts[i][1] = '\0';
		nodes[2 * i + 1] = (node){ .type = LIMEN_TYPE_STRING, .length = 1, .span = 1,
			.text = texts[i] };
		nodes[2 * i + 2] = (node){ .type = LIMEN_TYPE_NULL, .span = 1 };
	}
}

/* Writes the keys that still count, in order. */
static void
check_live(const char *keys, bool comments, const char *expected)
{
	node nodes[2 * MEMBERS_MAX + 1];
	char texts[MEMBERS_MAX][2];
	char live[MEMBERS_MAX + 1] = "";

	fill_object(nodes, texts, keys);
	CU_ASSERT_TRUE(object_hide_members(nodes, comments));
	for (size_t i = 0; i < strlen(keys); i++) {
		if ((nodes[2 * i + 1].flags & NODE_DEAD) == 0)
			strcat(live, texts[i]);
	}
	CU_ASSERT_STRING_EQUAL(live, expected);
	CU_ASSERT_EQUAL(nodes[0].length, strlen(expected));
}

static void
test_table(void)
{
	static const struct {
		const char *keys;
		bool comments;
		const char *live;
	} cases[] = {
		{ "", false, "" },
		{ "a", false, "a" },
		{ "ab", false, "ab" },
		{ "aa", false, "a" },
		{ "aba", false, "ba" },
		{ "aabb", false, "ab" },
		{ "abcabcabc", false, "abc" },
		{ "#a#", false, "a#" },
		{ "#a#", true, "a" },
		{ "###", true, "" },
		{ "a#a#a", true, "a" },
		{ "abcdefghijklmnop", false, "abcdefghijklmnop" },
		{ "abcdefghijklmnoa", false, "bcdefghijklmnoa" },
		{ "abcdefghijklmnopq", false, "abcdefghijklmnopq" },
		{ "abcdefghijklmnopa", false, "bcdefghijklmnopa" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaa", false, "a" },
		{ "#aaaaaaaaaa#bbbbbbbbbbbbb#", true, "ab" },
		{ "#aaaaaaaaaa#bbbbbbbbbbbbb#", false, "ab#" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_live(cases[i].keys, cases[i].comments, cases[i].live);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the last member of a name counts, comments on demand", test_table },
		{ NULL, NULL },
	};

	return suite_run("core/object_members", tests);
}
