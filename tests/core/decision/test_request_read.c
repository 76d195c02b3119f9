/* SPDX-License-Identifier: Apache-2.0 */
/* What modules read from a request, and the views decisions and their threads have. */
#include "decision/pipeline.h"

#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"
#include "reader/reader.h"

typedef struct decision_view {
	arena memory;
	view state;
	limen_request request;
} decision_view;

static limen_request *
new_task(const char *text)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
	return req;
}

static void
open_view(decision_view *one, const limen_request *req)
{
	one->memory = (arena)ARENA_INIT;
	view_start(req, &one->state, &one->memory, &one->request);
}

static void
close_view(decision_view *one)
{
	view_finish(&one->state);
	arena_free(&one->memory);
}

static document *
new_document(const char *text)
{
	return json_read(NULL, text, strlen(text), 0, NULL);
}

static void
expect(limen_value value, const char *json)
{
	char *text = limen_value_to_json(value, 0, NULL);

	CU_ASSERT_STRING_EQUAL(text == NULL ? "(none)" : text, json);
	free(text);
}

static void
test_generations(void)
{
	limen_request *req = new_task("{\"n\": 0}");
	decision_view one;
	limen_path *path;

	limen_path_new("/n", 2, &path);
	open_view(&one, req);
	CU_ASSERT_EQUAL(limen_request_generation(&one.request), 0);
	expect(limen_request_document(&one.request), "{\"n\":0}");
	view_set_revision(&one.state, revision_of(one.state.arena, new_document("{\"n\": 1}")));
	view_set_revision(&one.state, revision_of(one.state.arena, new_document("{\"n\": 2}")));
	CU_ASSERT_EQUAL(limen_request_generation(&one.request), 2);
	expect(limen_request_document(&one.request), "{\"n\":2}");
	expect(limen_request_original(&one.request), "{\"n\":0}");
	expect(limen_request_find(&one.request, path), "2");
	/* The embedder's request knows nothing of it. */
	CU_ASSERT_EQUAL(limen_request_generation(req), 0);
	expect(limen_request_find(req, path), "0");
	close_view(&one);
	limen_path_free(path);
	limen_request_free(req);
}

static void
test_clocks(void)
{
	limen_request *req = new_task("{}");
	limen_time before = limen_host_wall_time();
	int64_t start = limen_host_monotonic();
	limen_deadline deadline;
	decision_view one;

	open_view(&one, req);
	CU_ASSERT(limen_request_now(&one.request) >= before);
	CU_ASSERT(limen_request_now(&one.request) <= limen_host_wall_time());
	CU_ASSERT_EQUAL(limen_request_deadline(&one.request), INT64_MAX);
	CU_ASSERT_EQUAL(limen_request_time_left(&one.request), INT64_MAX);
	close_view(&one);
	limen_request_set_now(req, 42);
	limen_request_set_timeout(req, 60 * LIMEN_SECOND);
	open_view(&one, req);
	CU_ASSERT_EQUAL(limen_request_now(&one.request), 42);
	deadline = limen_request_deadline(&one.request);
	CU_ASSERT(deadline >= start + 60 * INT64_C(1000000000));
	CU_ASSERT(deadline <= limen_host_monotonic() + 60 * INT64_C(1000000000));
	close_view(&one);
	limen_request_free(req);
}

/* The deadline is made at the first question, which reads the clock, and stays as it is. */
static void
test_default_timeout(void)
{
	limen_request *req = new_task("{}");
	limen_deadline deadline;
	decision_view one;
	int64_t start;

	open_view(&one, req);
	one.request.view->timeout = 30 * LIMEN_SECOND;
	start = limen_host_monotonic();
	CU_ASSERT_EQUAL(one.request.view->deadline, INT64_MAX);
	deadline = limen_request_deadline(&one.request);
	CU_ASSERT(deadline >= start + 30 * INT64_C(1000000000));
	CU_ASSERT(deadline <= limen_host_monotonic() + 30 * INT64_C(1000000000));
	CU_ASSERT_EQUAL(limen_request_deadline(&one.request), deadline);
	close_view(&one);
	limen_request_free(req);
}

/* The time left is 0 from the deadline on, and never 0 before. */
static void
test_time_left(void)
{
	static const struct {
		int64_t ahead; /* of the deadline, in nanoseconds */
		limen_duration least, most;
	} cases[] = {
		{ INT64_MIN / 2, 0, 0 },
		{ -1, 0, 0 },
		{ 0, 0, 0 },
		{ 60 * INT64_C(1000000000), 1, 60 * LIMEN_SECOND },
		{ 60 * INT64_C(1000000000) + 1, 1, 60 * LIMEN_SECOND + 1 },
	};
	limen_request *req = new_task("{}");
	decision_view one;

	open_view(&one, req);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_duration left;

		one.request.view->deadline = limen_host_monotonic() + cases[i].ahead;
		left = limen_request_time_left(&one.request);
		CU_ASSERT(left >= cases[i].least);
		CU_ASSERT(left <= cases[i].most);
	}
	one.request.view->deadline = INT64_MAX - 1;
	CU_ASSERT(limen_request_time_left(&one.request) < INT64_MAX / 1000 + 1);
	CU_ASSERT(limen_request_time_left(&one.request) > 0);
	close_view(&one);
	limen_request_free(req);
}

static void
test_deadline_bounds(void)
{
	CU_ASSERT_EQUAL(deadline_after(0), INT64_MAX);
	CU_ASSERT_EQUAL(deadline_after(-1), INT64_MAX);
	CU_ASSERT_EQUAL(deadline_after(INT64_MAX), INT64_MAX);
	CU_ASSERT_EQUAL(deadline_after(INT64_MAX / 1000), INT64_MAX);
	CU_ASSERT(deadline_after(INT64_MAX / 2000 - 1) < INT64_MAX);
	CU_ASSERT(deadline_after(1) <= limen_host_monotonic() + 1000);
}

typedef struct run_case {
	const char *task;
	const char *why; /* NULL: the times are good */
} run_case;

/* The texts are those of the exceptions pScheduler 5.2 puts into its diagnostics. */
static const run_case runs[] = {
	{ "{\"run_schedule\": {\"start\": \"2026-01-01T00:00:00Z\", \"duration\": \"PT1H\"}}", NULL },
	{ "{\"run_schedule\": {\"start\": \"2026-01-01T00:00:00Z\", \"duration\": \"-PT1H\"}}", NULL },
	{ "{\"run_schedule\": {\"duration\": \"PT1H\"}}", "'start'" },
	{ "{\"run_schedule\": {\"start\": \"2026-01-01T00:00:00Z\"}}", "'duration'" },
	{ "{\"run_schedule\": {}}", "'start'" },
	{ "{\"run_schedule\": null}", "'start'" },
	{ "{\"run_schedule\": {\"start\": 1, \"duration\": \"PT1H\"}}", "Invalid ISO8601 date" },
	{ "{\"run_schedule\": {\"start\": \"2026-01-01T00:00:00Z\", \"duration\": 1}}",
	  "Invalid ISO duration" },
	{ "{\"run_schedule\": {\"start\": \"2026-01-01T00:00:00Z\", \"duration\": \"1h\"}}",
	  "Invalid ISO duration" },
	{ "{\"run_schedule\": {\"start\": \"9999-12-31T23:59:59Z\", \"duration\": \"PT0S\"}}", NULL },
	{ "{\"run_schedule\": {\"start\": \"9999-12-31T23:59:59Z\", \"duration\": \"PT1S\"}}",
	  "date value out of range" },
};

static void
test_run_times(void)
{
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		limen_request *req = new_task(runs[i].task);
		const char *why = NULL;
		limen_run run = { .duration = -1 };
		int result = limen_request_run(req, &run, &why);

		CU_ASSERT_EQUAL(limen_request_run(req, &run, NULL), result);
		if (runs[i].why == NULL) {
			CU_ASSERT_EQUAL(result, LIMEN_OK);
			CU_ASSERT_EQUAL(run.end.time, run.start.time + run.duration);
			CU_ASSERT_EQUAL(run.end.offset, run.start.offset);
		} else {
			CU_ASSERT_EQUAL(result, LIMEN_EINVAL);
			CU_ASSERT_STRING_EQUAL(why, runs[i].why);
			CU_ASSERT_EQUAL(run.duration, -1);
		}
		limen_request_free(req);
	}
}

typedef struct requester_case {
	const char *hints;
	int result;
	const char *network;
} requester_case;

static const requester_case requesters[] = {
	{ "{}", LIMEN_ENOENT, NULL },
	{ "{\"requester\": \"192.0.2.7\"}", LIMEN_OK, "192.0.2.7/32" },
	{ "{\"requester\": \"192.0.2.0/24\"}", LIMEN_OK, "192.0.2.0/24" },
	{ "{\"requester\": \"192.0.2.0/255.255.255.0\"}", LIMEN_OK, "192.0.2.0/24" },
	{ "{\"requester\": \"fe80::1%eth0\"}", LIMEN_OK, "fe80::1/128" },
	{ "{\"requester\": \"192.0.2.7/24\"}", LIMEN_ERANGE, NULL },
	{ "{\"requester\": \"\"}", LIMEN_EINVAL, NULL },
	{ "{\"requester\": \"host.example\"}", LIMEN_EINVAL, NULL },
	{ "{\"requester\": \"192.0.2.7\\u0000\"}", LIMEN_EINVAL, NULL },
	{ "{\"requester\": null}", LIMEN_EINVAL, NULL },
	{ "{\"requester\": 7}", LIMEN_EINVAL, NULL },
};

static void
check_requester(const limen_request *req, const requester_case *one)
{
	limen_network network = { .prefix = 99 };
	char text[LIMEN_NETWORK_TEXT_MAX];

	CU_ASSERT_EQUAL(limen_request_requester(req, &network), one->result);
	if (one->network == NULL) {
		CU_ASSERT_EQUAL(network.prefix, 99);
		return;
	}
	limen_network_print(&network, text);
	CU_ASSERT_STRING_EQUAL(text, one->network);
}

static void
test_requester(void)
{
	for (size_t i = 0; i < sizeof(requesters) / sizeof(requesters[0]); i++) {
		limen_request *req = new_task("{}");
		document *hints = new_document(requesters[i].hints);
		decision_view one;

		CU_ASSERT_EQUAL(limen_request_set_hints(req, document_root(hints)), LIMEN_OK);
		document_unref(hints);
		check_requester(req, &requesters[i]);
		open_view(&one, req);
		check_requester(&one.request, &requesters[i]);
		close_view(&one);
		limen_request_free(req);
	}
}

static char order[8];

static void
record(void *pointer)
{
	strcat(order, pointer);
}

static void
test_attachments(void)
{
	limen_request *req = new_task("{}");
	static char keys[3];
	decision_view one;

	order[0] = '\0';
	open_view(&one, req);
	CU_ASSERT_PTR_NULL(limen_request_attachment(&one.request, &keys[0]));
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &keys[0], "a", record), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &keys[1], "b", record), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &keys[2], "-", NULL), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_request_attachment(&one.request, &keys[0]), "a");
	/* The same key again: the newer hides the older, and both are destroyed. */
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &keys[0], "c", record), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_request_attachment(&one.request, &keys[0]), "c");
	CU_ASSERT_STRING_EQUAL(order, "");
	view_set_revision(&one.state, revision_of(one.state.arena, new_document("{}")));
	CU_ASSERT_STRING_EQUAL(order, "cba");
	CU_ASSERT_PTR_NULL(limen_request_attachment(&one.request, &keys[0]));
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &keys[0], "d", record), LIMEN_OK);
	close_view(&one);
	CU_ASSERT_STRING_EQUAL(order, "cbad");
	limen_request_free(req);
}

static void
test_attach_no_memory(void)
{
	limen_request *req = new_task("{}");
	static char key;
	decision_view one;

	order[0] = '\0';
	open_view(&one, req);
	fail_malloc_once(1);
	CU_ASSERT_EQUAL(limen_request_attach(&one.request, &key, "x", record), LIMEN_ENOMEM);
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_STRING_EQUAL(order, "x");
	CU_ASSERT_PTR_NULL(limen_request_attachment(&one.request, &key));
	close_view(&one);
	/* Outside a decision there is nothing to attach to. */
	CU_ASSERT_EQUAL(limen_request_attach(req, &key, "y", record), LIMEN_ENOMEM);
	CU_ASSERT_STRING_EQUAL(order, "xy");
	CU_ASSERT_PTR_NULL(limen_request_alloc(req, 1));
	limen_request_free(req);
}

/* A helping thread sees the same documents and times, and attaches for itself. */
static void
test_fork(void)
{
	limen_request *req = new_task("{\"n\": 0}");
	static char key;
	arena parent = ARENA_INIT;
	arena memory = ARENA_INIT;
	pipeline forked;
	pipeline run = { .rehearses = false };

	order[0] = '\0';
	limen_request_set_now(req, 42);
	view_start(req, &run.view, &parent, &run.request);
	view_set_revision(&run.view, revision_of(run.view.arena, new_document("{\"n\": 1}")));
	limen_request_attach(&run.request, &key, "p", record);
	pipeline_fork(&run, &forked, &memory,
	              revision_of(&memory, new_document("{\"n\": 1}")));
	CU_ASSERT_PTR_NULL(limen_request_attachment(&forked.request, &key));
	limen_request_attach(&forked.request, &key, "f", record);
	CU_ASSERT_STRING_EQUAL(limen_request_attachment(&run.request, &key), "p");
	/* It may outlive the decision. */
	view_finish(&run.view);
	arena_free(&parent);
	CU_ASSERT_STRING_EQUAL(order, "p");
	expect(limen_request_document(&forked.request), "{\"n\":1}");
	CU_ASSERT_EQUAL(limen_request_now(&forked.request), 42);
	CU_ASSERT_PTR_NOT_NULL(limen_request_alloc(&forked.request, 100));
	view_finish(&forked.view);
	CU_ASSERT_STRING_EQUAL(order, "pf");
	arena_free(&memory);
	limen_request_free(req);
}

static void
test_names(void)
{
	static const char *const items[] = { "one", "two" };
	limen_request *req = new_task("{}");
	decision_view one;
	size_t count = 0;

	open_view(&one, req);
	one.state.identifiers = (names){ items, 1 };
	one.state.classifiers = (names){ items, 2 };
	CU_ASSERT_PTR_EQUAL(limen_request_identifiers(&one.request, &count), items);
	CU_ASSERT_EQUAL(count, 1);
	CU_ASSERT_PTR_EQUAL(limen_request_classifiers(&one.request, &count), items);
	CU_ASSERT_EQUAL(count, 2);
	CU_ASSERT_TRUE(limen_request_has_classifier(&one.request, "two"));
	CU_ASSERT_FALSE(limen_request_has_classifier(&one.request, "tw"));
	close_view(&one);
	limen_request_free(req);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "generations replace each other, the first stays", test_generations },
		{ "decision time and deadline are read once", test_clocks },
		{ "the time left ends at the deadline", test_time_left },
		{ "timeouts out of range are none", test_deadline_bounds },
		{ "a default timeout begins when somebody asks for the deadline", test_default_timeout },
		{ "the times of a run, or pScheduler's words for what is wrong", test_run_times },
		{ "the requester's address", test_requester },
		{ "attachments go with their generation, newest first", test_attachments },
		{ "what cannot be attached is destroyed at once", test_attach_no_memory },
		{ "each thread has attachments of its own", test_fork },
		{ "identifiers and classifiers are known by name", test_names },
		{ NULL, NULL },
	};

	return suite_run("core/request_read", tests);
}
