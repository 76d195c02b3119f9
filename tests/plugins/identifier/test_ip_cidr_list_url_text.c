/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cidr_list_url_text.c - from the text of a downloaded list to networks,
 * held against getaddrinfo() and strtol(), which pScheduler's library uses.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list_text.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* ---- one network ---- */

/* As pScheduler's library does it; its own words are in list_text.h. */
static bool
parse_by_library(const char *text, limen_network *out)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST };
	struct addrinfo *found = NULL;
	char copy[256];
	char *slash;
	char *end = NULL;
	long prefix = -1;
	unsigned bits;

	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	slash = strchr(copy, '/');
	if (slash != NULL) {
		*slash++ = '\0';
		prefix = strtol(slash, &end, 10);
		if (*slash == '\0' || *end != '\0' || prefix < 0)
			return false;
	}
	if (getaddrinfo(copy, NULL, &hints, &found) != 0)
		return false;
	*out = (limen_network){ .address.family = found->ai_family == AF_INET ? 4 : 6 };
	bits = out->address.family == 4 ? 32 : 128;
	if (bits == 32)
		memcpy(out->address.bytes,
		       &((const struct sockaddr_in *)(const void *)found->ai_addr)->sin_addr, 4);
	else
		memcpy(out->address.bytes,
		       &((const struct sockaddr_in6 *)(const void *)found->ai_addr)->sin6_addr, 16);
	freeaddrinfo(found);
	if (prefix > (long)bits)
		return false;
	out->prefix = (uint8_t)(prefix < 0 ? (long)bits : prefix);
	for (unsigned bit = out->prefix; bit < bits; bit++)
		out->address.bytes[bit / 8] &= (uint8_t)~(0x80U >> bit % 8);
	return true;
}

static void
test_spellings(void)
{
	static const struct {
		const char *text;
		const char *network; /* NULL: it is none */
	} cases[] = {
		{ "10.0.0.0/8", "10.0.0.0/8" },
		{ "10.1.2.3/8", "10.0.0.0/8" },
		{ "192.0.2.7/31", "192.0.2.6/31" },
		{ "192.0.2.7", "192.0.2.7/32" },
		{ "10", "0.0.0.10/32" },
		{ "10.1", "10.0.0.1/32" },
		{ "10.1.2", "10.1.0.2/32" },
		{ "10.65535", "10.0.255.255/32" },
		{ "10.16777215", "10.255.255.255/32" },
		{ "10.16777216", NULL },
		{ "4294967295", "255.255.255.255/32" },
		{ "4294967296", NULL },
		{ "1.2.3.256", NULL },
		{ "256.1", NULL },
		{ "1.2.3.4.5", NULL },
		{ "1.2.3.", NULL },
		{ ".1", NULL },
		{ "-1", NULL },
		{ "+1", NULL },
		{ "0x0a.1", "10.0.0.1/32" },
		{ "0XA.0x0000000000001", "10.0.0.1/32" },
		{ "0x", NULL },
		{ "010.0.0.1", "8.0.0.1/32" },
		{ "08.0.0.1", NULL },
		{ "10.0.0.0/08", "10.0.0.0/8" },
		{ "10.0.0.0/ 8", "10.0.0.0/8" },
		{ "10.0.0.0/+8", "10.0.0.0/8" },
		{ "10.0.0.0/-0", "0.0.0.0/0" },
		{ "10.0.0.0/-1", NULL },
		{ "10.0.0.0/8 ", NULL },
		{ "10.0.0.0/0x8", NULL },
		{ "10.0.0.0/32", "10.0.0.0/32" },
		{ "10.0.0.0/33", NULL },
		{ "10.0.0.0/99999999999999999999", NULL },
		{ "10.0.0.0/255.0.0.0", NULL },
		{ "10.0.0.0/8/8", NULL },
		{ "10.0.0.0/", NULL },
		{ "/8", NULL },
		{ "", NULL },
		{ " 10.0.0.1", NULL },
		{ "10.0.0.1 x", NULL },
		{ "localhost", NULL },
		{ "2001:DB8::1/32", "2001:db8::/32" },
		{ "2001:db8::/128", "2001:db8::/128" },
		{ "2001:db8::/129", NULL },
		{ "::", "::/128" },
		{ "::/0", "::/0" },
		{ "::ffff:10.0.0.1", "::ffff:10.0.0.1/128" },
		{ "::ffff:10.1", NULL },
		{ "fe80::1%1", "fe80::1/128" },
		{ "fe80::1%", NULL },
		{ "10.0.0.1%1", NULL },
		{ ":::", NULL },
		{ "1:2:3:4:5:6:7:8:9", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char printed[LIMEN_NETWORK_TEXT_MAX] = "";
		limen_network network;
		bool read = loose_network_parse(cases[i].text, strlen(cases[i].text), &network);

		if (read)
			limen_network_print(&network, printed);
		ASSERT(read == (cases[i].network != NULL), "'%s' gives '%s'", cases[i].text,
		       printed);
		ASSERT(!read || cases[i].network == NULL || strcmp(printed, cases[i].network) == 0,
		       "'%s' gives '%s'", cases[i].text, printed);
	}
}

/* Nothing behind a NUL counts, and nothing behind the length is read. */
static void
test_lengths(void)
{
	limen_network network;
	char zeros[300];

	CU_ASSERT_FALSE(loose_network_parse("10.0.0.1\0x", 10, &network));
	CU_ASSERT_TRUE(loose_network_parse("10.0.0.12", 8, &network));
	CU_ASSERT_EQUAL(network.address.bytes[3], 1);
	memset(zeros, '0', sizeof(zeros));
	CU_ASSERT_TRUE(loose_network_parse(zeros, 255, &network));
	CU_ASSERT_FALSE(loose_network_parse(zeros, 256, &network));
}

/* Mostly nearly right; names would be asked about in DNS by neither. */
static void
write_random(char *out, size_t size)
{
	static const char *const parts[] = { "0",  "1",  "7",  "8",   "10",  "255", "256",
		                             "0x", "0xff", "08", ".", ".",   ".",   ":",
		                             "::", "ffff", "/", "/8", "/32", "/33", "/128",
		                             " ",  "+",  "-",   "a", "g",  "%1",  "65535" };
	size_t count = 1 + (size_t)random() % 9;

	out[0] = '\0';
	for (size_t i = 0; i < count; i++)
		strncat(out, parts[(size_t)random() % (sizeof(parts) / sizeof(parts[0]))],
		        size - strlen(out) - 1);
}

static void
test_against_library(void)
{
	size_t good = 0;

	srandom(11);
	for (size_t i = 0; i < 100000; i++) {
		char text[128];
		limen_network ours;
		limen_network theirs;
		bool read;

		write_random(text, sizeof(text));
		/* Which scopes there are depends on the host. */
		if (strchr(text, '%') != NULL)
			continue;
		read = loose_network_parse(text, strlen(text), &ours);
		if (read != parse_by_library(text, &theirs)) {
			ASSERT(false, "'%s': %d", text, read);
			continue;
		}
		good += read;
		if (read && (ours.prefix != theirs.prefix ||
		             ours.address.family != theirs.address.family ||
		             memcmp(ours.address.bytes, theirs.address.bytes, 16) != 0))
			ASSERT(false, "'%s' differs", text);
	}
	CU_ASSERT_TRUE(good > 1000);
}

/* ---- lines ---- */

static void
check_lines(const char *text, size_t length, size_t count, size_t skipped)
{
	list_text list = { .networks = NULL };

	list_text_add(&list, text, length);
	ASSERT(list.count == count && list.skipped == skipped &&
	               list.failure == NULL,
	       "'%s': %zu entries, %zu skipped", text, list.count, list.skipped);
	list_text_clear(&list);
}

static void
test_lines(void)
{
	static const struct {
		const char *text;
		size_t count;
		size_t skipped;
	} cases[] = {
		{ "", 0, 0 },
		{ "\n\n\r\n", 0, 0 },
		{ "# nothing\n  # more\n#", 0, 0 },
		{ "10.0.0.1", 1, 0 },
		{ "10.0.0.1\n", 1, 0 },
		{ "10.0.0.1\r\n10.0.0.2\r\n", 2, 0 },
		{ "10.0.0.1\r10.0.0.2", 0, 1 },
		{ "\t10.0.0.1/8\x0B# ours\n", 1, 0 },
		{ "10.0.0.1#10.0.0.2", 1, 0 },
		{ "198.51.100.0/24 extra\n10.0.0.1", 1, 1 },
		{ "\xC2\xA0\xE3\x80\x80" "10.0.0.1\xE2\x80\xA8\xE1\x9A\x80\x1F\n", 1, 0 },
		{ "\xEF\xBB\xBF" "10.0.0.1\n10.0.0.2", 1, 1 },
		{ "<html>\n<body>\nNot found\n</body>\n</html>\n", 0, 5 },
		{ "10.0.0.1, 10.0.0.2", 0, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_lines(cases[i].text, strlen(cases[i].text), cases[i].count,
		            cases[i].skipped);
	check_lines("10.0.0.1\0\n10.0.0.2", 18, 1, 1);
	check_lines("\0\n", 2, 0, 1);
}

static void
test_many(void)
{
	list_text list = { .networks = NULL };
	limen_network one = { .address.family = 4, .prefix = 32 };

	for (size_t i = 0; i < LIST_TEXT_MAX; i++)
		list_text_add_network(&list, &one);
	CU_ASSERT_PTR_NULL(list.failure);
	CU_ASSERT_EQUAL(list.count, LIST_TEXT_MAX);
	list_text_add(&list, "10.0.0.1", 8);
	CU_ASSERT_PTR_NOT_NULL(list.failure);
	list_text_add(&list, "10.0.0.1", 8);
	CU_ASSERT_EQUAL(list.count, LIST_TEXT_MAX);
	list_text_clear(&list);
}

static void
test_utf8(void)
{
	static const struct {
		const char *text;
		bool valid;
	} cases[] = {
		{ "", true },
		{ "plain\x7F", true },
		{ "\xC2\x80\xDF\xBF", true },
		{ "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", true },
		{ "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", true },
		{ "\x80", false },
		{ "\xC0\x80", false },
		{ "\xC1\xBF", false },
		{ "\xC2", false },
		{ "\xC2x", false },
		{ "\xE0\x9F\xBF", false },
		{ "\xED\xA0\x80", false },
		{ "\xE2\x82", false },
		{ "\xF0\x8F\xBF\xBF", false },
		{ "\xF4\x90\x80\x80", false },
		{ "\xF5\x80\x80\x80", false },
		{ "\xFF\xFE", false },
		{ "\x1F\x8B\x08", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ASSERT(list_text_is_utf8(cases[i].text, strlen(cases[i].text)) == cases[i].valid,
		       "case %zu", i);
	CU_ASSERT_TRUE(list_text_is_utf8("a\0b", 3));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the spellings pScheduler takes", test_spellings },
		{ "lengths and NULs", test_lengths },
		{ "the same as getaddrinfo() and strtol()", test_against_library },
		{ "lines, comments and white space", test_lines },
		{ "no more entries than the bound", test_many },
		{ "what is UTF-8", test_utf8 },
		{ NULL, NULL },
	};

	return suite_run("identifier/ip-cidr-list-url text", tests);
}
