/* SPDX-License-Identifier: Apache-2.0 */
/* test_ip_cidr_list.c - the identifier "ip-cidr-list" through the real engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

#define FROM(address) "{\"requester\":\"" address "\"}"
#define NO_NETWORK    " does not appear to be an IPv4 or IPv6 network"

static const char networks[] =
	"{\"cidrs\":[\"192.0.2.0/24\",\"203.0.113.62\",\"10.0.0.4/30\","
	"\"2001:DB8::/32\",\"2001:db9::1\",\"::ffff:198.51.100.1\"]}";

static void
check_list(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_IDENTIFIER, "ip-cidr-list", data, cases);
}

static void
test_ipv4(void)
{
	static const struct plugin_case cases[] = {
		{ "before /24", NULL, FROM("192.0.1.255"), LIMEN_FAIL, NULL },
		{ "first of /24", NULL, FROM("192.0.2.0"), LIMEN_PASS, NULL },
		{ "last of /24", NULL, FROM("192.0.2.255"), LIMEN_PASS, NULL },
		{ "after /24", NULL, FROM("192.0.3.0"), LIMEN_FAIL, NULL },
		{ "before an address", NULL, FROM("203.0.113.61"), LIMEN_FAIL, NULL },
		{ "an address", NULL, FROM("203.0.113.62"), LIMEN_PASS, NULL },
		{ "after an address", NULL, FROM("203.0.113.63"), LIMEN_FAIL, NULL },
		{ "before /30", NULL, FROM("10.0.0.3"), LIMEN_FAIL, NULL },
		{ "first of /30", NULL, FROM("10.0.0.4"), LIMEN_PASS, NULL },
		{ "last of /30", NULL, FROM("10.0.0.7"), LIMEN_PASS, NULL },
		{ "after /30", NULL, FROM("10.0.0.8"), LIMEN_FAIL, NULL },
		{ "lowest", NULL, FROM("0.0.0.0"), LIMEN_FAIL, NULL },
		{ "highest", NULL, FROM("255.255.255.255"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

static void
test_ipv6(void)
{
	static const struct plugin_case cases[] = {
		{ "before /32", NULL, FROM("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"), LIMEN_FAIL,
		  NULL },
		{ "first of /32", NULL, FROM("2001:db8::"), LIMEN_PASS, NULL },
		{ "last of /32", NULL, FROM("2001:DB8:ffff:ffff:ffff:ffff:ffff:FFFF"), LIMEN_PASS,
		  NULL },
		{ "after /32", NULL, FROM("2001:db9::"), LIMEN_FAIL, NULL },
		{ "an address", NULL, FROM("2001:db9::1"), LIMEN_PASS, NULL },
		{ "an address spelt out", NULL, FROM("2001:0db9:0:0:0:0:0:0001"), LIMEN_PASS,
		  NULL },
		{ "after an address", NULL, FROM("2001:db9::2"), LIMEN_FAIL, NULL },
		{ "with a scope", NULL, FROM("2001:db9::1%eth0"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

/* pScheduler keeps the families apart, and so do its operators' lists. */
static void
test_mapped(void)
{
	static const struct plugin_case cases[] = {
		{ "mapped into an IPv4 block", NULL, FROM("::ffff:192.0.2.1"), LIMEN_FAIL, NULL },
		{ "listed as mapped", NULL, FROM("::ffff:198.51.100.1"), LIMEN_PASS, NULL },
		{ "listed as mapped, in hex", NULL, FROM("::ffff:c633:6401"), LIMEN_PASS, NULL },
		{ "the same in IPv4", NULL, FROM("198.51.100.1"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

static void
test_requester_network(void)
{
	static const struct plugin_case cases[] = {
		{ "everything", NULL, FROM("0.0.0.0/0"), LIMEN_PASS, NULL },
		{ "everything of IPv6", NULL, FROM("::/0"), LIMEN_PASS, NULL },
		{ "within", NULL, FROM("192.0.2.128/25"), LIMEN_PASS, NULL },
		{ "around", NULL, FROM("192.0.2.0/23"), LIMEN_PASS, NULL },
		{ "beside", NULL, FROM("192.0.3.0/24"), LIMEN_FAIL, NULL },
		{ "with a netmask", NULL, FROM("192.0.2.0/255.255.254.0"), LIMEN_PASS, NULL },
		{ "one address", NULL, FROM("203.0.113.62/32"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

static void
test_no_requester(void)
{
	static const struct plugin_case cases[] = {
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "other hints", NULL, "{\"server\":\"192.0.2.1\"}", LIMEN_SKIP, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

/* The messages are those of Python's ipaddress, as pScheduler passes them on. */
static void
test_malformed(void)
{
	static const struct plugin_case cases[] = {
		{ "empty", NULL, FROM(""), LIMEN_ERROR, "''" NO_NETWORK },
		{ "a name", NULL, FROM("localhost"), LIMEN_ERROR, "'localhost'" NO_NETWORK },
		{ "a blank", NULL, FROM(" 10.0.0.4"), LIMEN_ERROR, "' 10.0.0.4'" NO_NETWORK },
		{ "octal", NULL, FROM("010.0.0.4"), LIMEN_ERROR, "'010.0.0.4'" NO_NETWORK },
		{ "short", NULL, FROM("10.4"), LIMEN_ERROR, "'10.4'" NO_NETWORK },
		{ "prefix", NULL, FROM("10.0.0.0/33"), LIMEN_ERROR, "'10.0.0.0/33'" NO_NETWORK },
		{ "a quote", NULL, FROM("it's"), LIMEN_ERROR, "\"it's\"" NO_NETWORK },
		{ "both quotes", NULL, FROM("'\\\""), LIMEN_ERROR, "'\\'\"'" NO_NETWORK },
		{ "control characters", NULL, FROM("\\n\\t\\r\\\\\\u0000\\u001f\\u007f"),
		  LIMEN_ERROR, "'\\n\\t\\r\\\\\\x00\\x1f\\x7f'" NO_NETWORK },
		{ "a NUL at the end", NULL, FROM("192.0.2.1\\u0000"), LIMEN_ERROR,
		  "'192.0.2.1\\x00'" NO_NETWORK },
		{ "a number", NULL, "{\"requester\":5}", LIMEN_ERROR, "'5'" NO_NETWORK },
		{ "null", NULL, "{\"requester\":null}", LIMEN_ERROR, "'None'" NO_NETWORK },
		{ "a boolean", NULL, "{\"requester\":true}", LIMEN_ERROR, "'True'" NO_NETWORK },
		{ "host bits", NULL, FROM("10.0.0.1/8"), LIMEN_ERROR,
		  "10.0.0.1/8 has host bits set" },
		{ "host bits under a netmask", NULL, FROM("10.0.0.1/255.0.0.0"), LIMEN_ERROR,
		  "10.0.0.1/8 has host bits set" },
		{ "host bits of IPv6", NULL, FROM("2001:DB8:0::1/32"), LIMEN_ERROR,
		  "2001:db8::1/32 has host bits set" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list(networks, cases);
}

/* A requester of a megabyte is quoted back, in time that grows with its length only. */
static void
test_huge_requester(void)
{
	enum { SIZE = 1 << 20 };
	char *hints = malloc(SIZE + 64);
	limen_kit *kit = plugin_open(LIMEN_KIND_IDENTIFIER, "ip-cidr-list", networks);
	int start = sprintf(hints, "{\"requester\":\"");

	memset(hints + start, '1', SIZE);
	strcpy(hints + start + SIZE, "\"}");
	if (kit != NULL) {
		CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, hints), LIMEN_ERROR);
		CU_ASSERT_PTR_NOT_NULL(strstr(limen_kit_reason(kit), "does not appear"));
	}
	limen_kit_free(kit);
	free(hints);
}

static void
test_edges(void)
{
	static const struct plugin_case nobody[] = {
		{ "IPv4", NULL, FROM("192.0.2.1"), LIMEN_FAIL, NULL },
		{ "all of IPv4", NULL, FROM("0.0.0.0/0"), LIMEN_FAIL, NULL },
		{ "IPv6", NULL, FROM("::1"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case everyone[] = {
		{ "lowest", NULL, FROM("0.0.0.0"), LIMEN_PASS, NULL },
		{ "highest", NULL, FROM("255.255.255.255"), LIMEN_PASS, NULL },
		{ "IPv6", NULL, FROM("::1"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case last[] = {
		{ "highest", NULL, FROM("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), LIMEN_PASS,
		  NULL },
		{ "one off", NULL, FROM("ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"), LIMEN_FAIL,
		  NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("{\"cidrs\":[]}", nobody);
	check_list("{\"cidrs\":[\"0.0.0.0/0\"]}", everyone);
	check_list("{\"cidrs\":[\"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\"]}", last);
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{\"cidrs\":[\"::ffff:1.2.3.4/128\"]}",
		"{}", "[]", "{\"cidrs\":null}", "{\"cidrs\":\"10.0.0.0/8\"}", "{\"cidrs\":[10]}",
		"{\"cidrs\":[],\"exclude\":[]}", "{\"cidrs\":[\"\"]}",
		"{\"cidrs\":[\"10.0.0.0/33\"]}", "{\"cidrs\":[\"10.0.0.0/08\"]}",
		"{\"cidrs\":[\"10.0.0.0/255.0.0.0\"]}", "{\"cidrs\":[\" 10.0.0.0/8\"]}",
		"{\"cidrs\":[\"10.0.0.0/8\\n\"]}", "{\"cidrs\":[\"010.0.0.0/8\"]}",
		"{\"cidrs\":[\"fe80::1%eth0\"]}", "{\"cidrs\":[\"localhost\"]}",
		"{\"cidrs\":[\"::/129\"]}", "{\"cidrs\":[\"10.0.0.0/8\\u0000\"]}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_IDENTIFIER, "ip-cidr-list", wrong[i],
		              "/identifiers/0/data");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "ip-cidr-list", "{\"cidrs\":[\"10.0.0.1/8\"]}",
	              "10.0.0.1/8 has host bits set");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "ip-cidr-list",
	              "{\"cidrs\":[\"FE80::/10\",\"10.0.0.0/8\",\"10.0.0.0/8\"]}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "ip-cidr-list");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "IPv4: the ends of each block and their neighbours", test_ipv4 },
		{ "IPv6: the ends of each block and their neighbours", test_ipv6 },
		{ "IPv4-mapped addresses are IPv6", test_mapped },
		{ "a requester that is a network", test_requester_network },
		{ "no requester", test_no_requester },
		{ "a requester that cannot be read", test_malformed },
		{ "a requester of a megabyte", test_huge_requester },
		{ "no address, all addresses, the last address", test_edges },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/ip-cidr-list", tests);
}
