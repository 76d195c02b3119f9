/* SPDX-License-Identifier: Apache-2.0 */
/* test_remaining.c - how long a client of the daemon says that it waits. */
#include <limen/host.h>
#include <string.h>

#include "http/remaining.h"
#include "suite.h"

/* The texts are Go's own, of time.ParseDuration and Duration.String. */
static void
test_parse(void)
{
	static const struct {
		const char *text;
		limen_duration wanted; /* in microseconds; -1: none */
	} rows[] = {
		{ "0", 0 },
		{ "10s", 10000000 },
		{ "0s", 0 },
		{ "1m30s", 90000000 },
		{ "1h15m30.918273s", INT64_C(4530918273) },
		{ "100ms", 100000 },
		{ "1.5s", 1500000 },
		{ "0.5s", 500000 },
		{ "PT5S", 5000000 },
		{ "P1DT1S", INT64_C(86401000000) },
		{ "7us", 7 },
		{ "2500ns", -1 },
		{ "1us", 1 },
		{ "0.1us", 0 },
		{ "0.0us", 0 },
		{ "0s0us", 0 },
		{ "1s1s", 2000000 },
		{ "876000h", -1 },
		{ "875999h", INT64_C(875999) * 3600 * LIMEN_SECOND },
		{ "99999999999999999999999999999999h", -1 },
		{ "", -1 },
		{ "10", -1 },
		{ "1", -1 },
		{ "s", -1 },
		{ ".s", -1 },
		{ "-1s", -1 },
		{ "1s ", -1 },
		{ " 1s", -1 },
		{ "1.2.3s", -1 },
		{ "1d", INT64_C(86400) * LIMEN_SECOND },
		{ ".5s", -1 },
		{ "1s1s1s1s1s1s1s1s", -1 },
		{ "1e3s", -1 },
		{ "10S", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_duration found = -1;
		bool good = remaining_parse(rows[i].text, &found);

		CU_ASSERT_EQUAL(good, rows[i].wanted >= 0);
		CU_ASSERT_EQUAL(found, rows[i].wanted);
	}
}

/* Nobody waits longer than the daemon allows, nor than the client does. */
static void
test_bounds(void)
{
	static const struct {
		limen_duration allowed;
		const char *timeout;
		limen_duration ago; /* when the request arrived */
		limen_duration most; /* 0: no bound */
		bool expired;
	} rows[] = {
		{ 0, NULL, 0, 0, false },
		{ 0, "nonsense", 0, 0, false },
		{ 0, "0s", 0, 0, false },
		{ 0, "0us", LIMEN_SECOND, 0, false },
		{ 0, "0.0us", LIMEN_SECOND, 0, false },
		{ 0, "1us", LIMEN_SECOND, 1, true },
		{ 0, "0.999us", LIMEN_SECOND, 1, true },
		{ 7200 * LIMEN_SECOND, "0s", 0, 7200 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "1us", LIMEN_SECOND, 1, true },
		{ 0, "3600s", 0, 3600 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, NULL, 0, 7200 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "3600s", 0, 3600 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "3h", 0, 7200 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "1s", 0, LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "1h", 1800 * LIMEN_SECOND, 1800 * LIMEN_SECOND, false },
		{ 7200 * LIMEN_SECOND, "1s", 2 * LIMEN_SECOND, 1, true },
		{ 1, NULL, LIMEN_SECOND, 1, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = rows[i].timeout == NULL ? "" : rows[i].timeout;
		const http_pair argument = { .name = "timeout", .value = text, .length = strlen(text) };
		const http_request request = {
			.arguments = { &argument, rows[i].timeout == NULL ? 0 : 1 },
			.arrived = limen_host_monotonic() - rows[i].ago * 1000,
		};
		bool expired = !rows[i].expired;
		limen_duration left = http_remaining(rows[i].allowed, &request, &expired);

		CU_ASSERT_TRUE(left <= rows[i].most);
		/* A machine that is busy may take a while to come here. */
		CU_ASSERT_TRUE(expired || left >= rows[i].most - 60 * LIMEN_SECOND);
		CU_ASSERT_TRUE(rows[i].most <= LIMEN_SECOND || expired == rows[i].expired);
		CU_ASSERT_TRUE(!rows[i].expired || expired);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "durations as Go writes them", test_parse },
		{ "the smaller of the two bounds, less what has gone by", test_bounds },
		{ NULL, NULL },
	};

	return suite_run("daemon/remaining", tests);
}
