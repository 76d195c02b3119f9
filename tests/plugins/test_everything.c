/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_everything.c - docs/examples/everything: every identifier and limit type
 * in one policy, against real servers, and that ten thousand decisions
 * leave nothing behind.
 */
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/limen.h>

#include "lab.h"
#include "plugin.h"
#include "suite.h"

#define DECISIONS 10000

/* Between two decisions, in their own time: the rate is never exceeded. */
#define STEP (40 * LIMEN_SECOND)

static lab *servers;

static limen_engine *
load(void)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = limen_engine_new(&options);
	const char *source = getenv("LIMEN_SRCDIR");
	char path[512];
	char *text;
	int result;

	snprintf(path, sizeof(path), "%s/docs/examples/everything/limits.conf", source);
	text = lab_policy(servers, path);
	CU_ASSERT_FATAL(engine != NULL && text != NULL);
	result = limen_engine_load_text(engine, NULL, text, strlen(text), diag);
	if (result != LIMEN_OK)
		limen_diag_write(diag, stderr);
	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, 30 * LIMEN_SECOND));
	limen_diag_free(diag);
	free(text);
	return engine;
}

/* A throughput test of so many bits a second. */
static limen_request *
make_request(const char *requester, const char *server, const char *bandwidth)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	char task[200];
	int length = snprintf(task, sizeof(task),
	                      "{\"test\":{\"type\":\"throughput\",\"spec\":{\"duration\":\"PT2S\","
	                      "\"bandwidth\":\"%s\"}}}",
	                      bandwidth);

	CU_ASSERT_FATAL(req != NULL);
	CU_ASSERT_EQUAL(limen_request_parse(req, task, (size_t)length, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", requester), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "server", server), LIMEN_OK);
	return req;
}

/* "CODE: CLASSIFIERS: REASON" */
static void
describe(const limen_decision *decision, char out[300])
{
	size_t count;
	const char *const *names = limen_decision_classifiers(decision, &count);
	int at = snprintf(out, 300, "%d:", limen_decision_code(decision));

	for (size_t i = 0; i < count; i++)
		at += snprintf(out + at, 300 - (size_t)at, " %s", names[i]);
	snprintf(out + at, 300 - (size_t)at, ": %s", limen_decision_reason(decision));
}

static void
test_decisions(void)
{
	static const struct {
		const char *requester;
		const char *server;
		const char *bandwidth;
		const char *expected;
	} cases[] = {
		{ "192.0.2.11", "192.0.2.200", "10M",
		  "200: friends partners guests: application 'Friends, if the site's server "
		  "approves' passes" },
		{ "192.0.2.11", "192.0.2.200", "10G",
		  "403: friends partners guests: application 'Friends, if the site's server "
		  "approves' fails: limit 'modest' failed: No more than 50Mb/s" },
		/* The server speaks another protocol: jq says so, and friends need all four. */
		{ "192.0.2.11", "2001:db8::200", "10M",
		  "403: partners guests: no application applies to the requester" },
		{ "192.0.2.1", "192.0.2.200", "10M",
		  "403: hostiles friends partners guests: application 'Refuse bogons' fails: "
		  "limit 'never' failed: Forced failure" },
		{ "203.0.113.9", "10.9.0.1", "10G",
		  "200: operators guests: application 'Operators do anything' passes" },
		{ "203.0.113.9", "192.0.2.200", "10M",
		  "403: guests: no application applies to the requester" },
	};
	limen_engine *engine = load();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_request *req = make_request(cases[i].requester, cases[i].server,
		                                  cases[i].bandwidth);
		limen_decision *decision = NULL;
		char found[300];

		CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
		describe(decision, found);
		plugin_assert(strcmp(found, cases[i].expected) == 0, __FILE__, __LINE__,
		              "%s: %s", cases[i].requester, found);
		limen_decision_free(decision);
		limen_request_free(req);
	}
	limen_engine_free(engine);
}

static size_t
count_entries(const char *directory)
{
	DIR *entries = opendir(directory);
	size_t count = 0;

	while (entries != NULL && readdir(entries) != NULL)
		count++;
	if (entries != NULL)
		closedir(entries);
	return count;
}

typedef struct usage {
	size_t files;
	size_t threads;
	size_t memory;
} usage;

static usage
measure(void)
{
	return (usage){ .files = count_entries("/proc/self/fd"),
		        .threads = count_entries("/proc/self/task"),
		        .memory = mallinfo2().uordblks };
}

/* Returns how many of 'count' decisions, from 'start' on, were no admissions. */
static int
decide_often(limen_engine *engine, limen_request *req, limen_time start, int count)
{
	limen_decide_options options = { .size = sizeof(options),
		                         .diagnostics = true,
		                         .prioritize = LIMEN_SWITCH_ON };
	int wrong = 0;

	for (int i = 0; i < count; i++) {
		limen_decision *decision = NULL;

		limen_request_set_now(req, start + i * STEP);
		if (limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK ||
		    !limen_decision_admitted(decision))
			wrong++;
		limen_decision_free(decision);
	}
	return wrong;
}

/* No block that malloc() gives is as small as what may be left of a decision. */
static void
test_growth(void)
{
	limen_engine *engine = load();
	limen_request *req = make_request("192.0.2.11", "192.0.2.200", "10M");
	limen_time start = INT64_C(1700000000) * LIMEN_SECOND;
	int warm = 1000;
	usage first, last;

	CU_ASSERT_EQUAL(decide_often(engine, req, start, warm), 0);
	first = measure();
	CU_ASSERT_EQUAL(decide_often(engine, req, start + warm * STEP, DECISIONS), 0);
	last = measure();
	CU_ASSERT(last.files <= first.files + 2);
	CU_ASSERT(last.threads <= first.threads + 1);
	plugin_assert(last.memory <= first.memory + 12 * DECISIONS, __FILE__, __LINE__,
	              "memory grew from %zu to %zu in %d decisions", first.memory, last.memory,
	              DECISIONS);
	limen_request_free(req);
	limen_engine_free(engine);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "all types together decide as they should", test_decisions },
		{ "ten thousand decisions leave nothing behind", test_growth },
		{ NULL, NULL }
	};
	const char *why = NULL;
	int status;

	servers = lab_start(&why);
	if (servers == NULL) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	status = suite_run("plugins/everything", tests);
	lab_stop(servers);
	return status;
}
