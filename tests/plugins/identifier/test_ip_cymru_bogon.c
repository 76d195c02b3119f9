/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cymru_bogon.c - the identifier "ip-cymru-bogon" through the real engine
 * and a real name server (tests/plugins/zones).
 */
#include <unistd.h>

#include "dns_case.h"
#include "fake_dns.h"
#include "knot.h"

#define TYPE "ip-cymru-bogon"
#define NO_RECORD "the name has no record of that type; fail-result is "
#define SERVFAIL "the name server failed (SERVFAIL); fail-result is "

static void
test_list(void)
{
	static const struct dns_case cases[] = {
		{ "192.0.2.1", LIMEN_PASS, "" },
		{ "192.0.2.2", LIMEN_FAIL, "" },
		{ "192.0.2.3", LIMEN_FAIL, "" },
		{ "192.0.2.4", LIMEN_PASS, "" },
		{ "192.0.2.5", LIMEN_FAIL, NO_RECORD "false" },
		{ "192.0.2.6", LIMEN_PASS, "" },
		{ "192.0.2.7", LIMEN_FAIL, NO_RECORD "false" },
		{ "192.0.2.8", LIMEN_FAIL, "" },
		{ "10.0.0.0", LIMEN_PASS, "" },
		{ "10.255.255.255", LIMEN_PASS, "" },
		{ "9.255.255.255", LIMEN_FAIL, "" },
		{ "11.0.0.0", LIMEN_FAIL, "" },
		{ "10.1.2.3/32", LIMEN_PASS, "" },
		{ "::ffff:192.0.2.1", LIMEN_PASS, "" },
		{ "::ffff:192.0.2.2", LIMEN_FAIL, "" },
		{ "2001:db8::1", LIMEN_PASS, "" },
		{ "2001:DB8:0::1", LIMEN_PASS, "" },
		{ "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", LIMEN_PASS, "" },
		{ "2001:db9::", LIMEN_FAIL, "" },
		{ "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", LIMEN_FAIL, "" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	dns_case_check(TYPE, knot_address(server), "'exclude':[],'fail-result':false", cases);
	knot_stop(server);
}

static void
test_exclude(void)
{
	static const struct dns_case cases[] = {
		{ "10.9.255.255", LIMEN_PASS, "" },
		{ "10.10.0.0", LIMEN_FAIL, "" },
		{ "10.10.255.255", LIMEN_FAIL, "" },
		{ "10.11.0.0", LIMEN_PASS, "" },
		{ "192.0.2.1", LIMEN_FAIL, "" },
		{ "192.0.2.4", LIMEN_PASS, "" },
		{ "192.0.2.5", LIMEN_FAIL, "" },
		{ "::ffff:10.10.0.1", LIMEN_FAIL, "" },
		{ "::ffff:10.11.0.1", LIMEN_PASS, "" },
		{ "::ffff:192.0.2.6", LIMEN_FAIL, "" },
		{ "2001:db8:1::1", LIMEN_FAIL, "" },
		{ "2001:db8:2::1", LIMEN_PASS, "" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	/* Even where the answer about them cannot be had. */
	dns_case_check(TYPE, knot_address(server),
	               "'exclude':['10.10.0.0/16','192.0.2.1','192.0.2.5','::ffff:192.0.2.6',"
	               "'2001:db8:1::/48'],'fail-result':true",
	               cases);
	knot_stop(server);
}

/* Every way of not answering, with either result. */
static size_t
misbehave(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	size_t at;

	(void)room;
	(void)data;
	if (strncmp(question->name, "1.", 2) == 0)
		return fake_dns_begin(question, 2, out);
	if (strncmp(question->name, "2.", 2) == 0)
		return fake_dns_begin(question, 5, out);
	at = fake_dns_add(out, fake_dns_begin(question, 0, out), NULL, FAKE_DNS_A, 60, "", 0,
	                  false);
	return strncmp(question->name, "3.", 2) == 0 ? at : 0;
}

static void
test_failures(void)
{
	static const struct dns_case positive[] = {
		{ "192.0.2.1", LIMEN_PASS, SERVFAIL "true" },
		{ "192.0.2.2", LIMEN_PASS,
		  "the name server refuses to answer (REFUSED); fail-result is true" },
		{ "192.0.2.3", LIMEN_PASS,
		  "the answer of the name server is malformed; fail-result is true" },
		{ "192.0.2.4", LIMEN_PASS,
		  "no name server answered in time; fail-result is true" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct dns_case negative[] = {
		{ "192.0.2.1", LIMEN_FAIL, SERVFAIL "false" },
		{ "192.0.2.4", LIMEN_FAIL,
		  "no name server answered in time; fail-result is false" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct dns_case excluded[] = {
		{ "192.0.2.1", LIMEN_FAIL, "" },
		{ "192.0.2.4", LIMEN_FAIL, "" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct fake_dns *server = fake_dns_start(misbehave, NULL);

	/* No server is asked about excluded addresses. */
	dns_case_check(TYPE, fake_dns_address(server),
	               "'exclude':['192.0.2.0/24'],'fail-result':true", excluded);
	CU_ASSERT_EQUAL(fake_dns_count(server), 0);
	dns_case_check(TYPE, fake_dns_address(server),
	               "'exclude':[],'fail-result':true,'timeout':'PT0.3S'", positive);
	dns_case_check(TYPE, fake_dns_address(server),
	               "'exclude':[],'fail-result':false,'timeout':'PT0.3S'", negative);
	fake_dns_stop(server);
}

static void
test_requesters(void)
{
	dns_case_check_requesters(TYPE, "'exclude':[],'fail-result':true");
}

static void
test_data(void)
{
	dns_case_refuse(TYPE, "{'exclude':[]}", "fail-result");
	dns_case_refuse(TYPE, "{'exclude':['10.0.0.1/8'],'fail-result':true}",
	                "10.0.0.1/8 has host bits set");
	dns_case_refuse(TYPE, "{'exclude':['here'],'fail-result':true}", "/data/exclude/0");
	dns_case_refuse(TYPE, "{'exclude':[],'fail-result':1}", "/data/fail-result");
	dns_case_refuse(TYPE, "{'exclude':[],'fail-result':true,'timeout':'2 s'}",
	                "/data/timeout");
	dns_case_refuse(TYPE, "{'exclude':[],'fail-result':true,'server':'dns.test'}",
	                "/data/server: must be addresses of name servers");
	dns_case_refuse(TYPE, "{'exclude':[],'fail-results':true}", "fail-result");
	dns_case_remark(TYPE, "{'fail-result':true}", "limen excludes nothing");
	dns_case_remark(TYPE, "{'exclude':['10.0.0.0/8','10.0.0.1'],'fail-result':true}",
	                "exclude/1: pScheduler 5.2 takes networks only here");
	dns_case_remark(TYPE, "{'exclude':['10.0.0.0/8'],'fail-result':true}", "");
	/* Half of 30 seconds, the default of the settings. */
	dns_case_remark(TYPE, "{'exclude':['10.0.0.0/8'],'fail-result':true,'timeout':'PT15S'}", "");
	dns_case_remark(TYPE, "{'exclude':['10.0.0.0/8'],'fail-result':true,'timeout':'PT16S'}",
	                "is longer than identifiers are waited for");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, TYPE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "requesters on the list and others", test_list },
		{ "requesters that are excluded", test_exclude },
		{ "answers that cannot be had", test_failures },
		{ "requesters that are no address", test_requesters },
		{ "the data is checked", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/ip-cymru-bogon", tests);
}
