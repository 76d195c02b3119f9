/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_url_fetch_hosts.c - the options schemes and hosts of the limit "url-fetch": what
 * is not listed is not connected to, whatever a script or a redirect says.
 *
 * One server is 127.0.0.1, and may be asked; the other one is called localhost.
 */
#include <stdio.h>
#include <string.h>

#include "http_server.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum { REDIRECT_MAX = 160 };

static http_server *good;
static http_server *evil;
static char good_url[64];
static char evil_url[64];
static char redirects[4][REDIRECT_MAX];

#define REDIRECT(to) "HTTP/1.1 302 Found\r\nLocation: " to "\r\nContent-Length: 4\r\n\r\nover"
#define PASSED       HTTP_TEXT("200 OK", "15", "{\"passed\":true}")

static struct http_reply replies[] = {
	{ "/passed", PASSED, HTTP_KEEP, 0 },
	{ "/404", HTTP_TEXT("404 Not Found", "4", "none"), HTTP_KEEP, 0 },
	{ "/relative", REDIRECT("passed?x=a b"), HTTP_KEEP, 0 },
	{ "/loop", REDIRECT("/loop"), HTTP_KEEP, 0 },
	{ "/file", REDIRECT("file:///dev/null"), HTTP_KEEP, 0 },
	{ "/ftp", REDIRECT("ftp://127.0.0.1/"), HTTP_KEEP, 0 },
	{ "/no-url", REDIRECT("http://[/"), HTTP_KEEP, 0 },
	{ "/no-place", "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nnone", HTTP_KEEP, 0 },
	{ "/to-hang", REDIRECT("/hang"), HTTP_KEEP, 0 },
	{ "/hang", "HTTP/1.1 302 Found\r\nLocation: /passed\r\n", HTTP_HANG, 0 },
	{ "/half", "HTTP/1.1 302 Found\r\nLocation: /passed\r\n", HTTP_CLOSE, 0 },
	{ "/evil", redirects[0], HTTP_KEEP, 0 },
	{ "/same", redirects[1], HTTP_KEEP, 0 },
	{ "/trick", redirects[2], HTTP_KEEP, 0 },
	{ "/twice", redirects[3], HTTP_KEEP, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

static const struct http_reply evil_replies[] = {
	{ "*", PASSED, HTTP_KEEP, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

static limen_kit *
open_limit(const char *url, const char *more)
{
	char data[1024];

	snprintf(data, sizeof(data), "{\"url\":\"%s\",\"timeout\":\"PT20S\"%s}", url, more);
	return plugin_open(LIMEN_KIND_LIMIT, "url-fetch", data);
}

/* The verdict, and what the reason ends with. */
static void
check(const char *url, const char *more, limen_verdict wanted, const char *end)
{
	limen_kit *kit = open_limit(url, more);
	limen_verdict verdict;
	const char *reason;

	if (kit == NULL)
		return;
	verdict = limen_kit_run(kit, "{\"test\":{\"type\":\"rtt\"}}", NULL);
	reason = limen_kit_reason(kit);
	ASSERT(verdict == wanted, "%s%s: %d '%s'", url, more, verdict, reason);
	ASSERT(strlen(reason) >= strlen(end) &&
	               strcmp(reason + strlen(reason) - strlen(end), end) == 0,
	       "%s%s: '%s', not '%s'", url, more, reason, end);
	limen_kit_free(kit);
}

/* Likewise of a path of the server that may be asked. */
static void
check_path(const char *path, const char *more, limen_verdict wanted, const char *end)
{
	char url[128];

	snprintf(url, sizeof(url), "%s%s", good_url, path);
	check(url, more, wanted, end);
}

/* Likewise of a URL that a script makes. */
static void
check_made(const char *url, const char *more, limen_verdict wanted, const char *end)
{
	char options[512];

	snprintf(options, sizeof(options), ",\"url-transform\":{\"script\":\"\\\"%s\\\"\"}%s", url,
	         more);
	check("", options, wanted, end);
}

#define ONLY      ",\"hosts\":[\"127.0.0.1\"]"
#define NOT_LOCAL "400: the host localhost is not allowed"

static void
test_allowed(void)
{
	check_path("/passed", ONLY, LIMEN_PASS, "");
	check_path("/passed", ",\"schemes\":[\"http\"]" ONLY, LIMEN_PASS, "");
	check_path("/passed", ",\"hosts\":[\"a.example\",\"0x7f.1\"]", LIMEN_PASS, "");
	check_path("/404", ONLY, LIMEN_FAIL, "/404 failed: 404: none");
	check_made(good_url, ",\"success-only\":true" ONLY, LIMEN_FAIL, "Resource not found");
	check(evil_url, ",\"hosts\":[\"LOCALHOST.\"]", LIMEN_PASS, "");
}

static void
test_refused(void)
{
	unsigned long before = http_server_connections(evil);
	char mapped[64];

	check_made(evil_url, ONLY, LIMEN_FAIL, NOT_LOCAL);
	check_made(evil_url, ",\"fail-result\":true" ONLY, LIMEN_PASS, NOT_LOCAL);
	check_made(evil_url, ",\"success-only\":true" ONLY, LIMEN_FAIL, NOT_LOCAL);
	check_made(evil_url, ",\"hosts\":[\"*.localhost\",\"ocalhost\",\"localhost.example\"]",
	           LIMEN_FAIL, NOT_LOCAL);
	check_made(evil_url, ",\"schemes\":[\"https\",\"file\"]", LIMEN_FAIL,
	           "400: the scheme http is not allowed");
	snprintf(mapped, sizeof(mapped), "http://[::ffff:127.0.0.1]:%u/", http_server_port(evil));
	check_made(mapped, ONLY, LIMEN_FAIL, "is not allowed");
	snprintf(mapped, sizeof(mapped), "http://127.0.0.1@localhost:%u/", http_server_port(evil));
	check_made(mapped, ONLY, LIMEN_FAIL, NOT_LOCAL);
	check_made("file:///dev/null", ONLY, LIMEN_FAIL, "a URL without a host is not allowed");
	CU_ASSERT_EQUAL(http_server_connections(evil), before);
	/* Below localhost are names that libcurl knows without a name server. */
	snprintf(mapped, sizeof(mapped), "http://a.LocalHost:%u/", http_server_port(evil));
	check_made(mapped, ",\"hosts\":[\"*.localhost\"]", LIMEN_PASS, "");
	CU_ASSERT(http_server_connections(evil) > before);
}

static void
test_redirects(void)
{
	unsigned long before;

	/* The server may be reached, so what follows is about the lists. */
	check_path("/evil", "", LIMEN_PASS, "");
	check_path("/evil", ",\"hosts\":[\"127.0.0.1\",\"localhost\"]", LIMEN_PASS, "");
	before = http_server_connections(evil);
	check_path("/evil", ONLY, LIMEN_FAIL,
	           "/evil failed: 400: redirected, and the host localhost is not allowed");
	check_path("/evil", ",\"fail-result\":true" ONLY, LIMEN_PASS, "is not allowed");
	check_path("/evil", ",\"success-only\":true" ONLY, LIMEN_FAIL, "is not allowed");
	check_path("/trick", ONLY, LIMEN_FAIL, "is not allowed");
	check_path("/twice", ONLY, LIMEN_FAIL, "is not allowed");
	check_path("/evil", ",\"follow-redirects\":false" ONLY, LIMEN_FAIL, "302: over");
	CU_ASSERT_EQUAL(http_server_connections(evil), before);
	check_path("/relative", ONLY, LIMEN_PASS, "");
	check_path("/same", ONLY, LIMEN_PASS, "");
	check_path("/no-place", ONLY, LIMEN_FAIL, "302: none");
}

/* What ends a redirect without a list ends it here, too. */
static void
test_bounds(void)
{
	static const char schemes[] = ",\"schemes\":[\"http\",\"file\"]";
	unsigned long before = http_server_requests(good);

	check_path("/loop", ONLY, LIMEN_FAIL, "400: Too many redirects");
	CU_ASSERT_EQUAL(http_server_requests(good), before + 11);
	check_path("/file", ONLY, LIMEN_FAIL, "redirected, and a URL without a host is not allowed");
	check_path("/file", schemes, LIMEN_FAIL, "Redirected to a protocol that must not be followed");
	check_path("/ftp", ONLY, LIMEN_FAIL, "Redirected to a protocol that must not be followed");
	check_path("/ftp", schemes, LIMEN_FAIL, "redirected, and the scheme ftp is not allowed");
	check_path("/no-url", ONLY, LIMEN_FAIL, "");
	check_path("/half", ONLY, LIMEN_FAIL, "400: The answer ends within its headers");
}

/* A server that hangs once it was redirected to costs the time limit. */
static void
test_time(void)
{
	limen_kit *kit;
	char url[128];
	int64_t start = limen_host_monotonic();

	snprintf(url, sizeof(url), "{\"url\":\"%s/to-hang\",\"timeout\":\"PT0.3S\"" ONLY "}", good_url);
	kit = plugin_open(LIMEN_KIND_LIMIT, "url-fetch", url);
	if (kit == NULL)
		return;
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_FAIL);
	ASSERT(strstr(limen_kit_reason(kit), "timed out") != NULL, "%s", limen_kit_reason(kit));
	CU_ASSERT(limen_host_monotonic() - start < INT64_C(15000000000));
	limen_kit_free(kit);
}

/* Who is asked for, and who is not, gets the same credentials as without a list. */
static void
test_credentials(void)
{
	static const char *const lists[] = { "", ",\"hosts\":[\"127.0.0.1\",\"localhost\"]" };
	static const char headers[] = ",\"headers\":{\"Authorization\":\"s3cret\",\"Cookie\":\"s3cret\","
	                              "\"X-Kept\":\"1\"}";
	char url[128];
	char more[256];
	char head[4096];

	for (size_t i = 0; i < 2; i++) {
		snprintf(more, sizeof(more), "%s%s", headers, lists[i]);
		check_path("/same", more, LIMEN_PASS, "");
		http_server_last(good, head, sizeof(head));
		ASSERT(strstr(head, "Authorization: s3cret") != NULL, "%s", head);
		check_path("/evil", more, LIMEN_PASS, "");
		http_server_last(evil, head, sizeof(head));
		ASSERT(strstr(head, "s3cret") == NULL, "%s", head);
		ASSERT(strstr(head, "X-Kept: 1") != NULL, "%s", head);
		snprintf(url, sizeof(url), "http://u:p@127.0.0.1:%u/same", http_server_port(good));
		check(url, lists[i], LIMEN_PASS, "");
		http_server_last(good, head, sizeof(head));
		ASSERT(strstr(head, "Authorization: Basic dTpw") != NULL, "%s", head);
		snprintf(url, sizeof(url), "http://u:p@127.0.0.1:%u/evil", http_server_port(good));
		check(url, lists[i], LIMEN_PASS, "");
		http_server_last(evil, head, sizeof(head));
		ASSERT(strstr(head, "Authorization") == NULL, "%s", head);
	}
}

/* A proxy is the policy's own; the list is about whom it is asked for. */
static void
test_proxy(void)
{
	char options[256];

	snprintf(options, sizeof(options), ",\"hosts\":[\"a.invalid\"],\"proxy\":\"%s\"", evil_url);
	check("http://a.invalid/", options, LIMEN_PASS, "");
	check_made("http://b.invalid/", options, LIMEN_FAIL, "the host b.invalid is not allowed");
}

static void
write_redirect(size_t at, const char *host, const http_server *server, const char *path)
{
	snprintf(redirects[at], REDIRECT_MAX, REDIRECT("%s:%u%s"), host, http_server_port(server),
	         path);
}

static bool
start_servers(void)
{
	evil = http_server_start(evil_replies);
	good = http_server_start(replies);
	if (evil == NULL || good == NULL)
		return false;
	snprintf(good_url, sizeof(good_url), "http://127.0.0.1:%u", http_server_port(good));
	snprintf(evil_url, sizeof(evil_url), "http://localhost:%u", http_server_port(evil));
	write_redirect(0, "http://localhost", evil, "/a");
	write_redirect(1, "http://127.0.0.1", good, "/passed");
	write_redirect(2, "//127.0.0.1@localhost", evil, "/");
	write_redirect(3, "http://127.0.0.1", good, "/evil");
	return true;
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what is listed is asked", test_allowed },
		{ "what is not is not connected to", test_refused },
		{ "nor by a redirect", test_redirects },
		{ "redirects end where they do without a list", test_bounds },
		{ "a server that hangs after a redirect costs the time limit", test_time },
		{ "credentials stay with the first server", test_credentials },
		{ "a proxy is asked for what is listed", test_proxy },
		{ NULL, NULL }
	};
	int status = 1;

	if (start_servers())
		status = suite_run("limit/url-fetch hosts", tests);
	http_server_stop(good);
	http_server_stop(evil);
	return status;
}
