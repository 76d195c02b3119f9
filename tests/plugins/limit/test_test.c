/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_test.c - the limit "test" through the real engine.  JSON in the tables
 * is written with ' for ".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

#define TEXT_MAX 4096

/* The specification of a test "t", and what the limit says about it. */
struct spec_case {
	const char *spec; /* its members; NULL ends a table */
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

/* Opens the limit 'parameters' and asks it about every specification. */
static void
check_specs(const char *parameters, const struct spec_case *cases)
{
	char text[TEXT_MAX];
	limen_kit *kit;

	/* Nobody answers at that port: names are the subject of test_test_names.c. */
	write_json(text, "{'test':'t','server':'127.0.0.1:1','limit':{", parameters, "}}");
	kit = plugin_open(LIMEN_KIND_LIMIT, "test", text);
	if (kit == NULL)
		return;
	for (; cases->spec != NULL; cases++) {
		struct plugin_case question = {
			.about = cases->spec,
			.document = text,
			.verdict = cases->verdict,
			.reason = cases->reason,
		};

		write_json(text, "{'test':{'type':'t','spec':{", cases->spec, "}}}");
		plugin_ask(kit, &question);
	}
	limen_kit_free(kit);
}

static void
test_boolean(void)
{
	static const struct spec_case wants_true[] = {
		{ "'udp':true", LIMEN_PASS, NULL },
		{ "'udp':false", LIMEN_FAIL, "UDP testing not allowed" },
		{ "", LIMEN_FAIL, "UDP testing not allowed" },
		{ "'udp':null", LIMEN_ERROR, "UDP is not a boolean" },
		{ "'udp':1", LIMEN_ERROR, "UDP is not a boolean" },
		{ "'udp':'true'", LIMEN_ERROR, "UDP is not a boolean" },
		{ "'udp':[true]", LIMEN_ERROR, "UDP is not a boolean" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case wants_false[] = {
		{ "'udp':false", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'udp':true", LIMEN_FAIL, "TCP only" },
		{ "'udp':0", LIMEN_ERROR, "UDP is not a boolean" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'udp':{'match':true}", wants_true);
	check_specs("'udp':{'match':false,'description':'d','fail-message':'TCP only'}",
	            wants_false);
}

static void
test_cardinal(void)
{
	static const struct spec_case straight[] = {
		{ "'hops':5", LIMEN_PASS, NULL },
		{ "'hops':8", LIMEN_PASS, NULL },
		{ "'hops':8.0", LIMEN_PASS, NULL },
		{ "'hops':80e-1", LIMEN_PASS, NULL },
		{ "'hops':0.5e1", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'hop':9", LIMEN_PASS, NULL },
		{ "'hops':4", LIMEN_FAIL, "Hops not in 5..8" },
		{ "'hops':9", LIMEN_FAIL, "Hops not in 5..8" },
		{ "'hops':-6", LIMEN_FAIL, "Hops not in 5..8" },
		{ "'hops':100000000000000000000000006", LIMEN_FAIL, "Hops not in 5..8" },
		{ "'hops':5.5", LIMEN_ERROR, "Hops is not a whole number" },
		{ "'hops':null", LIMEN_ERROR, "Hops is not a number, with or without an SI unit" },
		{ "'hops':true", LIMEN_ERROR, "Hops is not a number, with or without an SI unit" },
		{ "'hops':[6]", LIMEN_ERROR, "Hops is not a number, with or without an SI unit" },
		{ "'hops':''", LIMEN_ERROR, "Hops is not a number, with or without an SI unit" },
		{ "'hops':1e9999999999999999999", LIMEN_ERROR,
		  "Hops is not a number, with or without an SI unit" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'hops':4", LIMEN_PASS, NULL },
		{ "'hops':9", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'hops':5", LIMEN_FAIL, "Hops in 5..8" },
		{ "'hops':8", LIMEN_FAIL, "Hops in 5..8" },
		{ "'hops':null", LIMEN_ERROR, "Hops is not a number, with or without an SI unit" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'hops':{'range':{'lower':5,'upper':8}}", straight);
	check_specs("'hops':{'range':{'lower':5,'upper':8},'invert':false}", straight);
	check_specs("'hops':{'range':{'lower':5,'upper':8},'invert':true}", inverted);
}

static void
test_cardinal_zero(void)
{
	static const struct spec_case cases[] = {
		{ "'port':0", LIMEN_PASS, NULL },
		{ "'port':-0", LIMEN_PASS, NULL },
		{ "'port':19", LIMEN_PASS, NULL },
		{ "'port':{'lower':0,'upper':19}", LIMEN_PASS, NULL },
		{ "'port':{'lower':19,'upper':19}", LIMEN_PASS, NULL },
		{ "'port':-1", LIMEN_FAIL, "Port not in 0..19" },
		{ "'port':20", LIMEN_FAIL, "Port not in 0..19" },
		{ "'port':{'lower':0,'upper':20}", LIMEN_FAIL, "Port not in 0..19" },
		{ "'port':{'lower':2,'upper':1}", LIMEN_ERROR,
		  "Port has a lower end above its upper end" },
		{ "'port':{'lower':2}", LIMEN_ERROR,
		  "Port is not a number, with or without an SI unit" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'port':{'lower':20,'upper':30}", LIMEN_PASS, NULL },
		{ "'port':{'lower':19,'upper':30}", LIMEN_FAIL, "Port in 0..19" },
		{ "'port':{'lower':-5,'upper':30}", LIMEN_FAIL, "Port in 0..19" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case single[] = {
		{ "'port':0", LIMEN_PASS, NULL },
		{ "'port':1", LIMEN_FAIL, "Port not in 0..0" },
		{ "'port':-1", LIMEN_FAIL, "Port not in 0..0" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'port':{'range':{'lower':0,'upper':19}}", cases);
	check_specs("'port':{'range':{'lower':0,'upper':19},'invert':true}", inverted);
	check_specs("'port':{'range':{'lower':0,'upper':0}}", single);
}

static void
test_lists(void)
{
	static const struct spec_case straight[] = {
		{ "'ip-tos':0", LIMEN_PASS, NULL },
		{ "'ip-tos':8.0", LIMEN_PASS, NULL },
		{ "'ip-tos':[2,8,0,2]", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'ip-tos':1", LIMEN_FAIL, "IP TOS not within limit" },
		{ "'ip-tos':-2", LIMEN_FAIL, "IP TOS not within limit" },
		{ "'ip-tos':[2,3,5]", LIMEN_FAIL, "IP TOS not within limit" },
		{ "'ip-tos':[]", LIMEN_ERROR, "IP TOS is an empty list" },
		{ "'ip-tos':[[2]]", LIMEN_ERROR, "IP TOS is not an integer" },
		{ "'ip-tos':'2'", LIMEN_ERROR, "IP TOS is not an integer" },
		{ "'ip-tos':2.5", LIMEN_ERROR, "IP TOS is not an integer" },
		{ "'ip-tos':null", LIMEN_ERROR, "IP TOS is not an integer" },
		{ "'ip-tos':99999999999999999999", LIMEN_ERROR, "IP TOS is not an integer" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'ip-tos':1", LIMEN_PASS, NULL },
		{ "'ip-tos':[1,3]", LIMEN_PASS, NULL },
		{ "'ip-tos':[1,2]", LIMEN_FAIL, "No such TOS" },
		{ "'ip-tos':8", LIMEN_FAIL, "No such TOS" },
		{ "'ip-tos':'1'", LIMEN_ERROR, "IP TOS is not an integer" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'ip-tos':{'match':[8,4,2,0,2]}", straight);
	check_specs("'ip-tos':{'match':[8,4,2,0],'invert':true,'fail-message':'No such TOS'}",
	            inverted);
}

static void
test_duration(void)
{
	static const struct spec_case straight[] = {
		{ "'duration':'PT15S'", LIMEN_PASS, NULL },
		{ "'duration':'PT1M'", LIMEN_PASS, NULL },
		{ "'duration':'PT60S'", LIMEN_PASS, NULL },
		{ "'duration':'PT0.5M'", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'duration':'PT14.999999S'", LIMEN_FAIL, "Duration not in PT15S..PT1M" },
		{ "'duration':'PT1M0.000001S'", LIMEN_FAIL, "Duration not in PT15S..PT1M" },
		{ "'duration':'P1W'", LIMEN_FAIL, "Duration not in PT15S..PT1M" },
		{ "'duration':'P1M'", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ "'duration':'P'", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ "'duration':'20'", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ "'duration':20", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ "'duration':null", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ "'duration':'PT20S\\u0000'", LIMEN_ERROR,
		  "Duration is not a valid ISO 8601 duration" },
		{ "'duration':'P99999999999999999999W'", LIMEN_ERROR,
		  "Duration is too long a duration" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'duration':'PT14.999999S'", LIMEN_PASS, NULL },
		{ "'duration':'PT61S'", LIMEN_PASS, NULL },
		{ "'duration':'PT15S'", LIMEN_FAIL, "Duration in PT15S..PT1M" },
		{ "'duration':'PT60S'", LIMEN_FAIL, "Duration in PT15S..PT1M" },
		{ "'duration':'forever'", LIMEN_ERROR, "Duration is not a valid ISO 8601 duration" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'duration':{'range':{'lower':'PT15S','upper':'PT1M'}}", straight);
	check_specs("'duration':{'range':{'lower':'PT15S','upper':'PT1M'},'invert':true}",
	            inverted);
}

static void
test_si_number(void)
{
	static const struct spec_case straight[] = {
		{ "'bandwidth':'600K'", LIMEN_PASS, NULL },
		{ "'bandwidth':600000", LIMEN_PASS, NULL },
		{ "'bandwidth':6e5", LIMEN_PASS, NULL },
		{ "'bandwidth':'5g'", LIMEN_PASS, NULL },
		{ "'bandwidth':5000000000.0", LIMEN_PASS, NULL },
		{ "'bandwidth':'4 Gi'", LIMEN_PASS, NULL },
		{ "'bandwidth':599999", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':'599.999999K'", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':'5000000001'", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':5000000001", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':'5Gi'", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':'-1M'", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':1e40", LIMEN_FAIL, "Bandwidth not in 600K..5G" },
		{ "'bandwidth':'1 MB'", LIMEN_ERROR,
		  "Bandwidth is not a number, with or without an SI unit" },
		{ "'bandwidth':'PT1S'", LIMEN_ERROR,
		  "Bandwidth is not a number, with or without an SI unit" },
		{ "'bandwidth':'999999999999999999Y'", LIMEN_ERROR,
		  "Bandwidth is not a number, with or without an SI unit" },
		{ "'bandwidth':{}", LIMEN_ERROR,
		  "Bandwidth is not a number, with or without an SI unit" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'bandwidth':599999", LIMEN_PASS, NULL },
		{ "'bandwidth':'5.1G'", LIMEN_PASS, NULL },
		{ "'bandwidth':'5G'", LIMEN_FAIL, "Bandwidth in 600K..5G" },
		{ "'bandwidth':'fast'", LIMEN_ERROR,
		  "Bandwidth is not a number, with or without an SI unit" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case mixed[] = {
		{ "'bandwidth':'1K'", LIMEN_PASS, NULL },
		{ "'bandwidth':1025", LIMEN_FAIL, "Bandwidth not in 1..1Ki" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	/* Two ends that a double cannot tell from their neighbours. */
	static const struct spec_case large[] = {
		{ "'bandwidth':9007199254740993", LIMEN_PASS, NULL },
		{ "'bandwidth':9007199254740992", LIMEN_FAIL,
		  "Bandwidth not in 9007199254740993..170141183460469231731687303715884105727" },
		{ "'bandwidth':170141183460469231731687303715884105727", LIMEN_PASS, NULL },
		{ "'bandwidth':170141183460469231731687303715884105728", LIMEN_FAIL,
		  "Bandwidth not in 9007199254740993..170141183460469231731687303715884105727" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'bandwidth':{'range':{'lower':'600K','upper':'5G'}}", straight);
	check_specs("'bandwidth':{'range':{'lower':'600K','upper':'5G'},'invert':true}", inverted);
	check_specs("'bandwidth':{'range':{'lower':1,'upper':'1Ki'}}", mixed);
	check_specs("'bandwidth':{'range':{'lower':9007199254740993,"
	            "'upper':'170141183460469231731687303715884105727'}}", large);
}

static void
test_probability(void)
{
	static const struct spec_case straight[] = {
		{ "'fail':0.25", LIMEN_PASS, NULL },
		{ "'fail':0.250", LIMEN_PASS, NULL },
		{ "'fail':25e-2", LIMEN_PASS, NULL },
		{ "'fail':1", LIMEN_PASS, NULL },
		{ "'fail':1.000", LIMEN_PASS, NULL },
		{ "'fail':0.24999999999999999999999999", LIMEN_FAIL, "Fail not in 0.25..1.0" },
		{ "'fail':1.00000000000000000000000001", LIMEN_FAIL, "Fail not in 0.25..1.0" },
		{ "'fail':0", LIMEN_FAIL, "Fail not in 0.25..1.0" },
		{ "'fail':-0.5", LIMEN_FAIL, "Fail not in 0.25..1.0" },
		{ "'fail':'0.5'", LIMEN_ERROR, "Fail is not a number" },
		{ "'fail':false", LIMEN_ERROR, "Fail is not a number" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'fail':0.2499", LIMEN_PASS, NULL },
		{ "'fail':0.25", LIMEN_FAIL, "Fail in 0.25..1.0" },
		{ "'fail':'0.1'", LIMEN_ERROR, "Fail is not a number" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case integers[] = {
		{ "'fail':0.5", LIMEN_PASS, NULL },
		{ "'fail':0", LIMEN_PASS, NULL },
		{ "'fail':1.0001", LIMEN_FAIL, "Fail not in 0..1" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case tiny[] = {
		{ "'fail':1e-7", LIMEN_PASS, NULL },
		{ "'fail':0.00000009", LIMEN_FAIL, "Fail not in 1e-7..1E0" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'fail':{'range':{'lower':0.25,'upper':1.0}}", straight);
	check_specs("'fail':{'range':{'lower':0.25,'upper':1.0},'invert':true}", inverted);
	check_specs("'fail':{'range':{'lower':0,'upper':1}}", integers);
	check_specs("'fail':{'range':{'lower':1e-7,'upper':1E0}}", tiny);
}

static void
test_ip_version(void)
{
	static const struct spec_case straight[] = {
		{ "'ip-version':6", LIMEN_PASS, NULL },
		{ "'ip-version':[6,6]", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'ip-version':4", LIMEN_FAIL, "IP Version IPv4 is not allowed" },
		{ "'ip-version':[6,4]", LIMEN_FAIL, "IP Version IPv4 is not allowed" },
		{ "'ip-version':5", LIMEN_ERROR, "IP Version is not an IP version, 4 or 6" },
		{ "'ip-version':'6'", LIMEN_ERROR, "IP Version is not an IP version, 4 or 6" },
		{ "'ip-version':[]", LIMEN_ERROR, "IP Version is an empty list" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'ip-version':4", LIMEN_PASS, NULL },
		{ "'ip-version':6", LIMEN_FAIL, "IP Version IPv6 is not allowed" },
		{ "'ip-version':[4,6]", LIMEN_FAIL, "IP Version IPv6 is not allowed" },
		{ "'ip-version':5", LIMEN_ERROR, "IP Version is not an IP version, 4 or 6" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case both[] = {
		{ "'ip-version':4", LIMEN_PASS, NULL },
		{ "'ip-version':6", LIMEN_PASS, NULL },
		{ "'ip-version':[4,6]", LIMEN_PASS, NULL },
		{ "'ip-version':null", LIMEN_ERROR, "IP Version is not an IP version, 4 or 6" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case neither[] = {
		{ "'ip-version':4", LIMEN_FAIL, "IP Version IPv4 is not allowed" },
		{ "'ip-version':6", LIMEN_FAIL, "IP Version IPv6 is not allowed" },
		{ "", LIMEN_PASS, NULL },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'ip-version':{'match':6}", straight);
	check_specs("'ip-version':{'match':6,'invert':true}", inverted);
	check_specs("'ip-version':{'enumeration':[6]}", straight);
	check_specs("'ip-version':{'enumeration':[6],'invert':true}", inverted);
	check_specs("'ip-version':{'enumeration':[4,6]}", both);
	check_specs("'ip-version':{'enumeration':[4,6],'invert':true}", neither);
}

static void
test_string(void)
{
	static const struct spec_case matches[] = {
		{ "'comment':'a platypus!'", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'comment':'a plat'", LIMEN_FAIL, "Comment does not match limit" },
		{ "'comment':''", LIMEN_FAIL, "Comment does not match limit" },
		{ "'comment':7", LIMEN_ERROR, "Comment is not a string" },
		{ "'comment':['platypus']", LIMEN_ERROR, "Comment is not a string" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case differs[] = {
		{ "'comment':'a plat'", LIMEN_PASS, NULL },
		{ "'comment':''", LIMEN_PASS, NULL },
		{ "", LIMEN_PASS, NULL },
		{ "'comment':'platypus'", LIMEN_FAIL, "Comment does not match limit" },
		{ "'comment':null", LIMEN_ERROR, "Comment is not a string" },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case exact[] = {
		{ "'comment':'TCP'", LIMEN_PASS, NULL },
		{ "'comment':'tcp'", LIMEN_PASS, NULL },
		{ "'comment':'tcp '", LIMEN_FAIL, "TCP, please" },
		{ "'comment':'tcp\\u0000'", LIMEN_FAIL, "TCP, please" },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'comment':{'match':{'style':'regex','match':'p.*pus'}}", matches);
	check_specs("'comment':{'match':{'style':'contains','match':'platypus'}}", matches);
	check_specs("'comment':{'match':{'style':'regex','match':'platypus','invert':true}}",
	            differs);
	check_specs("'comment':{'match':{'style':'regex','match':'platypus'},'invert':true}",
	            differs);
	check_specs("'comment':{'match':{'style':'regex','match':'platypus','invert':true},"
	            "'invert':true}", matches);
	check_specs("'comment':{'match':{'style':'exact','match':'tcp','case-insensitive':true},"
	            "'fail-message':'TCP, please'}", exact);
}

#define MALFORMED(key) key " is not an address or a host name"
#define OUT(host) host " is not in the allowed address range"
#define ABSENT(key) "This test has a limit on the " key " field but the " key " was not specified"
#define NO_ENDPOINT \
	"This test has a limit on the endpoint field but neither source nor dest was specified"
#define UNKNOWN(key, host, why) "the addresses of " key " '" host "' are not known: " why
#define UNRESOLVED(key, host) \
	UNKNOWN(key, host, "no name server could be reached, or all of them failed")

/* With every label a host may have, and a dot at the end. */
#define LABEL_50 "a123456789b123456789c123456789d123456789e12345678."
#define LABELS_250 LABEL_50 LABEL_50 LABEL_50 LABEL_50 LABEL_50

static void
test_cidr(void)
{
	static const struct spec_case straight[] = {
		{ "'dest':'192.0.2.0'", LIMEN_PASS, NULL },
		{ "'dest':'192.0.2.255'", LIMEN_PASS, NULL },
		{ "'dest':'::ffff:192.0.2.1'", LIMEN_PASS, NULL },
		{ "'dest':'2001:db8::1'", LIMEN_PASS, NULL },
		{ "'dest':'fe80::1%eth0'", LIMEN_PASS, NULL },
		{ "'dest':['192.0.2.1','2001:db8::2']", LIMEN_PASS, NULL },
		{ "", LIMEN_ERROR, ABSENT("dest") },
		{ "'source':'192.0.2.1'", LIMEN_ERROR, ABSENT("dest") },
		{ "'dest':'192.0.1.255'", LIMEN_FAIL, OUT("192.0.1.255") },
		{ "'dest':'192.0.3.0'", LIMEN_FAIL, OUT("192.0.3.0") },
		{ "'dest':'::ffff:192.0.3.0'", LIMEN_FAIL, OUT("::ffff:192.0.3.0") },
		{ "'dest':'2001:db9::'", LIMEN_FAIL, OUT("2001:db9::") },
		{ "'dest':['192.0.2.1','10.0.0.1']", LIMEN_FAIL, OUT("10.0.0.1") },
		{ "'dest':'ps.example.com'", LIMEN_ERROR, UNRESOLVED("Dest", "ps.example.com") },
		{ "'dest':'192.0.513'", LIMEN_ERROR, UNKNOWN("Dest", "192.0.513",
		  "no host can have that name") },
		{ "'dest':'0300.0.2.1'", LIMEN_ERROR, UNKNOWN("Dest", "0300.0.2.1",
		  "no host can have that name") },
		{ "'dest':['10.0.0.1','ps']", LIMEN_ERROR, UNRESOLVED("Dest", "ps") },
		{ "'dest':'az.AZ-09_'", LIMEN_ERROR, UNRESOLVED("Dest", "az.AZ-09_") },
		{ "'dest':'`.a'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'{.a'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'@.a'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'[.a'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'" LABELS_250 "abcde'", LIMEN_ERROR,
		  UNKNOWN("Dest", LABELS_250 "abcde", "no host can have that name") },
		{ "'dest':'" LABELS_250 "abcdef'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'192.0.2.0/24'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':'192.0.2.1\\u0000'", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':''", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':[]", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':null", LIMEN_ERROR, MALFORMED("Dest") },
		{ "'dest':3221225985", LIMEN_ERROR, MALFORMED("Dest") },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'source':'192.0.1.255'", LIMEN_PASS, NULL },
		{ "'source':'2001:db8::1'", LIMEN_PASS, NULL },
		{ "'source':'192.0.2.0'", LIMEN_FAIL, "Not from there" },
		{ "'source':'::ffff:192.0.2.1'", LIMEN_FAIL, "Not from there" },
		{ "'source':['192.0.1.255','192.0.2.1']", LIMEN_FAIL, "Not from there" },
		{ "", LIMEN_ERROR, ABSENT("source") },
		{ "'dest':'198.51.100.1'", LIMEN_ERROR, ABSENT("source") },
		{ "'source':'ps.net'", LIMEN_ERROR, UNRESOLVED("Source", "ps.net") },
		{ "'source':7", LIMEN_ERROR, MALFORMED("Source") },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'dest':{'cidr':['192.0.2.0/24','2001:db8::/32','fe80::1']}", straight);
	check_specs("'dest':{'cidr':['::ffff:192.0.2.0/120','2001:db8::/32','fe80::/10']}",
	            straight);
	check_specs("'source':{'cidr':['192.0.2.0/24'],'invert':true,"
	            "'fail-message':'Not from there'}", inverted);
}

static void
test_endpoint(void)
{
	static const struct spec_case straight[] = {
		{ "'source':'192.0.2.1','dest':'10.0.0.1'", LIMEN_PASS, NULL },
		{ "'source':'10.0.0.1','dest':'192.0.2.1'", LIMEN_PASS, NULL },
		{ "'dest':'192.0.2.1'", LIMEN_PASS, NULL },
		{ "'source':'ps.example.com','dest':'192.0.2.1'", LIMEN_PASS, NULL },
		{ "", LIMEN_ERROR, NO_ENDPOINT },
		{ "'dest':'10.0.0.1'", LIMEN_FAIL, OUT("10.0.0.1") },
		{ "'source':'10.0.0.2','dest':'10.0.0.1'", LIMEN_FAIL,
		  "Neither 10.0.0.2 nor 10.0.0.1 matches the IP range set by endpoint limit" },
		{ "'source':'10.0.0.2','dest':'ps'", LIMEN_ERROR, UNRESOLVED("Endpoint", "ps") },
		{ "'source':7,'dest':'192.0.2.1'", LIMEN_ERROR, MALFORMED("Endpoint") },
		{ NULL, LIMEN_ERROR, NULL }
	};
	static const struct spec_case inverted[] = {
		{ "'source':'10.0.0.2','dest':'10.0.0.1'", LIMEN_PASS, NULL },
		{ "'dest':'10.0.0.1'", LIMEN_PASS, NULL },
		{ "", LIMEN_ERROR, NO_ENDPOINT },
		{ "'source':'10.0.0.2','dest':'192.0.2.1'", LIMEN_PASS, NULL },
		{ "'source':'192.0.2.1','dest':'10.0.0.2'", LIMEN_PASS, NULL },
		{ "'source':'10.0.0.2','dest':'ps'", LIMEN_PASS, NULL },
		{ "'source':'192.0.2.1','dest':'ps'", LIMEN_ERROR, UNRESOLVED("Endpoint", "ps") },
		{ "'dest':'192.0.2.1'", LIMEN_FAIL, OUT("192.0.2.1") },
		{ "'source':['10.0.0.2','192.0.2.2'],'dest':'192.0.2.1'", LIMEN_FAIL,
		  "Neither 192.0.2.2 nor 192.0.2.1 matches the IP range set by endpoint limit" },
		{ "'source':'10.0.0.2','dest':7", LIMEN_ERROR, MALFORMED("Endpoint") },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'endpoint':{'cidr':['192.0.2.0/24']}", straight);
	check_specs("'endpoint':{'cidr':['192.0.2.0/24'],'invert':true}", inverted);
}

static void
test_several(void)
{
	static const struct spec_case cases[] = {
		{ "'udp':true,'duration':'PT5S','bandwidth':'50M','dest':'10.0.0.1'", LIMEN_PASS,
		  NULL },
		{ "'bandwidth':'51M','duration':'PT4S','dest':'10.0.0.1'", LIMEN_FAIL,
		  "Duration not in PT5S..PT60S; Bandwidth not in 1..50M; UDP testing not allowed" },
		{ "'bandwidth':'51M','udp':true,'dest':'10.0.0.1'", LIMEN_FAIL,
		  "Bandwidth not in 1..50M" },
		{ "'bandwidth':'51M','udp':true,'dest':'ps'", LIMEN_ERROR,
		  "Bandwidth not in 1..50M; " UNRESOLVED("Dest", "ps") },
		{ NULL, LIMEN_ERROR, NULL }
	};

	check_specs("'duration':{'range':{'lower':'PT5S','upper':'PT60S'}},"
	            "'bandwidth':{'range':{'lower':'1','upper':'50M'}},"
	            "'udp':{'match':true},'dest':{'cidr':['10.0.0.0/8']}", cases);
}

#define TEST(members) "{\"test\":{" members "}}"

static void
test_task(void)
{
	static const struct plugin_case cases[] = {
		{ "no parameters", TEST("\"type\":\"t\",\"spec\":{}"), NULL, LIMEN_PASS, NULL },
		{ "other type", TEST("\"type\":\"T\",\"spec\":{}"), NULL, LIMEN_FAIL,
		  "Test is not 't'" },
		{ "type with a NUL", TEST("\"type\":\"t\\u0000\",\"spec\":{}"), NULL, LIMEN_FAIL,
		  "Test is not 't'" },
		{ "type is no string", TEST("\"type\":[\"t\"],\"spec\":{}"), NULL, LIMEN_FAIL,
		  "Test is not 't'" },
		{ "no type", TEST("\"spec\":{}"), NULL, LIMEN_FAIL, "Test is not 't'" },
		{ "no test", NULL, NULL, LIMEN_FAIL, "Test is not 't'" },
		{ "test is no object", "{\"test\":\"t\"}", NULL, LIMEN_ERROR,
		  "The test in the task is not an object" },
		{ "no spec", TEST("\"type\":\"t\""), NULL, LIMEN_ERROR,
		  "The test in the task has no specification" },
		{ "spec is no object", TEST("\"type\":\"t\",\"spec\":[]"), NULL, LIMEN_ERROR,
		  "The test in the task has no specification" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "test", "{\"test\":\"t\",\"limit\":{}}", cases);
}

#define LATENCY(spec) TEST("\"type\":\"latency\",\"spec\":{" spec "}")
#define NO_INTERVAL   "packet-interval is not a plain number of seconds"
#define LACKS_ONE     "the test needs packet-count and packet-interval"

static void
test_latency(void)
{
	static const struct plugin_case cases[] = {
		{ "at the end", LATENCY("\"packet-count\":600,\"packet-interval\":0.1"), NULL,
		  LIMEN_PASS, NULL },
		{ "one more", LATENCY("\"packet-count\":601,\"packet-interval\":0.1"), NULL,
		  LIMEN_FAIL, "Duration not in PT1S..PT1M" },
		{ "too short", LATENCY("\"packet-count\":9,\"packet-interval\":0.1"), NULL,
		  LIMEN_FAIL, "Duration not in PT1S..PT1M" },
		{ "no count", LATENCY("\"packet-interval\":1"), NULL, LIMEN_ERROR,
		  "Duration cannot be computed: " LACKS_ONE },
		{ "no interval", LATENCY("\"packet-count\":10"), NULL, LIMEN_ERROR,
		  "Duration cannot be computed: " LACKS_ONE },
		{ "neither", LATENCY(""), NULL, LIMEN_ERROR,
		  "Duration cannot be computed: " LACKS_ONE },
		{ "a duration beside them", LATENCY("\"duration\":\"PT9S\",\"packet-count\":601,"
		                                    "\"packet-interval\":0.1"), NULL,
		  LIMEN_FAIL, "Duration not in PT1S..PT1M" },
		{ "a duration in their place", LATENCY("\"duration\":\"PT9S\""), NULL, LIMEN_ERROR,
		  "Duration cannot be computed: " LACKS_ONE },
		{ "too many", LATENCY("\"packet-count\":9223372036854775807,\"packet-interval\":1"),
		  NULL, LIMEN_ERROR, "Duration cannot be computed: packet-count is too large" },
		{ "no number", LATENCY("\"packet-count\":10,\"packet-interval\":\"1\""), NULL,
		  LIMEN_ERROR, "Duration cannot be computed: " NO_INTERVAL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "test",
	             "{\"test\":\"latency\",\"limit\":{\"duration\":"
	             "{\"range\":{\"lower\":\"PT1S\",\"upper\":\"PT1M\"}}}}", cases);
}

/* Decimals of three places against integer arithmetic on thousandths. */
static void
test_exact_ranges(void)
{
	char text[TEXT_MAX], spec[128];
	uint32_t seed = 12345;

	for (int round = 0; round < 40; round++) {
		int64_t ends[2];
		limen_kit *kit;

		for (int i = 0; i < 2; i++) {
			seed = seed * 1664525 + 1013904223;
			ends[i] = 1 + (seed >> 8) % 4000;
		}
		if (ends[0] > ends[1])
			ends[1] = ends[0];
		snprintf(spec, sizeof spec,
		         "'x':{'range':{'lower':%" PRId64 "e-3,'upper':%" PRId64 ".%03" PRId64 "}}",
		         ends[0], ends[1] / 1000, ends[1] % 1000);
		write_json(text, "{'test':'t','limit':{", spec, "}}");
		kit = plugin_open(LIMEN_KIND_LIMIT, "test", text);
		CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
		for (int64_t value = ends[0] - 3; value <= ends[1] + 3; value += ends[1] / 8 + 1) {
			limen_verdict wanted = value >= ends[0] && value <= ends[1] ? LIMEN_PASS
			                                                            : LIMEN_FAIL;

			snprintf(spec, sizeof spec, "'x':%" PRId64 "0E-0004", value);
			write_json(text, "{'test':{'type':'t','spec':{", spec, "}}}");
			CU_ASSERT_EQUAL(limen_kit_run(kit, text, NULL), wanted);
		}
		limen_kit_free(kit);
	}
}

/* A limit, and a text among what loading it says. */
struct refusal {
	const char *limit;
	const char *text;
};

static void
test_refusals(void)
{
	static const struct refusal cases[] = {
		{ "'a':7", "must be an object that limits one parameter" },
		{ "'a':{}", "exactly one of 'match', 'range', 'enumeration' and 'cidr'" },
		{ "'a':{'match':true,'range':{}}", "exactly one of" },
		{ "'a':{'match':null}", "must be a boolean, an IP version, a list" },
		{ "'a':{'match':'x'}", "must be a boolean, an IP version, a list" },
		{ "'a':{'rnage':{}}", "('rnage' was unexpected)" },
		{ "'a':{'rnage':{}}", "did you mean 'range'?" },
		{ "'a':{'match':true,'x':1}", "/limit/a/x" },
		{ "'a':{'match':true,'invert':false}", "a boolean limit cannot be inverted" },
		{ "'a':{'match':[1],'invert':1}", "must be true or false" },
		{ "'a':{'match':true,'fail-message':1}", "/limit/a/fail-message" },
		{ "'a':{'match':true,'description':1}", "/limit/a/description" },
		{ "'a':{'match':5}", "must be an IP version, 4 or 6" },
		{ "'a':{'enumeration':6}", "must be a list of IP versions" },
		{ "'a':{'enumeration':[4,'6']}", "/limit/a/enumeration/1" },
		{ "'a':{'match':[1,'2']}", "/limit/a/match/1" },
		{ "'a':{'match':[-1]}", "must be an integer of 0 or more" },
		{ "'a':{'match':{'match':'x'}}", "'style' is a required property" },
		{ "'a':{'match':{'style':'exact'}}", "'match' is a required property" },
		{ "'a':{'match':{'style':'glob','match':'x'}}", "'exact', 'contains' or 'regex'" },
		{ "'a':{'match':{'style':'exact','match':7}}", "must be a string" },
		{ "'a':{'match':{'style':'exact','match':'','x':1}}", "('x' was unexpected)" },
		{ "'a':{'match':{'style':'regex','match':'('}}", "/limit/a/match/match" },
		{ "'a':{'range':[1,2]}", "must be an object with 'lower' and 'upper'" },
		{ "'a':{'range':{'lower':1}}", "'upper' is a required property" },
		{ "'a':{'range':{'lower':1,'upper':2,'x':3}}", "('x' was unexpected)" },
		{ "'a':{'range':{'lower':2,'upper':1}}", "'lower' is above 'upper'" },
		{ "'a':{'range':{'lower':'PT2S','upper':'PT1S'}}", "'lower' is above 'upper'" },
		{ "'a':{'range':{'lower':'PT2S','upper':60}}", "must be of one type" },
		{ "'a':{'range':{'lower':0.5,'upper':'1M'}}", "must be of one type" },
		{ "'a':{'range':{'lower':'P1M','upper':'P1W'}}", "not a valid ISO 8601 duration" },
		{ "'a':{'range':{'lower':'1 MB','upper':'P1W'}}", "/limit/a/range/lower" },
		{ "'a':{'range':{'lower':true,'upper':2}}", "is neither a number nor a string" },
		{ "'a':{'range':{'lower':1,'upper':1e1000000001}}", "is not a finite number" },
		{ "'a':{'cidr':'10.0.0.0/8'}", "must be a list of IPv4 and IPv6 networks" },
		{ "'a':{'cidr':['10.0.0.0/8',7]}", "/limit/a/cidr/1" },
		{ "'a':{'cidr':['ps.net']}", "does not appear to be an IPv4 or IPv6 network" },
		{ "'a':{'cidr':['10.0.0.1/8']}", "10.0.0.1/8 has host bits set" },
		/* All problems are found in one pass. */
		{ "'a':{'match':5},'b':{'match':true},'c':{'cidr':7}", "/limit/a/match" },
		{ "'a':{'match':5},'b':{'match':true},'c':{'cidr':7}", "/limit/c/cidr" },
		{ "'a':{'range':{'lower':'x','upper':'y'}}", "/limit/a/range/upper" },
	};
	char text[TEXT_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_json(text, "{'test':'t','limit':{", cases[i].limit, "}}");
		plugin_refuse(LIMEN_KIND_LIMIT, "test", text, cases[i].text);
	}
}

static void
test_remarks(void)
{
	static const struct refusal cases[] = {
		{ "'udp':{'match':true}", "deprecated" },
		{ "'udp':{'range':{'lower':1,'upper':2}}", "has another type" },
		{ "'duration':{'range':{'lower':1,'upper':2}}", "has another type" },
		{ "'bandwith':{'range':{'lower':1,'upper':2}}", "did you mean 'bandwidth'?" },
		{ "'dest':{'cidr':[]}", "is empty" },
		{ "'dest':{'cidr':[],'cdir':1}", "('cdir' was unexpected)" },
		{ "'parallel':{'match':[]}", "is empty" },
	};
	char text[TEXT_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_json(text, "{'test':'throughput','limit':{", cases[i].limit, "}}");
		plugin_remark(LIMEN_KIND_LIMIT, "test", text, cases[i].text);
	}
}

/* Returns how many warnings loading the module's example gives, or -1. */
static int
count_example_warnings(void)
{
	limen_engine_options options = {
		.size = sizeof options,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	const char *srcdir = getenv("LIMEN_SRCDIR");
	limen_engine *engine = limen_engine_new(&options);
	limen_diag *diag = limen_diag_new();
	char path[TEXT_MAX];
	int count = -1;

	snprintf(path, sizeof path, "%s/plugins/limit/test/example.json",
	         srcdir != NULL ? srcdir : ".");
	if (limen_engine_load(engine, path, diag) == LIMEN_OK)
		count = (int)limen_diag_count(diag, LIMEN_SEVERITY_WARNING);
	if (count != 0)
		limen_diag_write(diag, stderr);
	limen_diag_free(diag);
	limen_engine_free(engine);
	return count;
}

static void
test_example(void)
{
	CU_ASSERT_EQUAL(count_example_warnings(), 0);
}

/* The deadline is looked at between two regular expressions, of which the first is slow. */
static void
test_deadline(void)
{
	static const char policy[] =
		"{\"schema\":4,"
		"\"identifiers\":[{\"name\":\"i\",\"description\":\"d\",\"type\":\"always\","
		"\"data\":{}}],"
		"\"classifiers\":[{\"name\":\"c\",\"description\":\"d\",\"identifiers\":[\"i\"]}],"
		"\"limits\":[{\"name\":\"l\",\"description\":\"d\",\"type\":\"test\",\"data\":{"
		"\"test\":\"t\",\"limit\":{"
		"\"a\":{\"match\":{\"style\":\"regex\",\"match\":\"(?:(?=a+$)a)*!\"}},"
		"\"b\":{\"match\":{\"style\":\"regex\",\"match\":\"b\"}}}}}],"
		"\"applications\":[{\"description\":\"d\",\"classifier\":\"c\","
		"\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}";
	enum { LENGTH = 60000 };
	limen_engine_options options = {
		.size = sizeof(options), .module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&options);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	char *task = malloc(LENGTH + 100);
	int length;

	CU_ASSERT_PTR_NOT_NULL_FATAL(task);
	length = sprintf(task, "{\"test\":{\"type\":\"t\",\"spec\":{\"b\":\"b\",\"a\":\"");
	memset(task + length, 'a', LENGTH);
	length += LENGTH;
	length += sprintf(task + length, "b!\"}}}");
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, "policy", policy, strlen(policy), NULL),
	                      LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, task, (size_t)length, NULL), LIMEN_OK);
	limen_request_set_timeout(req, LIMEN_SECOND / 20);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_decision_reason(decision),
	                              "the deadline of the decision has passed"));
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	free(task);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "Boolean", test_boolean },
		{ "Cardinal", test_cardinal },
		{ "CardinalZero and ranges in the test", test_cardinal_zero },
		{ "CardinalList and CardinalZeroList", test_lists },
		{ "Duration", test_duration },
		{ "SINumber", test_si_number },
		{ "Probability", test_probability },
		{ "IPVersion and IPVersionList", test_ip_version },
		{ "String", test_string },
		{ "addresses that are absent or outside: source and dest", test_cidr },
		{ "addresses that are absent or outside: endpoint", test_endpoint },
		{ "every parameter that fails has its reason", test_several },
		{ "tasks that are not what they should be", test_task },
		{ "the duration a latency test has without saying so", test_latency },
		{ "ranges of decimals are exact", test_exact_ranges },
		{ "limits that are refused", test_refusals },
		{ "limits that are accepted with a remark", test_remarks },
		{ "the deadline between two parameters", test_deadline },
		{ "the example loads without a warning", test_example },
		{ NULL, NULL }
	};

	return suite_run("limit/test", tests);
}
