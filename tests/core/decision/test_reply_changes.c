/* SPDX-License-Identifier: Apache-2.0 */
#include "decision/reply_changes.h"

#include <stdio.h>

#include "fail_malloc.h"
#include "peak.h"
#include "reply_case.h"
#include "reader/reader.h"

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
	revision *made = reply_take_revision(&one->reply, &failed);
	char *text = made == NULL
	                     ? NULL
	                     : limen_value_to_json(document_root(revision_document(made)), 0, NULL);
	const char *found = failed ? "failed" : text == NULL ? "unchanged" : text;

	if (strcmp(found, json) != 0)
		printf("# wanted %s\n# found  %s\n", json, found);
	CU_ASSERT_STRING_EQUAL(found, json);
	free(text);
	revision_unref(made);
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
	CU_ASSERT_PTR_NULL(one.reply.mistake);
	expect_document(&one, "{\"a\":[\"first\",1,3,\"last\"],\"o\":{\"x\":2},"
	                      "\"n\":{\"deep\":[null]}}");
	/* The document that is being changed stays as it is until the call is over. */
	CU_ASSERT_EQUAL(limen_value_count(member(&one, "a")), 3);
	reply_case_end(&one);
}

/* Nodes of other documents, which may go, and texts without quotes. */
static void
test_values(void)
{
	document *other = json_read(NULL, TASK, strlen(TASK), 0, NULL);
	reply_case one;

	reply_case_start(&one, TASK);
	limen_reply_set_value(&one.reply, member(&one, "o"), "copy",
	                      limen_value_get(document_root(other), "a"));
	document_unref(other);
	limen_reply_set_value(&one.reply, member(&one, "o"), "own", member(&one, "s"));
	limen_reply_set_string(&one.reply, member(&one, "o"), "x", "\"\0\n", 3);
	limen_reply_set_string(&one.reply, member(&one, "o"), "empty", "", 0);
	limen_reply_set_int(&one.reply, member(&one, "o"), "least", INT64_MIN);
	limen_reply_set_bool(&one.reply, member(&one, "o"), "yes", true);
	limen_reply_set_bool(&one.reply, member(&one, "o"), "no", false);
	CU_ASSERT_PTR_NULL(one.reply.mistake);
	expect_document(&one, "{\"a\":[1,2,3],\"o\":{\"x\":\"\\\"\\u0000\\n\","
	                      "\"copy\":[1,2,3],\"own\":\"text\",\"empty\":\"\","
	                      "\"least\":-9223372036854775808,\"yes\":true,\"no\":false},"
	                      "\"s\":\"text\"}");
	reply_case_end(&one);
}

static char order[8];

static void
record(void *pointer)
{
	strcat(order, pointer);
}

/* What is kept for the next generation is that generation's. */
static void
test_attach(void)
{
	static char key;
	reply_case one;

	order[0] = '\0';
	reply_case_start(&one, TASK);
	limen_request_attach(&one.request, &key, "o", record);
	limen_reply_attach(&one.reply, &key, "a", record);
	limen_reply_attach(&one.reply, &key, "b", record);
	CU_ASSERT_STRING_EQUAL(limen_request_attachment(&one.request, &key), "o");
	view_adopt_attachments(&one.view, &one.reply.attachments);
	CU_ASSERT_STRING_EQUAL(limen_request_attachment(&one.request, &key), "b");
	CU_ASSERT_STRING_EQUAL(order, "");
	limen_reply_attach(&one.reply, &key, "c", record);
	reply_finish(&one.reply);
	CU_ASSERT_STRING_EQUAL(order, "c");
	view_set_revision(&one.view, revision_of(one.view.arena,
	                                         json_read(NULL, TASK, strlen(TASK), 0, NULL)));
	CU_ASSERT_STRING_EQUAL(order, "cbao");
	CU_ASSERT_PTR_NULL(limen_request_attachment(&one.request, &key));
	reply_case_end(&one);
}

/* Nobody makes a document that is not read, and what was read of the one before stays. */
static void
test_made_when_read(void)
{
	reply_case one;
	limen_value before;
	bool failed;

	reply_case_start(&one, TASK);
	limen_reply_set(&one.reply, member(&one, "o"), "y", "2");
	view_set_revision(&one.view, reply_take_revision(&one.reply, &failed));
	CU_ASSERT_EQUAL(limen_request_generation(&one.request), 1);
	before = member(&one, "o");
	CU_ASSERT_EQUAL(limen_value_count(before), 2);
	limen_reply_set(&one.reply, before, "z", "3");
	view_set_revision(&one.view, reply_take_revision(&one.reply, &failed));
	CU_ASSERT_EQUAL(limen_value_count(before), 2);
	CU_ASSERT_EQUAL(limen_value_count(member(&one, "o")), 3);
	CU_ASSERT_FALSE(one.view.failed);
	reply_case_end(&one);
}

/* Whoever finds no document because memory is short must not decide. */
static void
test_not_made(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;
		bool said;

		reply_case_start(&one, TASK);
		limen_reply_set(&one.reply, member(&one, "o"), "y", "2");
		view_set_revision(&one.view, reply_take_revision(&one.reply, &said));
		fail_malloc_once(n);
		limen_request_document(&one.request);
		failed = fail_malloc_stop();
		CU_ASSERT_TRUE(failed || !one.view.failed);
		CU_ASSERT_TRUE(one.view.failed || limen_value_count(member(&one, "o")) == 2);
		reply_case_end(&one);
	}
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

/* What a module may do in good faith, if hardly ever. */
static void
test_many_changes(void)
{
	limen_value made;
	reply_case one;
	char key[20];
	bool failed;
	revision *what;

	reply_case_start(&one, "{}");
	for (int i = 0; i < 200000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		limen_reply_set(&one.reply, limen_request_document(&one.request), key, "\"a value\"");
	}
	what = reply_take_revision(&one.reply, &failed);
	CU_ASSERT_FATAL(what != NULL && !failed);
	made = document_root(revision_document(what));
	CU_ASSERT_EQUAL(limen_value_count(made), 200000);
	revision_unref(what);
	reply_case_end(&one);
}

typedef struct bad_change {
	const char *mistake; /* behind "limen_reply_" */
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
set_no_value(reply_case *one)
{
	limen_reply_set_value(&one->reply, member(one, "o"), "x", member(one, "nowhere"));
}

static void
set_no_utf8(reply_case *one)
{
	limen_reply_set_string(&one->reply, member(one, "o"), "x", "\xFF", 1);
}

static void
set_key_no_utf8(reply_case *one)
{
	limen_reply_set(&one->reply, member(one, "o"), "caf\xC3", "1");
}

static void
set_value_key_no_utf8(reply_case *one)
{
	limen_reply_set_value(&one->reply, member(one, "o"), "\xC0\x80", member(one, "s"));
}

static void
set_string_key_no_utf8(reply_case *one)
{
	limen_reply_set_string(&one->reply, member(one, "o"), "\xED\xA0\x80", "x", 1);
}

static void
set_string_in_array(reply_case *one)
{
	limen_reply_set_string(&one->reply, member(one, "a"), "0", "x", 1);
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

	view_set_revision(&one->view, revision_of(one->view.arena,
	                                          json_read(NULL, TASK, strlen(TASK), 0, NULL)));
	limen_reply_set(&one->reply, root, "x", "1");
}

/* Nor is one of what the call sets. */
static void
set_in_new(reply_case *one)
{
	document *other = json_read(NULL, TASK, strlen(TASK), 0, NULL);

	limen_reply_set_value(&one->reply, member(one, "o"), "new", document_root(other));
	limen_reply_set(&one->reply, document_root(other), "x", "1");
	document_unref(other);
}

static void
set_int_in_array(reply_case *one)
{
	limen_reply_set_int(&one->reply, member(one, "a"), "0", 1);
}

static void
set_bool_in_string(reply_case *one)
{
	limen_reply_set_bool(&one->reply, member(one, "s"), "x", true);
}

#define VERY_OFTEN 3000000
#define LONG ((size_t)1 << 20)
#define LONG_OFTEN 400

/* A text of LONG bytes, in quotes or not. */
static char *
write_long(bool quoted)
{
	char *text = malloc(LONG + 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, 'x', LONG);
	text[LONG] = '\0';
	if (quoted)
		text[0] = text[LONG - 1] = '"';
	return text;
}

static void
set_for_ever(reply_case *one)
{
	limen_value root = limen_request_document(&one->request);

	for (int i = 0; i < VERY_OFTEN; i++)
		limen_reply_set_string(&one->reply, root, "k", "", 0);
}

static void
set_long_keys(reply_case *one)
{
	char *key = write_long(false);

	for (int i = 0; i < LONG_OFTEN; i++)
		limen_reply_set(&one->reply, limen_request_document(&one->request), key, "1");
	free(key);
}

static void
set_long_texts(reply_case *one)
{
	char *text = write_long(false);

	for (int i = 0; i < LONG_OFTEN; i++)
		limen_reply_set_string(&one->reply, limen_request_document(&one->request), "k",
		                       text, LONG);
	free(text);
}

static void
insert_long_values(reply_case *one)
{
	char *text = write_long(true);

	for (int i = 0; i < LONG_OFTEN; i++)
		limen_reply_insert(&one->reply, member(one, "a"), 0, text);
	free(text);
}

/* Its copies would be made when the document is. */
static void
set_large_values(reply_case *one)
{
	limen_request *other = limen_request_new(LIMEN_SUBJECT_TASK);
	char *text = write_long(false);

	memset(text, ',', LONG);
	for (size_t i = 1; i < LONG; i += 2)
		text[i] = '1';
	text[0] = '[';
	text[LONG - 1] = ']';
	text[LONG - 2] = '1';
	text[LONG - 3] = ' ';
	CU_ASSERT_EQUAL(limen_request_parse(other, text, LONG, NULL), LIMEN_OK);
	for (int i = 0; i < LONG_OFTEN; i++)
		limen_reply_set_value(&one->reply, limen_request_document(&one->request), "k",
		                      limen_request_document(other));
	limen_request_free(other);
	free(text);
}

static void
remove_for_ever(reply_case *one)
{
	for (int i = 0; i < VERY_OFTEN; i++)
		limen_reply_remove(&one->reply, member(one, "s"));
}

#define TOO_MUCH ": the changes of one call have more than 64 MiB of keys, texts and values"

static const bad_change bad_changes[] = {
	{ "set: /o/x: 'json': Invalid JSON: Expecting property name enclosed "
	  "in double quotes: line 1 column 2 (char 1)", set_no_json },
	{ "set: /o/x: 'json': Invalid JSON: Expecting value: line 1 column 1 "
	  "(char 0)", set_nan },
	{ "set: /a: this is an array, not an object", set_in_array },
	{ "set: x: the document has no such node to change", set_in_nothing },
	{ "set_value: /o/x: the value is none", set_no_value },
	{ "set_string: /o/x: the text is not UTF-8 at byte 0", set_no_utf8 },
	{ "set: /o: the key is not UTF-8 at byte 3", set_key_no_utf8 },
	{ "set_value: /o: the key is not UTF-8 at byte 0", set_value_key_no_utf8 },
	{ "set_string: /o: the key is not UTF-8 at byte 0", set_string_key_no_utf8 },
	{ "set_string: /a: this is an array, not an object", set_string_in_array },
	{ "set_int: /a: this is an array, not an object", set_int_in_array },
	{ "set_bool: /s: this is a string, not an object", set_bool_in_string },
	{ "insert: /o: this is an object, not an array", insert_in_object },
	{ "insert: /a: there is no place 4 among 3 elements", insert_behind_end },
	{ "insert: /a: 'json': Invalid JSON: Expecting value: line 1 column "
	  "1 (char 0)", insert_no_json },
	{ "remove: the document has no such node to change", remove_nothing },
	{ "remove: the document: the root cannot be removed", remove_root },
	{ "replace: 'json': Invalid JSON: Extra data: line 1 column 4 (char 3)", document_no_json },
	{ "set: x: the node to change is not one of the newest document", set_elsewhere },
	{ "set: x: the node to change is not one of the newest document", set_older },
	{ "set: x: the node to change is in a value that the call sets: set "
	  "a whole one, or use limen_reply_set_at()", set_in_new },
	{ "set_string" TOO_MUCH, set_for_ever },
	{ "set" TOO_MUCH, set_long_keys },
	{ "set_string" TOO_MUCH, set_long_texts },
	{ "set_value" TOO_MUCH, set_large_values },
	{ "insert" TOO_MUCH, insert_long_values },
	{ "remove" TOO_MUCH, remove_for_ever },
};

/* However much is asked for, what is kept of it has an end. */
static void
test_bad_changes(void)
{
	long before = get_peak();

	for (size_t i = 0; i < sizeof(bad_changes) / sizeof(bad_changes[0]); i++) {
		reply_case one;

		reply_case_start(&one, TASK);
		bad_changes[i].make(&one);
		CU_ASSERT_FALSE(one.reply.failed);
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_PASS), LIMEN_ERROR);
		CU_ASSERT_PTR_NOT_NULL_FATAL(one.reply.mistake);
		if (strcmp(one.reply.mistake + strlen("limen_reply_"), bad_changes[i].mistake) != 0)
			printf("# wanted %s\n# found  %s\n", bad_changes[i].mistake, one.reply.mistake);
		CU_ASSERT_STRING_EQUAL(one.reply.mistake + strlen("limen_reply_"),
		                       bad_changes[i].mistake);
		reply_case_end(&one);
	}
	CU_ASSERT(get_peak() - before < 512 * 1024);
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;
		revision *made;
		bool said;

		reply_case_start(&one, TASK);
		limen_reply_set(&one.reply, member(&one, "o"), "x", "2");
		limen_reply_remove(&one.reply, member(&one, "s"));
		fail_malloc_once(n);
		made = reply_take_revision(&one.reply, &said);
		CU_ASSERT_EQUAL(made == NULL, said);
		said = said || revision_document(made) == NULL;
		failed = fail_malloc_stop();
		CU_ASSERT(failed || !said);
		revision_unref(made);
		reply_case_end(&one);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "no change makes no document", test_nothing },
		{ "changes take effect together", test_together },
		{ "values of other documents, and plain texts", test_values },
		{ "attachments of the next generation", test_attach },
		{ "a document is made when it is read", test_made_when_read },
		{ "memory is short when it is read", test_not_made },
		{ "the later of two changes to a place wins", test_later_wins },
		{ "a whole document replaces all changes", test_whole_document },
		{ "there may be many", test_many_changes },
		{ "a change that makes no sense is an error", test_bad_changes },
		{ "a shortage of memory is told from no change", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/reply_changes", tests);
}
