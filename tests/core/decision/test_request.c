/* SPDX-License-Identifier: Apache-2.0 */
/* Building requests; test_request_read.c reads them as modules do. */
#include "document/document_layout.h"
#include "decision/request.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

static void
expect(limen_value value, const char *json)
{
	char *text = limen_value_to_json(value, 0, NULL);

	CU_ASSERT_STRING_EQUAL(text == NULL ? "(none)" : text, json);
	free(text);
}

static int
parse(limen_request *req, const char *text)
{
	return limen_request_parse(req, text, strlen(text), NULL);
}

static void
test_empty(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	size_t count = 9;
	limen_network network;
	limen_run run;

	CU_ASSERT_EQUAL(limen_request_subject(req), LIMEN_SUBJECT_OBJECT);
	expect(limen_request_document(req), "(none)");
	expect(limen_request_original(req), "(none)");
	expect(limen_request_old(req), "(none)");
	expect(limen_request_hints(req), "{}");
	CU_ASSERT_PTR_NULL(limen_request_field(req, LIMEN_FIELD_USER));
	CU_ASSERT_PTR_NULL(limen_request_groups(req, &count));
	CU_ASSERT_EQUAL(count, 0);
	CU_ASSERT_PTR_NULL(limen_request_identifiers(req, &count));
	CU_ASSERT_PTR_NULL(limen_request_classifiers(req, &count));
	CU_ASSERT_FALSE(limen_request_has_classifier(req, "x"));
	CU_ASSERT_EQUAL(limen_request_deadline(req), INT64_MAX);
	CU_ASSERT_EQUAL(limen_request_time_left(req), INT64_MAX);
	CU_ASSERT_FALSE(limen_request_is_dry_run(req));
	CU_ASSERT_FALSE(limen_request_is_run(req));
	CU_ASSERT_EQUAL(limen_request_run(req, &run, NULL), LIMEN_ENOENT);
	CU_ASSERT_EQUAL(limen_request_requester(req, &network), LIMEN_ENOENT);
	CU_ASSERT_EQUAL(limen_request_generation(req), 0);
	limen_request_free(req);
	limen_request_free(NULL);
}

/* Tasks are read as pScheduler reads them, objects as Kubernetes sends them. */
static void
test_subjects(void)
{
	errno = 0;
	CU_ASSERT_PTR_NULL(limen_request_new((limen_subject)99));
	CU_ASSERT_EQUAL(errno, EINVAL);
}

static void
test_parse(void)
{
	limen_request *task = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_request *object = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_diag *diag = limen_diag_new();

	CU_ASSERT_EQUAL(parse(task, "{\"#\": 1, \"a\": {\"#b\": 2, \"c\": NaN}}"), LIMEN_OK);
	/* NaN is read and, as JSON has no such number, written as null. */
	expect(limen_request_document(task), "{\"a\":{\"c\":null}}");
	CU_ASSERT_EQUAL(parse(object, "{\"#\": 1}"), LIMEN_OK);
	expect(limen_request_document(object), "{\"#\":1}");
	CU_ASSERT_EQUAL(limen_request_parse(object, "{\"a\": NaN}", 10, diag), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	/* What was there stays. */
	expect(limen_request_document(object), "{\"#\":1}");
	CU_ASSERT_EQUAL(parse(object, "[2]"), LIMEN_OK);
	expect(limen_request_document(object), "[2]");
	CU_ASSERT_EQUAL(limen_request_parse_old(object, "{\"old\": 1}", 10, diag), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_parse_old(object, "{", 1, diag), LIMEN_EINVAL);
	expect(limen_request_old(object), "{\"old\":1}");
	limen_diag_free(diag);
	limen_request_free(task);
	limen_request_free(object);
}

static void
test_set_document(void)
{
	limen_request *from = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	parse(from, "{\"task\": {\"#\": 1, \"a\": [1]}}");
	CU_ASSERT_EQUAL(limen_request_set_document(
				req, limen_value_get(limen_request_document(from), "task")),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_old(
				req, limen_value_get(limen_request_document(from), "task")),
	                LIMEN_OK);
	limen_request_free(from);
	expect(limen_request_document(req), "{\"#\":1,\"a\":[1]}");
	expect(limen_request_old(req), "{\"#\":1,\"a\":[1]}");
	/* Also to a part of what it was. */
	CU_ASSERT_EQUAL(limen_request_set_document(
				req, limen_value_get(limen_request_document(req), "a")),
	                LIMEN_OK);
	expect(limen_request_document(req), "[1]");
	CU_ASSERT_NOT_EQUAL(limen_request_set_old(req, limen_value_none()), LIMEN_OK);
	expect(limen_request_old(req), "{\"#\":1,\"a\":[1]}");
	limen_request_free(req);
}

static void
test_set_task(void)
{
	limen_request *from = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_value task;

	parse(from, "{\"task\": {\"#\": 1, \"a\": [1, {\"#b\": {\"c\": 2}, \"d\": \"#\"}], \"a\": "
	            "[{\"#\": 3}], \"e\": {\"f\": 4}}, \"g\": {\"h\": 5}}");
	task = limen_value_get(limen_request_document(from), "task");
	CU_ASSERT_EQUAL(limen_request_set_task(req, task), LIMEN_OK);
	expect(limen_request_document(req), "{\"a\":[{}],\"e\":{\"f\":4}}");
	expect(task, "{\"#\":1,\"a\":[{\"#\":3}],\"e\":{\"f\":4}}");
	/* What has none is shared. */
	task = limen_value_get(limen_request_document(from), "g");
	CU_ASSERT_EQUAL(limen_request_set_task(req, task), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(limen_request_document(req).node, task.node);
	CU_ASSERT_EQUAL(limen_request_set_task(req, limen_value_none()), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_task(NULL, task), LIMEN_ENOMEM);
	limen_request_free(from);
	expect(limen_request_document(req), "{\"h\":5}");
	limen_request_free(req);
}

static void
test_set_run(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	CU_ASSERT_EQUAL(limen_request_set_run(req, "a", "b"), LIMEN_EINVAL);
	parse(req, "[]");
	CU_ASSERT_EQUAL(limen_request_set_run(req, "a", "b"), LIMEN_EINVAL);
	parse(req, "{\"test\": 1}");
	CU_ASSERT_EQUAL(limen_request_set_run(req, "soon", "long"), LIMEN_OK);
	expect(limen_request_document(req),
	       "{\"test\":1,\"run_schedule\":{\"start\":\"soon\",\"duration\":\"long\"}}");
	CU_ASSERT_TRUE(limen_request_is_run(req));
	CU_ASSERT_EQUAL(limen_request_set_run(req, "later", "short"), LIMEN_OK);
	expect(limen_request_document(req),
	       "{\"test\":1,\"run_schedule\":{\"start\":\"later\",\"duration\":\"short\"}}");
	/* Documents with null there are runs too: pScheduler asks only for the key. */
	parse(req, "{\"run_schedule\": null}");
	CU_ASSERT_TRUE(limen_request_is_run(req));
	limen_request_free(req);
}

static void
test_hints(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_request *from = limen_request_new(LIMEN_SUBJECT_OBJECT);

	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", "192.0.2.1"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", "192.\xd0\xd1"), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "a\xff", "192.0.2.3"), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "user", ""), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "user", "\xc3\xbc"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "server", "s"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", "192.0.2.2"), LIMEN_OK);
	expect(limen_request_hints(req),
	       "{\"user\":\"\xc3\xbc\",\"server\":\"s\",\"requester\":\"192.0.2.2\"}");
	parse(from, "{\"hints\": {\"n\": 1, \"requester\": [true]}}");
	CU_ASSERT_EQUAL(limen_request_set_hints(
				req, limen_value_get(limen_request_document(from), "hints")),
	                LIMEN_OK);
	expect(limen_request_hints(req),
	       "{\"user\":\"\xc3\xbc\",\"server\":\"s\",\"n\":1,\"requester\":[true]}");
	CU_ASSERT_EQUAL(limen_request_set_hints(req, limen_value_none()), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_hint_list(req, NULL, 0), LIMEN_OK);
	expect(limen_request_hints(req),
	       "{\"user\":\"\xc3\xbc\",\"server\":\"s\",\"n\":1,\"requester\":[true]}");
	limen_request_free(from);
	limen_request_free(req);
}

static void
test_hint_list(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_request *from = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_network requester;
	limen_value list, none = limen_value_none();

	parse(from, "{\"list\": [1, {\"deep\": null}]}");
	list = limen_value_get(limen_request_document(from), "list");
	CU_ASSERT_EQUAL(limen_request_set_hint_list(
				req,
				(limen_hint[]){ { "list", NULL, list },
	                                        { "requester", "192.0.2.7", none },
	                                        { "twice", "\"1\"", none },
	                                        { "twice", "\xc3\xbc", none } }, 4),
	                LIMEN_OK);
	limen_request_free(from);
	expect(limen_request_hints(req), "{\"list\":[1,{\"deep\":null}],"
	                                 "\"requester\":\"192.0.2.7\",\"twice\":\"\xc3\xbc\"}");
	CU_ASSERT_EQUAL(limen_request_requester(req, &requester), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint_list(req, &(limen_hint){ "a\xff", "", none }, 1),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_hint_list(req, &(limen_hint){ "a", "\xff", none }, 1),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_hint_list(req, &(limen_hint){ "a", NULL, none }, 1),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_value_count(limen_request_hints(req)), 3);
	limen_request_free(req);
}

/* Those of one document stay in it, and those of several are copied: nobody can tell. */
static void
test_hint_values(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_request *from = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request *other = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_value none = limen_value_none();
	limen_value a, b, one, root;
	limen_hint many[40];

	parse(from, "{\"a\": {\"x\": 1, \"y\": [2], \"x\": \"\\u0000\"}, \"b\": false}");
	parse(other, "[1.50]");
	root = limen_request_document(from);
	a = limen_value_get(root, "a");
	b = limen_value_get(root, "b");
	one = limen_value_at(limen_request_document(other), 0);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(limen_request_set_hint_list(
					req,
					(limen_hint[]){ { "b", NULL, b },
		                                        { "a", "replaced", none },
		                                        { "one", NULL, i == 0 ? b : one },
		                                        { "a", NULL, a } }, 4),
		                LIMEN_OK);
		expect(limen_request_hints(req),
		       i == 0 ? "{\"b\":false,\"one\":false,\"a\":{\"y\":[2],\"x\":\"\\u0000\"}}"
		              : "{\"b\":false,\"one\":1.50,\"a\":{\"y\":[2],\"x\":\"\\u0000\"}}");
		CU_ASSERT_EQUAL(limen_value_count(limen_value_get(limen_request_hints(req), "a")), 2);
		CU_ASSERT_EQUAL(limen_request_set_hint_list(
					req,
					(limen_hint[]){ { "b", NULL, b },
		                                        { "one", NULL, i == 0 ? b : one },
		                                        { "c\xc3", "\xa4", none } }, 3),
		                LIMEN_EINVAL);
	}
	for (size_t i = 0; i < 40; i++)
		many[i] = (limen_hint){ i % 2 == 0 ? "even" : "odd", NULL, i < 38 ? root : b };
	CU_ASSERT_EQUAL(limen_request_set_hint_list(req, many, 40), LIMEN_OK);
	limen_request_free(from);
	limen_request_free(other);
	expect(limen_request_hints(req), "{\"b\":false,\"one\":1.50,\"a\":{\"y\":[2],\"x\":\"\\u0000\"},"
	                                 "\"even\":false,\"odd\":false}");
	limen_request_free(req);
}

static void *
read_hints(void *request)
{
	return (void *)limen_request_hints(request).node;
}

/* The hints of an envelope are made when they are first read, by any thread, and stay as they are. */
static void
test_envelope_hints(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	pthread_t threads[4];
	void *found[4];

	limen_request_set_field(req, LIMEN_FIELD_USER, "ann");
	CU_ASSERT_EQUAL(request_hint_envelope(req, limen_value_none(), "192.0.2.1", NULL), LIMEN_OK);
	CU_ASSERT_PTR_NULL(req->hints->made);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, read_hints, req), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &found[i]);
		CU_ASSERT_PTR_EQUAL(found[i], found[0]);
	}
	limen_request_set_field(req, LIMEN_FIELD_USER, "bob");
	expect(limen_request_hints(req), "{\"requester\":\"192.0.2.1\",\"user\":\"ann\"}");
	limen_request_free(req);

	req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request_set_field(req, LIMEN_FIELD_USER, "ann");
	CU_ASSERT_EQUAL(request_hint_envelope(req, limen_value_none(), NULL, NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_USER, "bob");
	limen_request_set_hint(req, "extra", "1");
	expect(limen_request_hints(req), "{\"user\":\"ann\",\"extra\":\"1\"}");
	CU_ASSERT_EQUAL(request_hint_envelope(req, limen_value_none(), "\xff", NULL), LIMEN_EINVAL);
	limen_request_free(req);
}

/* Else a request whose hints are made of its hints grows, and is freed ever deeper. */
static void
test_hints_of_hints(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	int result = LIMEN_OK;

	for (int i = 0; i < 6; i++) {
		limen_hint again = { "a", NULL, limen_request_hints(req) };
		const document *held;

		if (i == 3)
			CU_ASSERT_EQUAL(limen_request_set_document(req, again.value), LIMEN_OK);
		if (i == 4)
			CU_ASSERT_EQUAL(limen_request_set_run(req, "x", "y"), LIMEN_OK);
		if (i >= 3)
			again.value = limen_value_get(limen_request_original(req), "a");
		CU_ASSERT_EQUAL(limen_request_set_hint_list(req, &again, 1), LIMEN_OK);
		held = req->hints->made->held_count == 0 ? NULL : req->hints->made->held[0];
		CU_ASSERT(held == NULL || held->held_count == 0);
		CU_ASSERT(held == NULL || held->whole == NULL || held->whole->held_count == 0);
	}
	for (int i = 0; i < 5000 && result == LIMEN_OK; i++)
		result = limen_request_set_hint_list(
			req, &(limen_hint){ "a", NULL, limen_request_hints(req) }, 1);
	CU_ASSERT_EQUAL(result, LIMEN_ENOMEM);
	limen_request_free(req);
}

static void
test_envelope(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char text[] = "first";
	size_t count = 0;
	const char *const *groups;

	for (int field = LIMEN_FIELD_UID; field <= LIMEN_FIELD_SUBRESOURCE; field++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", field);
		CU_ASSERT_EQUAL(limen_request_set_field(req, (limen_field)field, name), LIMEN_OK);
	}
	CU_ASSERT_STRING_EQUAL(limen_request_field(req, LIMEN_FIELD_UID), "f0");
	CU_ASSERT_STRING_EQUAL(limen_request_field(req, LIMEN_FIELD_SUBRESOURCE), "f15");
	CU_ASSERT_EQUAL(limen_request_set_field(req, LIMEN_FIELD_UID, text), LIMEN_OK);
	text[0] = 'F';
	CU_ASSERT_STRING_EQUAL(limen_request_field(req, LIMEN_FIELD_UID), "first");
	CU_ASSERT_EQUAL(limen_request_set_field(req, (limen_field)16, "x"), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_request_set_field(req, (limen_field)-1, "x"), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(limen_request_field(req, (limen_field)16));
	CU_ASSERT_EQUAL(limen_request_add_group(req, "one"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_add_group(req, "two"), LIMEN_OK);
	groups = limen_request_groups(req, &count);
	CU_ASSERT_EQUAL_FATAL(count, 2);
	CU_ASSERT_STRING_EQUAL(groups[1], "two");
	limen_request_set_now(req, -5);
	CU_ASSERT_EQUAL(limen_request_now(req), -5);
	limen_request_set_dry_run(req, true);
	CU_ASSERT_TRUE(limen_request_is_dry_run(req));
	limen_request_free(req);
}

/* Texts of every size, set again and again: nothing is lost, and none is in another's place. */
static void
test_many_texts(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char text[64];
	size_t count = 0;
	const char *const *groups;

	for (int i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), "%0*d", i % 40 + 1, i);
		CU_ASSERT_EQUAL(limen_request_set_field(req, (limen_field)(i % 7), text), LIMEN_OK);
		snprintf(text, sizeof(text), "group %0*d", i % 30 + 1, i);
		CU_ASSERT_EQUAL(limen_request_add_group(req, text), LIMEN_OK);
	}
	for (int i = 193; i < 200; i++) {
		snprintf(text, sizeof(text), "%0*d", i % 40 + 1, i);
		CU_ASSERT_STRING_EQUAL(limen_request_field(req, (limen_field)(i % 7)), text);
	}
	groups = limen_request_groups(req, &count);
	CU_ASSERT_EQUAL_FATAL(count, 200);
	for (int i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), "group %0*d", i % 30 + 1, i);
		CU_ASSERT_STRING_EQUAL(groups[i], text);
	}
	limen_request_free(req);
}

/* Everything that can be set on a request, once. */
static bool
build(limen_request *req)
{
	return parse(req, "{\"a\": [1, 2]}") == LIMEN_OK &&
	       limen_request_parse_old(req, "{}", 2, NULL) == LIMEN_OK &&
	       limen_request_set_run(req, "x", "y") == LIMEN_OK &&
	       limen_request_set_hint(req, "a", "1") == LIMEN_OK &&
	       limen_request_set_hint(req, "b", "2") == LIMEN_OK &&
	       limen_request_set_hints(req, limen_request_document(req)) == LIMEN_OK &&
	       limen_request_set_hint_list(req, &(limen_hint){ "a", "1", limen_value_none() },
	                                   1) == LIMEN_OK &&
	       limen_request_set_document(req, limen_request_hints(req)) == LIMEN_OK &&
	       limen_request_set_field(req, LIMEN_FIELD_NAME, "n") == LIMEN_OK &&
	       limen_request_add_group(req, "g") == LIMEN_OK;
}

/* Whatever allocation fails, a setter says so and the request can be freed. */
static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_request *req;
		bool built;

		fail_malloc_once(n);
		req = limen_request_new(LIMEN_SUBJECT_TASK);
		built = req != NULL && build(req);
		failed = fail_malloc_stop();
		CU_ASSERT(built || failed);
		limen_request_free(req);
	}
}

/* So that only the last of several calls need be looked at. */
static void
test_no_request(void)
{
	limen_value none = limen_value_none();

	CU_ASSERT_EQUAL(limen_request_parse(NULL, "{}", 2, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_parse_old(NULL, "{}", 2, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_document(NULL, none), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_old(NULL, none), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_run(NULL, "", ""), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_hint(NULL, "", ""), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_hints(NULL, none), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_hint_list(NULL, NULL, 0), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_set_field(NULL, LIMEN_FIELD_UID, ""), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_request_add_group(NULL, ""), LIMEN_ENOMEM);
	limen_request_free(NULL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "an empty request has nothing to read", test_empty },
		{ "an unknown subject makes no request", test_subjects },
		{ "documents are read as their subject wants it", test_parse },
		{ "a document can be copied from another", test_set_document },
		{ "and a task of one, without its comments", test_set_task },
		{ "a task is made a run", test_set_run },
		{ "hints are set one by one or all together", test_hints },
		{ "a list of hints", test_hint_list },
		{ "values as hints", test_hint_values },
		{ "the hints of an envelope are made when they are read", test_envelope_hints },
		{ "hints made of hints hold none of those before", test_hints_of_hints },
		{ "texts and groups of the envelope are copied", test_envelope },
		{ "texts keep apart however many there are", test_many_texts },
		{ "a shortage of memory is an answer", test_no_memory },
		{ "a request that could not be made is one, too", test_no_request },
		{ NULL, NULL },
	};

	return suite_run("core/request", tests);
}
