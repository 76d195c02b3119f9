/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <limen/types.h>

#include "base/constant_text.h"
#include "suite.h"

static const char named[] = "named";
static char written[] = "written";

static void
test_constant(void)
{
	CU_ASSERT_TRUE(is_constant_text("literal"));
	CU_ASSERT_TRUE(is_constant_text(named));
	/* Of whoever has a table of them, too. */
	CU_ASSERT_TRUE(is_constant_text(limen_result_text(LIMEN_EIO)));
}

static void
test_changing(void)
{
	char local[] = "local";
	char *given = strdup("given");

	written[0] = 'W';
	CU_ASSERT_FALSE(is_constant_text(written));
	CU_ASSERT_FALSE(is_constant_text(local));
	CU_ASSERT_FALSE(is_constant_text(given));
	CU_ASSERT_FALSE(is_constant_text(NULL));
	free(given);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "literals and constants stay", test_constant },
		{ "what can be written to does not", test_changing },
		{ NULL, NULL },
	};

	return suite_run("core/constant_text", tests);
}
