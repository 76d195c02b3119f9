/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "reader/yaml_tree.h"

static yaml_node *
add_scalar(yaml_tree *tree, const char *text)
{
	yaml_node *at = yaml_tree_add(tree, YAML_SCALAR, 0);

	at->text = text;
	at->length = (uint32_t)strlen(text);
	at->plain = true;
	return at;
}

static void
test_layout(void)
{
	yaml_tree tree = YAML_TREE_INIT;

	CU_ASSERT_FALSE(yaml_tree_wants_key(&tree));
	CU_ASSERT_EQUAL(yaml_tree_add(&tree, YAML_MAPPING, 7)->offset, 7);
	CU_ASSERT_TRUE(yaml_tree_wants_key(&tree));
	CU_ASSERT_TRUE(add_scalar(&tree, "a")->key);
	CU_ASSERT_FALSE(yaml_tree_wants_key(&tree));
	CU_ASSERT_FALSE(yaml_tree_add(&tree, YAML_SEQUENCE, 0)->key);
	CU_ASSERT_FALSE(add_scalar(&tree, "b")->key);
	CU_ASSERT_EQUAL(tree.nodes[2].span, 0);
	yaml_tree_end(&tree);
	CU_ASSERT_EQUAL(tree.nodes[2].span, 2);
	CU_ASSERT_TRUE(add_scalar(&tree, "c")->key);
	CU_ASSERT_FALSE(add_scalar(&tree, "d")->key);
	yaml_tree_end(&tree);
	CU_ASSERT_EQUAL(tree.nodes[0].span, 6);
	CU_ASSERT_EQUAL(tree.depth, 0);
	yaml_tree_reset(&tree);
	CU_ASSERT_EQUAL(tree.count, 0);
	yaml_tree_free(&tree);
}

static void
test_anchors(void)
{
	yaml_tree tree = YAML_TREE_INIT;
	char name[16];

	yaml_tree_add(&tree, YAML_SEQUENCE, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		add_scalar(&tree, "x");
		snprintf(name, sizeof(name), "n%u", (unsigned)(i % 500));
		CU_ASSERT_TRUE(yaml_tree_set_anchor(&tree, name, strlen(name)));
	}
	for (uint32_t i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "n%u", (unsigned)i);
		CU_ASSERT_EQUAL(yaml_tree_find_anchor(&tree, name, strlen(name)), 501 + i);
	}
	CU_ASSERT_EQUAL(yaml_tree_find_anchor(&tree, "n", 1), UINT32_MAX);
	CU_ASSERT_EQUAL(yaml_tree_find_anchor(&tree, "", 0), UINT32_MAX);
	yaml_tree_reset(&tree);
	CU_ASSERT_EQUAL(yaml_tree_find_anchor(&tree, "n1", 2), UINT32_MAX);
	yaml_tree_free(&tree);
}

static void
test_merge_keys(void)
{
	static const struct {
		const char *text;
		bool plain;
		yaml_tag tag;
		bool merge;
	} cases[] = {
		{ "<<", true, YAML_TAG_NONE, true },   { "<<", false, YAML_TAG_NONE, false },
		{ "<<", true, YAML_TAG_TEXT, false },  { "<<", false, YAML_TAG_MERGE, true },
		{ "x", true, YAML_TAG_MERGE, true },   { "<", true, YAML_TAG_NONE, false },
		{ "<<<", true, YAML_TAG_NONE, false }, { "", true, YAML_TAG_NONE, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		yaml_node key = { .kind = YAML_SCALAR,
			          .tag = (uint8_t)cases[i].tag,
			          .plain = cases[i].plain,
			          .length = (uint32_t)strlen(cases[i].text),
			          .text = cases[i].text };

		CU_ASSERT_EQUAL(yaml_node_is_merge(&key), cases[i].merge);
	}
}

static void
test_repeated(void)
{
	static const char *const keys[] = { "a", "b", "a", "", "<<", "ab", "", "a", "<<", "c" };
	static const bool repeated[] = { true, false, true, true, false, false, false, false,
		                         false, false };
	yaml_tree tree = YAML_TREE_INIT;

	yaml_tree_add(&tree, YAML_MAPPING, 0);
	for (size_t i = 0; i < 10; i++) {
		add_scalar(&tree, keys[i]);
		add_scalar(&tree, "a");
	}
	yaml_tree_end(&tree);
	CU_ASSERT_TRUE(yaml_tree_mark_repeated(&tree));
	for (size_t i = 0; i < 10; i++) {
		CU_ASSERT_EQUAL(tree.nodes[1 + 2 * i].repeated, repeated[i]);
		CU_ASSERT_FALSE(tree.nodes[2 + 2 * i].repeated);
	}
	yaml_tree_free(&tree);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "nodes and what they span", test_layout },
		{ "anchors, of which the last of a name counts", test_anchors },
		{ "merge keys", test_merge_keys },
		{ "repeated keys", test_repeated },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_tree", tests);
}
