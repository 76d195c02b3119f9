/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_passed.c - GET and POST /v1/passed, and the limit "url-fetch" that asks
 * there, with the stanza of docs/pscheduler-remote.md.
 */
#include <arpa/inet.h>
#include <limen/host.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ask_kit.h"
#include "http/arguments.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

#define PATH "/v1/passed"
#define FORM "application/x-www-form-urlencoded"

/* Tasks as a form sends them. */
#define IDLE "task=%7B%22test%22%3A%7B%22type%22%3A%22idle%22%2C%22spec%22%3A%7B%7D%7D%7D"
#define BAD "task=%7b%22test%22:%7b%22type%22:%22idle%22,%22spec%22:%7b%22bad%22:+true%7d%7d%7d"
#define LONGER "task={\"test\":{\"type\":\"idle\",\"spec\":{\"stretch\":1}}}"

#define RUN "task={\"test\":{\"type\":\"idle\",\"spec\":{}},\"run_schedule\":null}"

#define FEW "task={\"test\":{\"type\":\"few\",\"spec\":{}}}"

#define YES "{\"passed\":true,\"message\":\"application 'idle' passes\"}"
#define NO "{\"passed\":false,\"message\":\"application 'idle' fails: limit 'good' failed: it is bad\"}"

struct row {
	const char *about; /* NULL ends a table */
	const char *query;
	const http_peer *peer;
	int status;
	const char *answer; /* whole; or a member "message" of an error */
};

static void
check_row(ask_kit *kit, const struct row *row, const ask *sent)
{
	bool error = row->status != 200 && row->status != 404;

	ask_check(kit, row->about, sent, row->status, error ? "/message" : "", row->answer);
}

/* What url-fetch sends. */
static void
test_queries(void)
{
	static const struct row rows[] = {
		{ "passed", IDLE, &ask_friend, 200, YES },
		{ "refused", BAD, &ask_friend, 200, NO },
		{ "a friend of the one who asks", IDLE "&requester=192.0.2.7&server=192.0.2.8",
		  &ask_proxy, 200, YES },
		{ "a stranger of theirs", IDLE "&requester=198.51.100.7", &ask_unix, 200,
		  "{\"passed\":false,\"message\":\"Made no identifications\"}" },
		{ "all hints", IDLE "&hints={\"requester\":\"192.0.2.7\",\"x\":[1]}", &ask_certified,
		  200, YES },
		{ "the field wins", IDLE "&requester=192.0.2.7&hints={\"requester\":\"198.51.100.1\"}",
		  &ask_certified, 200, YES },
		{ "hints that do not count", IDLE "&requester=192.0.2.1", &ask_friend, 403,
		  "\"'requester' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ "nor this", IDLE "&server=192.0.2.1", &ask_friend, 403,
		  "\"'server' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ "a run of a sender who is not trusted", RUN, &ask_friend, 403,
		  "\"'run_schedule' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ "a run", RUN "&requester=192.0.2.7", &ask_unix, 200, YES },
		{ "cannot tell", IDLE "&requester=None", &ask_unix, 500,
		  "\"identifier 'friend' cannot tell: 'None' does not appear to be an IPv4 or IPv6 "
		  "network (requester 'None')\"" },
		{ "to be changed first", LONGER, &ask_friend, 200,
		  "{\"passed\":false,\"message\":\"the task would pass only after it was rewritten\"}" },
		{ "not to be changed", LONGER "&rewrite=false", &ask_server, 200, YES },
		{ "a rewriter turned off", LONGER "&rewrite=false", &ask_friend, 403,
		  "\"'rewrite' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ "no task", "requester=192.0.2.1", &ask_unix, 400, "\"There must be a 'task'\"" },
		{ "Python, not JSON", "task={'test':1}", &ask_friend, 400,
		  "\"'task': Invalid JSON: Expecting property name enclosed in double quotes: line 1 "
		  "column 2 (char 1)\"" },
		{ "no object", "task=[]", &ask_friend, 400, "\"'task' must be an object\"" },
		{ "hints that are none", IDLE "&hints=[]", &ask_unix, 400,
		  "\"'hints' must be an object\"" },
		{ "a hint twice", IDLE "&hints={\"x\":1,\"requester\":\"192.0.2.7\",\"x\":2}", &ask_unix,
		  400, "\"'hints': member 'x' is repeated; the first is at line 1 column 2\"" },
		{ "an unknown argument", IDLE "&reqester=192.0.2.1", &ask_unix, 400,
		  "\"Unknown argument 'reqester'; did you mean 'requester'?\"" },
		{ "one twice", IDLE "&" IDLE, &ask_unix, 400,
		  "\"The argument 'task' appears twice\"" },
		{ "a NUL", IDLE "&requester=192.0.2.1%00", &ask_unix, 400,
		  "\"The argument 'requester' is not UTF-8\"" },
		{ "not UTF-8", IDLE "&requester=%ff", &ask_unix, 400,
		  "\"The argument 'requester' is not UTF-8\"" },
		{ "rewriting, perhaps", IDLE "&rewrite=maybe", &ask_unix, 400,
		  "\"'rewrite' must be true or false\"" },
		{ NULL, NULL, NULL, 0, NULL },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (const struct row *row = rows; row->about != NULL; row++) {
		check_row(&kit, row,
		          &(ask){ .path = PATH, .get = true, .query = row->query,
		                  .peer = row->peer });
		check_row(&kit, row,
		          &(ask){ .path = PATH, .type = FORM, .body = row->query,
		                  .peer = row->peer });
	}
	ask_kit_stop(&kit);
}

static void
test_status(void)
{
	static const struct row rows[] = {
		{ "passed", IDLE "&status=verdict", &ask_friend, 200, YES },
		{ "refused", BAD "&status=verdict", &ask_friend, 404, NO },
		{ "cannot tell", IDLE "&status=verdict&requester=x", &ask_unix, 500,
		  "\"identifier 'friend' cannot tell: 'x' does not appear to be an IPv4 or IPv6 "
		  "network (requester 'x')\"" },
		{ "to be changed first", LONGER "&status=verdict", &ask_friend, 404,
		  "{\"passed\":false,\"message\":\"the task would pass only after it was rewritten\"}" },
		{ "another status", IDLE "&status=1", &ask_friend, 400,
		  "\"The argument 'status' must be 'verdict'\"" },
		{ NULL, NULL, NULL, 0, NULL },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (const struct row *row = rows; row->about != NULL; row++)
		check_row(&kit, row,
		          &(ask){ .path = PATH, .get = true, .query = row->query,
		                  .peer = row->peer });
	CU_ASSERT_EQUAL(ask_recorded(), 4);
	/* A refusal by a rate alone is a no as well, to be asked again later. */
	for (int i = 0; i < 2; i++) {
		ask_answer got;

		ask_send(&kit, &(ask){ .path = PATH, .get = true, .query = FEW "&status=verdict",
		                       .peer = &ask_friend }, &got);
		CU_ASSERT_EQUAL(got.response.status, i == 0 ? 200 : 404);
		CU_ASSERT_EQUAL(got.response.retry_after >= 1, i == 1);
		ask_clear(&got);
	}
	ask_kit_stop(&kit);
}

static void
test_bodies(void)
{
	static const struct {
		const char *about;
		ask sent;
		int status;
		const char *pointer;
		const char *wanted;
	} rows[] = {
		{ "JSON",
		  { .body = "{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{}}}}" }, 200, "", YES },
		{ "JSON with hints",
		  { .body = "{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{}}},"
		            "\"hints\":{\"requester\":\"192.0.2.1\"}}",
		    .peer = &ask_unix }, 200, "", YES },
		{ "an object", { .body = "{\"object\":{\"kind\":\"Pod\"}}" }, 400, "/message",
		  "\"This path is for tasks\"" },
		{ "a status beside the body",
		  { .query = "status=verdict", .type = FORM, .body = BAD }, 404, "", NO },
		{ "a status in the form", { .type = FORM, .body = BAD "&status=verdict" }, 400,
		  "/code", "400" },
		{ "a task beside the body", { .query = IDLE, .type = FORM, .body = IDLE }, 400,
		  "/code", "400" },
		{ "no type", { .type = "", .body = IDLE }, 415, "/code", "415" },
		{ "another type", { .type = "multipart/form-data", .body = IDLE }, 415, "/code",
		  "415" },
		{ "a type with more", { .type = FORM ";charset=UTF-8", .body = IDLE }, 200, "", YES },
		{ "half a digit", { .type = FORM, .body = "task=%7" }, 400, "/message",
		  "\"The form has a '%' without two digits behind it\"" },
		{ "a NUL in a name", { .type = FORM, .body = "task%00=1" }, 400, "/message",
		  "\"The name of a field holds a NUL\"" },
		{ "nothing", { .type = FORM, .body = "" }, 400, "/message",
		  "\"There must be a 'task'\"" },
		{ "empty fields", { .type = FORM, .body = "&&" IDLE "&" }, 200, "", YES },
		{ "too many fields",
		  { .type = FORM, .body = "a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a"
		                          "&a&a&a&a&a" }, 400, "/message",
		  "\"The form has more than 32 fields\"" },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		ask sent = rows[i].sent;

		sent.path = PATH;
		ask_check(&kit, rows[i].about, &sent, rows[i].status, rows[i].pointer,
		          rows[i].wanted);
	}
	ask_kit_stop(&kit);
}

/* ---- the limit of pScheduler ---- */

/* A server of one thread, one request a connection: just enough for libcurl. */
typedef struct door {
	ask_kit *kit;
	int listener;
	unsigned port;
	pthread_t thread;
} door;

static void
answer_head(door *at, char *head, int fd)
{
	char *query = strchr(head, '?');
	char *path = strchr(head, '/');
	char *end = query == NULL ? NULL : strchr(query, ' ');
	ask_answer got;
	char *text;

	if (end == NULL || !g_str_has_prefix(head, "GET "))
		return;
	*end = '\0';
	*query = '\0';
	ask_send(at->kit,
	         &(ask){ .path = path, .query = query + 1, .get = true, .peer = &ask_proxy }, &got);
	text = g_strdup_printf("HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
	                       got.response.status, got.response.body->len,
	                       got.response.body->str);
	CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	g_free(text);
	ask_clear(&got);
}

static void *
serve(void *data)
{
	enum { HEAD = 65536 };
	door *at = data;
	char *head = g_malloc(HEAD);
	int fd;

	while ((fd = accept(at->listener, NULL, NULL)) >= 0) {
		size_t held = 0;
		ssize_t got = 1;

		head[0] = '\0';
		while (got > 0 && strstr(head, "\r\n\r\n") == NULL && held < HEAD - 1) {
			got = read(fd, head + held, HEAD - 1 - held);
			held += got > 0 ? (size_t)got : 0;
			head[held] = '\0';
		}
		answer_head(at, head, fd);
		close(fd);
	}
	g_free(head);
	return NULL;
}

static bool
open_door(door *out, ask_kit *kit)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	*out = (door){ .kit = kit, .listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(out->listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(out->listener, 16) != 0 ||
	    getsockname(out->listener, (struct sockaddr *)&address, &size) != 0)
		return false;
	out->port = ntohs(address.sin_port);
	return pthread_create(&out->thread, NULL, serve, out) == 0;
}

static void
close_door(door *at)
{
	shutdown(at->listener, SHUT_RDWR);
	pthread_join(at->thread, NULL);
	close(at->listener);
}

/* The block of the document that follows 'mark', with the server's own address; to g_free(). */
static char *
read_stanza(const char *mark, unsigned port)
{
	char *path = g_build_filename(getenv("LIMEN_SRCDIR"), "docs", "pscheduler-remote.md", NULL);
	char *page = NULL;
	char *start;
	char *end;
	char *data = NULL;

	ASSERT(g_file_get_contents(path, &page, NULL, NULL), "%s cannot be read", path);
	start = page == NULL ? NULL : strstr(page, mark);
	start = start == NULL ? NULL : strstr(start, "\"data\": ");
	end = start == NULL ? NULL : strstr(start, "\n  }\n");
	if (end != NULL) {
		char **parts;
		char *own = g_strdup_printf("http://127.0.0.1:%u", port);

		*end = '\0';
		data = g_strdup(start + strlen("\"data\": "));
		parts = g_strsplit(data, "https://limen.example.org:8443", -1);
		ASSERT(g_strv_length(parts) == 2, "the stanza has no URL: %s", data);
		g_free(data);
		data = g_strjoinv(own, parts);
		g_strfreev(parts);
		g_free(own);
	}
	ASSERT(data != NULL, "no stanza for '%s'", mark);
	g_free(page);
	g_free(path);
	return data;
}

static void
check_stanza(const char *mark, const struct plugin_case *cases)
{
	ask_kit kit;
	door at;
	char *data;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	CU_ASSERT_FATAL(open_door(&at, &kit));
	data = read_stanza(mark, at.port);
	if (data != NULL)
		plugin_check(LIMEN_KIND_LIMIT, "url-fetch", data, cases);
	g_free(data);
	close_door(&at);
	ask_kit_stop(&kit);
}

#define FRIEND "{\"requester\":\"192.0.2.1\",\"server\":\"192.0.2.99\"}"
#define STRANGER "{\"requester\":\"198.51.100.1\",\"server\":\"192.0.2.99\"}"
#define TASK(spec) "{\"schema\":1,\"test\":{\"type\":\"idle\",\"spec\":{" spec "}}}"

static void
test_stanza(void)
{
	static const struct plugin_case cases[] = {
		{ "passed", TASK(""), FRIEND, LIMEN_PASS, "application 'idle' passes" },
		{ "refused", TASK("\"bad\":true"), FRIEND, LIMEN_FAIL,
		  "application 'idle' fails: limit 'good' failed: it is bad" },
		{ "somebody else", TASK(""), STRANGER, LIMEN_FAIL, "Made no identifications" },
		{ "odd text in it", TASK("\"x\":\"a&b=c%20+\\\"\303\266\\u0001 \\\\\""), FRIEND,
		  LIMEN_PASS, "application 'idle' passes" },
		{ "numbers, nulls, lists", TASK("\"x\":[null,true,1.50,1e3,{\"y\":[]}]"), FRIEND,
		  LIMEN_PASS, "application 'idle' passes" },
		{ "to be changed first", TASK("\"stretch\":1"), FRIEND, LIMEN_FAIL,
		  "the task would pass only after it was rewritten" },
		{ "nobody asks", TASK(""), NULL, LIMEN_FAIL, "Made no identifications" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL },
	};

	check_stanza("## The limit", cases);
}

static void
test_stanza_success_only(void)
{
	static const struct plugin_case cases[] = {
		{ "passed", TASK(""), FRIEND, LIMEN_PASS, NULL },
		{ "refused", TASK("\"bad\":true"), FRIEND, LIMEN_FAIL, "Resource not found" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL },
	};

	check_stanza("## By the status alone", cases);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "queries and forms", test_queries },
		{ "the status as the answer", test_status },
		{ "bodies", test_bodies },
		{ "the limit of the document", test_stanza },
		{ "the limit of the document that looks at the status", test_stanza_success_only },
		{ NULL, NULL },
	};

	return suite_run("daemon/passed", tests);
}
