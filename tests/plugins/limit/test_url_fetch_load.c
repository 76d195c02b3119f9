/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_url_fetch_load.c - the limit "url-fetch" under load and with servers that
 * hang: what it costs in time, connections, descriptors, threads and memory.
 */
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_server.h"
#include "peak.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum {
	CHECKS = 20000,
	WARM_UP = 1000,
	THREADS = 8,
	CHECKS_OF_A_THREAD = 250,
	/* Nothing waits as long unless something does not end at all. */
	LONG = 30
};

static http_server *server;
static char base[64];

static const struct http_reply replies[] = {
	{ "/passed", HTTP_TEXT("200 OK", "29", "{\"passed\":true,\"message\":\"x\"}"), HTTP_KEEP, 0 },
	{ "/failed", HTTP_TEXT("200 OK", "30", "{\"passed\":false,\"message\":\"x\"}"), HTTP_KEEP, 0 },
	{ "/closing", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"passed\":true}", HTTP_CLOSE,
	  0 },
	{ "/hang", "", HTTP_HANG, 0 },
	{ "/trickle", "HTTP/1.1 200 OK\r\n\r\n{\"passed\":true}", HTTP_TRICKLE, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

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

static limen_kit *
open_limit(const char *path, const char *more)
{
	char data[1024];

	snprintf(data, sizeof(data), "{\"url\":\"%s%s\"%s}", base, path, more);
	return plugin_open(LIMEN_KIND_LIMIT, "url-fetch", data);
}

static void
run_often(limen_kit *kit, int times, limen_verdict wanted)
{
	int wrong = 0;

	for (int i = 0; i < times; i++)
		wrong += limen_kit_run(kit, "{\"test\":{\"type\":\"rtt\"}}", NULL) != wanted;
	ASSERT(wrong == 0, "%d of %d: %s", wrong, times, limen_kit_reason(kit));
}

/* mallinfo2() knows nothing about the allocators of sanitizers and valgrind: 0 is flat. */
static void
check_flat(const char *path, const char *more, int times)
{
	limen_kit *kit = open_limit(path, more);
	size_t descriptors;
	size_t threads;
	size_t bytes;
	size_t grown;

	if (kit == NULL)
		return;
	run_often(kit, WARM_UP, LIMEN_PASS);
	descriptors = count_entries("/proc/self/fd");
	threads = count_entries("/proc/self/task");
	bytes = mallinfo2().uordblks;
	run_often(kit, times, LIMEN_PASS);
	grown = mallinfo2().uordblks - bytes;
	/* The server's thread of a closed connection may still be ending. */
	ASSERT(count_entries("/proc/self/fd") <= descriptors + 2, "descriptors: %zu, then %zu",
	       descriptors, count_entries("/proc/self/fd"));
	ASSERT(count_entries("/proc/self/task") <= threads + 2, "threads: %zu, then %zu", threads,
	       count_entries("/proc/self/task"));
	ASSERT(mallinfo2().uordblks <= bytes || grown < 512 * 1024, "%zu bytes more", grown);
	limen_kit_free(kit);
}

static void
test_flat(void)
{
	unsigned long before = http_server_connections(server);

	check_flat("/passed", "", CHECKS);
	ASSERT(http_server_connections(server) - before == 1, "%lu connections",
	       http_server_connections(server) - before);
	ASSERT(http_server_requests(server) >= CHECKS, "%lu requests",
	       http_server_requests(server));
	check_flat("/passed",
	           ",\"params-transform\":{\"script\":\".params.a = .task.test.type\"},"
	           "\"headers-transform\":{\"script\":\".headers.b = hint(\\\"x\\\")\"}",
	           WARM_UP);
	check_flat("/closing", "", WARM_UP);
}

struct worker {
	limen_engine *engine;
	int wrong;
};

static void *
decide_often(void *data)
{
	struct worker *me = data;

	for (int i = 0; i < CHECKS_OF_A_THREAD; i++) {
		limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
		limen_decision *decision = NULL;

		limen_request_parse(req, "{\"test\":{\"type\":\"rtt\"}}", 23, NULL);
		if (limen_engine_decide(me->engine, req, NULL, &decision) != LIMEN_OK ||
		    !limen_decision_admitted(decision))
			me->wrong++;
		limen_decision_free(decision);
		limen_request_free(req);
	}
	return NULL;
}

/* A policy whose one limit is 'limit', a JSON object without braces. */
static limen_engine *
load_policy(const char *path, const char *more)
{
	limen_engine_options options = {
		.size = sizeof(options), .module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&options);
	char text[2048];
	int length = snprintf(text, sizeof(text),
	                      "{\"schema\":4,"
	                      "\"identifiers\":[{\"name\":\"i\",\"description\":\"d\","
	                      "\"type\":\"always\",\"data\":{}}],"
	                      "\"classifiers\":[{\"name\":\"c\",\"description\":\"d\","
	                      "\"identifiers\":[\"i\"]}],"
	                      "\"limits\":[{\"name\":\"l\",\"description\":\"d\","
	                      "\"type\":\"url-fetch\",\"data\":{\"url\":\"%s%s\"%s}}],"
	                      "\"applications\":[{\"description\":\"d\",\"classifier\":\"c\","
	                      "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	                      base, path, more);

	if (limen_engine_load_text(engine, "policy", text, (size_t)length, NULL) == LIMEN_OK)
		return engine;
	ASSERT(false, "the policy does not load: %s", text);
	limen_engine_free(engine);
	return NULL;
}

static void
test_threads(void)
{
	limen_engine *engine = load_policy(
		"/passed", ",\"params-transform\":{\"script\":\".params.a = .task.test.type\"}");
	struct worker workers[THREADS];
	pthread_t threads[THREADS];
	unsigned long before = http_server_connections(server);

	if (engine == NULL)
		return;
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .engine = engine };
		CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, decide_often, &workers[i]) == 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(workers[i].wrong, 0);
	}
	ASSERT(http_server_connections(server) - before <= THREADS, "%lu connections",
	       http_server_connections(server) - before);
	limen_engine_free(engine);
}

static double
seconds_since(int64_t start)
{
	return (double)(limen_host_monotonic() - start) / 1e9;
}

/* What one check of 'path' costs, and that it gives the fail-result. */
static void
check_hanging(const char *path, const char *more, limen_verdict wanted)
{
	limen_kit *kit = open_limit(path, more);
	int64_t start = limen_host_monotonic();

	if (kit == NULL)
		return;
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), wanted);
	ASSERT(strstr(limen_kit_reason(kit), "timed out") != NULL, "%s: '%s'", path,
	       limen_kit_reason(kit));
	ASSERT(seconds_since(start) < LONG / 2, "%s: %g s", path, seconds_since(start));
	limen_kit_free(kit);
}

static void
test_hanging(void)
{
	check_hanging("/hang", ",\"timeout\":\"PT0.2S\"", LIMEN_FAIL);
	check_hanging("/hang", ",\"timeout\":\"PT0.2S\",\"fail-result\":true", LIMEN_PASS);
	check_hanging("/trickle", ",\"timeout\":\"PT0.3S\"", LIMEN_FAIL);
	check_hanging("/trickle", ",\"timeout\":\"PT0.3S\",\"success-only\":true", LIMEN_FAIL);
	check_hanging("/hang", ",\"timeout\":\"PT0.000001S\"", LIMEN_FAIL);
	/* The default is three seconds. */
	check_hanging("/hang", "", LIMEN_FAIL);
}

/*
 * The deadline of the decision ends a fetch that might take an hour.  That the
 * caller does not wait is no reason to let it through.
 */
static void
check_deadline(const char *path, const char *more)
{
	limen_engine *engine = load_policy(path, more);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	int64_t start;

	if (engine != NULL) {
		limen_request_parse(req, "{}", 2, NULL);
		limen_request_set_timeout(req, LIMEN_SECOND / 5);
		start = limen_host_monotonic();
		CU_ASSERT_EQUAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
		ASSERT(limen_decision_code(decision) == 500, "%s: %d", more,
		       limen_decision_code(decision));
		ASSERT(strstr(limen_decision_reason(decision),
		              "the deadline of the decision has passed") != NULL, "%s: %s", more,
		       limen_decision_reason(decision));
		ASSERT(seconds_since(start) < LONG / 2, "%g s", seconds_since(start));
	}
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
}

static void
test_deadline(void)
{
	check_deadline("/hang", ",\"timeout\":\"PT1H\"");
	check_deadline("/hang", ",\"timeout\":\"PT1H\",\"fail-result\":true");
	check_deadline("/trickle", ",\"timeout\":\"PT1H\",\"fail-result\":true");
	check_deadline("/hang", ",\"timeout\":\"PT1H\",\"fail-result\":true,"
	               "\"params-transform\":{\"script\":\"last(repeat(1))\"},"
	               "\"transform-timeout\":\"PT1M\"");
}

struct log_lines {
	int warnings;
	int others;
	char last[512];
};

static void
take_line(void *data, limen_log_level level, const char *source, const char *text)
{
	struct log_lines *lines = data;

	(void)source;
	lines->warnings += level == LIMEN_LOG_WARNING;
	lines->others += level != LIMEN_LOG_WARNING;
	snprintf(lines->last, sizeof(lines->last), "%s", text);
}

/* One line when a server stops answering, not one a request. */
static void
test_log(void)
{
	struct log_lines lines = { 0 };
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.log = take_line,
		.log_data = &lines
	};
	limen_engine *engine = limen_engine_new(&options);
	struct worker me = { .engine = engine };
	char text[1024];
	int length = snprintf(text, sizeof(text),
	                      "{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"type\":\"always\","
	                      "\"description\":\"d\",\"data\":{}}],"
	                      "\"classifiers\":[{\"name\":\"c\",\"description\":\"d\","
	                      "\"identifiers\":[\"i\"]}],"
	                      "\"limits\":[{\"name\":\"l\",\"description\":\"d\","
	                      "\"type\":\"url-fetch\",\"data\":{\"url\":\"http://u:p@%s/none?key=secret\"}}],"
	                      "\"applications\":[{\"apply\":[{\"require\":\"all\","
	                      "\"limits\":[\"l\"]}]}]}",
	                      strchr(base, ':') + 3);

	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, (size_t)length, NULL), LIMEN_OK);
	decide_often(&me);
	CU_ASSERT_EQUAL(me.wrong, CHECKS_OF_A_THREAD);
	CU_ASSERT_EQUAL(lines.warnings, 1);
	snprintf(text, sizeof(text), "no answer from %s/none: status 404", base);
	ASSERT(strcmp(lines.last, text) == 0, "'%s'", lines.last);
	limen_engine_free(engine);
}

/* An answer of too many values is refused before it is read, which would take twelve times more. */
static void
test_large_answer(void)
{
	enum { PAIRS = 8 << 20 };
	static const char wanted[] = "Server returned too many values '{\"passed\":true,";
	char name[] = "/tmp/limen-url-fetch-XXXXXX";
	char data[128];
	int fd = mkstemp(name);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	limen_kit *kit;
	long before;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs("{\"passed\":true,\"x\":[1", file);
	for (int i = 0; i < PAIRS; i++)
		fputs(",1", file);
	fputs("]}", file);
	fclose(file);
	snprintf(data, sizeof(data), "{\"url\":\"file://%s\",\"max-size\":67108864}", name);
	kit = plugin_open(LIMEN_KIND_LIMIT, "url-fetch", data);
	before = get_peak();
	CU_ASSERT_EQUAL(limen_kit_run(kit, "{}", NULL), LIMEN_FAIL);
	ASSERT(get_peak() - before < 96 * 1024, "%ld KiB", get_peak() - before);
	ASSERT(strncmp(limen_kit_reason(kit), wanted, strlen(wanted)) == 0, "%.99s",
	       limen_kit_reason(kit));
	limen_kit_free(kit);
	remove(name);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "20,000 checks on one connection", test_flat },
		{ "many threads", test_threads },
		{ "a server that hangs", test_hanging },
		{ "the deadline of a decision", test_deadline },
		{ "what is logged", test_log },
		{ "an answer of many values", test_large_answer },
		{ NULL, NULL }
	};
	int status;

	server = http_server_start(replies);
	if (server == NULL)
		return 1;
	snprintf(base, sizeof(base), "http://127.0.0.1:%u", http_server_port(server));
	status = suite_run("limit/url-fetch load", tests);
	http_server_stop(server);
	return status;
}
