/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/cidr.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASKS LIMEN_NETWORK_MASKS
#define SCOPE LIMEN_NETWORK_SCOPE
#define HOST LIMEN_NETWORK_HOST_BITS

struct address_case {
	const char *text;
	int result;
	const char *printed; /* as a network of one, without its prefix */
};

static const struct address_case addresses[] = {
	{ "0.0.0.0", LIMEN_OK, "0.0.0.0" },
	{ "255.255.255.255", LIMEN_OK, "255.255.255.255" },
	{ "1.2.3.4", LIMEN_OK, "1.2.3.4" },
	{ "256.1.1.1", LIMEN_EINVAL, NULL },
	{ "01.2.3.4", LIMEN_EINVAL, NULL },
	{ "00.0.0.0", LIMEN_EINVAL, NULL },
	{ "1.2.3.0004", LIMEN_EINVAL, NULL },
	{ "1.2.3", LIMEN_EINVAL, NULL },
	{ "1.2.3.", LIMEN_EINVAL, NULL },
	{ "1.2.3.4.5", LIMEN_EINVAL, NULL },
	{ "1..3.4", LIMEN_EINVAL, NULL },
	{ "0x0a.0.0.1", LIMEN_EINVAL, NULL },
	{ "10", LIMEN_EINVAL, NULL },
	{ "+1.2.3.4", LIMEN_EINVAL, NULL },
	{ "-1.2.3.4", LIMEN_EINVAL, NULL },
	{ " 1.2.3.4", LIMEN_EINVAL, NULL },
	{ "1.2.3.4 ", LIMEN_EINVAL, NULL },
	{ "1.2.3.4\n", LIMEN_EINVAL, NULL },
	{ "", LIMEN_EINVAL, NULL },
	{ "localhost", LIMEN_EINVAL, NULL },
	{ "\xef\xbc\x91.2.3.4", LIMEN_EINVAL, NULL },
	{ "::", LIMEN_OK, "::" },
	{ "::1", LIMEN_OK, "::1" },
	{ "1::", LIMEN_OK, "1::" },
	{ "2001:DB8::A", LIMEN_OK, "2001:db8::a" },
	{ "0001::", LIMEN_OK, "1::" },
	{ "00001::", LIMEN_EINVAL, NULL },
	{ "1:2:3:4:5:6:7:8", LIMEN_OK, "1:2:3:4:5:6:7:8" },
	{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", LIMEN_OK,
	  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
	{ "1:2:3:4:5:6:7::", LIMEN_OK, "1:2:3:4:5:6:7:0" },
	{ "::2:3:4:5:6:7:8", LIMEN_OK, "0:2:3:4:5:6:7:8" },
	{ "1:0:0:2:0:0:0:3", LIMEN_OK, "1:0:0:2::3" },
	{ "1:0:0:2:0:0:3:4", LIMEN_OK, "1::2:0:0:3:4" },
	{ "::1.2.3.4", LIMEN_OK, "::102:304" },
	{ "::0.1.0.2", LIMEN_OK, "::1:2" },
	{ "::0.0.1.2", LIMEN_OK, "::102" },
	{ "::ffff:1.2.3.4", LIMEN_OK, "::ffff:1.2.3.4" },
	{ "::ffff:102:304", LIMEN_OK, "::ffff:1.2.3.4" },
	{ "1:2:3:4:5:6:1.2.3.4", LIMEN_OK, "1:2:3:4:5:6:102:304" },
	{ "1111:2222:3333:4444:5555:6666:123.123.123.123", LIMEN_OK,
	  "1111:2222:3333:4444:5555:6666:7b7b:7b7b" },
	{ "1:2:3:4:5:6:7:1.2.3.4", LIMEN_EINVAL, NULL },
	{ "::01.2.3.4", LIMEN_EINVAL, NULL },
	{ "::ffff:1.2.3", LIMEN_EINVAL, NULL },
	{ "::1.2.3.4:5", LIMEN_EINVAL, NULL },
	{ "1.2.3.4::", LIMEN_EINVAL, NULL },
	{ "1::2::3", LIMEN_EINVAL, NULL },
	{ ":::", LIMEN_EINVAL, NULL },
	{ ":", LIMEN_EINVAL, NULL },
	{ "1:2:3:4:5:6:7", LIMEN_EINVAL, NULL },
	{ "1:2:3:4:5:6:7:8:9", LIMEN_EINVAL, NULL },
	{ "1:2:3:4::5:6:7:8", LIMEN_EINVAL, NULL },
	{ "1:2:3:4:5:6:7:8:", LIMEN_EINVAL, NULL },
	{ ":1:2:3:4:5:6:7:8", LIMEN_EINVAL, NULL },
	{ "g::", LIMEN_EINVAL, NULL },
	{ "::1\n", LIMEN_EINVAL, NULL },
	{ "[::1]", LIMEN_EINVAL, NULL },
	{ "fe80::1%eth0", LIMEN_EINVAL, NULL },
	{ "10.0.0.0/8", LIMEN_EINVAL, NULL },
};

struct network_case {
	const char *text;
	unsigned flags;
	int result;
	const char *printed;
};

static const struct network_case networks[] = {
	{ "10.0.0.0/8", 0, LIMEN_OK, "10.0.0.0/8" },
	{ "10.0.0.1", 0, LIMEN_OK, "10.0.0.1/32" },
	{ "0.0.0.0/0", 0, LIMEN_OK, "0.0.0.0/0" },
	{ "255.255.255.255/32", 0, LIMEN_OK, "255.255.255.255/32" },
	{ "128.0.0.0/1", 0, LIMEN_OK, "128.0.0.0/1" },
	{ "10.0.0.1/8", 0, LIMEN_ERANGE, NULL },
	{ "10.0.0.1/31", 0, LIMEN_ERANGE, NULL },
	{ "10.0.0.1/32", 0, LIMEN_OK, "10.0.0.1/32" },
	{ "10.0.0.0/0", 0, LIMEN_ERANGE, NULL },
	{ "10.0.0.1/8", HOST, LIMEN_OK, "10.0.0.0/8" },
	{ "255.255.255.255/0", HOST, LIMEN_OK, "0.0.0.0/0" },
	{ "255.255.255.255/9", HOST, LIMEN_OK, "255.128.0.0/9" },
	{ "10.0.0.0/33", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.1/33", HOST, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/08", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/00", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/+8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/-8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/ 8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/8 ", 0, LIMEN_EINVAL, NULL },
	{ " 10.0.0.0/8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0 /8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/8\n", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/8/8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/4294967304", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/0x8", 0, LIMEN_EINVAL, NULL },
	{ "/8", 0, LIMEN_EINVAL, NULL },
	{ "/", 0, LIMEN_EINVAL, NULL },
	{ "", 0, LIMEN_EINVAL, NULL },
	{ "any", 0, LIMEN_EINVAL, NULL },
	{ "10/8", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/255.0.0.0", 0, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/255.0.0.0", MASKS, LIMEN_OK, "10.0.0.0/8" },
	{ "10.0.0.0/0.255.255.255", MASKS, LIMEN_OK, "10.0.0.0/8" },
	{ "10.0.0.0/8", MASKS, LIMEN_OK, "10.0.0.0/8" },
	{ "10.0.0.0/08", MASKS, LIMEN_EINVAL, NULL },
	{ "0.0.0.0/0.0.0.0", MASKS, LIMEN_OK, "0.0.0.0/0" },
	{ "10.0.0.1/255.255.255.255", MASKS, LIMEN_OK, "10.0.0.1/32" },
	{ "10.0.0.0/255.255.255.254", MASKS, LIMEN_OK, "10.0.0.0/31" },
	{ "10.0.0.0/0.0.0.1", MASKS, LIMEN_OK, "10.0.0.0/31" },
	{ "10.0.0.1/0.0.0.1", MASKS, LIMEN_ERANGE, NULL },
	{ "10.0.0.0/0.0.0.0", MASKS, LIMEN_ERANGE, NULL },
	{ "128.0.0.0/128.0.0.0", MASKS, LIMEN_OK, "128.0.0.0/1" },
	{ "128.0.0.0/127.255.255.255", MASKS, LIMEN_OK, "128.0.0.0/1" },
	{ "10.0.0.0/255.0.255.0", MASKS, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/0.255.0.255", MASKS, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/255.0.0.00", MASKS, LIMEN_EINVAL, NULL },
	{ "10.0.0.0/ffff::", MASKS, LIMEN_EINVAL, NULL },
	{ "10.1.2.3/255.0.0.0", MASKS | HOST, LIMEN_OK, "10.0.0.0/8" },
	{ "::/0", 0, LIMEN_OK, "::/0" },
	{ "::/128", 0, LIMEN_OK, "::/128" },
	{ "::1", 0, LIMEN_OK, "::1/128" },
	{ "::1/127", 0, LIMEN_ERANGE, NULL },
	{ "::1/127", HOST, LIMEN_OK, "::/127" },
	{ "2001:db8::/32", 0, LIMEN_OK, "2001:db8::/32" },
	{ "2001:DB8::/32", 0, LIMEN_OK, "2001:db8::/32" },
	{ "8000::/1", 0, LIMEN_OK, "8000::/1" },
	{ "::/129", 0, LIMEN_EINVAL, NULL },
	{ "::/1000", 0, LIMEN_EINVAL, NULL },
	{ "::/032", 0, LIMEN_EINVAL, NULL },
	{ "::/255.0.0.0", MASKS, LIMEN_EINVAL, NULL },
	{ "::/ffff::", MASKS, LIMEN_EINVAL, NULL },
	{ "::ffff:1.2.3.4", 0, LIMEN_OK, "::ffff:1.2.3.4/128" },
	{ "fe80::1%eth0", 0, LIMEN_EINVAL, NULL },
	{ "fe80::1%eth0", SCOPE, LIMEN_OK, "fe80::1/128" },
	{ "fe80::%eth0/64", SCOPE, LIMEN_OK, "fe80::/64" },
	{ "fe80::1%eth0/64", SCOPE, LIMEN_ERANGE, NULL },
	{ "fe80::/64%eth0", SCOPE, LIMEN_EINVAL, NULL },
	{ "fe80::1%", SCOPE, LIMEN_EINVAL, NULL },
	{ "fe80::1%/64", SCOPE, LIMEN_EINVAL, NULL },
	{ "fe80::1%a%b", SCOPE, LIMEN_EINVAL, NULL },
	{ "%eth0", SCOPE, LIMEN_EINVAL, NULL },
	{ "fe80::1", SCOPE, LIMEN_OK, "fe80::1/128" },
	{ "1.2.3.4%eth0", SCOPE, LIMEN_EINVAL, NULL },
};

static void
test_addresses(void)
{
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		const struct address_case *row = &addresses[i];
		limen_network network = { .prefix = 0 };
		char text[LIMEN_NETWORK_TEXT_MAX];

		if (limen_address_parse(row->text, strlen(row->text), &network.address) !=
		    row->result) {
			CU_FAIL("result");
			fprintf(stderr, "# %s\n", row->text);
		}
		if (row->result != LIMEN_OK)
			continue;
		limen_network_print(&network, text);
		CU_ASSERT_PTR_NOT_NULL_FATAL(strchr(text, '/'));
		*strchr(text, '/') = '\0';
		CU_ASSERT_STRING_EQUAL(text, row->printed);
	}
}

static void
test_networks(void)
{
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		const struct network_case *row = &networks[i];
		limen_network network;
		char text[LIMEN_NETWORK_TEXT_MAX];
		int result =
			limen_network_parse(row->text, strlen(row->text), row->flags, &network);

		if (result != row->result) {
			CU_FAIL("result");
			fprintf(stderr, "# %s: %d\n", row->text, result);
			continue;
		}
		if (result != LIMEN_OK)
			continue;
		limen_network_print(&network, text);
		CU_ASSERT_STRING_EQUAL(text, row->printed);
	}
}

static void
test_failure_leaves_output(void)
{
	limen_network network = { .prefix = 77 };

	CU_ASSERT_EQUAL(limen_network_parse("10.0.0.1/8", 10, 0, &network), LIMEN_ERANGE);
	CU_ASSERT_EQUAL(limen_network_parse("10.0.0/8", 8, 0, &network), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_address_parse("10.0.0", 6, &network.address), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(network.prefix, 77);
	CU_ASSERT_EQUAL(network.address.family, 0);
}

static void
test_nul_and_length(void)
{
	limen_network network;
	char longest[66];

	CU_ASSERT_EQUAL(limen_address_parse("1.2.3.4\0", 8, &network.address), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_address_parse("1.2\0.3.4", 8, &network.address), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_network_parse("1.2.3.4/8\0", 10, 0, &network), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_network_parse("fe80::%a\0b", 10, SCOPE, &network), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_address_parse("1.2.3.45", 7, &network.address), LIMEN_OK);
	CU_ASSERT_EQUAL(network.address.bytes[3], 4);
	CU_ASSERT_EQUAL(limen_network_parse(NULL, 0, 0, &network), LIMEN_EINVAL);

	memset(longest, 'a', sizeof(longest));
	memcpy(longest, "fe80::1%", 8);
	CU_ASSERT_EQUAL(limen_network_parse(longest, 64, SCOPE, &network), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_network_parse(longest, 65, SCOPE, &network), LIMEN_EINVAL);
}

static void
test_overlaps(void)
{
	static const struct {
		const char *a;
		const char *b;
		bool overlaps;
	} rows[] = {
		{ "10.0.0.0/8", "10.255.255.255", true },
		{ "10.0.0.0/8", "11.0.0.0", false },
		{ "10.0.0.0/8", "9.255.255.255", false },
		{ "10.0.0.0/9", "10.128.0.0/9", false },
		{ "10.0.0.0/9", "10.0.0.0/10", true },
		{ "0.0.0.0/0", "255.255.255.255", true },
		{ "1.2.3.4", "1.2.3.4", true },
		{ "1.2.3.4", "1.2.3.5", false },
		{ "0.0.0.0/0", "::/0", false },
		{ "10.0.0.0/8", "::ffff:10.0.0.1", false },
		{ "::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true },
		{ "::/127", "::1", true },
		{ "::/127", "::2", false },
		{ "::", "::", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		limen_network a;
		limen_network b;

		CU_ASSERT_EQUAL(limen_network_parse(rows[i].a, strlen(rows[i].a), 0, &a), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_network_parse(rows[i].b, strlen(rows[i].b), 0, &b), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_network_overlaps(&a, &b), rows[i].overlaps);
		CU_ASSERT_EQUAL(limen_network_overlaps(&b, &a), rows[i].overlaps);
	}
}

/* Printing and reading again must give the same network. */
static void
test_round_trip(void)
{
	srandom(1);
	for (size_t i = 0; i < 20000; i++) {
		limen_network network = { .address.family = i % 2 == 0 ? 4 : 6 };
		limen_network again = { .prefix = 0 };
		char text[LIMEN_NETWORK_TEXT_MAX];
		unsigned bits = i % 2 == 0 ? 32 : 128;
		char plain[INET6_ADDRSTRLEN + 8];

		for (size_t j = 0; j < bits / 8; j++)
			network.address.bytes[j] = random() % 3 != 0 ? 0 : (uint8_t)random();
		inet_ntop(bits == 32 ? AF_INET : AF_INET6, network.address.bytes, plain,
		          INET6_ADDRSTRLEN);
		snprintf(plain + strlen(plain), 8, "/%u", (unsigned)random() % (bits + 1));
		CU_ASSERT_EQUAL_FATAL(limen_network_parse(plain, strlen(plain), HOST, &network),
		                      LIMEN_OK);
		limen_network_print(&network, text);
		CU_ASSERT_EQUAL_FATAL(limen_network_parse(text, strlen(text), 0, &again), LIMEN_OK);
		CU_ASSERT_EQUAL_FATAL(memcmp(&network, &again, sizeof(network)), 0);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "addresses are read as Python's ipaddress reads them", test_addresses },
		{ "networks, masks, scopes and host bits", test_networks },
		{ "a failure leaves the output alone", test_failure_leaves_output },
		{ "NULs and over-long texts are refused", test_nul_and_length },
		{ "two networks overlap within one family only", test_overlaps },
		{ "what is printed reads back the same", test_round_trip },
		{ NULL, NULL },
	};

	return suite_run("core/address", tests);
}
