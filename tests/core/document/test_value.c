/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <math.h>

#include "documents.h"

static void
test_types(void)
{
	static const struct {
		const char *text;
		limen_type type;
		size_t count;
	} cases[] = {
		{ "null", LIMEN_TYPE_NULL, 0 },
		{ "true", LIMEN_TYPE_BOOL, 0 },
		{ "0", LIMEN_TYPE_INTEGER, 0 },
		{ "-12", LIMEN_TYPE_INTEGER, 0 },
		{ "1.0", LIMEN_TYPE_REAL, 0 },
		{ "1e3", LIMEN_TYPE_REAL, 0 },
		{ "NaN", LIMEN_TYPE_REAL, 0 },
		{ "-Infinity", LIMEN_TYPE_REAL, 0 },
		{ "\"abc\"", LIMEN_TYPE_STRING, 0 },
		{ "[]", LIMEN_TYPE_ARRAY, 0 },
		{ "[1,[2,3]]", LIMEN_TYPE_ARRAY, 2 },
		{ "{}", LIMEN_TYPE_OBJECT, 0 },
		{ "{\"a\":1,\"b\":2,\"a\":3}", LIMEN_TYPE_OBJECT, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *doc = read_literal(cases[i].text);

		CU_ASSERT_EQUAL(limen_value_type(document_root(doc)), cases[i].type);
		CU_ASSERT_EQUAL(limen_value_count(document_root(doc)), cases[i].count);
		CU_ASSERT_TRUE(limen_value_exists(document_root(doc)));
		document_unref(doc);
	}
}

/* Every function finds nothing in "nothing there", and stores nothing. */
static void
test_none(void)
{
	limen_value none = limen_value_none();
	limen_iter iter = limen_iter_start(none);
	limen_path *path;
	bool truth = true;
	int64_t whole = 7;
	double real = 7;
	size_t length = 7;

	CU_ASSERT_EQUAL(limen_value_type(none), LIMEN_TYPE_NONE);
	CU_ASSERT_FALSE(limen_value_exists(none));
	CU_ASSERT_FALSE(limen_value_bool(none, &truth));
	CU_ASSERT_FALSE(limen_value_int(none, &whole));
	CU_ASSERT_FALSE(limen_value_real(none, &real));
	CU_ASSERT_PTR_NULL(limen_value_string(none, &length));
	CU_ASSERT_PTR_NULL(limen_value_number(none, &length));
	CU_ASSERT_FALSE(limen_value_is(none, ""));
	CU_ASSERT_EQUAL(limen_value_count(none), 0);
	CU_ASSERT_FALSE(limen_value_exists(limen_value_get(none, "a")));
	CU_ASSERT_FALSE(limen_value_exists(limen_value_at(none, 0)));
	CU_ASSERT_FALSE(limen_iter_next(&iter, NULL, NULL));
	CU_ASSERT_EQUAL_FATAL(limen_path_new("/a", 2, &path), LIMEN_OK);
	CU_ASSERT_FALSE(limen_value_exists(limen_value_find(none, path)));
	CU_ASSERT_TRUE(truth && whole == 7 && real == 7.0 && length == 7);
	limen_path_free(path);
}

/* No accessor converts: each answers for its own type only. */
static void
test_wrong_types(void)
{
	static const char *const texts[] = { "null", "true", "1.5", "\"1\"", "[1]", "{\"a\":1}" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		document *doc = read_literal(texts[i]);
		limen_value root = document_root(doc);
		limen_type type = limen_value_type(root);
		bool truth = false;
		int64_t whole = 0;
		double real = 0;

		CU_ASSERT_EQUAL(limen_value_bool(root, &truth), type == LIMEN_TYPE_BOOL);
		CU_ASSERT_EQUAL(limen_value_real(root, &real), type == LIMEN_TYPE_REAL);
		CU_ASSERT_FALSE(limen_value_int(root, &whole));
		CU_ASSERT_EQUAL(limen_value_string(root, NULL) != NULL, type == LIMEN_TYPE_STRING);
		CU_ASSERT_EQUAL(limen_value_number(root, NULL) != NULL, type == LIMEN_TYPE_REAL);
		CU_ASSERT_EQUAL(limen_value_exists(limen_value_at(root, 0)),
		                type == LIMEN_TYPE_ARRAY);
		CU_ASSERT_EQUAL(limen_value_exists(limen_value_get(root, "a")),
		                type == LIMEN_TYPE_OBJECT);
		document_unref(doc);
	}
}

static void
test_scalars(void)
{
	document *doc = read_literal("[true,false,1e3,-7,0.5,\"a\\u0000b\",1.50]");
	limen_value root = document_root(doc);
	limen_value text = limen_value_at(root, 5);
	bool truth = false;
	int64_t whole = 0;
	double real = 0;
	size_t length = 0;

	CU_ASSERT_TRUE(limen_value_bool(limen_value_at(root, 0), &truth) && truth);
	CU_ASSERT_TRUE(limen_value_bool(limen_value_at(root, 1), &truth) && !truth);
	CU_ASSERT_TRUE(limen_value_int(limen_value_at(root, 2), &whole) && whole == 1000);
	CU_ASSERT_TRUE(limen_value_int(limen_value_at(root, 3), &whole) && whole == -7);
	CU_ASSERT_TRUE(limen_value_real(limen_value_at(root, 3), &real) && real == -7.0);
	CU_ASSERT_TRUE(limen_value_real(limen_value_at(root, 4), &real) && real == 0.5);
	CU_ASSERT_EQUAL(memcmp(limen_value_string(text, &length), "a\0b", 4), 0);
	CU_ASSERT_EQUAL(length, 3);
	CU_ASSERT_FALSE(limen_value_is(text, "a"));
	CU_ASSERT_EQUAL(strncmp(limen_value_number(limen_value_at(root, 6), &length), "1.50", 4),
	                0);
	CU_ASSERT_EQUAL(length, 4);
	document_unref(doc);
}

static void
test_members(void)
{
	document *doc = read_literal("{\"a\":1,\"b\":{\"a\":2},\"a\":3,\"\":4,\"a\\u0000x\":5}");
	limen_value root = document_root(doc);
	int64_t whole = 0;

	CU_ASSERT_TRUE(limen_value_int(limen_value_get(root, "a"), &whole) && whole == 3);
	CU_ASSERT_TRUE(limen_value_int(limen_value_get(root, ""), &whole) && whole == 4);
	CU_ASSERT_TRUE(limen_value_int(limen_value_member(root, "a\0x", 3), &whole));
	CU_ASSERT_EQUAL(whole, 5);
	CU_ASSERT_FALSE(limen_value_exists(limen_value_get(root, "c")));
	CU_ASSERT_FALSE(limen_value_exists(limen_value_member(root, "ab", 2)));
	CU_ASSERT_TRUE(limen_value_int(limen_value_get(limen_value_get(root, "b"), "a"), &whole));
	CU_ASSERT_EQUAL(whole, 2);
	document_unref(doc);
}

static void
test_elements(void)
{
	document *doc = read_literal("[[1,[2]],{\"k\":[]},3,[]]");
	limen_value root = document_root(doc);

	CU_ASSERT_TRUE(prints_as(limen_value_at(root, 0), "[1,[2]]"));
	CU_ASSERT_TRUE(prints_as(limen_value_at(root, 1), "{\"k\":[]}"));
	CU_ASSERT_TRUE(prints_as(limen_value_at(root, 2), "3"));
	CU_ASSERT_TRUE(prints_as(limen_value_at(root, 3), "[]"));
	CU_ASSERT_FALSE(limen_value_exists(limen_value_at(root, 4)));
	CU_ASSERT_FALSE(limen_value_exists(limen_value_at(root, SIZE_MAX)));
	document_unref(doc);
}

static void
test_iteration(void)
{
	document *doc = read_literal("{\"a\":[1,2],\"b\":0,\"a\":{\"x\":1},\"b\":3}");
	limen_iter iter = limen_iter_start(document_root(doc));
	limen_value key, member;

	CU_ASSERT_TRUE(limen_iter_next(&iter, &key, &member));
	CU_ASSERT_TRUE(limen_value_is(key, "a") && prints_as(member, "{\"x\":1}"));
	CU_ASSERT_TRUE(limen_iter_next(&iter, &key, &member));
	CU_ASSERT_TRUE(limen_value_is(key, "b") && prints_as(member, "3"));
	CU_ASSERT_FALSE(limen_iter_next(&iter, &key, &member));
	CU_ASSERT_FALSE(limen_iter_next(&iter, &key, &member));
	document_unref(doc);

	doc = read_literal("[[1],2]");
	iter = limen_iter_start(document_root(doc));
	CU_ASSERT_TRUE(limen_iter_next(&iter, &key, &member));
	CU_ASSERT_TRUE(!limen_value_exists(key) && prints_as(member, "[1]"));
	CU_ASSERT_TRUE(limen_iter_next(&iter, NULL, NULL));
	CU_ASSERT_FALSE(limen_iter_next(&iter, &key, &member));
	document_unref(doc);

	doc = read_literal("\"scalar\"");
	iter = limen_iter_start(document_root(doc));
	CU_ASSERT_FALSE(limen_iter_next(&iter, &key, &member));
	document_unref(doc);
}

/* Walking and asking one by one see the same members. */
static void
test_walk_agrees(void)
{
	uint64_t state = 42;

	for (int i = 0; i < 500; i++) {
		document *doc = make_random(&state);
		limen_value root = document_root(doc);
		limen_iter iter = limen_iter_start(root);
		limen_value key, member;
		size_t count = 0;

		while (limen_iter_next(&iter, &key, &member)) {
			size_t length = 0;
			const char *text = limen_value_string(key, &length);
			limen_value same = text == NULL ? limen_value_at(root, count) :
			                                  limen_value_member(root, text, length);

			CU_ASSERT_PTR_EQUAL(same.node, member.node);
			count++;
		}
		CU_ASSERT_EQUAL(count, limen_value_count(root));
		document_unref(doc);
	}
}

/* One walk finds what asking one by one does, keys of like lengths and dead ones too. */
static void
test_pick(void)
{
	static const char sixty_five[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	static const limen_key keys[] = {
		LIMEN_KEY("a"), LIMEN_KEY("b"), LIMEN_KEY(""), LIMEN_KEY("c"), LIMEN_KEY("ab"),
		{ sixty_five, sizeof(sixty_five) - 1 }, LIMEN_KEY("n\0l"),
	};
	static const char *const texts[] = {
		"{}", "[]", "1", "{\"b\": {\"a\": 1}}", "{\"a\": 1, \"b\": 2, \"a\": 3}",
		"{\"x\": [{}], \"ab\": {\"c\": 0}, \"\": 5, \"n\\u0000l\": 7, \"c\": null}",
		"{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\": 1, \"d\": 0}",
	};
	enum { COUNT = sizeof(keys) / sizeof(keys[0]) };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		document *doc = read_literal(texts[i]);
		limen_value found[COUNT];

		limen_value_pick(document_root(doc), keys, COUNT, found);
		for (size_t j = 0; j < COUNT; j++)
			CU_ASSERT_PTR_EQUAL(found[j].node,
			                    limen_value_member(document_root(doc), keys[j].text,
			                                       keys[j].length).node);
		limen_value_pick(limen_value_none(), keys, COUNT, found);
		for (size_t j = 0; j < COUNT; j++)
			CU_ASSERT_FALSE(limen_value_exists(found[j]));
		document_unref(doc);
	}
}

/* A key is found by all of its bytes, whichever of them differs and however long it is. */
static void
test_key_lengths(void)
{
	enum { MOST = 40 };

	for (size_t length = 1; length <= MOST; length++) {
		char text[MOST + sizeof("{\"\":1}")];
		char key[MOST];
		document *doc;

		memset(key, 'k', length);
		snprintf(text, sizeof(text), "{\"%.*s\":1}", (int)length, key);
		doc = read_literal(text);
		CU_ASSERT(limen_value_exists(limen_value_member(document_root(doc), key, length)));
		for (size_t i = 0; i < length; i++) {
			key[i] = 'K';
			CU_ASSERT_FALSE(limen_value_exists(
				limen_value_member(document_root(doc), key, length)));
			key[i] = 'k';
		}
		document_unref(doc);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every type is told from the others", test_types },
		{ "there is nothing in nothing", test_none },
		{ "accessors convert nothing", test_wrong_types },
		{ "scalars", test_scalars },
		{ "members are found by their whole key", test_members },
		{ "several members are found in one walk", test_pick },
		{ "every byte of a key counts", test_key_lengths },
		{ "elements are found by index", test_elements },
		{ "iteration skips overridden members", test_iteration },
		{ "walking agrees with asking", test_walk_agrees },
		{ NULL, NULL },
	};

	return suite_run("core/value", tests);
}
