/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <jansson.h>
#include <limen/diag.h>
#include <stdio.h>

#include "documents.h"
#include "json_cases.h"
#include "base/strbuf.h"
#include "reader/reader.h"

/* Reads 'text'; returns whether it was accepted with 'error' NULL, or refused in those words. */
static bool
gives(const char *text, size_t length, unsigned flags, const char *error)
{
	limen_diag *diag = limen_diag_new();
	document *doc = json_read("file", text, length, flags, diag);
	const limen_problem *problem = limen_diag_get(diag, 0);
	bool right;

	if (error == NULL)
		right = doc != NULL && problem == NULL;
	else
		right = doc == NULL && limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 1 &&
		        strncmp(problem->text, "Invalid JSON: ", 14) == 0 &&
		        strcmp(problem->text + 14, error) == 0 &&
		        strcmp(problem->file, "file") == 0;
	if (!right)
		printf("# %.60s: %s\n", text, problem == NULL ? "accepted" : problem->text);
	document_unref(doc);
	limen_diag_free(diag);
	return right;
}

static void
test_like_python(void)
{
	for (size_t i = 0; i < sizeof(json_cases) / sizeof(json_cases[0]); i++)
		CU_ASSERT_TRUE(gives(json_cases[i].text, json_cases[i].length, READ_NAN,
		                     json_cases[i].error));
}

#define TEXT(literal) literal, sizeof(literal) - 1

static void
test_unlike_python(void)
{
	static const struct json_case cases[] = {
		{ TEXT("\"\\ud800\""),
		  "Lone surrogate in \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("\"\\udc00\""),
		  "Lone surrogate in \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("[\n\"\xC3\xA9\\udbff\\ue000\"]"),
		  "Lone surrogate in \\uXXXX escape: line 2 column 4 (char 5)" },
		{ TEXT("\"\\ud800\\n\""),
		  "Lone surrogate in \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("\"\\ud800\\"),
		  "Lone surrogate in \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("\"\\ud800"), "Invalid \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("\"\\ud800x"),
		  "Lone surrogate in \\uXXXX escape: line 1 column 3 (char 2)" },
		{ TEXT("\"\xFF\""), "Invalid UTF-8: line 1 column 2 (char 1)" },
		{ TEXT("\"\xC3"), "Invalid UTF-8: line 1 column 2 (char 1)" },
		{ TEXT("[\n\"\xC3\xA9\xED\xA0\x80\"]"), "Invalid UTF-8: line 2 column 3 (char 4)" },
		{ TEXT("x \xC0\x80"), "Invalid UTF-8: line 1 column 3 (char 2)" },
		{ TEXT("\"\xF4\x90\x80\x80\""), "Invalid UTF-8: line 1 column 2 (char 1)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_TRUE(gives(cases[i].text, cases[i].length, READ_NAN, cases[i].error));
}

static void
test_nan(void)
{
	CU_ASSERT_TRUE(gives(TEXT("[NaN,-Infinity,Infinity]"), READ_NAN, NULL));
	CU_ASSERT_TRUE(gives(TEXT("NaN"), 0, "Expecting value: line 1 column 1 (char 0)"));
	CU_ASSERT_TRUE(gives(TEXT("[Infinity]"), 0, "Expecting value: line 1 column 2 (char 1)"));
	CU_ASSERT_TRUE(gives(TEXT("[-Infinity]"), 0, "Expecting value: line 1 column 2 (char 1)"));
}

static void
test_values(void)
{
	static const struct {
		const char *text, *printed;
	} cases[] = {
		{ " [ 1 , -0 , 1.50 , 1E+5 ] ", "[1,-0,1.50,1E+5]" },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
		{ "\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\\u0000\\u001f\"",
		  "\"A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\\u0000\\u001f\"" },
		{ "{\"a\\n\":{},\"\":[null,true,false]}", "{\"a\\n\":{},\"\":[null,true,false]}" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", "{\"b\":2,\"a\":3}" },
		{ "\"plain\\ttail\"", "\"plain\\ttail\"" },
		{ "[\"\\n\",\"x\"]", "[\"\\n\",\"x\"]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *doc = read_literal(cases[i].text);

		CU_ASSERT_TRUE(prints_as(document_root(doc), cases[i].printed));
		document_unref(doc);
	}
}

static void
test_comments(void)
{
	static const char text[] = "{\"#\":1,\"a\":{\"#b\":[],\"c\":[{\"#\":{\"x\":1}}]},\"#\":2}";
	limen_diag *diag = limen_diag_new();
	document *doc;

	doc = json_read(NULL, TEXT(text), READ_COMMENTS | READ_NOTE_DUPLICATES, diag);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_TRUE(prints_as(document_root(doc), "{\"a\":{\"c\":[{}]}}"));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 0);
	document_unref(doc);
	doc = json_read(NULL, TEXT(text), 0, diag);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_EQUAL(limen_value_count(document_root(doc)), 2);
	document_unref(doc);
	limen_diag_free(diag);
}

static void
test_duplicate_notes(void)
{
	limen_diag *diag = limen_diag_new();
	document *doc = json_read("f", TEXT("{\"a\":1,\n\"a\":2}"), READ_NOTE_DUPLICATES, diag);

	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 1);
	CU_ASSERT_EQUAL(limen_diag_get(diag, 0)->severity, LIMEN_SEVERITY_NOTE);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer, "/a");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->file, "f");
	document_unref(doc);
	limen_diag_free(diag);
}

/* Fills 'size' bytes with 'c' and reads them. */
static bool
filled_gives(size_t size, char c, const char *error)
{
	char *text = malloc(size + 1);
	bool right;

	if (text == NULL)
		return false;
	memset(text, c, size);
	text[size] = '\0';
	right = gives(text, size, 0, error);
	free(text);
	return right;
}

static void
test_bounds(void)
{
	char *text = calloc(1, 2 * READ_DEPTH_MAX + 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, '[', READ_DEPTH_MAX);
	memset(text + READ_DEPTH_MAX, ']', READ_DEPTH_MAX);
	CU_ASSERT_TRUE(gives(text, 2 * READ_DEPTH_MAX, 0, NULL));
	free(text);
	CU_ASSERT_TRUE(filled_gives(READ_DEPTH_MAX + 1, '[',
	                            "Nested more than 1000 levels deep: "
	                            "line 1 column 1001 (char 1000)"));
	CU_ASSERT_TRUE(filled_gives(READ_SIZE_MAX, '[',
	                            "Nested more than 1000 levels deep: "
	                            "line 1 column 1001 (char 1000)"));
	CU_ASSERT_TRUE(filled_gives(READ_SIZE_MAX, ' ',
	                            "Expecting value: line 1 column 67108865 (char 67108864)"));
	CU_ASSERT_TRUE(filled_gives(READ_SIZE_MAX + 1, ' ',
	                            "Text is longer than 64 MiB: line 1 column 1 (char 0)"));
}

/*
 * An independent parser agrees on what is JSON, and on what it says.  It
 * refuses numbers beyond the range of a double or of 64 bits, and keys with a
 * NUL; those are skipped.
 */
static bool
agrees_with_jansson(const char *text, size_t length)
{
	json_error_t error;
	json_t *theirs = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	document *ours = json_read(NULL, text, length, 0, NULL);
	char *printed = limen_value_to_json(document_root(ours), 0, NULL);
	json_t *again = NULL;
	bool agreed = (theirs == NULL) == (ours == NULL);

	if (theirs == NULL && (json_error_code(&error) == json_error_numeric_overflow ||
	                       json_error_code(&error) == json_error_null_byte_in_key))
		agreed = true;
	if (theirs != NULL && printed != NULL) {
		again = json_loads(printed, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		agreed = json_equal(theirs, again) == 1;
	}
	free(printed);
	json_decref(again);
	json_decref(theirs);
	document_unref(ours);
	return agreed;
}

static void
test_mutations(void)
{
	static const char alphabet[] = "{}[]:,\"\\ \n0123456789.eE+-untrfalsx\xC3\xA9\x01#/";
	uint64_t state = 0x9E3779B97F4A7C15;

	for (int i = 0; i < 3000; i++) {
		document *doc = make_random(&state);
		size_t length = 0;
		char *text = limen_value_to_json(document_root(doc), draw(&state, 4), &length);

		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		if (!agrees_with_jansson(text, length))
			CU_FAIL(text);
		for (uint32_t changes = 1 + draw(&state, 3); changes > 0; changes--)
			text[draw(&state, (uint32_t)length)] =
			        alphabet[draw(&state, sizeof(alphabet) - 1)];
		if (!agrees_with_jansson(text, length)) {
			printf("# %s\n", text);
			CU_FAIL("a mutated text");
		}
		free(text);
		document_unref(doc);
	}
}

/* Adds an object whose keys are few and much alike, some of them with an escape. */
static void
add_object(strbuf *out, uint64_t *state, int depth)
{
	static const char *const keys[] = { "axz", "byz", "\\u0061xz", "b\\u0079z", "z", "\\u007a",
		"", "f:cpu", "f:mpu", "\\ncpu", "a\\\"z", "a\\\\z", "c%u", "long%u" };
	static const uint32_t most[] = { 4, 12, 18, 300 };
	uint32_t count = draw(state, most[draw(state, depth > 2 ? 2 : 4)]);

	strbuf_addc(out, '{');
	for (uint32_t i = 0; i < count; i++) {
		const char *key = keys[draw(state, sizeof(keys) / sizeof(keys[0]))];

		strbuf_adds(out, i > 0 ? ",\"" : "\"");
		if (strchr(key, '%') == NULL)
			strbuf_adds(out, key);
		else
			strbuf_addf(out, "%s%u", key[0] == 'c' ? "c" : "long", draw(state, 400));
		strbuf_adds(out, "\":");
		if (depth < 6 && draw(state, 12) == 0)
			add_object(out, state, depth + 1);
		else
			strbuf_addf(out, "%u", i);
	}
	strbuf_addc(out, '}');
}

/* Of the members with one key the last counts, in objects of every size and depth. */
static void
test_repeated_keys(void)
{
	uint64_t state = 0x2545F4914F6CDD1D;

	for (int i = 0; i < 2000; i++) {
		strbuf text = STRBUF_INIT;

		add_object(&text, &state, 0);
		if (!agrees_with_jansson(text.text, text.length)) {
			printf("# %s\n", text.text);
			CU_FAIL("an object with repeated keys");
		}
		strbuf_free(&text);
	}
}

/* Returns a text of the tree of sources, with a NUL behind it. */
static char *
load_text(const char *path, size_t *length)
{
	const char *top = getenv("LIMEN_SRCDIR");
	char *text = calloc(1, 16384);
	char name[4096];
	FILE *stream;

	snprintf(name, sizeof(name), "%s/%s", top == NULL ? "." : top, path);
	stream = fopen(name, "r");
	CU_ASSERT_FATAL(stream != NULL && text != NULL);
	*length = fread(text, 1, 16383, stream);
	fclose(stream);
	return text;
}

/* Changes bytes, cuts pieces out, or puts them in a second time elsewhere. */
static size_t
damage(char *text, size_t length, uint64_t *state)
{
	static const char alphabet[] = "{}[]:,\"\"\"\\\\ \n0123456789.eE+-untrfals\xC3\xA9\xF0\x01";
	size_t at = draw(state, (uint32_t)length);
	size_t size = draw(state, 90);
	size_t to = draw(state, (uint32_t)length);

	if (at + size > length)
		size = length - at;
	switch (draw(state, 5)) {
	case 0:
		memmove(text + at, text + at + size, length - at - size);
		return length - size;
	case 1:
		memmove(text + to + size, text + to, length - to);
		memmove(text + to, text + (at >= to ? at + size : at), size);
		return length + size;
	case 2:
		return at;
	default:
		text[at] = alphabet[draw(state, sizeof(alphabet) - 1)];
		return length;
	}
}

/* Each text in memory of its own, so that sanitizers see a byte too many. */
static void
test_damaged_review(void)
{
	uint64_t state = 0xD1B54A32D192ED03;
	size_t whole;
	char *review = load_text("tests/bench/reviews/pod-large.json", &whole);

	for (int i = 0; i < 2500; i++) {
		char *text = malloc(whole + 400);
		size_t length = whole;
		char *exact;

		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		memcpy(text, review, whole);
		for (uint32_t changes = draw(&state, 4); changes > 0 && length > 0; changes--)
			length = damage(text, length, &state);
		exact = malloc(length + 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
		memcpy(exact + 1, text, length);
		if (!agrees_with_jansson(exact + 1, length)) {
			printf("# %.*s\n", (int)length, exact + 1);
			CU_FAIL("a damaged review");
		}
		free(exact);
		free(text);
	}
	free(review);
}

/* Lines and columns count what was written, not what strings became. */
static void
test_places(void)
{
	static const char text[] = "[\"a\\nb\",\n \"\xC3\xA9\\u000a\\\"\", 12,\"\\ud83d\\ude00\",\n\n\"\", x]";
	document *doc;

	CU_ASSERT_TRUE(gives(TEXT(text), 0, "Expecting value: line 4 column 5 (char 47)"));
	doc = json_read("file", text, sizeof(text) - 5, 0, NULL);
	CU_ASSERT_PTR_NULL(doc);
	doc = read_literal("[\"a\\nb\",\n \"\xC3\xA9\\u000a\\\"\", 12,\"\\ud83d\\ude00\",\n\n\"\", 1]");
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/1")).line, 2);
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/2")).column, 15);
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/3")).column, 18);
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/5")).line, 4);
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/5")).column, 5);
	document_unref(doc);
}

/* A number is read where it stands: what follows must not become part of it. */
static void
test_number_ends(void)
{
	static const char *const texts[] = { "[1.5e3,2]", "[1.5e3]", "{\"a\":1.5e3}", "[1.5e3 ,0]",
		"[1.5e3\n]", "1.5e3" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		document *doc = read_literal(texts[i]);
		limen_iter iter = limen_iter_start(document_root(doc));
		limen_value value = document_root(doc);
		int64_t whole = 0;
		double real = 0;

		limen_iter_next(&iter, NULL, &value);
		CU_ASSERT_TRUE(limen_value_real(value, &real) && real == 1500);
		CU_ASSERT_TRUE(limen_value_int(value, &whole) && whole == 1500);
		document_unref(doc);
	}
}

/* No prefix of a text makes the reader look beyond its end (seen by sanitizers). */
static void
test_prefixes(void)
{
	static const char text[] = "{\"a\\u00e9\\ud83d\\ude00\":[1.5e+10,-0,true,false,null,"
	                           "{\"\":\"\\n\"}],\"b\":-1E5}";

	for (size_t length = 0; length < sizeof(text); length++) {
		char *copy = malloc(length + 1);
		document *doc;

		CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
		memcpy(copy + 1, text, length);
		doc = json_read(NULL, copy + 1, length, READ_NAN, NULL);
		CU_ASSERT_EQUAL(doc != NULL, length == sizeof(text) - 1);
		document_unref(doc);
		free(copy);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "accepts and refuses in Python's words", test_like_python },
		{ "refuses what has no UTF-8 form", test_unlike_python },
		{ "NaN and the infinities only on demand", test_nan },
		{ "values are kept as written", test_values },
		{ "comments are dropped at every depth, on demand", test_comments },
		{ "repeated keys are noted on demand", test_duplicate_notes },
		{ "depth and size are bounded", test_bounds },
		{ "agrees with jansson on mutated texts", test_mutations },
		{ "the last of repeated keys counts", test_repeated_keys },
		{ "agrees with jansson on damaged reviews", test_damaged_review },
		{ "places are those of the text as written", test_places },
		{ "numbers end where they end", test_number_ends },
		{ "never reads past the end", test_prefixes },
		{ NULL, NULL },
	};

	return suite_run("core/json_read", tests);
}
