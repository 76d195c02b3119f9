/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_test_names.c - host names in the limit "test" (IPCIDRList) through the real
 * engine and a real name server (tests/plugins/zones).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_dns.h"
#include "knot.h"
#include "plugin.h"
#include "suite.h"

enum { TEXT_MAX = 4000 };

struct spec_case {
	const char *spec; /* members, with single quotes; NULL ends a table */
	limen_verdict verdict;
	const char *reason; /* NULL: none */
};

static void
write_json(char out[TEXT_MAX], const char *before, const char *middle, const char *after)
{
	int size = snprintf(out, TEXT_MAX, "%s%s%s", before, middle, after);

	CU_ASSERT_FATAL(size > 0 && size < TEXT_MAX);
	for (; *out != '\0'; out++) {
		if (*out == '\'')
			*out = '"';
	}
}

static limen_kit *
open_limit(const char *server, const char *timeout, const char *parameters)
{
	char start[200], text[TEXT_MAX];

	snprintf(start, sizeof(start), "{'test':'t','server':'%s','timeout':'%s','limit':{",
	         server, timeout);
	write_json(text, start, parameters, "}}");
	return plugin_open(LIMEN_KIND_LIMIT, "test", text);
}

static void
ask(limen_kit *kit, const struct spec_case *one)
{
	char text[TEXT_MAX];
	struct plugin_case question = { one->spec, text, NULL, one->verdict, one->reason };

	write_json(text, "{'test':{'type':'t','spec':{", one->spec, "}}}");
	plugin_ask(kit, &question);
}

static void
check(const char *server, const char *parameters, const struct spec_case *cases)
{
	limen_kit *kit = open_limit(server, "PT30S", parameters);

	CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
	for (; cases->spec != NULL; cases++)
		ask(kit, cases);
	limen_kit_free(kit);
}

#define OUT(host) host " is not in the allowed address range"
#define UNKNOWN(key, host, why) "the addresses of " key " '" host "' are not known: " why

/* 192.0.2.0/24 and 2001:db8::/47 are in the range. */
static void
test_straight(void)
{
	static const struct spec_case cases[] = {
		{ "'dest':'host1.example.org'", LIMEN_PASS, NULL },
		{ "'dest':'host1.example.org.'", LIMEN_PASS, NULL },
		{ "'dest':'Host6.Example.Org'", LIMEN_PASS, NULL },
		{ "'dest':'v6only.example.org'", LIMEN_PASS, NULL },
		{ "'dest':['host1.example.org','192.0.2.200','a.example.org']", LIMEN_PASS, NULL },
		{ "'dest':'outside.example.org'", LIMEN_FAIL, OUT("outside.example.org") },
		/* All addresses must be in the range: the test may use any. */
		{ "'dest':'many.example.org'", LIMEN_FAIL, OUT("many.example.org") },
		{ "'dest':'split.example.org'", LIMEN_FAIL, OUT("split.example.org") },
		{ "'dest':'split.example.org','ip-version':4", LIMEN_PASS, NULL },
		{ "'dest':'split.example.org','ip-version':6", LIMEN_FAIL,
		  OUT("split.example.org") },
		{ "'dest':'split.example.org','ip-version':5", LIMEN_FAIL,
		  OUT("split.example.org") },
		{ "'dest':'v6only.example.org','ip-version':4", LIMEN_ERROR,
		  UNKNOWN("Dest", "v6only.example.org", "it has no address") },
		{ "'dest':['host1.example.org','outside.example.org']", LIMEN_FAIL,
		  OUT("outside.example.org") },
		{ "'dest':'nowhere.example.org'", LIMEN_ERROR,
		  UNKNOWN("Dest", "nowhere.example.org", "it has no address") },
		{ "'dest':'text.example.org'", LIMEN_ERROR,
		  UNKNOWN("Dest", "text.example.org", "it has no address") },
		{ "'dest':'loop1.example.org'", LIMEN_ERROR,
		  UNKNOWN("Dest", "loop1.example.org", "too many aliases lead to the name") },
		{ "'dest':'host.broken.test'", LIMEN_ERROR,
		  UNKNOWN("Dest", "host.broken.test", "the name server failed (SERVFAIL)") },
		{ "'dest':'host1'", LIMEN_ERROR,
		  UNKNOWN("Dest", "host1", "the name server refuses to answer (REFUSED)") },
		{ "'dest':'127.1'", LIMEN_ERROR,
		  UNKNOWN("Dest", "127.1", "no host can have that name") },
		{ "'dest':'0x7f000001'", LIMEN_ERROR,
		  UNKNOWN("Dest", "0x7f000001", "no host can have that name") },
		{ "'dest':'a..b'", LIMEN_ERROR,
		  UNKNOWN("Dest", "a..b", "no host can have that name") },
		{ "'dest':['outside.example.org','host1']", LIMEN_ERROR,
		  UNKNOWN("Dest", "host1", "the name server refuses to answer (REFUSED)") },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	check(knot_address(server), "'dest':{'cidr':['192.0.2.0/24','2001:db8::/47']}", cases);
	knot_stop(server);
}

static void
test_inverted(void)
{
	static const struct spec_case cases[] = {
		{ "'source':'host1.example.org'", LIMEN_FAIL, OUT("host1.example.org") },
		{ "'source':'outside.example.org'", LIMEN_PASS, NULL },
		/* None of its addresses may be in the range. */
		{ "'source':'many.example.org'", LIMEN_FAIL, OUT("many.example.org") },
		{ "'source':'split.example.org','ip-version':6", LIMEN_PASS, NULL },
		{ "'source':'nowhere.example.org'", LIMEN_ERROR,
		  UNKNOWN("Source", "nowhere.example.org", "it has no address") },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	check(knot_address(server),
	      "'source':{'cidr':['192.0.2.0/24','2001:db8::/47'],'invert':true}", cases);
	knot_stop(server);
}

static void
test_endpoint(void)
{
	static const struct spec_case straight[] = {
		{ "'source':'outside.example.org','dest':'host1.example.org'", LIMEN_PASS, NULL },
		{ "'source':'host1.example.org','dest':'203.0.113.1'", LIMEN_PASS, NULL },
		{ "'source':'nowhere.example.org','dest':'host1.example.org'", LIMEN_PASS, NULL },
		{ "'source':'many.example.org','dest':'outside.example.org'", LIMEN_FAIL,
		  "Neither many.example.org nor outside.example.org matches the IP range set by "
		  "endpoint limit" },
		{ "'source':'outside.example.org','dest':'nowhere.example.org'", LIMEN_ERROR,
		  UNKNOWN("Endpoint", "nowhere.example.org", "it has no address") },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'source':'outside.example.org','dest':'203.0.113.5'", LIMEN_PASS, NULL },
		{ "'source':'outside.example.org','dest':'many.example.org'", LIMEN_PASS, NULL },
		{ "'dest':'many.example.org'", LIMEN_FAIL, OUT("many.example.org") },
		{ "'source':'host1.example.org','dest':'many.example.org'", LIMEN_FAIL,
		  "Neither host1.example.org nor many.example.org matches the IP range set by "
		  "endpoint limit" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	struct knot *server = knot_start();

	if (server == NULL)
		return;
	check(knot_address(server), "'endpoint':{'cidr':['192.0.2.0/24','2001:db8::/47']}", straight);
	check(knot_address(server), "'endpoint':{'cidr':['192.0.2.0/24','2001:db8::/47'],'invert':true}",
	      inverted);
	knot_stop(server);
}

static size_t
answer(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	size_t at = fake_dns_begin(question, 0, out);

	(void)room;
	(void)data;
	return question->type == FAKE_DNS_A
	               ? fake_dns_add(out, at, NULL, FAKE_DNS_A, 60, "\300\0\2\7", 4, false)
	               : at;
}

/* As many names as may be, and one more; names are asked for once. */
static void
test_many(void)
{
	struct fake_dns *server = fake_dns_start(answer, NULL);
	limen_kit *kit = open_limit(fake_dns_address(server), "PT30S",
	                            "'dest':{'cidr':['192.0.2.0/24']}");
	char spec[2000] = "'dest':[";
	struct spec_case one = { spec, LIMEN_PASS, NULL };
	unsigned asked;

	CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
	for (int i = 1; i <= 33; i++) {
		char last = i == 32 || i == 33 ? ']' : ',';

		snprintf(spec + strlen(spec), 40, "'h%d.test'%c", i, last);
		if (i < 32)
			continue;
		if (i == 33) {
			one.verdict = LIMEN_ERROR;
			one.reason = UNKNOWN("Dest", "h33.test",
			                     "the test names too many hosts");
		}
		ask(kit, &one);
		ask(kit, &one);
		spec[strlen(spec) - 1] = ',';
	}
	asked = fake_dns_count(server);
	plugin_assert(asked == 64, __FILE__, __LINE__, "%u questions, want 64", asked);
	limen_kit_free(kit);
	fake_dns_stop(server);
}

/* The time is for all names of a test together. */
static void
test_time(void)
{
	char hole[32];
	int fd = fake_dns_blackhole(hole);
	limen_kit *kit = open_limit(hole, "PT0.3S", "'dest':{'cidr':['192.0.2.0/24']}");
	struct spec_case one = { "'dest':['a.test','b.test','c.test']", LIMEN_ERROR,
		                 UNKNOWN("Dest", "a.test", "no name server answered in time") };

	CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
	ask(kit, &one);
	limen_kit_free(kit);
	close(fd);
}

static void
test_data(void)
{
	plugin_refuse(LIMEN_KIND_LIMIT, "test",
	              "{\"test\":\"t\",\"limit\":{},\"server\":\"dns.test\"}", "/data/server");
	plugin_refuse(LIMEN_KIND_LIMIT, "test",
	              "{\"test\":\"t\",\"limit\":{},\"timeout\":\"2 s\"}", "/data/timeout");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "names of which all addresses are in the range", test_straight },
		{ "names of which no address is", test_inverted },
		{ "names of endpoints", test_endpoint },
		{ "as many names as may be, asked for once", test_many },
		{ "the time is for all names together", test_time },
		{ "the data is checked", test_data },
		{ NULL, NULL }
	};

	return suite_run("limit/test names", tests);
}
