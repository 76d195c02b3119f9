/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_policy_log.c - when a policy has failed for the same reason as before.
 */
#include "service/policy_log.h"

#include <string.h>

#include "suite.h"

/* Has it failed for the same reason if the one problem is the first text, and then the second? */
static bool
is_same(const char *first, const char *second)
{
	const char *const texts[] = { first, second };
	char *reasons[2];
	bool same;

	for (int i = 0; i < 2; i++) {
		limen_diag *diag = limen_diag_new();

		CU_ASSERT_PTR_NOT_NULL_FATAL(diag);
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(), "of round %d", i);
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s", texts[i]);
		limen_diag_hint(diag, "the URL is http://192.0.2.1:80/");
		reasons[i] = policy_log_reason(diag);
		limen_diag_free(diag);
	}
	same = strcmp(reasons[0], reasons[1]) == 0;
	g_free(reasons[0]);
	g_free(reasons[1]);
	return same;
}

static void
test_reasons(void)
{
	CU_ASSERT_TRUE(is_same("Status 404", "Status 404"));
	CU_ASSERT_FALSE(is_same("Status 404", "Status 503"));
	CU_ASSERT_FALSE(is_same("no schema 98", "no schema 99"));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the same problems are one reason, others another", test_reasons },
		{ NULL, NULL },
	};

	return suite_run("daemon/policy_log", tests);
}
