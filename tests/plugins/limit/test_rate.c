/* SPDX-License-Identifier: Apache-2.0 */
/* The limit "rate": its options, its keys, what it says and when. */
#include <stdio.h>
#include <string.h>

#include "../../../plugins/limit/rate/spell.h"
#include "plugin.h"
#include "suite.h"

#define HOUR (3600 * LIMEN_SECOND)

static limen_kit *
open_rate(const char *data)
{
	return plugin_open(LIMEN_KIND_LIMIT, "rate", data);
}

static void
test_rates(void)
{
	static const struct {
		const char *text;
		int64_t tokens; /* 0: no rate */
		limen_duration period;
	} cases[] = {
		{ "10/PT1H", 10, HOUR },
		{ "1/P1D", 1, 24 * HOUR },
		{ "1000000000/PT1S", 1000000000, LIMEN_SECOND },
		{ "9223372036854775807/PT0.000001S", INT64_MAX, 1 },
		{ "007/s", 7, LIMEN_SECOND },
		{ "1/m", 1, 60 * LIMEN_SECOND },
		{ "1/h", 1, HOUR },
		{ "1/d", 1, 24 * HOUR },
		{ "1/w", 1, 7 * 24 * HOUR },
		{ "2/sec", 2, LIMEN_SECOND },
		{ "2/seconds", 2, LIMEN_SECOND },
		{ "2/min", 2, 60 * LIMEN_SECOND },
		{ "2/minute", 2, 60 * LIMEN_SECOND },
		{ "2/hours", 2, HOUR },
		{ "2/day", 2, 24 * HOUR },
		{ "2/weeks", 2, 7 * 24 * HOUR },
		{ "2/ms", 0, 0 },
		{ "2/hs", 0, 0 },
		{ "2/dayss", 0, 0 },
		{ "2/month", 2, 0 },
		{ "1/P2W", 1, 14 * 24 * HOUR },
		{ "9223372036854775808/s", 0, 0 },
		{ "99999999999999999999/s", 0, 0 },
		{ "0/PT1H", 0, 0 },
		{ "-1/PT1H", 0, 0 },
		{ "+1/PT1H", 0, 0 },
		{ "1.5/PT1H", 0, 0 },
		{ "/PT1H", 0, 0 },
		{ "10", 0, 0 },
		{ "10/", 0, 0 },
		{ "10/PT0S", 0, 0 },
		{ "10/P1M", 0, 0 },
		{ "10/1h", 10, INT64_C(3600) * LIMEN_SECOND },
		{ "10/1x", 0, 0 },
		{ "10/S", 0, 0 },
		{ "10 /s", 0, 0 },
		{ "10/s ", 0, 0 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t tokens = 0;
		limen_duration period = 0;
		limen_unit unit = LIMEN_UNIT_NONE;
		bool good = spell_read_rate(cases[i].text, &tokens, &period, &unit);

		plugin_assert(good == (cases[i].tokens > 0), __FILE__, __LINE__, "'%s'",
		              cases[i].text);
		if (good)
			plugin_assert(tokens == cases[i].tokens && period == cases[i].period,
			              __FILE__, __LINE__, "'%s'", cases[i].text);
	}
}

static void
test_waits(void)
{
	static const struct {
		limen_duration wait;
		const char *text;
	} cases[] = {
		{ 0, "1 s" },
		{ 1, "1 s" },
		{ LIMEN_SECOND, "1 s" },
		{ LIMEN_SECOND + 1, "2 s" },
		{ 59 * LIMEN_SECOND, "59 s" },
		{ 59 * LIMEN_SECOND + 1, "1 min" },
		{ 312 * LIMEN_SECOND, "5 min 12 s" },
		{ HOUR - LIMEN_SECOND, "59 min 59 s" },
		{ HOUR - 1, "1 h" },
		{ HOUR + 1, "1 h 1 min" },
		{ 24 * HOUR - 61 * LIMEN_SECOND, "23 h 59 min" },
		{ 24 * HOUR - 59 * LIMEN_SECOND, "1 d" },
		{ 24 * HOUR + 1, "1 d 1 h" },
		{ 48 * HOUR - 1, "2 d" },
		{ INT64_MAX, "106751991 d 5 h" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[SPELL_WAIT_MAX];

		spell_wait(cases[i].wait, text);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
}

static void
test_options(void)
{
	static const char *const refused[][2] = {
		{ "{}", "'rate' is a required property" },
		{ "{\"rate\": \"ten\"}",
		  "invalid rate 'ten': use N/UNIT, such as 10/min, 10/day or 10/month, or N/DURATION, "
		  "such as 10/PT1H" },
		{ "{\"rate\": \"10/dayss\"}", "invalid rate '10/dayss': use N/UNIT" },
		{ "{\"rate\": \"0/s\"}", "invalid rate '0/s'" },
		{ "{\"rate\": \"1/s\", \"burst\": 0}", "less than the minimum of 1" },
		{ "{\"rate\": \"1/s\", \"capacity\": 0}", "less than the minimum of 1" },
		{ "{\"rate\": \"1/s\", \"ipv4-prefix\": 33}", "greater than the maximum of 32" },
		{ "{\"rate\": \"1/s\", \"ipv6-prefix\": -1}", "less than the minimum of 0" },
		{ "{\"rate\": \"1/s\", \"count\": \"all\"}", "'all' is not one of" },
		{ "{\"rate\": \"1/s\", \"store\": \"nowhere\"}", "Unknown store 'nowhere'" },
		{ "{\"rate\": \"1/s\", \"key\": [\"user\"]}", "'user' is not a part of a key" },
		{ "{\"rate\": \"1/s\", \"key\": [\"requesters\"]}", "'requesters' is not a part" },
		{ "{\"rate\": \"1/s\", \"key\": [\"hint:\"]}", "'hint:' needs the name of a hint" },
		{ "{\"rate\": \"1/s\", \"key\": [\"header:\"]}", "'header:' needs the name of a header" },
		{ "{\"rate\": \"1/s\", \"key\": [\"path:x\"]}", "'x' is not a JSON pointer" },
		{ "{\"rate\": \"1/s\", \"key\": [\"path:/a~\"]}", "'/a~' is not a JSON pointer" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "rate", refused[i][0], refused[i][1]);
	plugin_remark(LIMEN_KIND_LIMIT, "rate",
	              "{\"key\": [\"requester\", \"classifier\", \"test-type\", \"hint:user\","
	              " \"path:\", \"path:/test/spec/dest\"], \"rate\": \"1/P1D\", \"burst\": 5,"
	              " \"count\": \"runs\", \"ipv4-prefix\": 24, \"ipv6-prefix\": 48,"
	              " \"store\": \"default\", \"capacity\": 1}",
	              "");
	plugin_load_example(LIMEN_KIND_LIMIT, "rate");
	plugin_load_example(LIMEN_KIND_STORE, "memory");
}

/* Do the two requests take from one bucket?  Of a fresh instance with one token. */
static bool
share(const char *key, const char *documents[2], const char *hints[2])
{
	limen_kit *kit;
	char data[300];
	bool shared;

	snprintf(data, sizeof(data), "{\"key\": [%s], \"rate\": \"1/P1D\"}", key);
	kit = open_rate(data);
	CU_ASSERT_EQUAL(limen_kit_run(kit, documents[0], hints[0]), LIMEN_PASS);
	shared = limen_kit_run(kit, documents[1], hints[1]) == LIMEN_FAIL;
	limen_kit_free(kit);
	return shared;
}

static void
test_requesters(void)
{
	static const struct {
		const char *hints[2];
		bool shared;
	} cases[] = {
		{ { "{\"requester\": \"192.0.2.1\"}", "{\"requester\": \"192.0.2.1\"}" }, true },
		{ { "{\"requester\": \"192.0.2.1\"}", "{\"requester\": \"192.0.2.2\"}" }, false },
		{ { "{\"requester\": \"192.0.2.1\"}", "{\"requester\": \"::ffff:192.0.2.1\"}" }, true },
		{ { "{\"requester\": \"192.0.2.1\"}", "{\"requester\": \"::192.0.2.1\"}" }, false },
		{ { "{\"requester\": \"2001:db8::1\"}", "{\"requester\": \"2001:db8::2:3\"}" }, true },
		{ { "{\"requester\": \"2001:db8::1\"}",
		    "{\"requester\": \"2001:db8::ffff:ffff:ffff:ffff\"}" }, true },
		{ { "{\"requester\": \"2001:db8::1\"}", "{\"requester\": \"2001:db8:0:1::1\"}" }, false },
		{ { "{\"requester\": \"2001:DB8::1\"}", "{\"requester\": \"2001:db8:0:0::1\"}" }, true },
		{ { "{\"requester\": \"fe80::1%eth0\"}", "{\"requester\": \"fe80::1%eth1\"}" }, true },
		{ { "{\"requester\": \"10.0.0.0/8\"}", "{\"requester\": \"10.0.0.0\"}" }, false },
		{ { "{}", "{}" }, true },
		{ { "{}", "{\"requester\": \"192.0.2.1\"}" }, false },
		{ { "{}", "{\"requester\": \"0.0.0.0\"}" }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *documents[2] = { NULL, NULL };
		const char *hints[2] = { cases[i].hints[0], cases[i].hints[1] };

		plugin_assert(share("\"requester\"", documents, hints) == cases[i].shared,
		              __FILE__, __LINE__, "%s %s", hints[0], hints[1]);
	}
}

static void
test_prefixes(void)
{
	limen_kit *kit = open_rate("{\"key\": [\"requester\"], \"rate\": \"1/P1D\","
	                           " \"ipv4-prefix\": 23, \"ipv6-prefix\": 0}");

	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"192.0.2.1\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"192.0.3.255\"}"), LIMEN_FAIL);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "Rate of 1 per P1D exceeded for "
	                                              "192.0.2.0/23; try again in 1 d");
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"192.0.4.0\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"2001:db8::\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"fe80::1\"}"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"0.0.0.0/0\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"requester\": \"here\"}"), LIMEN_ERROR);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit),
	                       "'here' does not appear to be an IPv4 or IPv6 network");
	limen_kit_free(kit);
}

/* Values that differ are never counted as one, and equal ones always are. */
static void
test_values(void)
{
	static const char *const different[] = {
		"{}", "{\"a\": \"\"}", "{\"a\": \"x\"}", "{\"a\": \"X\"}", "{\"a\": 1}",
		"{\"a\": \"1\"}", "{\"a\": true}", "{\"a\": \"true\"}", "{\"a\": null}",
		"{\"a\": 1.5}", "{\"a\": [1]}", "{\"a\": {\"b\": 1}}", "{\"a\": \"x\\u0000\"}",
		"{\"b\": \"x\"}", "{\"a\": \"x\", \"b\": \"y\"}", "{\"a\": \"xs1:y\"}",
		"{\"a\": \"xy\"}", "{\"a\": \"\", \"b\": \"xy\"}", "{\"a\": \"-0:\"}",
	};
	static const char *const equal[][2] = {
		{ "{\"a\": 1}", "{\"a\": 1.0}" },
		{ "{\"a\": 1}", "{\"a\": 10e-1}" },
		{ "{\"a\": 0.5}", "{\"a\": 5e-1}" },
		{ "{\"a\": \"x\"}", "{\"c\": 1, \"a\": \"\\u0078\"}" },
		{ "{\"a\": {\"b\": 1, \"c\": 2}}", "{\"a\": {\"c\": 2, \"b\": 1}}" },
	};
	static const char *const no_hints[2] = { NULL, NULL };
	size_t count = sizeof(different) / sizeof(different[0]);

	for (size_t i = 0; i < count; i++) {
		limen_kit *kit = open_rate("{\"key\": [\"path:/a\", \"path:/b\"],"
		                           " \"rate\": \"1/P1D\"}");

		for (size_t k = 0; k < count; k++) {
			const char *document = different[(i + k) % count];

			plugin_assert(limen_kit_run(kit, document, NULL) == LIMEN_PASS, __FILE__,
			              __LINE__, "%s is counted as another", document);
		}
		limen_kit_free(kit);
	}
	for (size_t i = 0; i < sizeof(equal) / sizeof(equal[0]); i++) {
		const char *documents[2] = { equal[i][0], equal[i][1] };

		plugin_assert(share("\"path:/a\", \"path:/b\"", documents, (const char **)no_hints),
		              __FILE__, __LINE__, "%s", equal[i][1]);
	}
}

#define PARTS "\"path:/a\", \"path:/b\", \"path:/c\", \"path:/d\", \"path:/e\""
#define FORTY "1234567890123456789012345678901234567890"
#define ACCENTS "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9" \
	"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"

static void
test_messages(void)
{
	static const struct {
		const char *key;
		const char *document;
		const char *hints;
		const char *shown;
	} cases[] = {
		{ "", "{}", NULL, "" },
		{ "\"requester\"", "{}", "{\"requester\": \"192.0.2.1\"}", " for 192.0.2.1" },
		{ "\"requester\"", "{}", "{\"requester\": \"2001:db8::1\"}", " for 2001:db8::/64" },
		{ "\"requester\"", "{}", NULL, " for no requester" },
		{ "\"hint:user\", \"test-type\"", "{\"test\": {\"type\": \"rtt\"}}",
		  "{\"user\": \"ann\"}", " for ann, rtt" },
		{ "\"hint:user\", \"test-type\", \"path:/a\"", "{}", "{}",
		  " for no hint user, no test type, no /a" },
		{ "\"path:/a\", \"path:/b\"", "{\"a\": [1, true], \"b\": 2.5}", NULL,
		  " for [1,true], 2.5" },
		{ "\"path:/a\"",
		  "{\"a\": \"123456789012345678901234567890123456789012345678\"}", NULL,
		  " for 123456789012345678901234567890123456789012345678" },
		{ "\"path:/a\"",
		  "{\"a\": \"1234567890123456789012345678901234567890123456789\"}", NULL,
		  " for 123456789012345678901234567890123456789012345678..." },
		{ "\"path:/a\"",
		  "{\"a\": \"12345678901234567890123456789012345678901234567\xC3\xA9\"}", NULL,
		  " for 12345678901234567890123456789012345678901234567..." },
		/* Of many parts the first are shown, and no character is torn. */
		{ PARTS, "{\"a\": \"" FORTY "\", \"b\": \"" FORTY "\", \"c\": \"" FORTY "\","
		  " \"d\": \"" ACCENTS "\"}", NULL,
		  " for " FORTY ", " FORTY ", " FORTY ", ..." },
		{ PARTS, "{\"a\": \"" FORTY "\", \"b\": \"" FORTY "1\", \"c\": \"" FORTY "\","
		  " \"d\": \"" ACCENTS "\", \"e\": 1}", NULL,
		  " for " FORTY ", " FORTY "1, " FORTY ", ..." },
		{ "\"path:/a\", \"path:/b\", \"path:/c\"",
		  "{\"a\": \"" FORTY FORTY "\", \"b\": \"" FORTY FORTY "\","
		  " \"c\": \"" FORTY FORTY "\"}", NULL,
		  " for " FORTY "12345678..., " FORTY "12345678..., " FORTY "12345678..." },
		{ "\"hint:" FORTY "\xC3\xA9\"", "{}", NULL, " for no hint " FORTY "..." },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char data[200];
		char wanted[300];
		limen_kit *kit;

		snprintf(data, sizeof(data), "{\"key\": [%s], \"rate\": \"10/PT1H\", \"burst\": 1}",
		         cases[i].key);
		snprintf(wanted, sizeof(wanted),
		         "Rate of 10 per PT1H exceeded%s; try again in 5 min 12 s",
		         cases[i].shown);
		kit = open_rate(data);
		CU_ASSERT_EQUAL(limen_kit_run(kit, cases[i].document, cases[i].hints), LIMEN_PASS);
		limen_kit_advance(kit, 48 * LIMEN_SECOND);
		CU_ASSERT_EQUAL(limen_kit_run(kit, cases[i].document, cases[i].hints), LIMEN_FAIL);
		plugin_assert(strcmp(limen_kit_reason(kit), wanted) == 0, __FILE__, __LINE__,
		              "%s, not %s", limen_kit_reason(kit), wanted);
		limen_kit_free(kit);
	}
}

/* A client that sends a long value has a bucket of its own; more of them are an error. */
static void
test_long_keys(void)
{
	limen_kit *kit = open_rate("{\"key\": [\"path:/a\"], \"rate\": \"1/P1D\"}");
	char document[9000];
	char many[1000] = "{\"rate\": \"1/P1D\", \"key\": [\"path:/a\"";

	snprintf(document, sizeof(document), "{\"a\": \"%0*d\"}", 8000, 1);
	CU_ASSERT_EQUAL(limen_kit_run(kit, document, NULL), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, document, NULL), LIMEN_FAIL);
	snprintf(document, sizeof(document), "{\"a\": \"%0*d\"}", 8000, 2);
	CU_ASSERT_EQUAL(limen_kit_run(kit, document, NULL), LIMEN_PASS);
	limen_kit_free(kit);
	for (int i = 0; i < 61; i++)
		strcat(many, ", \"path:/a\"");
	kit = open_rate(strcat(many, "]}"));
	CU_ASSERT_EQUAL(limen_kit_run(kit, document, NULL), LIMEN_ERROR);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit),
	                       "The key is longer than 4096 bytes");
	limen_kit_free(kit);
}

static void
test_retry_after(void)
{
	limen_kit *kit = open_rate("{\"rate\": \"1/PT10S\"}");
	limen_duration wait = 0;

	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	CU_ASSERT_FALSE(limen_decision_retry_after(limen_kit_decision(kit), &wait));
	limen_kit_advance(kit, 2500000);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_FAIL);
	CU_ASSERT_TRUE(limen_decision_retry_after(limen_kit_decision(kit), &wait));
	CU_ASSERT_EQUAL(wait, 7500000);
	limen_kit_advance(kit, wait - 1);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_FAIL);
	limen_kit_advance(kit, 1);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	limen_kit_free(kit);
}

#define RUN "{\"run_schedule\": {\"start\": \"2020-01-01T00:00:00Z\", \"duration\": \"PT1S\"}}"

/* A limit that counts one sort of request passes the other. */
static void
test_stages(void)
{
	limen_kit *tasks = open_rate("{\"rate\": \"1/P1D\"}");
	limen_kit *runs = open_rate("{\"rate\": \"1/P1D\", \"count\": \"runs\"}");

	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(limen_kit_run(tasks, RUN, NULL), LIMEN_SKIP);
		CU_ASSERT_EQUAL(limen_kit_run(runs, "{}", NULL), LIMEN_SKIP);
		CU_ASSERT_EQUAL(limen_kit_run(tasks, "{}", NULL), i == 0 ? LIMEN_PASS : LIMEN_FAIL);
		CU_ASSERT_EQUAL(limen_kit_run(runs, RUN, NULL), i == 0 ? LIMEN_PASS : LIMEN_FAIL);
	}
	limen_kit_free(tasks);
	limen_kit_free(runs);
}

/* Both are counted, and neither takes the tokens of the other. */
static void
test_both(void)
{
	limen_kit *kit = open_rate("{\"rate\": \"2/P1D\", \"count\": \"both\"}");

	for (int i = 0; i < 4; i++) {
		limen_verdict wanted = i < 2 ? LIMEN_PASS : LIMEN_FAIL;

		CU_ASSERT_EQUAL(limen_kit_run(kit, "{}", NULL), wanted);
		CU_ASSERT_EQUAL(limen_kit_run(kit, RUN, NULL), wanted);
	}
	limen_kit_free(kit);
}

/* Through the engine: what is admitted is burst + rate x time, whoever asks how often. */
static void
test_admitted(void)
{
	limen_kit *kit = open_rate("{\"rate\": \"7/PT1S\", \"burst\": 3}");
	uint64_t state = 88172645463325252U;
	int64_t admitted = 0;
	limen_duration time = 0;

	for (int i = 0; i < 20000; i++) {
		limen_duration by;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		by = (limen_duration)(state % 100000);
		time += by;
		limen_kit_advance(kit, by);
		admitted += limen_kit_run(kit, NULL, NULL) == LIMEN_PASS;
	}
	CU_ASSERT(admitted <= 3 + time * 7 / LIMEN_SECOND);
	CU_ASSERT(admitted >= 3 + time * 7 / LIMEN_SECOND - 1);
	limen_kit_free(kit);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "rates", test_rates },
		{ "waits", test_waits },
		{ "options", test_options },
		{ "which addresses are one requester", test_requesters },
		{ "prefixes of addresses", test_prefixes },
		{ "which values are the same", test_values },
		{ "what a refusal says", test_messages },
		{ "keys that are too long", test_long_keys },
		{ "when to come back", test_retry_after },
		{ "tasks and runs", test_stages },
		{ "tasks and runs in one limit", test_both },
		{ "what is admitted", test_admitted },
		{ NULL, NULL },
	};

	return suite_run("plugins/limit/rate", tests);
}
