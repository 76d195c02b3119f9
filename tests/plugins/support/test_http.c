/* SPDX-License-Identifier: Apache-2.0 */
/* test_http.c - fetching: real servers, servers that misbehave, and every bound. */
#include "http.h"

#include <dirent.h>
#include <fcntl.h>
#include <limen/host.h>
#include <limen/version.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "http_private.h"
#include "http_server.h"
#include "nginx.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum {
	BODY_MAX = 100000,
	/* Nothing waits as long unless something does not end at all. */
	LONG = 30,
	THREADS = 8
};

static nginx *real;
static const char *why_not;

/* One fetch and what comes of it. */
struct fetch {
	const char *about;
	const char *path;
	http_request request; /* without the URL */
	long status;
	const char *body;     /* NULL: any */
	const char *error;    /* a part; NULL: the transport does not fail */
};

static void
check_fetch(http_client *client, const struct fetch *one, const char *base)
{
	http_request request = one->request;
	http_answer answer;
	char url[512];

	snprintf(url, sizeof(url), "%s%s", base, one->path);
	request.url = url;
	request.max_body = request.max_body == 0 ? BODY_MAX : request.max_body;
	request.deadline = request.deadline == 0 ? INT64_MAX : request.deadline;
	if (request.timeout == 0)
		request.timeout = LONG * LIMEN_SECOND;
	if (http_get(client, &request, &answer) != LIMEN_OK) {
		ASSERT(false, "%s: no memory", one->about);
		return;
	}
	ASSERT(answer.status == one->status, "%s: status %ld (%s)", one->about, answer.status,
	       answer.error);
	ASSERT(answer.transport_failed == (one->error != NULL), "%s: '%s'", one->about,
	       answer.error);
	ASSERT(strstr(answer.error, one->error == NULL ? "" : one->error) != NULL, "%s: '%s'",
	       one->about, answer.error);
	ASSERT(one->body == NULL || strcmp(answer.body, one->body) == 0, "%s: '%s'", one->about,
	       answer.body);
	ASSERT(answer.body[answer.length] == '\0', "%s: not terminated", one->about);
	/* Where there is a deadline here, it comes before the time-out. */
	ASSERT(answer.late == (one->request.deadline != 0), "%s: late %d", one->about, answer.late);
	http_answer_clear(&answer);
}

static void
check_fetches(const struct fetch *cases, const char *base)
{
	http_client *client = http_client_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	for (; cases->about != NULL; cases++)
		check_fetch(client, cases, base);
	http_client_free(client);
}

static void
test_nginx(void)
{
	static const struct fetch cases[] = {
		{ "an answer", "/passed", { 0 }, 200, "{\"passed\": true, \"message\": \"OK\"}",
		  NULL },
		{ "created", "/status/201", { 0 }, 201, "{\"passed\": true}", NULL },
		{ "no content", "/status/204", { 0 }, 204, "", NULL },
		{ "missing", "/status/404", { 0 }, 404, "missing", NULL },
		{ "broken", "/status/500", { 0 }, 500, "broken", NULL },
		{ "a redirect", "/redirect/passed", { 0 }, 200, NULL, NULL },
		{ "a redirect to a 404", "/redirect/status", { 0 }, 404, "missing", NULL },
		{ "a redirect not followed", "/redirect/passed", { .no_redirects = true }, 302,
		  NULL, NULL },
		{ "redirects for ever", "/redirect/loop", { 0 }, 400, "", "redirects" },
		{ "to a file", "/redirect/file", { 0 }, 400, "", "must not be followed" },
		{ "to a file, when files are fine", "/redirect/file", { .allow_file = true }, 400,
		  "", "must not be followed" },
		{ "to ftp", "/redirect/ftp", { 0 }, 400, "", "must not be followed" },
		{ "NULs", "/files/nul.json", { 0 }, 200,
		  "{\"passed\": true, \"message\": \"a", NULL },
		{ "a body cut", "/status/404", { .cut_body = true, .max_body = 3 }, 404, "mis",
		  NULL },
		{ "no compression is asked for", "/echo", { 0 }, 200,
		  "{\"passed\": true, \"message\": \"/echo|||limen/" LIMEN_VERSION "|\"}", NULL },
		{ "a path that is none", "/redirect/passed#there", { 0 }, 200, NULL, NULL },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	if (real == NULL)
		suite_skip(why_not);
	else
		check_fetches(cases, nginx_http(real));
}

static void
test_bounds(void)
{
	static const struct fetch cases[] = {
		{ "as long as may be", "/passed", { .max_body = 33 }, 200, NULL, NULL },
		{ "one byte more", "/passed", { .max_body = 32 }, 400, "", "longer than 32 bytes" },
		{ "two megabytes", "/files/two-mib", { 0 }, 400, "", "longer than 100000 bytes" },
		{ "two megabytes may be", "/files/two-mib", { .max_body = 2097152 }, 200, NULL,
		  NULL },
		{ "one byte is too many", "/files/two-mib", { .max_body = 2097151 }, 400, "",
		  "longer than 2097151 bytes" },
		{ "two megabytes cut", "/files/two-mib", { .cut_body = true, .max_body = 4 }, 200,
		  "    ", NULL },
		{ "too slow", "/slow", { .timeout = LIMEN_SECOND / 5, .max_body = 4000000 }, 400,
		  "", "timed out" },
		{ "no room for anything", "/passed", { .max_body = 1 }, 400, "", "longer than 1 b" },
		{ "the shortest time", "/slow", { .timeout = 1 }, 400, "", "" },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	if (real == NULL)
		suite_skip(why_not);
	else
		check_fetches(cases, nginx_http(real));
}

/* The text of a file in memory the caller frees; NULL if it cannot be read. */
static char *
read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 65536);

	if (file == NULL || text == NULL || fread(text, 1, 65535, file) == 0) {
		free(text);
		text = NULL;
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static void
test_tls(void)
{
	char *ca = real == NULL ? NULL : read_file(nginx_ca(real));
	const struct fetch cases[] = {
		{ "a certificate one trusts", "/passed", { .ca_pem = ca }, 200, NULL, NULL },
		{ "of nobody the system knows", "/passed", { 0 }, 400, "",
		  "The certificate of the server is from an unknown authority" },
		{ "not looked at", "/passed", { .insecure = true }, 200, NULL, NULL },
		{ "to a server without", "/redirect/http", { .ca_pem = ca }, 400, "",
		  "must not be followed" },
		{ "to a server without, nothing verified", "/redirect/http", { .insecure = true },
		  200, NULL, NULL },
		{ "a CA that is none", "/passed", { .ca_pem = "hello" }, 400, "",
		  "The CA certificates are not usable" },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};
	const struct fetch misnamed[] = {
		{ "another name", "/passed", { .ca_pem = ca }, 400, "",
		  "The certificate of the server is for another name" },
		{ "not looked at", "/passed", { .insecure = true }, 200, NULL, NULL },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};
	const struct fetch old[] = {
		{ "expired", "/passed", { .ca_pem = ca }, 400, "",
		  "The certificate of the server has expired" },
		{ "not looked at", "/passed", { .insecure = true }, 200, NULL, NULL },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};
	const struct fetch up[] = {
		{ "from http to https", "/redirect/https", { .ca_pem = ca }, 200, NULL, NULL },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	if (ca == NULL) {
		suite_skip(real == NULL ? why_not : "no certificate of the authority");
		return;
	}
	check_fetches(cases, nginx_https(real));
	check_fetches(misnamed, nginx_https_other(real));
	check_fetches(old, nginx_https_old(real));
	check_fetches(up, nginx_http(real));
	free(ca);
}

static const struct http_reply odd_replies[] = {
	{ "/ok", HTTP_TEXT("200 OK", "2", "{}"), HTTP_KEEP, 0 },
	{ "/echo", "HTTP/1.1 200 OK\r\n", HTTP_ECHO, 0 },
	{ "/closed", "", HTTP_CLOSE, 0 },
	{ "/half-head", "HTTP/1.1 200 OK\r\nContent-", HTTP_CLOSE, 0 },
	{ "/half", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"passed\"", HTTP_CLOSE, 0 },
	{ "/reset", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"passed\"", HTTP_RESET, 0 },
	{ "/short", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", HTTP_CLOSE, 0 },
	{ "/huge", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
	  HTTP_CLOSE, 0 },
	{ "/negative", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", HTTP_CLOSE, 0 },
	{ "/two-lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
	  HTTP_CLOSE, 0 },
	{ "/bad-chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
	  HTTP_CLOSE, 0 },
	{ "/old", "{\"passed\": true}\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/odd-status", "HTTP/1.1 999 Well\r\nContent-Length: 0\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/endless-headers", "HTTP/1.1 200 OK\r\nX-Filler: 0123456789\r\n", HTTP_REPEAT_LINE, 0 },
	{ "/endless-continue", "\r\nHTTP/1.1 100 Continue\r\n\r\n", HTTP_REPEAT_LINE, 0 },
	{ "/endless-line", "HTTP/1.1 200 OK\r\nX: 0123456789012345678901234567890123456789",
	  HTTP_TRICKLE, 0 },
	{ "/endless-body", "HTTP/1.1 200 OK\r\n\r\n01234567890123456789012345\n",
	  HTTP_REPEAT_LINE, 0 },
	{ "/endless-redirect",
	  "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 100000000\r\n\r\n0123456789\n",
	  HTTP_REPEAT_LINE, 0 },
	{ "/no-end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nabc", HTTP_CLOSE, 0 },
	{ "/no-end-old", "HTTP/1.0 200 OK\r\n\r\nabc", HTTP_CLOSE, 0 },
	{ "/no-end-of-file", "HTTP/1.0 200 OK\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/length", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", HTTP_CLOSE, 0 },
	{ "/chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	  HTTP_CLOSE, 0 },
	{ "/part-of-chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
	  HTTP_CLOSE, 0 },
	{ "/unchanged", "HTTP/1.1 304 Not Modified\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/away", "HTTP/1.1 302 Found\r\nLocation: /no-end\r\nContent-Length: 0\r\n\r\n",
	  HTTP_CLOSE, 0 },
	{ "/no-place", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/redirect-odd", "HTTP/1.1 302 Found\r\nLocation: http://[::\r\n"
	  "Content-Length: 0\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/hang", "", HTTP_HANG, 0 },
	{ "/hang-body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", HTTP_HANG, 0 },
	{ "/trickle", "HTTP/1.1 200 OK\r\n\r\n", HTTP_TRICKLE, 0 },
	{ "/cookie", "HTTP/1.1 302 Found\r\nLocation: /echo\r\nSet-Cookie: a=b\r\n"
	  "Content-Length: 0\r\n\r\n", HTTP_KEEP, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

static http_server *odd;
static char odd_url[64];

static void
test_malice(void)
{
	static const struct fetch cases[] = {
		{ "closed at once", "/closed", { 0 }, 400, "",
		  "The server closed the connection without an answer" },
		{ "half a head", "/half-head", { 0 }, 400, "", "ends within its headers" },
		{ "half a head, with the body cut", "/half-head", { .cut_body = true }, 400,
		  "", "ends within its headers" },
		{ "half a body", "/half", { 0 }, 400, "", "The answer is incomplete" },
		{ "reset", "/reset", { 0 }, 400, "", "" },
		{ "a body longer than it says", "/short", { 0 }, 200, "{", NULL },
		{ "a length beyond all numbers is none", "/huge", { 0 }, 200, "{}", NULL },
		{ "a negative length", "/negative", { 0 }, 400, "", "" },
		{ "a chunk that is none", "/bad-chunk", { 0 }, 400, "", "" },
		{ "no status line", "/old", { 0 }, 400, "", "The answer is not HTTP" },
		{ "a status of no meaning", "/odd-status", { 0 }, 999, "", NULL },
		{ "headers without end", "/endless-headers", { 0 }, 400, "",
		  "more than 65536 bytes of headers" },
		{ "a body without end", "/endless-body", { 0 }, 400, "", "longer than 100000" },
		{ "a body without end, cut", "/endless-body",
		  { .cut_body = true, .max_body = 5 }, 200, "01234", NULL },
		{ "a redirect without a place", "/no-place", { 0 }, 302, "", NULL },
		{ "a redirect to what is no URL", "/redirect-odd", { 0 }, 400, "", "" },
		{ "a redirect with a body without end", "/endless-redirect", { 0 }, 400, "",
		  "longer than 100000" },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	check_fetches(cases, odd_url);
}

static double
seconds_since(int64_t start)
{
	return (double)(limen_host_monotonic() - start) / 1e9;
}

static void
test_time(void)
{
	static const char *const paths[] = { "/hang", "/hang-body", "/trickle", "/endless-line" };
	const struct fetch gone = { "a deadline that has passed", "/ok", { .deadline = 1 }, 400,
		                    "", "deadline" };
	http_client *client = http_client_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		int64_t start = limen_host_monotonic();
		struct fetch one = { "a time limit", paths[i],
			             { .timeout = LIMEN_SECOND / 5 }, 400, "", "timed out" };

		check_fetch(client, &one, odd_url);
		one.about = "a deadline";
		one.request = (http_request){ .deadline = limen_host_monotonic() + 200000000 };
		check_fetch(client, &one, odd_url);
		ASSERT(seconds_since(start) < LONG / 2, "%s: %g s", paths[i],
		       seconds_since(start));
	}
	check_fetch(client, &gone, odd_url);
	http_client_free(client);
}

/* A listener whose queue is full answers no attempt to connect. */
static void
test_connecting(void)
{
	struct fetch one = { "no connection", "/", { .timeout = LIMEN_SECOND / 5 }, 400, "",
		             "timed out" };
	http_client *client = http_client_new();
	char url[64];
	int holds[4] = { -1, -1, -1, -1 };
	unsigned port;
	int fd = http_server_deaf(&port, holds, 4);
	int64_t start = limen_host_monotonic();

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", port);
	if (fd >= 0 && port != 0)
		check_fetch(client, &one, url);
	else
		suite_skip("no port can be made deaf here");
	ASSERT(seconds_since(start) < LONG / 2, "%g s", seconds_since(start));
	for (int i = 0; i < 4; i++) {
		if (holds[i] >= 0)
			close(holds[i]);
	}
	if (fd >= 0)
		close(fd);
	http_client_free(client);
}

static bool
stop_now(void *data)
{
	atomic_int *calls = data;

	return atomic_fetch_add(calls, 1) >= 2;
}

static void
test_stop(void)
{
	atomic_int calls = 0;
	const struct fetch one = { "stopped", "/hang",
		                   { .stop = stop_now, .stop_data = &calls }, 400, "",
		                   "Stopped" };
	http_client *client = http_client_new();
	int64_t start = limen_host_monotonic();

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	check_fetch(client, &one, odd_url);
	ASSERT(seconds_since(start) < LONG / 2, "%g s", seconds_since(start));
	http_client_free(client);
}

static void
test_urls(void)
{
	static const struct fetch cases[] = {
		{ "gopher", "gopher://127.0.0.1/", { 0 }, 400, "", "Gopher is not supported" },
		{ "gopher in capitals", "GOPHER:", { 0 }, 400, "", "Gopher is not supported" },
		{ "ftp", "ftp://127.0.0.1/", { 0 }, 400, "",
		  "The protocol of the URL is not allowed" },
		{ "a file", "file:///dev/null", { 0 }, 400, "",
		  "The protocol of the URL is not allowed" },
		{ "a file that may be", "file:///proc/sys/kernel/ostype", { .allow_file = true },
		  200, "Linux\n", NULL },
		{ "a file that is not", "file:///nonexistent/x", { .allow_file = true }, 400, "",
		  "Cannot read the file" },
		{ "a device", "file:///dev/zero", { .allow_file = true }, 400, "",
		  "not a regular file" },
		{ "a device in other letters", "FILE://localhost/dev/%7aero",
		  { .allow_file = true }, 400, "", "not a regular file" },
		{ "a directory", "file:///", { .allow_file = true }, 400, "",
		  "not a regular file" },
		{ "a file whose name has a control character", "file:///dev/null%0a",
		  { .allow_file = true }, 400, "", "not a regular file" },
		{ "nothing", "", { 0 }, 400, "", "The URL is not valid" },
		{ "a control character", "http://127.0.0.1/\n", { 0 }, 400, "",
		  "The URL is not valid" },
		{ "no such host", "http://nobody.invalid/", { 0 }, 400, "",
		  "The name of the server has no address" },
		{ "nobody there", "http://127.0.0.1:1/", { 0 }, 400, "",
		  "Cannot connect: Connection refused" },
		{ "no such interface", "http://127.0.0.1:1/", { .bind = "no.such.interface.invalid" },
		  400, "", "" },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	check_fetches(cases, "");
}

/* A pipe that nobody writes to would keep the thread for ever. */
static void
test_pipe(void)
{
	char directory[] = "/tmp/limen-http-XXXXXX";
	char path[64];
	char url[80];
	const struct fetch cases[] = {
		{ "a pipe", url, { .allow_file = true, .timeout = LIMEN_SECOND }, 400, "",
		  "not a regular file" },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/pipe", directory);
	snprintf(url, sizeof(url), "file://%s", path);
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	check_fetches(cases, "");
	unlink(path);
	rmdir(directory);
}

/* The request's head, as the server saw it. */
static void
check_request(const http_request *wanted, const char *path, const char *text, bool present)
{
	struct fetch one = { "a request", path, *wanted, 200, NULL, NULL };
	http_client *client = http_client_new();
	char head[4096];

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	check_fetch(client, &one, odd_url);
	http_server_last(odd, head, sizeof(head));
	ASSERT((strstr(head, text) != NULL) == present, "'%s' in '%s'", text, head);
	http_client_free(client);
}

static void
test_requests(void)
{
	static const char *const headers[] = { "X-One: 1", "X-Two: a b", "Accept:", "User-Agent: x" };
	const http_request plain = { 0 };
	const http_request full = { .headers = headers, .header_count = 4, .bind = "127.0.0.1" };
	const http_request proxied = { .proxy = odd_url };

	check_request(&plain, "/echo?a=b", "GET /echo?a=b HTTP/1.1\r\n", true);
	check_request(&plain, "/echo", "User-Agent: limen/", true);
	check_request(&plain, "/echo", "Accept-Encoding", false);
	check_request(&plain, "/cookie", "Cookie", false);
	check_request(&full, "/echo", "X-One: 1\r\n", true);
	check_request(&full, "/echo", "X-Two: a b\r\n", true);
	check_request(&full, "/echo", "Accept", false);
	check_request(&full, "/echo", "User-Agent: x\r\n", true);
	check_request(&proxied, "/echo", "GET http://127.0.0.1:", true);
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	check_request(&plain, "/echo", "GET /echo HTTP/1.1\r\n", true);
	unsetenv("http_proxy");
	setenv("no_proxy", "*", 1);
	check_request(&proxied, "/echo", "GET http://127.0.0.1:", true);
	unsetenv("no_proxy");
}

/* Counts the connections of the process, and those that a program it starts would have. */
static int
count_connections(int *inherited)
{
	int count = 0;

	*inherited = 0;
	for (int fd = 0; fd < 1024; fd++) {
		struct sockaddr_storage peer;
		socklen_t size = sizeof(peer);

		if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0 ||
		    peer.ss_family != AF_INET)
			continue;
		count++;
		*inherited += (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
	}
	return count;
}

static void
test_inherited(void)
{
	const struct fetch one = { "kept", "/ok", { 0 }, 200, "{}", NULL };
	http_client *client = http_client_new();
	int before, after;

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	count_connections(&before);
	check_fetch(client, &one, odd_url);
	/* The connection is kept for the next fetch; the server's end is in this process, too. */
	CU_ASSERT(count_connections(&after) > 0);
	CU_ASSERT_EQUAL(after, before);
	http_client_free(client);
}

static void
test_shown(void)
{
	/* The URL, as it is shown, and its origin. */
	static const char *const cases[][3] = {
		{ "http://example.org/a", "http://example.org/a", "http://example.org/" },
		{ "http://example.org/a?b#c", "http://example.org/a", "http://example.org/" },
		{ "http://example.org/a#c", "http://example.org/a", "http://example.org/" },
		{ "http://example.org?b", "http://example.org/", "http://example.org/" },
		{ "http://user:secret@example.org/a", "http://example.org/a",
		  "http://example.org/" },
		{ "http://user:secret@example.org:8080/a?k=1", "http://example.org:8080/a",
		  "http://example.org:8080/" },
		{ "http://user@example.org/?k=user@x", "http://example.org/",
		  "http://example.org/" },
		{ "http://user@x@example.org/", "(URL)", "(URL)" },
		{ "http://example.org/a@b", "http://example.org/a@b", "http://example.org/" },
		{ "http://us%40er:se%3Acret@example.org/", "http://example.org/",
		  "http://example.org/" },
		{ "https://u@[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/a",
		  "https://[2001:db8::1]:8443/" },
		{ "file:///a?b", "file:///a", "file:///" },
		{ "gopher://host/a", "gopher://host/a", "gopher://host/" },
		{ "http:///user:secret@[", "(URL)", "(URL)" },
		{ "http://[?secret", "(URL)", "(URL)" },
		{ "http://[/", "http://[/", "(URL)" },
		{ "", "", "(URL)" }
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *shown = http_url_shown(cases[i][0]);
		char *origin = http_url_origin(cases[i][0]);

		CU_ASSERT_PTR_NOT_NULL_FATAL(shown);
		CU_ASSERT_PTR_NOT_NULL_FATAL(origin);
		ASSERT(strcmp(shown, cases[i][1]) == 0, "%s: %s", cases[i][0], shown);
		ASSERT(strcmp(origin, cases[i][2]) == 0, "%s: %s", cases[i][0], origin);
		free(shown);
		free(origin);
	}
	CU_ASSERT(http_url_valid("http://example.org/a?b#c"));
	CU_ASSERT(http_url_valid("ftp://[::1]:21/"));
	CU_ASSERT(!http_url_valid("http://example.org/a b"));
	CU_ASSERT(!http_url_valid("http://example.org/\x7f"));
	CU_ASSERT(!http_url_valid("http://example.org/\xc3\xa9"));
	CU_ASSERT(!http_url_valid("http://[::1"));
	CU_ASSERT(!http_url_valid("/a"));
	CU_ASSERT(!http_url_valid(""));
	CU_ASSERT(http_url_has_scheme("file:/x", "file"));
	CU_ASSERT(http_url_has_scheme("FILE:", "file"));
	CU_ASSERT(!http_url_has_scheme("files:/x", "file"));
	CU_ASSERT(!http_url_has_scheme("fil", "file"));
}

static size_t
count_entries(const char *directory)
{
	DIR *list = opendir(directory);
	size_t count = 0;

	while (list != NULL && readdir(list) != NULL)
		count++;
	if (list != NULL)
		closedir(list);
	return count;
}

static void *
fetch_often(void *data)
{
	const struct fetch one = { "one of many", "/ok", { 0 }, 200, "{}", NULL };

	for (int i = 0; i < 200; i++)
		check_fetch(data, &one, odd_url);
	return NULL;
}

/* Eight threads need eight connections; afterwards one thread needs none. */
static void
test_reuse(void)
{
	http_client *client = http_client_new();
	unsigned long before = http_server_connections(odd);
	size_t descriptors;
	pthread_t threads[THREADS];

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, fetch_often, client) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ASSERT(http_server_connections(odd) - before <= THREADS, "%lu connections",
	       http_server_connections(odd) - before);
	before = http_server_connections(odd);
	descriptors = count_entries("/proc/self/fd");
	fetch_often(client);
	CU_ASSERT_EQUAL(http_server_connections(odd), before);
	CU_ASSERT_EQUAL(count_entries("/proc/self/fd"), descriptors);
	http_client_free(client);
}

/* A server that closes while we write raises SIGPIPE, which must not get out. */
static void
test_signals(void)
{
	const struct fetch one = { "a signal", "/closed", { 0 }, 400, "", "" };
	http_client *client = http_client_new();
	sigset_t mask;
	sigset_t pending;

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	check_fetch(client, &one, odd_url);
	CU_ASSERT(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && !sigismember(&mask, SIGPIPE));
	sigaddset(&mask, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	pthread_kill(pthread_self(), SIGPIPE);
	check_fetch(client, &one, odd_url);
	CU_ASSERT(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE));
	sigemptyset(&pending);
	sigaddset(&pending, SIGPIPE);
	sigtimedwait(&pending, NULL, &(struct timespec){ 0 });
	pthread_sigmask(SIG_UNBLOCK, &pending, NULL);
	http_client_free(client);
}

/* Who says where a body ends is believed; who does not may have been cut off. */
static void
test_whole(void)
{
#define NO_END "does not say how long it is"
	static const struct fetch cases[] = {
		{ "any end will do", "/no-end", { 0 }, 200, "abc", NULL },
		{ "the end of the connection", "/no-end", { .whole_body = true }, 400, "", NO_END },
		{ "of an old server", "/no-end-old", { .whole_body = true }, 400, "", NO_END },
		{ "of nothing", "/no-end-of-file", { .whole_body = true }, 400, "", NO_END },
		{ "elsewhere", "/away", { .whole_body = true }, 400, "", NO_END },
		{ "a length", "/length", { .whole_body = true }, 200, "abc", NULL },
		{ "chunks", "/chunks", { .whole_body = true }, 200, "abc", NULL },
		{ "a part of them", "/part-of-chunks", { .whole_body = true }, 400, "", "" },
		{ "nothing new", "/unchanged", { .whole_body = true }, 304, "", NULL },
		{ NULL, NULL, { 0 }, 0, NULL, NULL }
	};

	check_fetches(cases, odd_url);
#undef NO_END
}

/* ---- lookups that nobody waits for ---- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

/* Stands for a lookup of a name that no name server knows of. */
static void *
look_up(void *unused)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return unused;
}

static bool
is_crowded(http_client *client)
{
	http_request request = { .url = odd_url, .timeout = LONG * LIMEN_SECOND,
		                 .deadline = INT64_MAX, .max_body = BODY_MAX };
	http_answer answer;
	bool crowded;

	CU_ASSERT_EQUAL_FATAL(http_get(client, &request, &answer), LIMEN_OK);
	crowded = answer.crowded;
	CU_ASSERT_TRUE(!crowded || strcmp(answer.error, "Too many lookups of names are "
	                                                "waiting") == 0);
	http_answer_clear(&answer);
	return crowded;
}

static void
test_lookups(void)
{
	enum { LOOKUPS = 256 };
	http_client *client = http_client_new();
	http_client *other = http_client_new();
	pthread_t threads[LOOKUPS];

	CU_ASSERT_PTR_NOT_NULL_FATAL(client);
	for (int i = 0; i < LOOKUPS; i++)
		http_pool_note_lookup(client);
	/* They have come to an end. */
	CU_ASSERT_FALSE(is_crowded(client));
	pthread_mutex_lock(&gate);
	for (int i = 0; i < LOOKUPS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, look_up, NULL), 0);
	CU_ASSERT_TRUE(is_crowded(client));
	/* The threads are somebody else's. */
	CU_ASSERT_FALSE(is_crowded(other));
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < LOOKUPS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_FALSE(is_crowded(client));
	http_client_free(client);
	http_client_free(other);
}

/* Without a descriptor for its socket, a request says nothing about the server. */
static void
test_closed(void)
{
	http_request request = { .url = odd_url, .timeout = LONG * LIMEN_SECOND,
		                 .deadline = INT64_MAX, .max_body = BODY_MAX };
	http_client *client = http_client_new();
	int next = dup(STDERR_FILENO);
	struct rlimit usual, tight;
	http_answer answer;
	int result;

	CU_ASSERT_FATAL(client != NULL && next >= 0 && getrlimit(RLIMIT_NOFILE, &usual) == 0);
	close(next);
	tight = (struct rlimit){ .rlim_cur = (rlim_t)next, .rlim_max = usual.rlim_max };
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &tight), 0);
	result = http_get(client, &request, &answer);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &usual), 0);
	/* libcurl may also find that its memory is short. */
	CU_ASSERT(result == LIMEN_ENOMEM || answer.crowded);
	http_answer_clear(&answer);
	http_client_free(client);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "answers of a real server", test_nginx },
		{ "a body has a longest length, and a fetch a longest time", test_bounds },
		{ "TLS: whom one talks to is verified", test_tls },
		{ "servers that misbehave", test_malice },
		{ "a body that may be a part", test_whole },
		{ "a server that hangs costs the time limit", test_time },
		{ "so does one that does not accept", test_connecting },
		{ "a fetch can be stopped", test_stop },
		{ "URLs that are not fetched", test_urls },
		{ "a pipe is not waited for", test_pipe },
		{ "what is sent", test_requests },
		{ "URLs are shown without secrets", test_shown },
		{ "connections are not for other programs", test_inherited },
		{ "connections are used again", test_reuse },
		{ "signals stay as they were", test_signals },
		{ "lookups of names that do not end are bounded", test_lookups },
		{ "no descriptor for a request", test_closed },
		{ NULL, NULL }
	};
	int status;

	odd = http_server_start(odd_replies);
	if (odd == NULL)
		return 1;
	snprintf(odd_url, sizeof(odd_url), "http://127.0.0.1:%u", http_server_port(odd));
	real = nginx_start(&why_not);
	status = suite_run("support/http", tests);
	nginx_stop(real);
	http_server_stop(odd);
	return status;
}
