/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/builder.h>
#include <math.h>

#include "documents.h"
#include "fail_malloc.h"

static void
test_every_type(void)
{
	document *other = read_literal("{\"a\": [1.50, {\"b\": null}]}");
	limen_builder *build = limen_builder_new();

	limen_builder_object(build, NULL);
	limen_builder_string(build, "s", "a\0b\"", 4);
	limen_builder_string(build, "empty", NULL, 0);
	limen_builder_text(build, "text", "a\n\"b\"\x80");
	limen_builder_text(build, "none", NULL);
	limen_builder_int(build, "least", INT64_MIN);
	limen_builder_int(build, "most", INT64_MAX);
	limen_builder_real(build, "r", 0.1);
	limen_builder_real(build, "whole", 3);
	limen_builder_real(build, "huge", 1e300);
	limen_builder_array(build, "list");
	limen_builder_bool(build, NULL, true);
	limen_builder_bool(build, NULL, false);
	limen_builder_null(build, NULL);
	limen_builder_object(build, NULL);
	limen_builder_end(build);
	limen_builder_end(build);
	limen_builder_value(build, "copy", find_value(other, "/a"));
	limen_builder_int(build, "twice", 1);
	limen_builder_int(build, "twice", 2);
	limen_builder_end(build);
	document_unref(other);
	CU_ASSERT_TRUE(prints_as(limen_builder_finish(build),
	                         "{\"s\":\"a\\u0000b\\\"\",\"empty\":\"\","
	                         "\"text\":\"a\\n\\\"b\\\"\xEF\xBF\xBD\",\"none\":null,"
	                         "\"least\":-9223372036854775808,\"most\":9223372036854775807,"
	                         "\"r\":0.1,\"whole\":3.0,\"huge\":1e+300,"
	                         "\"list\":[true,false,null,{}],\"copy\":[1.50,{\"b\":null}],"
	                         "\"twice\":2}"));
	limen_builder_free(build);
}

/* What was finished stays as it is. */
static void
test_finished(void)
{
	limen_builder *build = limen_builder_new();
	limen_value value;

	limen_builder_int(build, NULL, 1);
	value = limen_builder_finish(build);
	limen_builder_int(build, NULL, 2);
	limen_builder_end(build);
	CU_ASSERT_TRUE(prints_as(limen_builder_finish(build), "1"));
	CU_ASSERT_PTR_EQUAL(limen_builder_finish(build).node, value.node);
	limen_builder_free(build);
}

/* One letter a call: what it adds, under a key or not. */
static void
add(limen_builder *build, char call)
{
	const char *key = call >= 'A' && call <= 'Z' ? "k" : NULL;

	switch (call | 0x20) {
	case 'o':
		limen_builder_object(build, key);
		break;
	case 'a':
		limen_builder_array(build, key);
		break;
	case 'e':
		limen_builder_end(build);
		break;
	case 's':
		limen_builder_string(build, key, "s", 1);
		break;
	case 'b':
		limen_builder_bool(build, key, true);
		break;
	case 'i':
		limen_builder_int(build, key, 1);
		break;
	case 'x':
		limen_builder_string(build, key, "\xFF", 1);
		break;
	case 'm':
		limen_builder_string(build, key, NULL, 1);
		break;
	case 'r':
		limen_builder_real(build, key, INFINITY);
		break;
	case 'n':
		limen_builder_real(build, key, NAN);
		break;
	case 'v':
		limen_builder_value(build, key, limen_value_none());
		break;
	default: /* "#" */
		limen_builder_null(build, "caf\xC3");
	}
}

static void
test_failures(void)
{
	static const struct {
		const char *calls;
		const char *json; /* NULL: none */
	} cases[] = {
		{ "i", "1" },
		{ "oe", "{}" },
		{ "oSIe", "{\"k\":1}" },
		{ "aoBeie", "[{\"k\":true},1]" },
		{ "", NULL },
		{ "ii", NULL },
		{ "o", NULL },
		{ "oee", NULL },
		{ "e", NULL },
		{ "I", NULL },
		{ "aIe", NULL },
		{ "oie", NULL },
		{ "ose", NULL },
		{ "oOee", "{\"k\":{}}" },
		{ "oae", NULL },
		{ "o#e", "{\"caf\xEF\xBF\xBD\":null}" },
		{ "oXe", NULL },
		{ "x", NULL },
		{ "m", NULL },
		{ "r", NULL },
		{ "n", NULL },
		{ "v", NULL },
		{ "avie", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_builder *build = limen_builder_new();
		limen_value value;

		for (const char *call = cases[i].calls; *call != '\0'; call++)
			add(build, *call);
		value = limen_builder_finish(build);
		if (cases[i].json == NULL ? limen_value_exists(value)
		                          : !prints_as(value, cases[i].json))
			CU_FAIL(cases[i].calls);
		limen_builder_free(build);
	}
}

/* The deepest that is built, and one more. */
static void
test_depth(void)
{
	for (size_t depth = DOCUMENT_DEPTH_MAX; depth <= DOCUMENT_DEPTH_MAX + 1; depth++) {
		limen_builder *build = limen_builder_new();

		for (size_t i = 0; i < depth; i++)
			limen_builder_array(build, NULL);
		for (size_t i = 0; i < depth; i++)
			limen_builder_end(build);
		CU_ASSERT_EQUAL(limen_value_exists(limen_builder_finish(build)),
		                depth == DOCUMENT_DEPTH_MAX);
		limen_builder_free(build);
	}
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_builder *build;
		limen_value value;

		fail_malloc_once(n);
		build = limen_builder_new();
		limen_builder_object(build, NULL);
		for (int i = 0; i < 40; i++)
			limen_builder_real(build, "k", 0.25 * i);
		limen_builder_end(build);
		value = limen_builder_finish(build);
		failed = fail_malloc_stop();
		CU_ASSERT(failed || limen_value_exists(value));
		CU_ASSERT(!limen_value_exists(value) || prints_as(value, "{\"k\":9.75}"));
		limen_builder_free(build);
	}
}

/* A kept value holds nothing of the document it came from. */
static void
test_keep(void)
{
	document *doc = read_literal("{\"a\": [1.0, {\"a\": 1, \"a\": \"x\"}], \"b\": 2}");
	limen_value kept = limen_value_keep(find_value(doc, "/a"));
	limen_value again = limen_value_keep(kept);

	document_unref(doc);
	CU_ASSERT_TRUE(prints_as(kept, "[1.0,{\"a\":\"x\"}]"));
	CU_ASSERT_PTR_NULL(value_place(limen_value_at(kept, 1)).file);
	limen_value_free(kept);
	CU_ASSERT_TRUE(prints_as(again, "[1.0,{\"a\":\"x\"}]"));
	limen_value_free(again);
	CU_ASSERT_FALSE(limen_value_exists(limen_value_keep(limen_value_none())));
	limen_value_free(limen_value_none());
}

static void
test_keep_no_memory(void)
{
	document *doc = read_literal("{\"a\": [1.0, {\"a\": \"x\"}]}");
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_value kept;

		fail_malloc_once(n);
		kept = limen_value_keep(document_root(doc));
		failed = fail_malloc_stop();
		CU_ASSERT_TRUE(failed || limen_value_exists(kept));
		limen_value_free(kept);
	}
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every type", test_every_type },
		{ "a finished value does not change", test_finished },
		{ "failures are remembered to the end", test_failures },
		{ "depth", test_depth },
		{ "memory is short at any step", test_no_memory },
		{ "a kept value outlives its document", test_keep },
		{ "memory is short for a kept value", test_keep_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/value_builder", tests);
}
