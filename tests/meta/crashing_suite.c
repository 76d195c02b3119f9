/* SPDX-License-Identifier: Apache-2.0 */
/* crashing_suite.c - a suite that takes its process with it, for suite.sh. */
#include "suite.h"

#include <signal.h>
#include <stddef.h>

static void
test_crash(void)
{
	/* No handler of a sanitizer makes an exit of it. */
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "crashes", test_crash },
		{ NULL, NULL }
	};

	return suite_run("meta/crashing", tests);
}
