/* SPDX-License-Identifier: Apache-2.0 */
#include "host/background.h"
#include "latch.h"
#include "suite.h"

#define FOREVER ((limen_duration)LATCH_SECONDS * LIMEN_SECOND)

static const host_services services = { .log = NULL };
static const host_services passive = { .passive = true };

static void
make_ready(void *data)
{
	limen_host_set_ready(data, true);
}

static void
test_without_hosts(void)
{
	background *back = background_new(&services);
	limen_host *host = host_new(back, "identifiers", "a");

	CU_ASSERT_TRUE(background_wait_ready(back, FOREVER));
	host_activate(host);
	CU_ASSERT_TRUE(background_wait_ready(back, FOREVER));
	CU_ASSERT_TRUE(background_wait_ready(back, -1));
	host_free(host);
	background_free(back);
}

/* Both have to be; said twice counts once. */
static void
test_wait(void)
{
	background *back = background_new(&services);
	limen_host *first = host_new(back, "identifiers", "a");
	limen_host *second = host_new(back, "identifiers", "b");

	limen_host_set_ready(first, false);
	limen_host_set_ready(first, false);
	limen_host_set_ready(second, false);
	CU_ASSERT_TRUE(background_wait_ready(back, 0));
	host_activate(first);
	host_activate(second);
	CU_ASSERT_FALSE(background_wait_ready(back, 0));
	limen_host_set_ready(first, true);
	limen_host_set_ready(first, true);
	CU_ASSERT_FALSE(background_wait_ready(back, 1000));
	CU_ASSERT_EQUAL(limen_host_after_blocking(second, 10000, make_ready, second), LIMEN_OK);
	CU_ASSERT_TRUE(background_wait_ready(back, FOREVER));
	CU_ASSERT_TRUE(background_wait_ready(back, 0));
	limen_host_set_ready(second, false);
	CU_ASSERT_FALSE(background_wait_ready(back, 0));
	host_free(second);
	CU_ASSERT_TRUE(background_wait_ready(back, 0));
	host_free(first);
	background_free(back);
}

/* What changes before a host is active, and after it was stopped, counts for nothing. */
static void
test_outside(void)
{
	background *back = background_new(&services);
	limen_host *early = host_new(back, "identifiers", "a");
	limen_host *late = host_new(back, "identifiers", "b");
	limen_host *never = host_new(back, "identifiers", "c");

	limen_host_set_ready(early, false);
	limen_host_set_ready(early, true);
	host_activate(early);
	limen_host_set_ready(late, false);
	host_activate(late);
	host_stop(late);
	limen_host_set_ready(late, true);
	limen_host_set_ready(late, false);
	limen_host_set_ready(never, false);
	host_free(never);
	CU_ASSERT_TRUE(background_wait_ready(back, FOREVER));
	CU_ASSERT_EQUAL(back->unready, 0);
	host_free(early);
	host_free(late);
	background_free(back);
}

static void
test_passive(void)
{
	background *back = background_new(&passive);
	limen_host *host = host_new(back, "identifiers", "a");

	limen_host_set_ready(host, false);
	host_activate(host);
	CU_ASSERT_TRUE(background_wait_ready(back, FOREVER * 1000));
	CU_ASSERT_TRUE(background_wait_ready(back, 0));
	host_free(host);
	background_free(back);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "who says nothing is ready", test_without_hosts },
		{ "all have to be ready", test_wait },
		{ "only hosts in force are waited for", test_outside },
		{ "a passive engine is not waited for", test_passive },
		{ NULL, NULL },
	};

	return suite_run("core/host_ready", tests);
}
