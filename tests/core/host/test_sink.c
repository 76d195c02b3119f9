/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "suite.h"

/* The text of what 'fill' puts into a sink. */
static char *
print(void (*fill)(limen_sink *sink))
{
	limen_sink *sink = sink_new();
	document *made;
	char *text;
	size_t length;

	if (sink == NULL)
		return NULL;
	fill(sink);
	made = sink_finish(sink);
	if (made == NULL)
		return NULL;
	text = limen_value_to_json(document_root(made), 0, &length);
	document_unref(made);
	return text;
}

static void
check(void (*fill)(limen_sink *sink), const char *expected)
{
	char *text = print(fill);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
}

static void
fill_nothing(limen_sink *sink)
{
	(void)sink;
}

static void
fill_scalars(limen_sink *sink)
{
	limen_sink_bool(sink, "yes", true);
	limen_sink_bool(sink, "no", false);
	limen_sink_int(sink, "most", INT64_MAX);
	limen_sink_int(sink, "least", INT64_MIN);
	limen_sink_string(sink, "text", "a\n\"b\"");
	limen_sink_string(sink, "none", NULL);
	limen_sink_string(sink, "empty", "");
}

static void
fill_reals(limen_sink *sink)
{
	limen_sink_real(sink, "tenth", 0.1);
	limen_sink_real(sink, "whole", 3.0);
	limen_sink_real(sink, "small", 5e-324);
	limen_sink_real(sink, "large", 1.7976931348623157e308);
	limen_sink_real(sink, "nan", nan(""));
	limen_sink_real(sink, "infinite", INFINITY);
	limen_sink_real(sink, "negative", -INFINITY);
}

static void
fill_nested(limen_sink *sink)
{
	sink_begin(sink, "a");
	limen_sink_int(sink, "x", 1);
	sink_begin(sink, "b");
	sink_end(sink);
	sink_end(sink);
	limen_sink_int(sink, "x", 2);
}

static void
fill_unbalanced(limen_sink *sink)
{
	sink_end(sink);
	sink_begin(sink, "a");
	sink_begin(sink, "b");
}

static void
fill_repeated(limen_sink *sink)
{
	limen_sink_int(sink, "x", 1);
	limen_sink_int(sink, "x", 2);
}

static void
fill_broken_text(limen_sink *sink)
{
	limen_sink_string(sink, "a", "x\xFFy");
	limen_sink_string(sink, "b", "\xC3");
	limen_sink_string(sink, "c\x80", "ok");
}

static void
test_empty(void)
{
	check(fill_nothing, "{}");
}

static void
test_scalars(void)
{
	check(fill_scalars,
	      "{\"yes\":true,\"no\":false,\"most\":9223372036854775807,"
	      "\"least\":-9223372036854775808,\"text\":\"a\\n\\\"b\\\"\",\"none\":null,"
	      "\"empty\":\"\"}");
}

static void
test_reals(void)
{
	/* Where it is installed: a locale with a comma changes nothing. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	check(fill_reals,
	      "{\"tenth\":0.1,\"whole\":3.0,\"small\":5e-324,"
	      "\"large\":1.7976931348623157e+308,\"nan\":null,\"infinite\":null,"
	      "\"negative\":null}");
	setlocale(LC_ALL, "C");
}

static void
test_nested(void)
{
	check(fill_nested, "{\"a\":{\"x\":1,\"b\":{}},\"x\":2}");
	check(fill_unbalanced, "{\"a\":{\"b\":{}}}");
	check(fill_repeated, "{\"x\":2}");
}

static void
fill_json(limen_sink *sink)
{
	limen_sink_json(sink, "list", "[1, {\"a\": \"b\"}]");
	limen_sink_json(sink, "wrong", "[1");
	limen_sink_json(sink, "none", NULL);
}

static void
test_json(void)
{
	check(fill_json, "{\"list\":[1,{\"a\":\"b\"}],\"wrong\":null,\"none\":null}");
}

static void
test_broken_text(void)
{
	check(fill_broken_text, "{\"a\":\"x\xEF\xBF\xBDy\",\"b\":\"\xEF\xBF\xBD\","
	                        "\"c\xEF\xBF\xBD\":\"ok\"}");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "nothing reported is an empty object", test_empty },
		{ "booleans, integers and texts", test_scalars },
		{ "reals are exact, and null where JSON has no word", test_reals },
		{ "objects nest and always end", test_nested },
		{ "any value as JSON", test_json },
		{ "bytes that are not UTF-8 are replaced", test_broken_text },
		{ NULL, NULL },
	};

	return suite_run("core/sink", tests);
}
