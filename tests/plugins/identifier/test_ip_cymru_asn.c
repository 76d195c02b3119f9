/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cymru_asn.c - the identifier "ip-cymru-asn" through the real engine and
 * a real name server (tests/plugins/zones).
 */
#include "../../../plugins/identifier/ip-cymru-asn/asn_list.h"

#include "dns_case.h"
#include "fake_dns.h"
#include "knot.h"

#define TYPE "ip-cymru-asn"

/* For one requester, those of the systems 64500 to 64532 that identify it. */
static void
expect(const char *address, bool peers, const char *requester, const char *systems)
{
	for (int system = 64500; system <= 64532; system++) {
		char data[80], word[16];
		struct dns_case one = { requester, LIMEN_FAIL, "" };
		limen_kit *kit;

		snprintf(word, sizeof(word), "%d", system);
		if (strstr(systems, word) != NULL)
			one.verdict = LIMEN_PASS;
		snprintf(data, sizeof(data), "'asns':[7,%d,4294967295],'peers':%s", system,
		         peers ? "true" : "false");
		kit = dns_case_open(TYPE, address, data);
		dns_case_ask(kit, &one);
		limen_kit_free(kit);
	}
}

static void
test_systems(void)
{
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	expect(knot_address(server), false, "192.0.2.1", "64500 64501");
	expect(knot_address(server), false, "192.0.2.2", "64502");
	expect(knot_address(server), false, "192.0.2.3", "64504 64505");
	/* A quote sticks to what stands beside it, as in pScheduler. */
	expect(knot_address(server), false, "192.0.2.4", "64508");
	expect(knot_address(server), false, "192.0.2.6", "");
	expect(knot_address(server), false, "192.0.2.7", "");
	expect(knot_address(server), false, "192.0.2.8", "");
	expect(knot_address(server), false, "192.0.2.9", "64500 64501");
	expect(knot_address(server), false, "192.0.2.10", "");
	expect(knot_address(server), false, "::ffff:192.0.2.1", "64500 64501");
	expect(knot_address(server), false, "2001:db8::1", "64520");
	expect(knot_address(server), false, "2001:db9::1", "");
	/* The system itself, or one of its peers. */
	expect(knot_address(server), true, "192.0.2.1", "64500 64501 64530 64531");
	expect(knot_address(server), true, "2001:db8::1", "64520 64532");
	expect(knot_address(server), true, "192.0.2.2", "64502");
	knot_stop(server);
}

static void
test_failures(void)
{
	static const struct dns_case negative[] = {
		{ "192.0.2.5", LIMEN_FAIL,
		  "the name has no record of that type; fail-result is false" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct dns_case positive[] = {
		{ "192.0.2.5", LIMEN_PASS,
		  "the name has no record of that type; fail-result is true" },
		{ "192.0.2.10", LIMEN_FAIL, "" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	dns_case_check(TYPE, knot_address(server), "'asns':[1]", negative);
	dns_case_check(TYPE, knot_address(server), "'asns':[1],'fail-result':true", positive);
	knot_stop(server);
}

static void
test_requesters(void)
{
	dns_case_check_requesters(TYPE, "'asns':[1],'fail-result':true");
}

/* Python's int(), on parts without blanks. */
static void
test_numbers(void)
{
	static const struct {
		const char *text;
		int64_t want; /* 0: no number */
	} cases[] = {
		{ "1", 1 }, { "0001", 1 }, { "+1", 1 }, { "-1", -1 }, { "1_0", 10 },
		{ "1_0_0", 100 }, { "4294967295", 4294967295 },
		{ "", 0 }, { "+", 0 }, { "-", 0 }, { "_1", 0 }, { "1_", 0 }, { "1__0", 0 },
		{ "+_1", 0 }, { "1.0", 0 }, { "1e3", 0 }, { "0x10", 0 }, { "NA", 0 },
		{ "+-1", 0 }, { "1+", 0 }, { "\\049", 0 }, { "922337203685477580700", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = 0;
		bool good = asn_list_read(cases[i].text, strlen(cases[i].text), &value);

		plugin_assert(good == (cases[i].want != 0) && (!good || value == cases[i].want),
		              __FILE__, __LINE__, "'%s' is %d %lld", cases[i].text, good,
		              (long long)value);
	}
}

static void
test_texts(void)
{
	static const struct {
		const char *text;
		bool want; /* does it hold 5? */
	} cases[] = {
		{ "\"5\"", true }, { "\"5 | 6\"", true }, { "\"6 | 5\"", false },
		{ "\"6 5 | 7\"", true }, { "\"  5   | 7\"", true }, { "\" | 5\"", false },
		{ "\"| 5 \"", true }, { "\"5| 6\"", false }, { "\"5 |6\"", true },
		{ "\"5\" \"5\"", false }, { "\"5 \" \"6\"", true }, { "\"6 \" \" 5\"", true },
		{ "\"\"", false }, { "", false }, { "5", false }, { "55", false },
		{ "\"55\"", false }, { "\"\\053\"", false }, { "\"5\\009\"", false },
		{ "\"5 |\"", true }, { "\"5 | \"", true },
	};
	int64_t numbers[] = { 9, 5, 70000 };

	asn_list_sort(numbers, 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		plugin_assert(asn_list_matches(cases[i].text, numbers, 3) == cases[i].want,
		              __FILE__, __LINE__, "%s", cases[i].text);
}

static void
test_data(void)
{
	dns_case_refuse(TYPE, "{'fail-result':true}", "asns");
	dns_case_refuse(TYPE, "{'asns':[0],'fail-result':true}", "/data/asns/0");
	dns_case_refuse(TYPE, "{'asns':['1'],'fail-result':true}", "/data/asns/0");
	dns_case_refuse(TYPE, "{'asns':1,'fail-result':true}", "/data/asns");
	dns_case_refuse(TYPE, "{'asns':[1],'server':7}", "/data/server");
	dns_case_remark(TYPE, "{'asns':[1]}", "limen takes it as false");
	dns_case_remark(TYPE, "{'asns':[],'fail-result':true}", "identifies no requester");
	dns_case_remark(TYPE, "{'asns':[1,2],'fail-result':true}", "");
	dns_case_remark(TYPE, "{'asns':[1],'fail-result':true,'peers':false}", "");
	dns_case_remark(TYPE, "{'asns':[1],'fail-result':true,'peers':true}", "compares the peers only");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, TYPE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "requesters by their systems and peers", test_systems },
		{ "answers that cannot be had", test_failures },
		{ "requesters that are no address", test_requesters },
		{ "numbers as Python reads them", test_numbers },
		{ "records as pScheduler reads them", test_texts },
		{ "the data is checked", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/ip-cymru-asn", tests);
}
