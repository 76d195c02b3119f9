/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <jansson.h>
#include <stdio.h>

#include "documents.h"

static const struct {
	const char *a, *b;
	bool equal;
} pairs[] = {
	{ "null", "null", true },
	{ "null", "false", false },
	{ "true", "true", true },
	{ "true", "false", false },
	{ "1", "true", false },
	{ "0", "false", false },
	{ "1", "\"1\"", false },
	{ "1", "1.0", true },
	{ "1000", "1e3", true },
	{ "0", "-0", true },
	{ "0", "-0.0e7", true },
	{ "1", "2", false },
	{ "9223372036854775807", "9223372036854775806", false },
	{ "9223372036854775807", "9223372036854775807.0", true },
	{ "9007199254740993", "9007199254740992.0", false },
	{ "18446744073709551616", "18446744073709551616", true },
	{ "18446744073709551616", "18446744073709551617", false },
	{ "18446744073709551616", "1.8446744073709551616e19", true },
	{ "18446744073709551616", "-18446744073709551616.0", false },
	{ "18446744073709551616", "NaN", false },
	{ "18446744073709551617", "18446744073709551616.0", false },
	{ "18446744073709551617", "18446744073709551617.00", true },
	{ "18446744073709551617", "18446744073709551617.01", false },
	{ "18446744073709551617", "0.0018446744073709551617e22", true },
	{ "18446744073709551617", "1.8446744073709551617e18", false },
	{ "-18446744073709551617", "-184467440737095516170e-1", true },
	{ "-18446744073709551617", "-18446744073709551618e0", false },
	{ "0.1", "0.10", true },
	{ "0.1", "1e-1", true },
	{ "0.1", "0.2", false },
	{ "1e400", "1e401", true }, /* both are infinite as doubles */
	{ "1", "1e400", false },
	{ "NaN", "NaN", true },
	{ "NaN", "1.5", false },
	{ "Infinity", "-Infinity", false },
	{ "\"a\"", "\"a\"", true },
	{ "\"a\"", "\"\\u0061\"", true },
	{ "\"a\"", "\"a\\u0000\"", false },
	{ "\"a\"", "\"A\"", false },
	{ "[]", "{}", false },
	{ "[]", "[]", true },
	{ "[1,2]", "[2,1]", false },
	{ "[1,2]", "[1,2,3]", false },
	{ "[1,[2,{}]]", "[1,[2,{}]]", true },
	{ "{}", "{\"a\":null}", false },
	{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
	{ "{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false },
	{ "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false },
	{ "{\"a\":0,\"b\":2,\"a\":1}", "{\"a\":1,\"b\":9,\"b\":2}", true },
	{ "{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"a\":1,\"b\":2}", true },
	{ "{\"a\":{\"x\":[1]}}", "{\"a\":{\"x\":[1.0]}}", true },
};

static void
test_pairs(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		document *a = read_literal(pairs[i].a);
		document *b = read_literal(pairs[i].b);

		CU_ASSERT_EQUAL(limen_value_equal(document_root(a), document_root(b)),
		                pairs[i].equal);
		CU_ASSERT_EQUAL(limen_value_equal(document_root(b), document_root(a)),
		                pairs[i].equal);
		CU_ASSERT_TRUE(limen_value_equal(document_root(a), document_root(a)));
		CU_ASSERT_FALSE(limen_value_equal(document_root(a), limen_value_none()));
		document_unref(a);
		document_unref(b);
	}
	CU_ASSERT_TRUE(limen_value_equal(limen_value_none(), limen_value_none()));
}

/* An object of 'count' members, each from 'first' on in steps of 'step'. */
static document *
make_object(uint32_t count, uint32_t first, uint32_t step)
{
	builder *build = builder_new();
	char key[16];

	builder_begin_object(build, ORIGIN_NONE, 0);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t at = (first + (uint64_t)i * step) % count;
		int length = snprintf(key, sizeof(key), "%u", (unsigned)at);

		builder_string(build, ORIGIN_NONE, 0, key, (size_t)length);
		builder_number(build, ORIGIN_NONE, 0, key, (size_t)length);
	}
	builder_end(build);
	return builder_finish(build);
}

/* Large objects in different orders; slow if each member were searched for. */
static void
test_large_objects(void)
{
	static const uint32_t counts[] = { 15, 16, 17, 18, 101, 200003 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint32_t count = counts[i];
		document *a = make_object(count, 0, 1);
		document *shifted = make_object(count, count / 2, 1);
		document *reversed = make_object(count, count - 1, count - 1);

		CU_ASSERT_PTR_NOT_NULL_FATAL(a);
		CU_ASSERT_TRUE(limen_value_equal(document_root(a), document_root(shifted)));
		CU_ASSERT_TRUE(limen_value_equal(document_root(reversed), document_root(a)));
		document_unref(a);
		document_unref(shifted);
		document_unref(reversed);
	}
}

static json_t *
parse_with_jansson(const document *doc)
{
	char *text = limen_value_to_json(document_root(doc), 0, NULL);
	json_t *parsed = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

	free(text);
	return parsed;
}

static void
test_against_jansson(void)
{
	uint64_t state = 7;
	size_t equal = 0;

	for (int i = 0; i < 4000; i++) {
		document *a = make_random(&state);
		document *b = i % 3 == 0 ? document_ref(a) : make_random(&state);
		json_t *theirs_a = parse_with_jansson(a);
		json_t *theirs_b = parse_with_jansson(b);

		if (theirs_a != NULL && theirs_b != NULL) {
			bool same = limen_value_equal(document_root(a), document_root(b));

			/* jansson tells 1 and 1.0 apart, so only one direction can be compared. */
			CU_ASSERT_TRUE(same || json_equal(theirs_a, theirs_b) == 0);
			equal += same ? 1 : 0;
		}
		json_decref(theirs_a);
		json_decref(theirs_b);
		document_unref(a);
		document_unref(b);
	}
	CU_ASSERT_TRUE(equal > 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "pairs of values", test_pairs },
		{ "large objects in any order", test_large_objects },
		{ "what jansson finds equal is equal", test_against_jansson },
		{ NULL, NULL },
	};

	return suite_run("core/value_equal", tests);
}
