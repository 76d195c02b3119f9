/* SPDX-License-Identifier: Apache-2.0 */
/* The reason of a decision without Redis: it hides the address, as requesters would see it. */
#include <stdio.h>

#include "plugin.h"
#include "suite.h"

#define SOCKET "/nonexistent/limen"

static void
check(const char *mode, const char *on_error, limen_verdict verdict, const char *reason)
{
	const struct plugin_case cases[] = {
		{ mode, NULL, "{\"user\": \"ann\"}", verdict, reason },
		{ mode, NULL, "{\"user\": \"ann\"}", verdict, reason },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL },
	};
	char data[200];

	snprintf(data, sizeof(data),
	         "{\"path\": \"" SOCKET "\", \"mode\": \"%s\", \"on-error\": \"%s\"}", mode,
	         on_error);
	plugin_check(LIMEN_KIND_STORE, "redis", data, cases);
}

static void
test_unreachable(void)
{
	static const char *const modes[] = { "lease", "strict" };

	for (size_t i = 0; i < 2; i++) {
		check(modes[i], "deny", LIMEN_ERROR,
		      "Redis is unavailable");
		check(modes[i], "allow", LIMEN_PASS, NULL);
		check(modes[i], "local", LIMEN_PASS, NULL);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a server that cannot be reached", test_unreachable },
		{ NULL, NULL },
	};

	return suite_run("plugins/redis_reason", tests);
}
