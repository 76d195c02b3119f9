/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_url_fetch_parts.c - the texts that the limit "url-fetch" makes, compared
 * with other ways of making them, their bounds, and memory that runs short.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/limit/url-fetch/url_fetch.h"
#include "../../../plugins/support/http/http.h"
#include "fail_malloc.h"
#include "suite.h"

/* RFC 3986 and the rule for forms, by the C library and printf(). */
static void
quote_slowly(char *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 128 && (isalnum(c) || strchr("-._~", c) != NULL))
			*out++ = (char)c;
		else if (c == ' ')
			*out++ = '+';
		else
			out += sprintf(out, "%%%02X", (unsigned)c);
	}
	*out = '\0';
}

static void
check_quoted(const char *text)
{
	char wanted[1024];
	buffer made = { .max = FIELDS_MAX };

	quote_slowly(wanted, text);
	fields_add_quoted(&made, text);
	CU_ASSERT_STRING_EQUAL(made.text == NULL ? "" : made.text, wanted);
	buffer_clear(&made);
}

static void
test_quoting(void)
{
	char text[300];

	for (int c = 1; c < 256; c++) {
		text[0] = (char)c;
		text[1] = '\0';
		check_quoted(text);
	}
	srand(1);
	for (int i = 0; i < 2000; i++) {
		int length = rand() % 299;

		for (int j = 0; j < length; j++)
			text[j] = (char)(1 + rand() % 255);
		text[length] = '\0';
		check_quoted(text);
	}
	check_quoted("");
}

static void
test_urls(void)
{
	static const char *const cases[][3] = {
		{ "http://a/", "", "http://a/" },
		{ "http://a/#f", "", "http://a/#f" },
		{ "http://a/", "b=1", "http://a/?b=1" },
		{ "http://a/?", "b=1", "http://a/?b=1" },
		{ "http://a/?c", "b=1", "http://a/?c&b=1" },
		{ "http://a/?c&", "b=1", "http://a/?c&b=1" },
		{ "http://a/#f?g", "b=1", "http://a/?b=1" },
		{ "http://a/?c#f", "b=1", "http://a/?c&b=1" },
		{ "", "b=1", "?b=1" }
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buffer query = { .max = FIELDS_MAX };
		buffer made = { .max = FIELDS_MAX };

		buffer_add(&query, cases[i][1], strlen(cases[i][1]));
		fields_extend_url(cases[i][0], &query, &made);
		CU_ASSERT_STRING_EQUAL(made.text, cases[i][2]);
		buffer_clear(&query);
		buffer_clear(&made);
	}
}

static void
test_bounds(void)
{
	char *half = malloc(FIELDS_MAX / 2);
	buffer made = { .max = FIELDS_MAX };

	CU_ASSERT_PTR_NOT_NULL_FATAL(half);
	memset(half, 'a', FIELDS_MAX / 2);
	buffer_add(&made, half, FIELDS_MAX / 2);
	buffer_add(&made, half, FIELDS_MAX / 2);
	CU_ASSERT(!buffer_failed(&made));
	CU_ASSERT_EQUAL(made.length, FIELDS_MAX);
	buffer_add(&made, half, 1);
	CU_ASSERT(made.too_long);
	CU_ASSERT_EQUAL(made.length, FIELDS_MAX);
	buffer_clear(&made);
	buffer_add(&made, half, FIELDS_MAX / 2 - 1);
	fields_add_quoted(&made, "\xff");
	buffer_add(&made, half, FIELDS_MAX / 2 - 2);
	CU_ASSERT(!buffer_failed(&made));
	fields_add_quoted(&made, "b ");
	CU_ASSERT(made.too_long);
	buffer_clear(&made);
	free(half);
}

/* An object of a name and a value of so many bytes. */
static jv
make_object(int length)
{
	char *text = malloc((size_t)length + 1);
	jv object;

	memset(text, 'v', (size_t)length);
	object = jv_object_set(jv_object(), jv_string("n"), jv_string_sized(text, length));
	free(text);
	return object;
}

static void
test_long_members(void)
{
	const char *why = "";
	header_lines headers;
	buffer query;

	/* "n: ", the value and its NUL; "n=" and the value. */
	CU_ASSERT_EQUAL(fields_make_headers(make_object(FIELDS_MAX - 4), &headers, &why), LIMEN_OK);
	CU_ASSERT_EQUAL(headers.count, 1);
	header_lines_clear(&headers);
	CU_ASSERT_EQUAL(fields_make_headers(make_object(FIELDS_MAX - 3), &headers, &why),
	                LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "The members together are too long");
	CU_ASSERT_EQUAL(fields_make_query(make_object(FIELDS_MAX - 2), &query, &why), LIMEN_OK);
	CU_ASSERT_EQUAL(query.length, FIELDS_MAX);
	buffer_clear(&query);
	CU_ASSERT_EQUAL(fields_make_query(make_object(FIELDS_MAX - 1), &query, &why), LIMEN_EINVAL);
}

static jv
make_some(void)
{
	jv object = jv_object();

	for (int i = 0; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof(name), "name-%d", i);
		object = jv_object_set(object, jv_string(name), jv_string("some value"));
	}
	return object;
}

/* Does one thing with all memory that is asked for, and says whether there was enough. */
static bool
make_headers(void)
{
	const char *why;
	header_lines made;
	bool good = fields_make_headers(make_some(), &made, &why) == LIMEN_OK;

	if (good) {
		CU_ASSERT_EQUAL(made.count, 40);
		CU_ASSERT_STRING_EQUAL(made.lines[39], "name-39: some value");
		header_lines_clear(&made);
	}
	return good;
}

static bool
make_query(void)
{
	const char *why;
	buffer made;
	bool good = fields_make_query(make_some(), &made, &why) == LIMEN_OK;

	if (good)
		buffer_clear(&made);
	return good;
}

static bool
fetch_file(void)
{
	const http_request request = {
		.url = "file:///etc/passwd", .allow_file = true, .deadline = INT64_MAX,
		.max_body = 1 << 20
	};
	http_client *client = http_client_new();
	http_answer answer;
	bool good = client != NULL && http_get(client, &request, &answer) == LIMEN_OK;

	if (good) {
		CU_ASSERT(!answer.transport_failed && answer.length > 0);
		http_answer_clear(&answer);
	}
	http_client_free(client);
	return good;
}

static bool
refuse_gopher(void)
{
	const http_request request = { .url = "gopher:", .deadline = INT64_MAX, .max_body = 1 };
	http_client *client = http_client_new();
	http_answer answer;
	bool good = client != NULL && http_get(client, &request, &answer) == LIMEN_OK;

	if (good)
		http_answer_clear(&answer);
	http_client_free(client);
	return good;
}

/* Refuses every allocation in turn: the work fails, in whole, and nothing leaks. */
static void
check_short(bool (*work)(void))
{
	unsigned long nth = 1;
	bool failed = true;
	bool good;

	while (failed && nth < 1000) {
		fail_malloc_once(nth);
		good = work();
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(good, !failed);
		nth++;
	}
	CU_ASSERT(nth > 2 && nth < 1000);
}

static void
test_memory(void)
{
	CU_ASSERT(fetch_file());
	check_short(make_headers);
	check_short(make_query);
	check_short(fetch_file);
	check_short(refuse_gopher);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "every byte is quoted as in a form", test_quoting },
		{ "a query is added where it belongs", test_urls },
		{ "texts have a longest length", test_bounds },
		{ "so have members", test_long_members },
		{ "memory that runs short", test_memory },
		{ NULL, NULL }
	};

	return suite_run("limit/url-fetch parts", tests);
}
