/* SPDX-License-Identifier: Apache-2.0 */
#include "decision/reply_changes.h"

#include <stdio.h>

#include "fail_malloc.h"
#include "reply_case.h"
#include "reader/reader.h"

#define TASK "{\"a\":[1,{\"b\":2}],\"o\":{\"x\":1,\"n\":null},\"s\":\"text\"}"

/* Makes the changes of a case: "POINTER JSON", "-POINTER" removes, "=KEY JSON" sets a member. */
static void
make_change(reply_case *one, const char *text)
{
	const char *space = strchr(text, ' ');
	limen_value root = limen_request_document(&one->request);
	char pointer[100];
	document *doc;
	limen_path *path;

	snprintf(pointer, sizeof(pointer), "%.*s",
	         (int)(space == NULL ? strlen(text) : (size_t)(space - text)), text);
	if (pointer[0] == '-') {
		CU_ASSERT_EQUAL(limen_path_new(pointer + 1, strlen(pointer + 1), &path), LIMEN_OK);
		limen_reply_remove(&one->reply, limen_value_find(root, path));
		limen_path_free(path);
		return;
	}
	if (pointer[0] == '=') {
		limen_reply_set(&one->reply, root, pointer + 1, space + 1);
		return;
	}
	doc = json_read(NULL, space + 1, strlen(space + 1), 0, NULL);
	limen_reply_set_at(&one->reply, pointer, document_root(doc));
	document_unref(doc);
}

/* What comes of it: the document, or the mistake. */
static char *
write_result(reply_case *one)
{
	bool failed = false;
	revision *made = NULL;
	char *text;

	if (one->reply.mistake != NULL)
		return strdup(one->reply.mistake);
	made = reply_take_revision(&one->reply, &failed);
	text = made == NULL ? strdup(failed || one->reply.failed ? "failed" : "unchanged")
	                    : limen_value_to_json(document_root(revision_document(made)), 0, NULL);
	revision_unref(made);
	return text;
}

#define NEW_BEFORE(text) "{\"a\":[1,{\"b\":2}],\"o\":{\"x\":1,\"n\":null},\"s\":\"text\"" text "}"
#define NEW_O(text) "{\"a\":[1,{\"b\":2}],\"o\":{" text "},\"s\":\"text\"}"
#define NEW_A(text) "{\"a\":[" text "],\"o\":{\"x\":1,\"n\":null},\"s\":\"text\"}"

static const struct {
	const char *changes[5];
	const char *result;
} cases[] = {
	/* What is there, and the member of it that is not. */
	{ { "/o/x 2" }, NEW_O("\"x\":2,\"n\":null") },
	{ { "/o/y {\"z\": []}" }, NEW_O("\"x\":1,\"n\":null,\"y\":{\"z\":[]}") },
	{ { "/o 1" }, "{\"a\":[1,{\"b\":2}],\"o\":1,\"s\":\"text\"}" },
	/* Parents are made, one for several. */
	{ { "/new/a~1b/c 1" }, NEW_BEFORE(",\"new\":{\"a/b\":{\"c\":1}}") },
	{ { "/new/p 1", "/new/q 2", "/new/p 3" }, NEW_BEFORE(",\"new\":{\"p\":3,\"q\":2}") },
	{ { "/new/p/q 1", "/new/p/r/s 2", "/new/t 3" },
	  NEW_BEFORE(",\"new\":{\"p\":{\"q\":1,\"r\":{\"s\":2}},\"t\":3}") },
	{ { "/new/0 1" }, NEW_BEFORE(",\"new\":{\"0\":1}") },
	{ { "/new/- 1", "/new/- 2" }, NEW_BEFORE(",\"new\":[1,2]") },
	{ { "/new/l/-/k 1", "/new/l/0/m 2" }, NEW_BEFORE(",\"new\":{\"l\":[{\"k\":1,\"m\":2}]}") },
	{ { "/o/n/- 1" }, NEW_O("\"x\":1,\"n\":[1]") },
	{ { "/- 1" }, NEW_BEFORE(",\"-\":1") },
	/* A null is nothing. */
	{ { "/o/n/m 1" }, NEW_O("\"x\":1,\"n\":{\"m\":1}") },
	{ { "=new null", "/new/m 1" }, NEW_BEFORE(",\"new\":{\"m\":1}") },
	{ { "=new {\"m\": null}", "/new/m/k 1" }, NEW_BEFORE(",\"new\":{\"m\":{\"k\":1}}") },
	/* Other changes of the call are seen. */
	{ { "=new {\"m\": 1}", "/new/n 2" }, NEW_BEFORE(",\"new\":{\"m\":1,\"n\":2}") },
	{ { "/new/n 2", "=new {\"m\": 1}" }, NEW_BEFORE(",\"new\":{\"m\":1}") },
	{ { "=o {}", "/o/k/l 2", "/o/k/m 3" }, NEW_O("\"k\":{\"l\":2,\"m\":3}") },
	{ { "-/o", "/o/k 2" }, NEW_O("\"k\":2") },
	{ { "-/o", "/o/k 2", "/o/l 3" }, NEW_O("\"k\":2,\"l\":3") },
	{ { "-/o/x", "/o/x 2" }, NEW_O("\"x\":2,\"n\":null") },
	{ { "/o/k 2", "-/o" }, "{\"a\":[1,{\"b\":2}],\"s\":\"text\"}" },
	{ { "=new [[1]]", "/new/0/- 2", "/new/0/0 3" }, NEW_BEFORE(",\"new\":[[3,2]]") },
	/* Elements. */
	{ { "/a/0 7" }, NEW_A("7,{\"b\":2}") },
	{ { "/a/1/c 3", "/a/1/b 4" }, NEW_A("1,{\"b\":4,\"c\":3}") },
	{ { "/a/- 7", "/a/- 8" }, NEW_A("1,{\"b\":2},7,8") },
	{ { "/a/-/c/d 3" }, NEW_A("1,{\"b\":2},{\"c\":{\"d\":3}}") },
	{ { "/a/0 {\"x\": 1}", "/a/0/y 2" }, NEW_A("{\"x\":1,\"y\":2},{\"b\":2}") },
	{ { "-/a/0", "/a/0 7" }, NEW_A("7,{\"b\":2}") },
	{ { "-/a/0", "/a/1/b 7" }, NEW_A("{\"b\":7}") },
	/* Mistakes. */
	{ { " 1" }, "limen_reply_set_at: the root cannot be set; use limen_reply_replace()" },
	{ { "o 1" }, "limen_reply_set_at: 'o' is not a JSON pointer" },
	{ { "/~2 1" }, "limen_reply_set_at: '/~2' is not a JSON pointer" },
	{ { "/o {" }, "limen_reply_set_at: /o: the value is none" },
	{ { "/s/x 1" }, "limen_reply_set_at: /s/x: /s is a string, not an object" },
	{ { "/o/x/y/z 1" }, "limen_reply_set_at: /o/x/y/z: /o/x is a number, not an object" },
	{ { "=o {\"x\": []}", "/o/x/y 1" },
	  "limen_reply_set_at: /o/x/y: the array has no such element" },
	{ { "=o {\"x\": true}", "/o/x/y 1" },
	  "limen_reply_set_at: /o/x/y: /o/x is a boolean, not an object" },
	{ { "=o 1", "/o/x 1" }, "limen_reply_set_at: /o/x: /o is a number, not an object" },
	{ { "/a/2 1" }, "limen_reply_set_at: /a/2: the array has no such element" },
	{ { "/a/x 1" }, "limen_reply_set_at: /a/x: the array has no such element" },
	{ { "/a/01/b 1" }, "limen_reply_set_at: /a/01/b: the array has no such element" },
};

static void
test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reply_case one;
		char *found;

		reply_case_start(&one, TASK);
		for (size_t j = 0; cases[i].changes[j] != NULL; j++)
			make_change(&one, cases[i].changes[j]);
		found = write_result(&one);
		if (strcmp(found, cases[i].result) != 0)
			printf("# %s\n# wanted %s\n# found  %s\n", cases[i].changes[0],
			       cases[i].result, found);
		CU_ASSERT_STRING_EQUAL(found, cases[i].result);
		free(found);
		reply_case_end(&one);
	}
}

static void
test_strings(void)
{
	reply_case one;
	char *found;

	reply_case_start(&one, "{}");
	limen_reply_set_string_at(&one.reply, "/a/b", "x\0\"", 3);
	limen_reply_set_string_at(&one.reply, "/a/c", "", 0);
	found = write_result(&one);
	CU_ASSERT_STRING_EQUAL(found, "{\"a\":{\"b\":\"x\\u0000\\\"\",\"c\":\"\"}}");
	free(found);
	limen_reply_set_string_at(&one.reply, "/a/b", "ab\xFF", 3);
	CU_ASSERT_STRING_EQUAL(one.reply.mistake,
	                       "limen_reply_set_string_at: /a/b: the text is not UTF-8 at byte 2");
	reply_case_end(&one);
}

/* A text that the call sets holds nothing else. */
static void
test_below_string(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	limen_reply_set_string_at(&one.reply, "/a", "x", 1);
	limen_reply_set_string_at(&one.reply, "/a/b", "y", 1);
	CU_ASSERT_STRING_EQUAL(one.reply.mistake, "limen_reply_set_string_at: /a/b: /a is "
	                                          "a string, not an object");
	reply_case_end(&one);
}

/* Changing a value of the call leaves others of the same document as they were. */
static void
test_shared_document(void)
{
	static const char text[] = "{\"x\":{\"p\":1},\"y\":[2]}";
	document *doc = json_read(NULL, text, strlen(text), 0, NULL);
	limen_value x = limen_value_get(document_root(doc), "x");
	limen_value y = limen_value_get(document_root(doc), "y");
	reply_case one;
	char *found;

	reply_case_start(&one, "{}");
	limen_reply_set_at(&one.reply, "/m", x);
	limen_reply_set_at(&one.reply, "/n", y);
	limen_reply_set_at(&one.reply, "/m/z", y);
	limen_reply_set_at(&one.reply, "/k", x);
	document_unref(doc);
	found = write_result(&one);
	CU_ASSERT_STRING_EQUAL(found, "{\"m\":{\"p\":1,\"z\":[2]},\"n\":[2],\"k\":{\"p\":1}}");
	free(found);
	reply_case_end(&one);
}

/* A document that is no object, and none at all. */
static void
test_no_object(void)
{
	reply_case one;

	reply_case_start(&one, "1");
	limen_reply_set_string_at(&one.reply, "/a", "", 0);
	CU_ASSERT_STRING_EQUAL(one.reply.mistake, "limen_reply_set_string_at: /a: the document is "
	                                          "a number, not an object");
	reply_case_end(&one);
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;
		char *found;

		reply_case_start(&one, TASK);
		fail_malloc_once(n);
		limen_reply_set_string_at(&one.reply, "/new/p/q", "x", 1);
		limen_reply_set_string_at(&one.reply, "/new/r", "y", 1);
		failed = fail_malloc_stop();
		found = write_result(&one);
		CU_ASSERT_PTR_NULL(one.reply.mistake);
		CU_ASSERT(failed ? one.reply.failed || strcmp(found, "failed") != 0
		                 : strcmp(found, NEW_BEFORE(",\"new\":{\"p\":{\"q\":\"x\"},"
		                                            "\"r\":\"y\"}")) == 0);
		free(found);
		reply_case_end(&one);
	}
}

/* The longest pointer makes its objects; one part more is a mistake. */
static void
test_depth(void)
{
	char pointer[2 * (READ_DEPTH_MAX + 1) + 1] = "";

	for (size_t i = 0; i <= READ_DEPTH_MAX; i++) {
		reply_case one;

		strcpy(pointer + 2 * i, "/a");
		if (i < READ_DEPTH_MAX - 1)
			continue;
		reply_case_start(&one, "{}");
		limen_reply_set_string_at(&one.reply, pointer, "", 0);
		CU_ASSERT_EQUAL(one.reply.mistake == NULL, i < READ_DEPTH_MAX);
		CU_ASSERT_FALSE(one.reply.failed);
		reply_case_end(&one);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "pointers, and what they lead to", test_cases },
		{ "strings", test_strings },
		{ "below a string that the call sets", test_below_string },
		{ "values of one document", test_shared_document },
		{ "the longest pointer", test_depth },
		{ "a document that is no object", test_no_object },
		{ "memory is short at any step", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/reply_set_at", tests);
}
