/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "documents.h"
#include "quantity_case.h"
#include "suite.h"

static int
read_json(const char *json, limen_quantity *out, const char **why)
{
	document *doc = read_literal(json);
	int result = limen_quantity_from_value(document_root(doc), 0, out, why);

	document_unref(doc);
	return result;
}

static void
test_good(void)
{
	static const struct {
		const char *json;
		const char *text;
		limen_quantity_family family;
	} cases[] = {
		{ "null", "0", LIMEN_QUANTITY_NONE },
		{ "\"1\"", "1", LIMEN_QUANTITY_DECIMAL_SI },
		{ "\"100m\"", "100m", LIMEN_QUANTITY_DECIMAL_SI },
		{ "\"1.5Gi\"", "1536Mi", LIMEN_QUANTITY_BINARY_SI },
		{ "1", "1", LIMEN_QUANTITY_DECIMAL_SI },
		{ "0.5", "500m", LIMEN_QUANTITY_DECIMAL_SI },
		{ "1e3", "1e3", LIMEN_QUANTITY_EXPONENT },
		{ "1E+3", "1e3", LIMEN_QUANTITY_EXPONENT },
		{ "-0", "0", LIMEN_QUANTITY_DECIMAL_SI },
		{ " -1", "-1", LIMEN_QUANTITY_DECIMAL_SI },
		{ "0.1000000000000000055511151231257827", "100000001n", LIMEN_QUANTITY_DECIMAL_SI },
		{ "123456789012345678901234567890123456789012345",
		  "123456789012345678901234567890123456789012345", LIMEN_QUANTITY_DECIMAL_SI },
		/* Blanks around the text. */
		{ "\" 1\"", "1", LIMEN_QUANTITY_DECIMAL_SI },
		{ "\"  1Gi  \"", "1Gi", LIMEN_QUANTITY_BINARY_SI },
		{ "\"\302\240\343\200\2001\342\200\257\302\205\"", "1", LIMEN_QUANTITY_DECIMAL_SI },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity;

		CU_ASSERT_EQUAL_FATAL(read_json(cases[i].json, &quantity, NULL), LIMEN_OK);
		CU_ASSERT(quantity_prints(&quantity, cases[i].text));
		CU_ASSERT_EQUAL(limen_quantity_get_family(&quantity), cases[i].family);
		limen_quantity_clear(&quantity);
	}
}

static void
test_bad(void)
{
	static const char *const cases[] = { "\"\"", "\" \"", "\"1 Gi\"", "\"\\t1\"", "\"1\\n\"",
		"\"\\u00001\"", "\"\342\200\2131\"", "true", "false", "[]", "{}", "[\"1\"]",
		"\"null\"" };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity = read_quantity("4711");
		const char *why = NULL;

		CU_ASSERT_EQUAL(read_json(cases[i], &quantity, &why), LIMEN_EINVAL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(why);
		CU_ASSERT_EQUAL(strncmp(why, "quantities must match", 21), 0);
		CU_ASSERT(quantity_prints(&quantity, "4711"));
	}
}

static void
test_bad_suffix(void)
{
	limen_quantity quantity;
	const char *why = NULL;

	CU_ASSERT_EQUAL(read_json("1e2147483648", &quantity, &why), LIMEN_EINVAL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(why);
	CU_ASSERT_STRING_EQUAL(why, "unable to parse quantity's suffix");
}

static void
test_none(void)
{
	limen_quantity quantity;

	CU_ASSERT_EQUAL(limen_quantity_from_value(limen_value_none(), 0, &quantity, NULL),
	                LIMEN_ENOENT);
}

/* The text is that of the document, blanks excluded. */
static void
test_kept(void)
{
	document *doc = read_literal("[\" 007Mi \", 1.500]");
	limen_value values = document_root(doc);
	limen_quantity a;
	limen_quantity b;

	CU_ASSERT_EQUAL(limen_quantity_from_value(limen_value_at(values, 0), LIMEN_QUANTITY_KEEP,
	                                          &a, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_from_value(limen_value_at(values, 1), LIMEN_QUANTITY_KEEP,
	                                          &b, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&a, "007Mi"));
	CU_ASSERT(quantity_prints(&b, "1.500"));
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "strings, numbers and null", test_good },
		{ "values that are no quantity", test_bad },
		{ "an exponent that is too large", test_bad_suffix },
		{ "no value", test_none },
		{ "the written form", test_kept },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_value", tests);
}
