/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cidr_list_url.c - the identifier "ip-cidr-list-url" through the real
 * engine: what it identifies, and what it takes.  Lists are files here;
 * test_ip_cidr_list_url_update.c has servers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peak.h"
#include "plugin.h"
#include "suite.h"

#define FROM(address) "{\"requester\":\"" address "\"}"
#define TIMES         "\"update\":\"P1D\",\"retry\":\"PT4H\""

static char path[] = "/tmp/limen-test-XXXXXX";

static void
write_list(const char *text)
{
	FILE *out = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs(text, out);
	CU_ASSERT_EQUAL(fclose(out), 0);
}

/* The options of a list in the file, with 'more' behind them. */
static const char *
data_with(const char *more)
{
	static char data[1024];

	snprintf(data, sizeof(data), "{\"source\":\"file://%s\"," TIMES "%s%s}", path,
	         more[0] == '\0' ? "" : ",", more);
	return data;
}

static void
check_list(const char *list, const char *more, const struct plugin_case *cases)
{
	write_list(list);
	plugin_check(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url", data_with(more), cases);
}

/* ---- deciding ---- */

static void
test_requesters(void)
{
	static const struct plugin_case cases[] = {
		{ "before", NULL, FROM("9.255.255.255"), LIMEN_FAIL, NULL },
		{ "first", NULL, FROM("10.0.0.0"), LIMEN_PASS, NULL },
		{ "last", NULL, FROM("10.255.255.255"), LIMEN_PASS, NULL },
		{ "after", NULL, FROM("11.0.0.0"), LIMEN_FAIL, NULL },
		{ "an address", NULL, FROM("192.0.2.1"), LIMEN_PASS, NULL },
		{ "its neighbour", NULL, FROM("192.0.2.2"), LIMEN_FAIL, NULL },
		{ "host bits are cleared", NULL, FROM("198.51.100.200"), LIMEN_PASS, NULL },
		{ "IPv6", NULL, FROM("2001:DB8::42"), LIMEN_PASS, NULL },
		{ "IPv6 after", NULL, FROM("2001:db9::"), LIMEN_FAIL, NULL },
		{ "a mapped address is another family", NULL, FROM("::ffff:10.0.0.1"), LIMEN_FAIL,
		  NULL },
		{ "a scope", NULL, FROM("2001:db8::1%eth0"), LIMEN_PASS, NULL },
		{ "short", NULL, FROM("10.1"), LIMEN_PASS, NULL },
		{ "hexadecimal", NULL, FROM("0x0a000001"), LIMEN_PASS, NULL },
		{ "octal", NULL, FROM("010.0.0.1"), LIMEN_FAIL, NULL },
		{ "a network that is listed", NULL, FROM("10.0.0.0/8"), LIMEN_PASS, NULL },
		{ "one within", NULL, FROM("10.3.2.1/9"), LIMEN_PASS, NULL },
		{ "one around", NULL, FROM("10.0.0.0/7"), LIMEN_FAIL, NULL },
		{ "everything", NULL, FROM("0.0.0.0/0"), LIMEN_FAIL, NULL },
		{ "no requester", NULL, "{\"server\":\"10.0.0.1\"}", LIMEN_SKIP, NULL },
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "a name", NULL, FROM("localhost"), LIMEN_ERROR, "Invalid IP 'localhost'" },
		{ "a blank", NULL, FROM(" 10.0.0.1"), LIMEN_ERROR, "Invalid IP ' 10.0.0.1'" },
		{ "nothing", NULL, FROM(""), LIMEN_ERROR, "Invalid IP ''" },
		{ "a NUL", NULL, FROM("10.0.0.1\\u0000"), LIMEN_ERROR, "Invalid IP '10.0.0.1'" },
		{ "a number", NULL, "{\"requester\":10}", LIMEN_ERROR, "Invalid IP '10'" },
		{ "null", NULL, "{\"requester\":null}", LIMEN_ERROR, "Invalid IP 'null'" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("# a list\n10.0.0.0/8\n\n 192.0.2.1 # one\n198.51.100.7/24\nnonsense\n"
	           "2001:db8::/32\n",
	           "", cases);
}

static void
test_exclude(void)
{
	static const struct plugin_case cases[] = {
		{ "listed", NULL, FROM("10.2.0.1"), LIMEN_PASS, NULL },
		{ "excluded, host bits and all", NULL, FROM("10.1.255.255"), LIMEN_FAIL, NULL },
		{ "an excluded address", NULL, FROM("10.2.3.4"), LIMEN_FAIL, NULL },
		{ "excluded IPv6", NULL, FROM("2001:db8::1"), LIMEN_FAIL, NULL },
		{ "not excluded IPv6", NULL, FROM("2001:db8::2"), LIMEN_PASS, NULL },
		{ "a network that is excluded in part", NULL, FROM("10.0.0.0/8"), LIMEN_PASS,
		  NULL },
		{ "a network that is excluded as a whole", NULL, FROM("10.1.0.0/17"), LIMEN_FAIL,
		  NULL },
		{ "excluded and not listed", NULL, FROM("192.168.1.1"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("10.0.0.0/8\n2001:db8::/32\n",
	           "\"exclude\":[\"10.1.2.3/16\",\"10.2.3.4\",\"2001:db8::1\",\"192.168.0.0/16\"]",
	           cases);
}

/* An empty list is none, whether or not somebody asks, and whoever it is. */
static void
test_fail_state(void)
{
	static const struct plugin_case identified[] = {
		{ "anybody", NULL, FROM("203.0.113.1"), LIMEN_PASS, NULL },
		{ "excluded", NULL, FROM("10.0.0.1"), LIMEN_PASS, NULL },
		{ "without an address", NULL, NULL, LIMEN_PASS, NULL },
		{ "with half an address", NULL, FROM("half"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case unknown[] = {
		{ "anybody", NULL, FROM("203.0.113.1"), LIMEN_FAIL, NULL },
		{ "without an address", NULL, NULL, LIMEN_FAIL, NULL },
		{ "with half an address", NULL, FROM("half"), LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const char *const lists[] = { "", "# nothing\n", "<html>\nnot found\n</html>\n" };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		check_list(lists[i], "\"fail-state\":true,\"exclude\":[\"10.0.0.0/8\"]",
		           identified);
		check_list(lists[i], "\"fail-state\":false", unknown);
		check_list(lists[i], "", unknown);
	}
	unlink(path);
	plugin_check(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url", data_with("\"fail-state\":true"),
	             identified);
	plugin_check(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url", data_with(""), unknown);
}

/* With a list, fail-state has nothing to say. */
static void
test_fail_state_unused(void)
{
	static const struct plugin_case cases[] = {
		{ "listed", NULL, FROM("10.0.0.1"), LIMEN_PASS, NULL },
		{ "not listed", NULL, FROM("203.0.113.1"), LIMEN_FAIL, NULL },
		{ "without an address", NULL, NULL, LIMEN_SKIP, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("10.0.0.0/8\n", "\"fail-state\":true", cases);
}

/* ---- transforms ---- */

#define SCRIPT(text) "\"transform\":{\"script\":" text "}"

static void
test_transform(void)
{
	static const struct plugin_case cases[] = {
		{ "a string", NULL, FROM("10.1.2.3"), LIMEN_PASS, NULL },
		{ "a string of lines", NULL, FROM("192.0.2.9"), LIMEN_PASS, NULL },
		{ "its comment", NULL, FROM("198.51.100.1"), LIMEN_FAIL, NULL },
		{ "a number", NULL, FROM("0.0.0.7"), LIMEN_PASS, NULL },
		{ "a string with a NUL in it", NULL, FROM("203.0.113.1"), LIMEN_FAIL, NULL },
		{ "a comment of the document", NULL, FROM("203.0.113.2"), LIMEN_FAIL, NULL },
		{ "an argument", NULL, FROM("203.0.113.3"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("{\"#\":[\"203.0.113.2\"],\"a\":{\"b\":\"10.0.0.0/8\"},"
	           "\"c\":\"192.0.2.8/31\\n# 198.51.100.1\",\"d\":7,\"e\":\"203.0.113.1\\u0000\","
	           "\"f\":[\"198.51.100.2\"],\"g\":null}",
	           "\"transform\":{\"script\":[\".a.b, .c, .d\",\", .e, .f, .g, true, $own\"],"
	           "\"args\":{\"own\":\"203.0.113.3\"},\"output-raw\":true}",
	           cases);
}

/* As a download that failed: no list. */
static void
test_transform_failures(void)
{
	static const struct plugin_case cases[] = {
		{ "anybody", NULL, FROM("203.0.113.1"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_list("[1", SCRIPT("\".\"") ",\"fail-state\":true", cases);
	check_list("10.0.0.1\n", SCRIPT("\".\"") ",\"fail-state\":true", cases);
	check_list("", SCRIPT("\".\"") ",\"fail-state\":true", cases);
	check_list("[\"10.0.0.1\"]", SCRIPT("\".[], error(\\\"x\\\")\"") ",\"fail-state\":true",
	           cases);
	check_list("[\"10.0.0.1\"]", SCRIPT("\"empty\"") ",\"fail-state\":true", cases);
	check_list("[\"10.0.0.1\"]",
	           SCRIPT("\".[], last(range(1e18))\"") ",\"transform-timeout\":\"PT0.05S\","
	           "\"fail-state\":true",
	           cases);
	check_list("[[\"10.0.0.1\"]]", SCRIPT("\".[]\"") ",\"fail-state\":true", cases);
}

/* It is refused before it is read, which would take twelve times as much as the text has. */
static void
test_transform_memory(void)
{
	static const struct plugin_case cases[] = {
		{ "anybody", NULL, FROM("203.0.113.1"), LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	size_t length = (size_t)32 << 20;
	char *text = malloc(length + 2);
	long before;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (size_t i = 0; i < length; i += 2)
		memcpy(text + i, i == 0 ? "[1" : ",1", 2);
	memcpy(text + length, "]", 2);
	before = get_peak();
	check_list(text, SCRIPT("\"empty\"") ",\"fail-state\":true", cases);
	plugin_assert(get_peak() - before < 128 * 1024, __FILE__, __LINE__, "%ld KiB",
	              get_peak() - before);
	free(text);
}

/* ---- options ---- */

static void
refuse(const char *data, const char *text)
{
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url", data, text);
}

static void
test_refused(void)
{
	refuse("{}", "'source' is a required property");
	refuse("{}", "'update' is a required property");
	refuse("{}", "'retry' is a required property");
	refuse("{\"source\":\"https://example.org/\",\"update\":\"P1D\",\"retry\":\"P1D\","
	       "\"ca-file\":\"/nonexistent/ca.pem\"}", "/nonexistent/ca.pem");
	refuse("{\"source\":\"nowhere\"," TIMES "}", "'nowhere'");
	refuse("{\"source\":\"ftp://a/b\"," TIMES "}",
	       "'ftp://a/b' is not an http, https or file URL");
	refuse(data_with("\"exclude\":[\"10.0.0.0/8\",\"10.0.0.0/33\"]"),
	       "At /identifiers/0/data/exclude/1: '10.0.0.0/33' does not appear");
	refuse(data_with("\"exclude\":[\"10.1\"]"), "'10.1' does not appear");
	refuse(data_with("\"exclude\":\"10.0.0.0/8\""), "'array'");
	refuse(data_with("\"fail-state\":1"), "'boolean'");
	refuse(data_with("\"bind\":1"), "'string'");
	refuse(data_with("\"bind\":\"if!lo\""), "'if!lo' is neither the name nor the address");
	refuse(data_with("\"bind\":\"\""), "'' is neither the name nor the address");
	refuse(data_with("\"timeout\":\"PT0S\""), "is too short");
	refuse(data_with("\"max-size\":0"), "minimum");
	refuse(data_with("\"fail_state\":true"), "fail_state");
	refuse(data_with(SCRIPT("\".[\"")), "/transform");
	refuse(data_with("\"transform\":{}"), "'script' is a required property");
	refuse("{\"source\":\"file:///x\",\"update\":\"1 day\",\"retry\":\"PT4H\"}",
	       "is not a valid ISO 8601 duration");
}

static void
test_notes(void)
{
	write_list("");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url", data_with(""),
	              "note: At /identifiers/0/data: pScheduler 5.2 downloads the list");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url",
	              "{\"source\":\"https://127.0.0.1:1/\"," TIMES "}",
	              "note: At /identifiers/0/data/source: pScheduler 5.2 does not verify");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "ip-cidr-list-url");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "requesters in all their forms", test_requesters },
		{ "what is excluded", test_exclude },
		{ "fail-state while there is no list", test_fail_state },
		{ "fail-state counts only while there is no list", test_fail_state_unused },
		{ "a transform makes the list", test_transform },
		{ "a transform that fails makes none", test_transform_failures },
		{ "one of too many values takes little memory", test_transform_memory },
		{ "what is refused", test_refused },
		{ "what is noted", test_notes },
		{ "the example loads", test_example },
		{ NULL, NULL },
	};
	int fd = mkstemp(path);
	int status;

	if (fd < 0)
		return 99;
	close(fd);
	status = suite_run("identifier/ip-cidr-list-url", tests);
	unlink(path);
	return status;
}
