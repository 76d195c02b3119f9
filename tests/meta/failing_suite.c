/* SPDX-License-Identifier: Apache-2.0 */
/* failing_suite.c - a suite with every outcome a test can have, for suite.sh. */
#include "suite.h"

#include <stdbool.h>

static void
test_pass(void)
{
	CU_PASS("nothing to see");
}

static void
test_fail(void)
{
	int sum = 1 + 1;

	CU_ASSERT_EQUAL(sum, 3);
	CU_ASSERT_FATAL(sum == 4);
	CU_FAIL("never reached");
}

static void
test_skip(void)
{
	suite_skip("not today");
}

static void
test_skip_and_fail(void)
{
	suite_skip("not today");
	CU_FAIL("failed all the same");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "passes # TODO", test_pass },
		{ "fails", test_fail },
		{ "is skipped", test_skip },
		{ "fails and is skipped", test_skip_and_fail },
		{ NULL, NULL }
	};

	return suite_run("meta/failing", tests);
}
