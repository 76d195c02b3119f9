/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_url_fetch_options.c - what the limit "url-fetch" takes, what it refuses,
 * and what it remarks.  Nothing is fetched.
 */
#include "plugin.h"
#include "suite.h"

#define URL "\"url\":\"https://example.org/\""

static void
test_refused(void)
{
	static const char *const wrong[][2] = {
		{ "{}", "'url' is a required property" },
		{ "{\"url\":1}", "(secret) is not of type 'string'" },
		{ "{\"url\":\"\"}", "'' is not a 'uri'" },
		{ "{\"url\":\"/is-okay\"}", "is not a 'uri'" },
		{ "{\"url\":\"https://a b/\"}", "is not a 'uri'" },
		{ "{\"url\":\"https://\\u00fc/\"}", "is not a 'uri'" },
		{ "{" URL ",\"uri\":1}", "'uri' was unexpected" },
		{ "{\"url\":\"https://u:s3cret@ h/\"}", "the value (not shown, it may hold a password)" },
		{ "{\"url\":\"https:// h/?s3cret\"}", "the value (not shown, it may hold a password)" },
		{ "{\"url\":\"https:// h/#s3cret\"}", "the value (not shown, it may hold a password)" },
		{ "{\"url\":[\"https://u:s3cret@h/\"]}", "(secret) is not of type 'string'" },
		{ "{" URL ",\"headers\":[]}", "(secret) is not of type 'object'" },
		{ "{" URL ",\"headers\":{\"a\":\"b\\nc\"}}", "holds control characters" },
		{ "{" URL ",\"headers\":{\"a\":\"b\\r\"}}", "holds control characters" },
		{ "{" URL ",\"headers\":{\"a\":\"\\u007f\"}}", "holds control characters" },
		{ "{" URL ",\"headers\":{\"a b\":\"c\"}}", "characters that it may not hold" },
		{ "{" URL ",\"headers\":{\"a:\":\"c\"}}", "characters that it may not hold" },
		{ "{" URL ",\"headers\":{\"\":\"c\"}}", "characters that it may not hold" },
		{ "{" URL ",\"headers\":{\"\\u00fc\":\"c\"}}", "characters that it may not hold" },
		{ "{" URL ",\"headers\":{\"a\":\"b\\u0000\"}}", "NUL" },
		{ "{" URL ",\"params\":{\"a\":\"b\\u0000\"}}", "NUL" },
		{ "{" URL ",\"params\":\"a=b\"}", "(secret) is not of type 'object'" },
		{ "{" URL ",\"bind\":\"\"}", "neither the name nor the address" },
		{ "{" URL ",\"bind\":\"if!eth0\"}", "neither the name nor the address" },
		{ "{" URL ",\"bind\":\"-x\"}", "neither the name nor the address" },
		{ "{" URL ",\"schemes\":\"https\"}", "is not of type 'array'" },
		{ "{" URL ",\"schemes\":[1]}", "is not of type 'string'" },
		{ "{" URL ",\"schemes\":[]}", "an empty list of schemes allows nothing" },
		{ "{" URL ",\"schemes\":[\"https\",\"ftp\"]}", "'ftp' is not one of" },
		{ "{" URL ",\"schemes\":[\"HTTPS\"]}", "'HTTPS' is not one of" },
		{ "{" URL ",\"schemes\":[\"http\"]}", "never be fetched: the scheme https is not" },
		{ "{" URL ",\"hosts\":\"example.org\"}", "is not of type 'array'" },
		{ "{" URL ",\"hosts\":[]}", "an empty list of hosts allows nothing" },
		{ "{" URL ",\"hosts\":[\"example.org\",\"\"]}", "neither the name of a host" },
		{ "{" URL ",\"hosts\":[\"https://example.org\"]}", "neither the name of a host" },
		{ "{" URL ",\"hosts\":[\"example.org:443\"]}", "neither the name of a host" },
		{ "{" URL ",\"hosts\":[\"*\"]}", "neither the name of a host" },
		{ "{" URL ",\"hosts\":[\"*.example.org\"]}",
		  "never be fetched: the host example.org is not allowed" },
		{ "{\"url\":\"file:///x\",\"hosts\":[\"example.org\"]}", "a URL without a host" },
		{ "{" URL ",\"timeout\":\"3\"}", "3" },
		{ "{" URL ",\"timeout\":\"-PT3S\"}", "PT3S" },
		{ "{" URL ",\"verify-keys\":1}", "is not of type 'boolean'" },
		{ "{" URL ",\"follow-redirects\":null}", "is not of type 'boolean'" },
		{ "{" URL ",\"success-only\":\"true\"}", "is not of type 'boolean'" },
		{ "{" URL ",\"fail-result\":0}", "is not of type 'boolean'" },
		{ "{" URL ",\"max-size\":0}", "is less than the minimum of 1" },
		{ "{" URL ",\"max-size\":67108865}", "is greater than the maximum of 67108864" },
		{ "{" URL ",\"ca-file\":\"/nonexistent/ca.pem\"}", "/nonexistent/ca.pem" },
		{ "{" URL ",\"proxy\":\"example.org\"}", "not an http or https URL" },
		{ "{" URL ",\"proxy\":7}", "(secret) is not of type 'string'" },
		{ "{" URL ",\"proxy\":\"socks5://example.org\"}", "not an http or https URL" },
		{ "{" URL ",\"url-transform\":\".\"}", "is not of type 'object'" },
		{ "{" URL ",\"url-transform\":{\"script\":\"|\"}}", "url-transform" },
		{ "{" URL ",\"headers-transform\":{\"script\":\"nothing()\"}}", "headers-transform" },
		{ "{" URL ",\"params-transform\":{\"script\":\"$x\"}}", "params-transform" }
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "url-fetch", wrong[i][0], wrong[i][1]);
}

static void
test_remarks(void)
{
	static const char *const cases[][2] = {
		{ "{" URL "}", "" },
		{ "{" URL ",\"headers\":{},\"params\":{}}", "" },
		{ "{" URL ",\"bind\":\"2001:db8::1\",\"timeout\":\"PT0.001S\",\"max-size\":1}", "" },
		{ "{" URL ",\"bind\":\"eth0.100\",\"proxy\":\"http://192.0.2.1:3128\"}", "" },
		{ "{\"url\":\"\",\"url-transform\":{\"script\":\"\\\"https://a/\\\"\"}}",
		  "refuses an empty URL" },
		{ "{\"url\":\"no URL\",\"url-transform\":{\"script\":\"\\\"https://a/\\\"\"}}", "" },
		{ "{" URL ",\"schemes\":[\"https\"],\"hosts\":[\"EXAMPLE.org.\",\"::1\"]}", "" },
		{ "{\"url\":\"\",\"hosts\":[\"*.example.org\"],\"url-transform\":{\"script\":"
		  "\"\\\"https://a.example.org/\\\"\"}}",
		  "refuses an empty URL" },
		{ "{\"url\":\"file:///x\",\"schemes\":[\"file\"]}", "" },
		{ "{\"url\":\"ftp://example.org/\"}", "the fail-result always decides" },
		{ "{\"url\":\"gopher://example.org/\"}", "the fail-result always decides" },
		{ "{\"url\":\"file:///etc/decision.json\"}", "" },
		{ "{" URL ",\"headers\":{\"a\":1}}", "sends the headers only if" },
		{ "{" URL ",\"headers\":{\"a\":1},\"headers-transform\":{\"script\":\".\"}}", "" },
		{ "{" URL ",\"params\":{\"a\":1}}", "sends the params only if" },
		{ "{" URL ",\"params\":{\"a\":1},\"params-transform\":{\"script\":\".\"}}", "" },
		{ "{\"url\":\"https://example.org/?a\"}", "adds a second '?'" },
		{ "{" URL ",\"fail-result\":true}", "whenever there is no answer" },
		{ "{" URL ",\"timeout\":\"PT0S\"}", "five minutes at most" },
		{ "{" URL ",\"url-transform\":{\"script\":\".url\",\"output-raw\":true}}",
		  "the first character" },
		{ "{" URL ",\"params-transform\":{\"script\":\".params.a = .run.test.type\"}}", "" },
		{ "{" URL ",\"params-transform\":{\"script\":[]}}", "" },
		{ "{" URL ",\"params-transform\":{\"script\":\"# nothing\"}}", "" }
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		plugin_remark(LIMEN_KIND_LIMIT, "url-fetch", cases[i][0], cases[i][1]);
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "url-fetch");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "data that is refused", test_refused },
		{ "data that is accepted, with and without remarks", test_remarks },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("limit/url-fetch options", tests);
}
