/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/host.h>
#include <time.h>

#include "suite.h"

static void
test_monotonic(void)
{
	int64_t last = limen_host_monotonic();

	CU_ASSERT_TRUE(last > 0);
	for (int i = 0; i < 1000; i++) {
		int64_t next = limen_host_monotonic();

		CU_ASSERT_TRUE(next >= last);
		last = next;
	}
}

static void
test_wall_time(void)
{
	int64_t before = time(NULL);
	limen_time between = limen_host_wall_time();
	int64_t after = time(NULL);

	/* time() may lag behind by a tick of the kernel. */
	CU_ASSERT_TRUE(between >= before * LIMEN_SECOND);
	CU_ASSERT_TRUE(between < (after + 2) * LIMEN_SECOND);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the monotonic clock never runs backwards", test_monotonic },
		{ "wall time is the system's, in microseconds", test_wall_time },
		{ NULL, NULL },
	};

	return suite_run("core/clock", tests);
}
