/* SPDX-License-Identifier: Apache-2.0 */
#include "documents.h"
#include "suite.h"
#include "document/tree_hash.h"

static bool
same_hash(const document *a, const document *b)
{
	hash_key key = hash_key_new();
	tree_hash left, right;
	bool same;

	CU_ASSERT_TRUE_FATAL(tree_hash_open(&left, document_root(a), &key));
	CU_ASSERT_TRUE_FATAL(tree_hash_open(&right, document_root(b), &key));
	same = tree_hash_get(&left, document_root(a)) == tree_hash_get(&right, document_root(b));
	tree_hash_close(&left);
	tree_hash_close(&right);
	return same;
}

static void
test_pairs(void)
{
	static const struct {
		const char *a, *b;
		bool same;
	} cases[] = {
		{ "1", "1.0", true },
		{ "1", "10e-1", true },
		{ "0", "-0.0", true },
		{ "1", "2", false },
		{ "1", "\"1\"", false },
		{ "123456789012345678901234567890", "123456789012345678901234567890", true },
		{ "null", "false", false },
		{ "true", "false", false },
		{ "NaN", "NaN", true },
		{ "\"\"", "\"a\"", false },
		{ "[]", "{}", false },
		{ "[]", "null", false },
		{ "[1,2]", "[2,1]", false },
		{ "[1]", "[1,1]", false },
		{ "[[],1]", "[[1]]", false },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
		{ "{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false },
		{ "{\"a\":0,\"a\":1}", "{\"a\":1}", true },
		{ "{\"a\":{}}", "{\"a\":[]}", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *a = read_literal(cases[i].a);
		document *b = read_literal(cases[i].b);

		CU_ASSERT_EQUAL(same_hash(a, b), cases[i].same);
		document_unref(a);
		document_unref(b);
	}
}

static void
test_random(void)
{
	uint64_t state = 3;

	for (int i = 0; i < 2000; i++) {
		document *a = make_random(&state);
		document *b = make_random(&state);
		bool equal = limen_value_equal(document_root(a), document_root(b));

		CU_ASSERT_EQUAL(same_hash(a, b), equal);
		CU_ASSERT_TRUE(same_hash(a, a));
		document_unref(a);
		document_unref(b);
	}
}

/* A part of a document hashes like that part on its own. */
static void
test_part(void)
{
	document *whole = read_literal("[0,{\"a\":[1,2]},[1,2]]");
	document *part = read_literal("[1,2]");
	hash_key key = hash_key_new();
	tree_hash tree, other;

	CU_ASSERT_TRUE_FATAL(tree_hash_open(&tree, find_value(whole, "/1"), &key));
	CU_ASSERT_TRUE_FATAL(tree_hash_open(&other, document_root(part), &key));
	CU_ASSERT_EQUAL(tree_hash_get(&tree, find_value(whole, "/1/a")),
	                tree_hash_get(&other, document_root(part)));
	tree_hash_close(&tree);
	tree_hash_close(&other);
	document_unref(whole);
	document_unref(part);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "pairs of values", test_pairs },
		{ "random documents against limen_value_equal()", test_random },
		{ "part of a document", test_part },
		{ NULL, NULL },
	};

	return suite_run("core/tree_hash", tests);
}
