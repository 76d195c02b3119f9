/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "documents.h"
#include "document/value_repr.h"

static void
check_repr(const char *json, const char *expected)
{
	document *doc = read_literal(json);
	strbuf out = STRBUF_INIT;
	char *text;

	value_repr(&out, document_root(doc));
	text = strbuf_steal(&out, NULL);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
	document_unref(doc);
}

/* What repr(float(text)) gives in Python 3.11. */
static void
test_reals(void)
{
	static const struct {
		const char *text, *printed;
	} cases[] = {
		{ "0.0", "0.0" },
		{ "-0.0", "-0.0" },
		{ "1.0", "1.0" },
		{ "-1.0", "-1.0" },
		{ "1.5", "1.5" },
		{ "0.1", "0.1" },
		{ "0.2", "0.2" },
		{ "100.0", "100.0" },
		{ "123456.789", "123456.789" },
		{ "0.001", "0.001" },
		{ "0.0001", "0.0001" },
		{ "0.00012", "0.00012" },
		{ "0.00001", "1e-05" },
		{ "1e-5", "1e-05" },
		{ "1.5e-7", "1.5e-07" },
		{ "1e15", "1000000000000000.0" },
		{ "1e16", "1e+16" },
		{ "1.0e16", "1e+16" },
		{ "9999999999999998.0", "9999999999999998.0" },
		{ "12345678901234567.0", "1.2345678901234568e+16" },
		{ "1e17", "1e+17" },
		{ "1e21", "1e+21" },
		{ "1e22", "1e+22" },
		{ "1e23", "1e+23" },
		{ "1.7976931348623157e308", "1.7976931348623157e+308" },
		{ "2.2250738585072014e-308", "2.2250738585072014e-308" },
		{ "5e-324", "5e-324" },
		{ "4.9e-324", "5e-324" },
		{ "1e400", "inf" },
		{ "-1e400", "-inf" },
		{ "0.30000000000000004", "0.30000000000000004" },
		{ "2.5e20", "2.5e+20" },
		{ "1E5", "100000.0" },
		{ "1e0", "1.0" },
		{ "1e3", "1000.0" },
		{ "123e-2", "1.23" },
		{ "9007199254740993.0", "9007199254740992.0" },
		{ "9.5367431640625e-07", "9.5367431640625e-07" },
		{ "5.684341886080802e-14", "5.684341886080802e-14" },
		{ "1e100", "1e+100" },
		{ "1.1e-10", "1.1e-10" },
		{ "3.141592653589793", "3.141592653589793" },
		{ "1e-4", "0.0001" },
		{ "9.999e-5", "9.999e-05" },
		{ "123456789012345.6", "123456789012345.6" },
		{ "0.1e-3", "0.0001" },
		{ "1e+1", "10.0" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_repr(cases[i].text, cases[i].printed);
	check_repr("[NaN,Infinity,-Infinity]", "[nan, inf, -inf]");
}

/* What repr(json.loads(text)) gives in Python 3.11. */
static void
test_values(void)
{
	static const struct {
		const char *text, *printed;
	} cases[] = {
		{ "null", "None" },
		{ "[true,false]", "[True, False]" },
		{ "0", "0" },
		{ "-0", "0" },
		{ "-17", "-17" },
		{ "123456789012345678901234567890", "123456789012345678901234567890" },
		{ "[]", "[]" },
		{ "{}", "{}" },
		{ "[1,\"a\",[null],{}]", "[1, 'a', [None], {}]" },
		{ "{\"a\":1,\"b\":{\"c\":\"it's\"}}", "{'a': 1, 'b': {'c': \"it's\"}}" },
		{ "\"\"", "''" },
		{ "\"a\"", "'a'" },
		{ "\"it's\"", "\"it's\"" },
		{ "\"say \\\"x\\\"\"", "'say \"x\"'" },
		{ "\"'\\\"\"", "'\\'\"'" },
		{ "\"a\\\\b\"", "'a\\\\b'" },
		{ "\"\\n\\r\\t\\b\\u0000\\u001f\\u007f\"", "'\\n\\r\\t\\x08\\x00\\x1f\\x7f'" },
		{ "\"\\u0080\\u00a0\\u00a1\\u00ad\"", "'\\x80\\xa0\xC2\xA1\\xad'" },
		{ "\"\\u00e9\\u65e5\\ud83d\\ude00\"", "'\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80'" },
		{ "\"\\u200b\\u2028\\u3000\\ufeff\"", "'\\u200b\\u2028\\u3000\\ufeff'" },
		{ "\"\\ue000\\udb80\\udc00\"", "'\\ue000\\U000f0000'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_repr(cases[i].text, cases[i].printed);
}

static void
test_str(void)
{
	document *doc = read_literal("[\"it's\\n\",[\"x\"],1.0]");
	strbuf out = STRBUF_INIT;
	char *text;

	for (size_t i = 0; i < 3; i++)
		value_str(&out, limen_value_at(document_root(doc), i));
	value_repr(&out, limen_value_none());
	text = strbuf_steal(&out, NULL);
	CU_ASSERT_STRING_EQUAL(text, "it's\n['x']1.0");
	free(text);
	document_unref(doc);
}

static void
test_not_utf8(void)
{
	strbuf out = STRBUF_INIT;
	char *text;

	value_repr_string(&out, "a\xFF\xC3", 3);
	text = strbuf_steal(&out, NULL);
	CU_ASSERT_STRING_EQUAL(text, "'a\\xff\\xc3'");
	free(text);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "floats as Python prints them", test_reals },
		{ "values as Python prints them", test_values },
		{ "str() leaves strings as they are", test_str },
		{ "bytes that are no UTF-8 are escaped", test_not_utf8 },
		{ NULL, NULL },
	};

	return suite_run("core/value_repr", tests);
}
