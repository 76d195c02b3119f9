/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_review_answer.c - warnings and audit annotations in the form in which an
 * API server passes them on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "webhook_case.h"

#define BODY                                                                              \
	"{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\","           \
	"\"request\":{\"uid\":\"u\",\"operation\":\"CREATE\",\"object\":{},"              \
	"\"resource\":{\"resource\":\"pods\"},\"kind\":{\"kind\":\"Pod\"}}}"

static webhook_answer
answer_under(const char *text)
{
	service *shared = webhook_service(text);
	webhook_answer answer = webhook_post(shared, MUTATE, BODY, strlen(BODY));

	webhook_service_free(shared);
	return answer;
}

/* The warning 'text', JSON without quotes, comes out as 'wanted'. */
static void
check_warning(const char *text, const char *wanted)
{
	char *policy = g_strdup_printf("{\"admission\": [{\"name\": \"c\", \"plugin\": \"chain\","
	                               " \"data\": {\"warning\": \"%s\"}}]}", text);
	webhook_answer answer = answer_under(policy);
	limen_value warnings = limen_value_get(answer.response, "warnings");
	const char *found = limen_value_string(limen_value_at(warnings, 0), NULL);

	CU_ASSERT_EQUAL(limen_value_count(warnings), 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_STRING_EQUAL(found, wanted);
	webhook_answer_free(&answer);
	g_free(policy);
}

static char *
repeat(const char *text, size_t times, const char *end)
{
	GString *made = g_string_new(NULL);

	while (times-- > 0)
		g_string_append(made, text);
	g_string_append(made, end);
	return g_string_free(made, FALSE);
}

static void
test_warning(void)
{
	/* An e with an accent is one character of two bytes. */
	char *fits = repeat("\303\251", 120, "");
	char *long_one = repeat("\303\251", 121, "");
	char *cut = repeat("\303\251", 117, "...");

	check_warning("plain", "plain");
	check_warning("a\\u0001b\\u007fc\\u0085d\\te", "a b c d e");
	check_warning("\\\"quoted\\\\\\\"", "\"quoted\\\"");
	check_warning(fits, fits);
	check_warning(long_one, cut);
	g_free(fits);
	g_free(long_one);
	g_free(cut);
}

/* kube-apiserver cuts and drops warnings once all of them are 4096 characters. */
static void
test_many_warnings(void)
{
	GString *policy = g_string_new("{\"admission\": [");
	size_t total = 0;
	limen_value warnings, one;
	webhook_answer answer;
	limen_iter iter;
	const char *last = NULL;

	for (int i = 0; i < 100; i++)
		g_string_append_printf(policy, "%s{\"name\": \"c%d\", \"plugin\": \"chain\", \"data\":"
		                       " {\"warning\": \"%0100d\"}}", i == 0 ? "" : ",", i, i);
	g_string_append(policy, "]}");
	answer = answer_under(policy->str);
	warnings = limen_value_get(answer.response, "warnings");
	iter = limen_iter_start(warnings);
	while (limen_iter_next(&iter, NULL, &one)) {
		last = limen_value_string(one, NULL);
		total += strlen(last);
	}
	CU_ASSERT_TRUE(total > 3900 && total <= 4096);
	CU_ASSERT_PTR_NOT_NULL_FATAL(last);
	CU_ASSERT_STRING_EQUAL(last, "there are 60 more warnings");
	CU_ASSERT_EQUAL(limen_value_count(warnings), 41);
	webhook_answer_free(&answer);
	g_string_free(policy, TRUE);
}

/* Entries that audit are keys, whatever they are called. */
static void
test_annotations(void)
{
	char *name = repeat("n", 70, "");
	char *cut = repeat("n", 63, "");
	char *numbered = repeat("n", 61, "-2");
	const struct {
		const char *name, *key;
	} rows[] = {
		{ "plain", "plain" },
		{ "a b", "a-b" },
		{ "a/b", "a-b-2" },
		{ "a-b-2", "a-b-2-2" },
		{ "-x.", "x" },
		{ "\303\244", "limen" },
		{ "/", "limen-2" },
		{ name, cut },
		{ NULL, numbered },
	};
	GString *policy = g_string_new("{\"admission\": [");
	limen_value annotations;
	webhook_answer answer;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_string_append_printf(policy, "%s{\"name\": \"%s%s\", \"plugin\": \"chain\","
		                       " \"enforce\": \"audit\", \"data\": {\"mutate\": \"error\","
		                       " \"reason\": \"r%zu\"}}", i == 0 ? "" : ",",
		                       rows[i].name == NULL ? name : rows[i].name,
		                       rows[i].name == NULL ? "2" : "", i);
	g_string_append(policy, "]}");
	answer = answer_under(policy->str);
	annotations = limen_value_get(answer.response, "auditAnnotations");
	CU_ASSERT_EQUAL(limen_value_count(annotations), G_N_ELEMENTS(rows));
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *wanted = g_strdup_printf("cannot tell: r%zu", i);

		CU_ASSERT_TRUE(limen_value_is(limen_value_get(annotations, rows[i].key), wanted));
		g_free(wanted);
	}
	webhook_answer_free(&answer);
	g_string_free(policy, TRUE);
	g_free(name);
	g_free(cut);
	g_free(numbered);
}

/* What the short answer to 'body' is, from the member "allowed" on, to g_free(). */
static char *
answer_shortly(service *shared, const char *path, const char *body)
{
	webhook_answer answer = webhook_post(shared, path, body, strlen(body));
	const char *start = strstr(answer.body->str, "\"allowed\"");
	char *rest = g_strdup(start == NULL ? answer.body->str : start);

	CU_ASSERT_EQUAL(answer.status, 200);
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(answer.response, "uid"), "u"));
	webhook_answer_free(&answer);
	return rest;
}

/* No warnings, no causes, no texts; what is for the log of the API server stays. */
static void
test_short(void)
{
	static const struct {
		const char *path;
		const char *data;
		const char *wanted;
	} rows[] = {
		{ MUTATE, "\"warning\": \"zz\"", "\"allowed\":true}}\n" },
		{ MUTATE, "\"set\": {\"/a\": 1}, \"warning\": \"zz\"",
		  "\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":"
		  "\"W3sib3AiOiJhZGQiLCJwYXRoIjoiL2EiLCJ2YWx1ZSI6MX1d\"}}\n" },
		{ VALIDATE, "\"validate\": \"fail\", \"show\": true, \"warning\": \"zz\", \"violations\":"
		  " [[\"forbidden\", \"zz.a\", \"zz 1\"], [\"forbidden\", null, \"zz 2\"]]",
		  "\"allowed\":false,\"status\":{\"status\":\"Failure\",\"code\":403,\"reason\":"
		  "\"Forbidden\",\"message\":\"refused by the policy\"}}}\n" },
		{ VALIDATE, "\"validate\": \"fail\", \"violations\": [[\"invalid\", \"zz\", \"zz\"]]",
		  "\"allowed\":false,\"status\":{\"status\":\"Failure\",\"code\":422,\"reason\":"
		  "\"Invalid\",\"message\":\"not valid\"}}}\n" },
		{ VALIDATE, "\"validate\": \"fail\", \"violations\": [[\"rate\", null, \"zz\"]],"
		  " \"retry-after\": \"PT2.5S\"",
		  "\"allowed\":false,\"status\":{\"status\":\"Failure\",\"code\":429,\"reason\":"
		  "\"TooManyRequests\",\"message\":\"too many requests, try again later\","
		  "\"details\":{\"retryAfterSeconds\":3}}}}\n" },
		{ MUTATE, "\"mutate\": \"error\", \"reason\": \"zz\"",
		  "\"allowed\":false,\"status\":{\"status\":\"Failure\",\"code\":500,\"reason\":"
		  "\"InternalError\",\"message\":\"cannot be decided now\"}}}\n" },
		{ MUTATE, "\"audit\": \"zz\"",
		  "\"allowed\":true,\"auditAnnotations\":{\"chain\":\"zz\"}}}\n" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *policy = g_strdup_printf("{\"admission\": [{\"name\": \"zz\", \"plugin\":"
		                               " \"chain\", \"retryAfter\": true, \"data\": {%s}}]}",
		                               rows[i].data);
		service *shared = webhook_service(policy);
		char *found;

		shared->decider.short_messages = true;
		found = answer_shortly(shared, rows[i].path, BODY);
		CU_ASSERT_STRING_EQUAL(found, rows[i].wanted);
		if (strcmp(found, rows[i].wanted) != 0)
			printf("# %s\n# %s\n", found, rows[i].wanted);
		webhook_service_free(shared);
		g_free(found);
		g_free(policy);
	}
}

#define MESSAGES_LOG 8

/* Refuses with so many messages, each twice, that g_str_hash() takes them for one. */
static void
test_many_messages(void)
{
	static const char validate[] = "{\"admission\": [{\"name\": \"c\", \"plugin\": \"chain\", "
	                               "\"data\": {\"validate\": \"fail\", \"violations\": [";
	static const char *const words[2] = { "aB", "b!" };
	GString *policy = g_string_new(validate);
	GString *expected = g_string_new("[");
	webhook_answer answer;
	service *shared;

	for (unsigned i = 0; i < 2U << MESSAGES_LOG; i++) {
		bool again = i >= 1U << MESSAGES_LOG;

		g_string_append_printf(policy, "%s[\"%s\", null, \"", i == 0 ? "" : ",",
		                       again ? "invalid" : "forbidden");
		for (unsigned bit = 0; bit < MESSAGES_LOG; bit++) {
			g_string_append(policy, words[i >> bit & 1]);
			g_string_append(expected, again ? "" : words[i >> bit & 1]);
		}
		g_string_append(policy, "\"]");
		g_string_append(expected, again ? "" : ", ");
	}
	g_string_append(policy, "]}}]}");
	g_string_overwrite(expected, expected->len - 2, "]");
	g_string_truncate(expected, expected->len - 1);
	shared = webhook_service(policy->str);
	answer = webhook_post(shared, VALIDATE, BODY, strlen(BODY));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_value_get(answer.response, "status"),
	                                              "message"), expected->str));
	webhook_answer_free(&answer);
	webhook_service_free(shared);
	g_string_free(expected, TRUE);
	g_string_free(policy, TRUE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a warning is one short line", test_warning },
		{ "all warnings together are bounded", test_many_warnings },
		{ "keys of annotations are names, and distinct", test_annotations },
		{ "many messages are told once each", test_many_messages },
		{ "or none at all", test_short },
		{ NULL, NULL },
	};

	return suite_run("daemon/review_answer", tests);
}
