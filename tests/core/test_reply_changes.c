/* SPDX-License-Identifier: Apache-2.0 */
#include "reply_changes.h"

#include <stdio.h>

#include "fail_malloc.h"
#include "reply_case.h"

#define TASK "{\"a\": [1, 2, 3], \"o\": {\"x\": 1}, \"s\": \"text\"}"

static limen_value
member(const reply_case *one, const char *key)
{
	return limen_value_get(limen_request_document(&one->request), key);
}

/* The document the changes make; "unchanged", or "failed". */
static void
expect_document(reply_case *one, const char *json)
{
	bool failed;
	document *made = reply_new_document(&one->reply, &failed);
	char *text = made == NULL ? NULL : limen_value_print(document_root(made), 0, NULL);
	const char *found = failed ? "failed" : text == NULL ? "unchanged" : text;

	if (strcmp(found, json) != 0)
		printf("# wanted %s\n# found  %s\n", json, found);
	CU_ASSERT_STRING_EQUAL(found, json);
	free(text);
	document_unref(made);
}

static void
test_nothing(void)
{
	reply_case one;

	reply_case_start(&one, TASK);
	expect_document(&one, "unchanged");
	limen_reply_changed(&one.reply, "only said so");
	expect_document(&one, "unchanged");
	reply_case_end(&one);
}

static void
test_together(void)
{
	reply_case one;

	reply_case_start(&one, TASK);
	limen_reply_set(&one.reply, limen_request_document(&one.request), "n", "{\"deep\": [null]}");
	limen_reply_set(&one.reply, member(&one, "o"), "x", "2");
	limen_reply_insert(&one.reply, member(&one, "a"), 0, "\"first\"");
	limen_reply_insert(&one.reply, member(&one, "a"), 3, "\"last\"");
	limen_reply_remove(&one.reply, limen_value_at(member(&one, "a"), 1));
	limen_reply_remove(&one.reply, member(&one, "s"));
	CU_ASSERT_FALSE(one.reply.failed);
	expect_document(&one, "{\"a\":[\"first\",1,3,\"last\"],\"o\":{\"x\":2},"
	                      "\"n\":{\"deep\":[null]}}");
	/* The document that is being changed stays as it is until the call is over. */
	CU_ASSERT_EQUAL(limen_value_count(member(&one, "a")), 3);
	reply_case_end(&one);
}

static void
test_later_wins(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	limen_reply_set(&one.reply, limen_request_document(&one.request), "k", "1");
	limen_reply_set(&one.reply, limen_request_document(&one.request), "k", "2");
	expect_document(&one, "{\"k\":2}");
	reply_case_end(&one);
}

static void
test_whole_document(void)
{
	reply_case one;

	reply_case_start(&one, TASK);
	limen_reply_set(&one.reply, limen_request_document(&one.request), "k", "1");
	limen_reply_replace(&one.reply, "{\"first\": 1}", 12);
	limen_reply_replace(&one.reply, "{\"#kept\": 1} ", 13);
	expect_document(&one, "{\"#kept\":1}");
	reply_case_end(&one);
}

typedef struct bad_change {
	const char *what;
	void (*make)(reply_case *one);
} bad_change;

static void
set_no_json(reply_case *one)
{
	limen_reply_set(&one->reply, member(one, "o"), "x", "{");
}

static void
set_nan(reply_case *one)
{
	limen_reply_set(&one->reply, member(one, "o"), "x", "NaN");
}

static void
set_in_array(reply_case *one)
{
	limen_reply_set(&one->reply, member(one, "a"), "0", "1");
}

static void
set_in_nothing(reply_case *one)
{
	limen_reply_set(&one->reply, member(one, "nowhere"), "x", "1");
}

static void
insert_in_object(reply_case *one)
{
	limen_reply_insert(&one->reply, member(one, "o"), 0, "1");
}

static void
insert_behind_end(reply_case *one)
{
	limen_reply_insert(&one->reply, member(one, "a"), 4, "1");
}

static void
insert_no_json(reply_case *one)
{
	limen_reply_insert(&one->reply, member(one, "a"), 0, "");
}

static void
remove_nothing(reply_case *one)
{
	limen_reply_remove(&one->reply, limen_value_none());
}

static void
remove_root(reply_case *one)
{
	limen_reply_remove(&one->reply, limen_request_document(&one->request));
}

static void
document_no_json(reply_case *one)
{
	limen_reply_replace(&one->reply, "{} x", 4);
}

/* A node of another document is no target, however alike the two are. */
static void
set_elsewhere(reply_case *one)
{
	document *other = json_read(NULL, TASK, strlen(TASK), 0, NULL);

	limen_reply_set(&one->reply, document_root(other), "x", "1");
	document_unref(other);
}

/* Nor is one of an older generation. */
static void
set_older(reply_case *one)
{
	limen_value root = limen_request_document(&one->request);

	view_set_document(&one->view, json_read(NULL, TASK, strlen(TASK), 0, NULL));
	limen_reply_set(&one->reply, root, "x", "1");
}

static const bad_change bad_changes[] = {
	{ "set: no JSON", set_no_json },
	{ "set: NaN", set_nan },
	{ "set: an array", set_in_array },
	{ "set: nothing", set_in_nothing },
	{ "insert: an object", insert_in_object },
	{ "insert: behind the end", insert_behind_end },
	{ "insert: no JSON", insert_no_json },
	{ "remove: nothing", remove_nothing },
	{ "remove: the root", remove_root },
	{ "document: no JSON", document_no_json },
	{ "set: another document", set_elsewhere },
	{ "set: an older generation", set_older },
};

static void
test_bad_changes(void)
{
	for (size_t i = 0; i < sizeof(bad_changes) / sizeof(bad_changes[0]); i++) {
		reply_case one;

		reply_case_start(&one, TASK);
		bad_changes[i].make(&one);
		if (!one.reply.failed)
			printf("# %s\n", bad_changes[i].what);
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_PASS), LIMEN_ERROR);
		reply_case_end(&one);
	}
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;
		document *made;
		bool said;

		reply_case_start(&one, TASK);
		limen_reply_set(&one.reply, member(&one, "o"), "x", "2");
		limen_reply_remove(&one.reply, member(&one, "s"));
		fail_malloc_once(n);
		made = reply_new_document(&one.reply, &said);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(made == NULL, said);
		CU_ASSERT(failed || !said);
		document_unref(made);
		reply_case_end(&one);
	}
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "no change makes no document", test_nothing },
		{ "changes take effect together", test_together },
		{ "the later of two changes to a place wins", test_later_wins },
		{ "a whole document replaces all changes", test_whole_document },
		{ "a change that makes no sense is an error", test_bad_changes },
		{ "a shortage of memory is told from no change", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/reply_changes", tests);
}
