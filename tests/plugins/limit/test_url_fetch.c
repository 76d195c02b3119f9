/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_url_fetch.c - the limit "url-fetch" through the real engine, with servers
 * of its own: what each answer means, what is sent, what is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_server.h"
#include "nginx.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

static http_server *odd;
static char odd_url[64];
static nginx *real;
static const char *why_not;

#define OK(body, length) HTTP_TEXT("200 OK", length, body)

static const struct http_reply replies[] = {
	{ "/passed", OK("{\"passed\":true}", "15"), HTTP_KEEP, 0 },
	{ "/failed", OK("{\"passed\":false}", "16"), HTTP_KEEP, 0 },
	{ "/no", OK("{\"passed\":false,\"message\":\"Not today\"}", "38"), HTTP_KEEP, 0 },
	{ "/lines", OK("{\"passed\":false,\"message\":\"a\\nb\\u001b[2J\"}", "42"), HTTP_KEEP, 0 },
	{ "/list", OK("{\"passed\":false,\"message\":[1.0,null,\"x\"]}", "41"), HTTP_KEEP, 0 },
	{ "/null", OK("{\"passed\":false,\"message\":null}", "31"), HTTP_KEEP, 0 },
	{ "/comment", OK("{\"#passed\":1,\"passed\":true,\"#\":0}", "33"), HTTP_KEEP, 0 },
	{ "/twice", OK("{\"passed\":false,\"passed\":true}", "30"), HTTP_KEEP, 0 },
	{ "/empty", OK("", "0"), HTTP_KEEP, 0 },
	{ "/text", OK("hello", "5"), HTTP_KEEP, 0 },
	{ "/two", OK("{\"passed\":true} {}", "18"), HTTP_KEEP, 0 },
	{ "/array", OK("[true]", "6"), HTTP_KEEP, 0 },
	{ "/true", OK("true", "4"), HTTP_KEEP, 0 },
	{ "/no-passed", OK("{\"message\":\"hm\"}", "16"), HTTP_KEEP, 0 },
	{ "/odd-passed", OK("{\"passed\":1}", "12"), HTTP_KEEP, 0 },
	{ "/latin1", OK("{\"passed\":true,\"x\":\"\xe9\"}", "23"), HTTP_KEEP, 0 },
	{ "/nul", OK("{\"passed\":true}\0", "16"), HTTP_KEEP,
	  sizeof(OK("{\"passed\":true}\0", "16")) - 1 },
	{ "/201", HTTP_TEXT("201 Created", "15", "{\"passed\":true}"), HTTP_KEEP, 0 },
	{ "/204", "HTTP/1.1 204 No Content\r\n\r\n", HTTP_KEEP, 0 },
	{ "/302", "HTTP/1.1 302 Found\r\nLocation: /passed\r\nContent-Length: 4\r\n\r\nover",
	  HTTP_KEEP, 0 },
	{ "/404", HTTP_TEXT("404 Not Found", "4", "none"), HTTP_KEEP, 0 },
	{ "/500", HTTP_TEXT("500 Oh", "8", "x\x1b\xff y\r\nz"), HTTP_KEEP, 0 },
	{ "/half", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"passed\":true}", HTTP_CLOSE, 0 },
	{ "/closed", "", HTTP_CLOSE, 0 },
	{ "/hang", "", HTTP_HANG, 0 },
	{ "/endless-headers", "HTTP/1.1 200 OK\r\nX-Filler: 0123456789\r\n", HTTP_REPEAT_LINE, 0 },
	{ "/endless-body", "HTTP/1.1 200 OK\r\n\r\n{\"passed\":true}\n", HTTP_REPEAT_LINE, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

/* One request to one path of the server; "%s" in 'reason' is the server's URL. */
struct ask {
	const char *about;
	const char *path;
	const char *more; /* further options, each with a comma before it */
	limen_verdict verdict;
	const char *reason;
};

/* A task and hints that scripts look at. */
static const char task[] =
	"{\"test\":{\"type\":\"rtt\",\"spec\":{\"dest\":\"a b\"}},\"schema\":1}";
static const char hints[] = "{\"requester\":\"192.0.2.1\",\"server\":\"2001:db8::1\"}";

/* Puts the server's URL for "%s" of 'text', which holds it once at most. */
static void
fill_in(char *out, size_t size, const char *text, const char *base)
{
	const char *mark = strstr(text, "%s");
	int length = mark == NULL ? (int)strlen(text) : (int)(mark - text);

	snprintf(out, size, "%.*s%s%s", length, text, mark == NULL ? "" : base,
	         mark == NULL ? "" : mark + 2);
}

static void
ask_one(const struct ask *one, const char *base, const char *more)
{
	char data[2048];
	char reason[1024];
	struct plugin_case question = { one->about, task, hints, one->verdict, reason };
	limen_kit *kit;

	snprintf(data, sizeof(data), "{\"url\":\"%s%s\",\"timeout\":\"PT20S\"%s%s}", base,
	         one->path, one->more, more);
	fill_in(reason, sizeof(reason), one->reason == NULL ? "" : one->reason, base);
	kit = plugin_open(LIMEN_KIND_LIMIT, "url-fetch", data);
	if (kit == NULL)
		return;
	plugin_ask(kit, &question);
	limen_kit_free(kit);
}

static void
ask_all(const struct ask *cases)
{
	for (; cases->about != NULL; cases++)
		ask_one(cases, odd_url, "");
}

static void
test_answers(void)
{
	static const struct ask cases[] = {
		{ "passed", "/passed", "", LIMEN_PASS, NULL },
		{ "failed without a message", "/failed", "", LIMEN_FAIL, NULL },
		{ "a failure is no failure to answer", "/failed", ",\"fail-result\":true",
		  LIMEN_FAIL, NULL },
		{ "a message", "/no", "", LIMEN_FAIL, "Not today" },
		{ "a message of lines and controls", "/lines", "", LIMEN_FAIL, "a\nb?[2J" },
		{ "a message that is a list", "/list", "", LIMEN_FAIL, "[1, None, 'x']" },
		{ "a message that is null", "/null", "", LIMEN_FAIL, "None" },
		{ "comments", "/comment", "", LIMEN_PASS, NULL },
		{ "the last of two", "/twice", "", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	ask_all(cases);
}

#define INVALID_JSON(body)   "Server returned invalid JSON '" body "'"
#define INVALID_RESULT(body) "Server returned an invalid result '" body "'"
#define FAILED(path, what)   "Fetch %s" path " failed: " what
#define REPLACEMENT          "\xef\xbf\xbd"

/* What keeps an answer from being had: the fail-result decides, with the same reason. */
static const struct ask unanswered[] = {
	{ "no body", "/empty", "", LIMEN_FAIL, INVALID_JSON("") },
	{ "text", "/text", "", LIMEN_FAIL, INVALID_JSON("hello") },
	{ "more than one", "/two", "", LIMEN_FAIL, INVALID_JSON("{\"passed\":true} {}") },
	{ "a list", "/array", "", LIMEN_FAIL, INVALID_RESULT("[true]") },
	{ "a boolean", "/true", "", LIMEN_FAIL, INVALID_RESULT("true") },
	{ "nothing passed", "/no-passed", "", LIMEN_FAIL, INVALID_RESULT("{\"message\":\"hm\"}") },
	{ "a number passed", "/odd-passed", "", LIMEN_FAIL, INVALID_RESULT("{\"passed\":1}") },
	{ "not UTF-8", "/latin1", "", LIMEN_FAIL,
	  INVALID_JSON("{\"passed\":true,\"x\":\"" REPLACEMENT "\"}") },
	{ "a NUL at the end", "/nul", "", LIMEN_FAIL, INVALID_JSON("{\"passed\":true}?") },
	{ "201", "/201", "", LIMEN_FAIL, FAILED("/201", "201: {\"passed\":true}") },
	{ "204", "/204", "", LIMEN_FAIL, FAILED("/204", "204: ") },
	{ "404", "/404", "", LIMEN_FAIL, FAILED("/404", "404: none") },
	{ "the parameters are not shown", "/404", ",\"params\":{\"a\":1}", LIMEN_FAIL,
	  FAILED("/404", "404: none") },
	{ "a text that is not harmless", "/500", "", LIMEN_FAIL,
	  FAILED("/500", "500: x?" REPLACEMENT " y\r\nz") },
	{ "a redirect not followed", "/302", ",\"follow-redirects\":false", LIMEN_FAIL,
	  FAILED("/302", "302: over") },
	{ "closed", "/closed", "", LIMEN_FAIL,
	  FAILED("/closed", "400: The server closed the connection without an answer") },
	{ "half an answer", "/half", "", LIMEN_FAIL,
	  FAILED("/half", "400: The answer is incomplete") },
	{ "headers without end", "/endless-headers", "", LIMEN_FAIL,
	  FAILED("/endless-headers", "400: The answer has more than 65536 bytes of headers") },
	{ "a body without end", "/endless-body", ",\"max-size\":100000", LIMEN_FAIL,
	  FAILED("/endless-body", "400: The answer is longer than 100000 bytes") },
	{ "a byte too long", "/passed", ",\"max-size\":14", LIMEN_FAIL,
	  FAILED("/passed", "400: The answer is longer than 14 bytes") },
	{ "a transform that fails", "/passed", ",\"url-transform\":{\"script\":\"error({a:1})\"}",
	  LIMEN_FAIL, "URL transform failed: {'a': 1}" },
	{ "a URL that is none", "/passed", ",\"url-transform\":{\"script\":\"1\"}", LIMEN_FAIL,
	  "URL transform failed: Transform did not return a string" },
	{ "no output", "/passed", ",\"url-transform\":{\"script\":\"empty\"}", LIMEN_FAIL,
	  "URL transform failed: list index out of range" },
	{ "a URL with a blank", "/passed", ",\"url-transform\":{\"script\":\".url + \\\" \\\"\"}",
	  LIMEN_FAIL, "URL transform failed: Transform did not return a URL" },
	{ "a URL with a NUL", "/passed",
	  ",\"url-transform\":{\"script\":\".url + ([0,97]|implode)\"}", LIMEN_FAIL,
	  "URL transform failed: Transform did not return a URL" },
	{ "a URL with a line end", "/passed",
	  ",\"url-transform\":{\"script\":\".url + ([13,10]|implode)\"}", LIMEN_FAIL,
	  "URL transform failed: Transform did not return a URL" },
	{ "a URL with an umlaut", "/passed",
	  ",\"url-transform\":{\"script\":\".url + ([252]|implode)\"}", LIMEN_FAIL,
	  "URL transform failed: Transform did not return a URL" },
	{ "a URL without end", "/passed",
	  ",\"url-transform\":{\"script\":\"reduce range(16) as $i (.url; . + .)\"}", LIMEN_FAIL,
	  "URL transform failed: The URL is too long" },
	{ "headers that are no object", "/passed",
	  ",\"headers-transform\":{\"script\":\".headers = 1\"}", LIMEN_FAIL,
	  "Header transform failed: The result is not an object" },
	{ "a result that is no object", "/passed", ",\"headers-transform\":{\"script\":\"1\"}",
	  LIMEN_FAIL, "Header transform failed: Transform did not return an object" },
	{ "another header in a value", "/passed",
	  ",\"headers-transform\":{\"script\":\".headers.a = \\\"b\\\\r\\\\nX: y\\\"\"}", LIMEN_FAIL,
	  "Header transform failed: The value of a header holds control characters" },
	{ "another header in a name", "/passed",
	  ",\"headers-transform\":{\"script\":\".headers[\\\"a: b\\\\nX\\\"] = 1\"}", LIMEN_FAIL,
	  "Header transform failed: The name of a header holds characters that it may not hold" },
	{ "a header without a name", "/passed",
	  ",\"headers-transform\":{\"script\":\".headers[\\\"\\\"] = 1\"}", LIMEN_FAIL,
	  "Header transform failed: The name of a header holds characters that it may not hold" },
	{ "a NUL in a header", "/passed",
	  ",\"headers-transform\":{\"script\":\".headers.a = ([97,0]|implode)\"}", LIMEN_FAIL,
	  "Header transform failed: The text of a member holds a NUL" },
	{ "parameters that are a list", "/passed",
	  ",\"params-transform\":{\"script\":\".params = [1]\"}", LIMEN_FAIL,
	  "Parameter transform failed: The result is not an object" },
	{ "an error after a first output", "/passed",
	  ",\"params-transform\":{\"script\":\"., error(\\\"late\\\")\"}", LIMEN_FAIL,
	  "Parameter transform failed: late" },
	{ "gopher", "", ",\"url-transform\":{\"script\":\"\\\"gopher://127.0.0.1/\\\"\"}",
	  LIMEN_FAIL, "Fetch gopher://127.0.0.1/ failed: 400: Gopher is not supported" },
	{ "a file, which the policy does not name", "",
	  ",\"url-transform\":{\"script\":\"\\\"file:///dev/null\\\"\"}", LIMEN_FAIL,
	  "Fetch file:/// failed: 400: The protocol of the URL is not allowed" },
	{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
};

static void
test_unanswered(void)
{
	ask_all(unanswered);
}

static void
test_fail_result(void)
{
	for (const struct ask *one = unanswered; one->about != NULL; one++) {
		struct ask passing = *one;

		passing.verdict = LIMEN_PASS;
		ask_one(&passing, odd_url, ",\"fail-result\":true");
	}
}

static void
test_success_only(void)
{
	static const struct ask cases[] = {
		{ "200, whatever it says", "/failed", "", LIMEN_PASS, NULL },
		{ "200 and no JSON", "/text", "", LIMEN_PASS, NULL },
		{ "200 and no UTF-8", "/latin1", "", LIMEN_PASS, NULL },
		{ "200 and no end", "/endless-body", "", LIMEN_PASS, NULL },
		{ "404", "/404", "", LIMEN_FAIL, "Resource not found" },
		{ "404 is an answer", "/404", ",\"fail-result\":true", LIMEN_FAIL,
		  "Resource not found" },
		{ "201", "/201", "", LIMEN_FAIL, FAILED("/201", "201: {\"passed\":true}") },
		{ "201 with a fail-result", "/201", ",\"fail-result\":true", LIMEN_PASS,
		  FAILED("/201", "201: {\"passed\":true}") },
		{ "half an answer", "/half", "", LIMEN_FAIL,
		  FAILED("/half", "400: The answer is incomplete") },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	for (const struct ask *one = cases; one->about != NULL; one++)
		ask_one(one, odd_url, ",\"success-only\":true");
}

/* What the server sees: a part of the head of the request. */
struct sent {
	const char *about;
	const char *path;
	const char *more;
	const char *text;
	bool present;
};

static void
check_sent(const struct sent *cases)
{
	for (; cases->about != NULL; cases++) {
		struct ask one = { cases->about, cases->path, cases->more, LIMEN_PASS, NULL };
		char head[8192];

		ask_one(&one, odd_url, "");
		http_server_last(odd, head, sizeof(head));
		ASSERT((strstr(head, cases->text) != NULL) == cases->present, "%s: %s'%s' in '%s'",
		       cases->about, cases->present ? "no " : "", cases->text, head);
	}
}

#define PARAMS(script) ",\"params-transform\":{\"script\":\"" script "\"}"

static void
test_params(void)
{
	static const struct sent cases[] = {
		{ "none", "/passed", "", "GET /passed HTTP", true },
		{ "an empty object", "/passed", ",\"params\":{}", "GET /passed HTTP", true },
		{ "in their order", "/passed", ",\"params\":{\"z\":1,\"a\":\"b\"}",
		  "GET /passed?z=1&a=b HTTP", true },
		{ "of every type", "/passed",
		  ",\"params\":{\"a\":true,\"b\":null,\"c\":[1,\"x\",false],\"d\":{\"e\":1.5},\"f\":1.0}",
		  "?a=True&b=None&c=%5B1%2C+%27x%27%2C+False%5D&d=%7B%27e%27%3A+1.5%7D&f=1 HTTP",
		  true },
		{ "quoted", "/passed", ",\"params\":{\"a b&\":\"\\u00fc/?=#%~-._\"}",
		  "?a+b%26=%C3%BC%2F%3F%3D%23%25~-._ HTTP", true },
		{ "added to a query", "/passed?x=y", ",\"params\":{\"a\":1}",
		  "GET /passed?x=y&a=1 HTTP", true },
		{ "added to an empty query", "/passed?", ",\"params\":{\"a\":1}",
		  "GET /passed?a=1 HTTP", true },
		{ "before a fragment", "/passed#there", ",\"params\":{\"a\":1}",
		  "GET /passed?a=1 HTTP", true },
		{ "the task", "/passed", PARAMS(".params.t = .task.test.type"),
		  "GET /passed?t=rtt HTTP", true },
		{ "the task as pScheduler calls it", "/passed",
		  PARAMS(".params.d = .run.test.spec.dest"), "GET /passed?d=a+b HTTP", true },
		{ "a hint", "/passed", PARAMS(".params.r = hint(\\\"requester\\\")"),
		  "GET /passed?r=192.0.2.1 HTTP", true },
		{ "a hint anywhere", "/passed", PARAMS(".params |= {s: hint(\\\"server\\\")}"),
		  "GET /passed?s=2001%3Adb8%3A%3A1 HTTP", true },
		{ "no such hint", "/passed", PARAMS(".params.r = hint(\\\"x\\\")"),
		  "GET /passed?r=None HTTP", true },
		{ "what there was", "/passed", ",\"params\":{\"a\":1}" PARAMS(".params.b = 2"),
		  "GET /passed?a=1&b=2 HTTP", true },
		{ "null", "/passed", ",\"params\":{\"a\":1}" PARAMS(".params = null"),
		  "GET /passed HTTP", true },
		{ "gone", "/passed", ",\"params\":{\"a\":1}" PARAMS("del(.params)"),
		  "GET /passed HTTP", true },
		{ "the first output", "/passed", PARAMS(".params.a = (1, 2)"),
		  "GET /passed?a=1 HTTP", true },
		{ "arguments", "/passed",
		  ",\"params-transform\":{\"script\":[\".params.a\",\" = $x\"],\"args\":{\"x\":7}}",
		  "GET /passed?a=7 HTTP", true },
		{ NULL, NULL, NULL, NULL, false }
	};

	check_sent(cases);
}

#define HEADERS(script) ",\"headers-transform\":{\"script\":\"" script "\"}"

static void
test_headers(void)
{
	static const struct sent cases[] = {
		{ "without a transform", "/passed", ",\"headers\":{\"X-A\":\"b c\"}",
		  "\r\nX-A: b c\r\n", true },
		{ "of other types", "/passed", ",\"headers\":{\"X-A\":true,\"X-B\":null}",
		  "\r\nX-A: True\r\nX-B: None\r\n", true },
		{ "empty ones are not sent", "/passed", ",\"headers\":{\"X-A\":\"\"}", "X-A", false },
		{ "nor what they replace", "/passed", ",\"headers\":{\"Accept\":\"\"}", "Accept",
		  false },
		{ "a transform", "/passed",
		  ",\"headers\":{\"X-A\":1}" HEADERS(".headers.Authorization = \\\"Basic x\\\""),
		  "\r\nX-A: 1\r\nAuthorization: Basic x\r\n", true },
		{ "a tab", "/passed", HEADERS(".headers.a = \\\"b\\\\tc\\\""), "\r\na: b\tc\r\n",
		  true },
		{ "UTF-8", "/passed", ",\"headers\":{\"X-A\":\"\\u00fc\"}", "\r\nX-A: \xc3\xbc\r\n",
		  true },
		{ "null", "/passed", ",\"headers\":{\"X-A\":1}" HEADERS(".headers = null"), "X-A",
		  false },
		{ "a user in the URL", "/passed",
		  ",\"url-transform\":{\"script\":\".url|sub(\\\"//\\\";\\\"//u:p@\\\")\"}",
		  "\r\nAuthorization: Basic dTpw\r\n", true },
		{ NULL, NULL, NULL, NULL, false }
	};

	check_sent(cases);
}

/* Block 33 of the limits document, with its slips: a key and a header that are none. */
static void
test_document(void)
{
	static const char data[] =
		",\"params\":{\"check-type\":\"whatever\"},"
		"\"params-transform\":{\"script\":[\"  .params.requester = hint(\\\"requester\\\")\","
		"\"| .params.test  = .test.type\"]},"
		"\"headers\":{\"Cache-Control\":\"no-cache\"},"
		"\"headers-transform\":{\"script\":[\".Authorizatiion = \\\"Basic \\\\($auth)\\\"\"],"
		"\"args\":{\"auth\":\"bXVtYmxlbXVtYmxlbXVtYmxlCg==\"}}";
	static const struct sent cases[] = {
		{ "parameters", "/passed", data,
		  "GET /passed?check-type=whatever&requester=192.0.2.1&test=None HTTP", true },
		{ "the header", "/passed", data, "\r\nCache-Control: no-cache\r\n", true },
		{ "no password", "/passed", data, "Basic", false },
		{ NULL, NULL, NULL, NULL, false }
	};

	check_sent(cases);
}

static void
test_urls(void)
{
	static const struct ask cases[] = {
		{ "a redirect", "/302", "", LIMEN_PASS, NULL },
		{ "an address to come from", "/passed", ",\"bind\":\"127.0.0.1\"", LIMEN_PASS, NULL },
		{ "a URL made", "/", ",\"url-transform\":{\"script\":\".url + \\\"no\\\"\"}",
		  LIMEN_FAIL, "Not today" },
		{ "as raw output", "/",
		  ",\"url-transform\":{\"script\":\".url + \\\"no\\\"\",\"output-raw\":true}",
		  LIMEN_FAIL, "Not today" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	char data[256];
	struct plugin_case passes[] = {
		{ "an empty URL", NULL, NULL, LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	ask_all(cases);
	snprintf(data, sizeof(data),
	         "{\"url\":\"\",\"url-transform\":{\"script\":\"\\\"%s/passed\\\"\"}}", odd_url);
	plugin_check(LIMEN_KIND_LIMIT, "url-fetch", data, passes);
	snprintf(data, sizeof(data), "{\"url\":\"http://nobody.invalid/passed\",\"proxy\":\"%s\"}",
	         odd_url);
	plugin_check(LIMEN_KIND_LIMIT, "url-fetch", data, passes);
}

/* Secrets are sent, and never shown: neither those of base + path nor those of transforms. */
static void
check_secret(const char *about, const char *base, const char *path, const char *more,
             const char *reason, const char *sent)
{
	struct ask one = { about, path, more, LIMEN_FAIL, NULL };
	char wanted[256];
	char head[4096];

	fill_in(wanted, sizeof(wanted), reason, odd_url);
	one.reason = wanted;
	ask_one(&one, base, "");
	http_server_last(odd, head, sizeof(head));
	ASSERT(strstr(head, sent) != NULL, "%s: no '%s' in '%s'", about, sent, head);
}

static void
test_secrets(void)
{
	static const char key[] =
		",\"url-transform\":{\"script\":\".url + $a\",\"args\":{\"a\":\"/s3cret?k=s3cret\"}}";
	static const char moved[] = ",\"url-transform\":{\"script\":"
	                            "\".url|split(\\\"?\\\")|join(\\\"/\\\")\"}";
	char base[96];

	snprintf(base, sizeof(base), "http://user:secret@%s", strchr(odd_url, ':') + 3);
	check_secret("a password", base, "/404", "", FAILED("/404", "404: none"),
	             "Authorization: Basic dXNlcjpzZWNyZXQ=");
	check_secret("a key in the query", odd_url, "/404?k=s3cret#s3cret", "",
	             FAILED("/404", "404: none"), "GET /404?k=s3cret HTTP");
	check_secret("both, and no path", base, "?k=s3cret", "", FAILED("/", "404: not found"),
	             "GET /?k=s3cret HTTP");
	check_secret("an argument", odd_url, "", key, FAILED("/", "404: not found"),
	             "GET /s3cret?k=s3cret HTTP");
	check_secret("a query that becomes a path", odd_url, "/x?s3cret", moved,
	             FAILED("/", "404: not found"), "GET /x/s3cret HTTP");
}

/* jq's own errors quote how values begin, and here a number of the requester's provokes one. */
static void
test_errors(void)
{
	static const struct ask cases[] = {
		{ "an argument", "/passed",
		  ",\"headers-transform\":{\"script\":\".headers.A = $a + 1\","
		  "\"args\":{\"a\":\"s3cret\"}}",
		  LIMEN_FAIL, "Header transform failed: string ..." },
		{ "a header", "/passed",
		  ",\"headers\":{\"A\":\"s3cret\"}" HEADERS(".headers.A + 1"), LIMEN_FAIL,
		  "Header transform failed: string ..." },
		{ "a parameter", "/passed",
		  ",\"params\":{\"A\":\"s3cret\"}" PARAMS(".params.A + 1"), LIMEN_FAIL,
		  "Parameter transform failed: string ..." },
		{ "the query of the URL", "?s3cret", ",\"url-transform\":{\"script\":\".url + 1\"}",
		  LIMEN_FAIL, "URL transform failed: string ..." },
		{ "nothing that is a secret", "/passed", PARAMS(".task.test.type + 1"), LIMEN_FAIL,
		  "Parameter transform failed: string (\"rtt\") and number (1) cannot be added" },
		{ "a text of the script", "/passed",
		  ",\"params-transform\":{\"script\":\"error(\\\"not today\\\")\","
		  "\"args\":{\"a\":\"s3cret\"}}",
		  LIMEN_FAIL, "Parameter transform failed: not today" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	ask_all(cases);
}

static void
test_file(void)
{
	static const struct plugin_case passes[] = {
		{ "a file", NULL, NULL, LIMEN_PASS, "OK" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case hidden[] = {
		{ "a file whose name an argument makes", NULL, NULL, LIMEN_FAIL,
		  "Fetch file:/// failed: 400: Cannot read the file" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case fails[] = {
		{ "a device", NULL, NULL, LIMEN_FAIL,
		  "Fetch file:///dev/zero failed: 400: It is not a regular file" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	char name[] = "/tmp/limen-url-fetch-XXXXXX";
	char data[128];
	int fd = mkstemp(name);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs("{\"passed\":true,\"message\":\"OK\"}", file);
	fclose(file);
	snprintf(data, sizeof(data), "{\"url\":\"file://%s\",\"params\":{\"a\":1}}", name);
	plugin_check(LIMEN_KIND_LIMIT, "url-fetch", data, passes);
	plugin_check(LIMEN_KIND_LIMIT, "url-fetch", "{\"url\":\"file:///dev/zero\"}", fails);
	plugin_check(LIMEN_KIND_LIMIT, "url-fetch",
	             "{\"url\":\"file:///nonexistent/\",\"url-transform\":"
	             "{\"script\":\".url + $a\",\"args\":{\"a\":\"s3cret\"}}}", hidden);
	remove(name);
}

/* The verdict of a URL of nginx, whatever the reason. */
static void
check_real(const char *base, const char *path, const char *more, limen_verdict wanted)
{
	char data[1024];
	limen_kit *kit;

	snprintf(data, sizeof(data), "{\"url\":\"%s%s\",\"timeout\":\"PT20S\"%s}", base, path, more);
	kit = plugin_open(LIMEN_KIND_LIMIT, "url-fetch", data);
	if (kit == NULL)
		return;
	ASSERT(limen_kit_run(kit, task, hints) == wanted, "%s%s: %s", path, more,
	       limen_kit_reason(kit));
	limen_kit_free(kit);
}

static void
test_tls(void)
{
	char ca[512];

	if (real == NULL) {
		suite_skip(why_not);
		return;
	}
	snprintf(ca, sizeof(ca), ",\"ca-file\":\"%s\"", nginx_ca(real));
	check_real(nginx_https(real), "/passed", ca, LIMEN_PASS);
	check_real(nginx_https(real), "/failed", ca, LIMEN_FAIL);
	check_real(nginx_https(real), "/redirect/passed", ca, LIMEN_PASS);
	check_real(nginx_https(real), "/redirect/http", ca, LIMEN_FAIL);
	check_real(nginx_https(real), "/passed", "", LIMEN_FAIL);
	check_real(nginx_https(real), "/passed", ",\"fail-result\":true", LIMEN_PASS);
	check_real(nginx_https(real), "/passed", ",\"verify-keys\":false", LIMEN_PASS);
	check_real(nginx_https_other(real), "/passed", ca, LIMEN_FAIL);
	check_real(nginx_https_other(real), "/passed", ",\"verify-keys\":false", LIMEN_PASS);
	check_real(nginx_https_old(real), "/passed", ca, LIMEN_FAIL);
}

static void
test_nginx(void)
{
	static const char *const failing[] = { "/redirect/loop", "/redirect/file", "/redirect/ftp",
		                               "/status/503", "/files/two-mib", "/files/latin1",
		                               "/json/string", "/gzip" };

	if (real == NULL) {
		suite_skip(why_not);
		return;
	}
	for (size_t i = 0; i < sizeof(failing) / sizeof(failing[0]); i++) {
		check_real(nginx_http(real), failing[i], "", LIMEN_FAIL);
		check_real(nginx_http(real), failing[i], ",\"fail-result\":true", LIMEN_PASS);
	}
	check_real(nginx_http(real), "/files/passed.json", "", LIMEN_PASS);
	check_real(nginx_http(real), "/files/nul.json", "", LIMEN_FAIL);
	check_real(nginx_http(real), "/json/comment", "", LIMEN_PASS);
	check_real(nginx_http(real), "/slow", ",\"timeout\":\"PT0.2S\"", LIMEN_FAIL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what a server says", test_answers },
		{ "no answer that counts", test_unanswered },
		{ "the fail-result decides then", test_fail_result },
		{ "success-only", test_success_only },
		{ "parameters", test_params },
		{ "headers", test_headers },
		{ "the document's example", test_document },
		{ "URLs", test_urls },
		{ "passwords, queries and arguments are not shown", test_secrets },
		{ "nor by errors of transforms", test_errors },
		{ "files", test_file },
		{ "TLS", test_tls },
		{ "a real server", test_nginx },
		{ NULL, NULL }
	};
	int status;

	odd = http_server_start(replies);
	if (odd == NULL)
		return 1;
	snprintf(odd_url, sizeof(odd_url), "http://127.0.0.1:%u", http_server_port(odd));
	real = nginx_start(&why_not);
	status = suite_run("limit/url-fetch", tests);
	nginx_stop(real);
	http_server_stop(odd);
	return status;
}
