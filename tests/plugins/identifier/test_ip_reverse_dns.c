/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_reverse_dns.c - the identifier "ip-reverse-dns" through the real engine
 * and a real name server (tests/plugins/zones).
 */
#include "dns_case.h"
#include "fake_dns.h"
#include "knot.h"

#define TYPE "ip-reverse-dns"
#define ANYTHING "'match':{'style':'contains','match':''},'timeout':'PT30S'"

/* What leads back and what does not. */
static void
test_confirmed(void)
{
	static const struct dns_case cases[] = {
		{ "192.0.2.1", LIMEN_PASS, "" },
		{ "192.0.2.2", LIMEN_FAIL, "liar.example.org does not lead back to the requester" },
		{ "192.0.2.3", LIMEN_PASS, "" },
		{ "192.0.2.33", LIMEN_FAIL, "a.example.org does not lead back to the requester" },
		{ "192.0.2.4", LIMEN_FAIL, "" },
		{ "192.0.2.5", LIMEN_FAIL, "" },
		{ "192.0.2.6", LIMEN_PASS, "" },
		{ "192.0.2.7", LIMEN_PASS, "" },
		{ "192.0.2.8", LIMEN_FAIL, "" },
		{ "192.0.2.9", LIMEN_FAIL,
		  "the name of the requester's address is not a valid host name" },
		{ "192.0.2.10", LIMEN_ERROR, "the name server failed (SERVFAIL)" },
		{ "192.0.2.11", LIMEN_PASS, "" },
		{ "192.0.2.12", LIMEN_ERROR, "the name server refuses to answer (REFUSED)" },
		{ "192.0.2.13", LIMEN_FAIL,
		  "the name of the requester's address is not a valid host name" },
		{ "192.0.2.14", LIMEN_FAIL, "" },
		{ "198.51.100.1", LIMEN_ERROR, "the name server failed (SERVFAIL)" },
		{ "203.0.113.1", LIMEN_ERROR, "the name server refuses to answer (REFUSED)" },
		{ "::ffff:192.0.2.1", LIMEN_PASS, "" },
		{ "::ffff:c000:201", LIMEN_PASS, "" },
		{ "2001:db8::1", LIMEN_PASS, "" },
		{ "2001:0DB8:0:0:0:0:0:1", LIMEN_PASS, "" },
		{ "2001:db8::1%eth0", LIMEN_PASS, "" },
		{ "2001:db8::2", LIMEN_FAIL, "host1.example.org does not lead back to the requester" },
		{ "2001:db8::3", LIMEN_FAIL, "" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	dns_case_check(TYPE, knot_address(server), ANYTHING, cases);
	knot_stop(server);
}

/* "The name with or without its dot is matched, then inverted." */
static void
test_match(void)
{
	static const struct {
		const char *match;
		bool straight; /* does host1.example.org match? */
	} cases[] = {
		{ "'style':'exact','match':'host1.example.org'", true },
		{ "'style':'exact','match':'host1.example.org.'", true },
		{ "'style':'exact','match':'host1.example.or'", false },
		{ "'style':'exact','match':'HOST1.example.org'", false },
		{ "'style':'exact','match':'HOST1.example.org','case-insensitive':true", true },
		{ "'style':'contains','match':'example'", true },
		{ "'style':'contains','match':'org.'", true },
		{ "'style':'contains','match':'.org.x'", false },
		{ "'style':'regex','match':'\\\\.example\\\\.org$'", true },
		{ "'style':'regex','match':'\\\\.example\\\\.org\\\\.$'", true },
		{ "'style':'regex','match':'^example'", false },
	};
	struct knot *server = knot_start();
	char data[200];

	if (server == NULL)
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int invert = 0; invert < 2; invert++) {
			struct dns_case one = { "192.0.2.1", LIMEN_FAIL, "" };
			struct dns_case nameless = { "192.0.2.14", LIMEN_FAIL, "" };
			limen_kit *kit;

			if (cases[i].straight != (invert == 1))
				one.verdict = LIMEN_PASS;
			snprintf(data, sizeof(data), "'match':{%s,'invert':%s},'timeout':'PT30S'",
			         cases[i].match, invert == 1 ? "true" : "false");
			kit = dns_case_open(TYPE, knot_address(server), data);
			dns_case_ask(kit, &one);
			dns_case_ask(kit, &nameless);
			limen_kit_free(kit);
		}
	}
	knot_stop(server);
}

/* The name keeps its case. */
static size_t
answer_mixed(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	size_t at = fake_dns_begin(question, 0, out);

	(void)room;
	(void)data;
	if (question->type == FAKE_DNS_PTR)
		return fake_dns_add_name(out, at, NULL, FAKE_DNS_PTR, 60, "MixedCase.Example.ORG");
	return fake_dns_add(out, at, NULL, FAKE_DNS_A, 60, "\300\0\2\7", 4, false);
}

static void
test_case(void)
{
	static const struct dns_case upper[] = { { "192.0.2.7", LIMEN_PASS, "" },
		                                 { NULL, LIMEN_ERROR, NULL } };
	static const struct dns_case lower[] = { { "192.0.2.7", LIMEN_FAIL, "" },
		                                 { NULL, LIMEN_ERROR, NULL } };
	struct fake_dns *server = fake_dns_start(answer_mixed, NULL);

	dns_case_check(TYPE, fake_dns_address(server),
	               "'match':{'style':'contains','match':'Case.Example.ORG'},"
	               "'timeout':'PT30S'", upper);
	dns_case_check(TYPE, fake_dns_address(server),
	               "'match':{'style':'contains','match':'case.example'},'timeout':'PT30S'",
	               lower);
	fake_dns_stop(server);
}

/* The time is for both questions: one that took most of it leaves little for the other. */
static size_t
answer_name_only(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	(void)room;
	(void)data;
	if (question->type != FAKE_DNS_PTR)
		return 0;
	return fake_dns_add_name(out, fake_dns_begin(question, 0, out), NULL, FAKE_DNS_PTR, 60,
	                         "host.example.org");
}

static void
test_time(void)
{
	static const struct dns_case cases[] = {
		{ "192.0.2.1", LIMEN_ERROR, "no name server answered in time" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct fake_dns *server = fake_dns_start(answer_name_only, NULL);

	dns_case_check(TYPE, fake_dns_address(server),
	               "'match':{'style':'contains','match':''},'timeout':'PT0.4S'", cases);
	fake_dns_stop(server);
}

static void
test_requesters(void)
{
	dns_case_check_requesters(TYPE, ANYTHING);
}

static void
test_data(void)
{
	dns_case_refuse(TYPE, "{'match':{'style':'exact','match':'a'}}", "timeout");
	dns_case_refuse(TYPE, "{'timeout':'PT1S'}", "match");
	dns_case_refuse(TYPE, "{'match':{'style':'exact','match':'a'},'timeout':1}",
	                "/data/timeout");
	dns_case_refuse(TYPE, "{'match':{'style':'exact','match':'a'},'timeout':'PT1S',"
	                "'server':'::1:x'}", "/data/server");
	dns_case_remark(TYPE, "{'match':{'style':'exact','match':'a'},'timeout':'PT1S'}",
	                "limen reports an error");
	dns_case_remark(TYPE, "{'match':{'style':'exact','match':'a','invert':true},"
	                "'timeout':'PT1S'}", "limen inverts the result of both");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, TYPE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "names that lead back to the requester and others", test_confirmed },
		{ "names that match, straight and inverted", test_match },
		{ "names keep their case", test_case },
		{ "the time is for both questions", test_time },
		{ "requesters that are no address", test_requesters },
		{ "the data is checked", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/ip-reverse-dns", tests);
}
