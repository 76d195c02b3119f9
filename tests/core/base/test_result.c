/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/types.h>

#include <string.h>

static void
test_result_texts(void)
{
	for (int result = LIMEN_EACCES; result <= LIMEN_OK; result++) {
		const char *text = limen_result_text(result);

		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		CU_ASSERT_STRING_NOT_EQUAL(text, "unknown result");
		for (int other = LIMEN_EACCES; other < result; other++)
			CU_ASSERT_STRING_NOT_EQUAL(text, limen_result_text(other));
	}
	CU_ASSERT_STRING_EQUAL(limen_result_text(LIMEN_OK), "success");
}

static void
test_unknown_results(void)
{
	CU_ASSERT_STRING_EQUAL(limen_result_text(1), "unknown result");
	CU_ASSERT_STRING_EQUAL(limen_result_text(-100), "unknown result");
}

static void
test_kind_names(void)
{
	static const char *const names[] = { "identifier", "rewriter",    "limit",
		                             "admission",  "prioritizer", "store" };

	for (int kind = LIMEN_KIND_IDENTIFIER; kind <= LIMEN_KIND_STORE; kind++)
		CU_ASSERT_STRING_EQUAL(limen_kind_name((limen_kind)kind), names[kind - 1]);
	CU_ASSERT_PTR_NULL(limen_kind_name((limen_kind)0));
	CU_ASSERT_PTR_NULL(limen_kind_name((limen_kind)7));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every result has a text of its own", test_result_texts },
		{ "a result nobody defined has a text too", test_unknown_results },
		{ "kinds are named as directories spell them", test_kind_names },
		{ NULL, NULL },
	};

	return suite_run("core/result", tests);
}
