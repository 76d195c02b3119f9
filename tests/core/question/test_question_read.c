/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_question_read.c - questions in JSON: what they may say, who may say it, and answers in one
 * call.
 */
#include <limen/documents.h>
#include <limen/question.h>
#include <stdlib.h>
#include <string.h>

#include "base/recycle.h"
#include "fail_malloc.h"
#include "suite.h"

#define POD "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}"
#define REVIEW(version)                                                                     \
	"{\"apiVersion\":\"" version "\",\"kind\":\"AdmissionReview\",\"request\":{"        \
	"\"uid\":\"u\\u0007\",\"operation\":\"CREATE\",\"userInfo\":{\"username\":\"ann\"},"  \
	"\"object\":{}}}"

/* Reads 'text'; the first problem, or "", goes to 'problem'. */
static int
read_text(const char *text, const limen_question_options *how, limen_decide_options *options,
          limen_request **out, char problem[256])
{
	limen_diag *diag = limen_diag_new();
	limen_documents *parsed = NULL;
	const limen_problem *first;
	int result;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("q.json", text, strlen(text), 0, &parsed, diag),
	                      LIMEN_OK);
	*out = NULL;
	result = limen_question_read(limen_documents_get(parsed, 0), how, options, out, diag);
	CU_ASSERT_EQUAL(result == LIMEN_OK, *out != NULL);
	first = limen_diag_get(diag, 0);
	strncpy(problem, first == NULL ? "" : first->text, 255);
	problem[255] = '\0';
	limen_diag_free(diag);
	limen_documents_free(parsed);
	return result;
}

#define HTTP(more) "{\"method\":\"GET\",\"path\":\"/\"" more "}"

static void
test_words(void)
{
	static const struct {
		const char *text;
		bool trusted;
		int result;
		const char *problem;
	} rows[] = {
		{ "{\"task\":{}}", false, LIMEN_OK, "" },
		{ "{\"object\":{},\"#\":1}", false, LIMEN_OK, "" },
		{ "{\"task\":{},\"hints\":null,\"user\":null,\"object\":null}", false, LIMEN_OK, "" },
		{ "[]", true, LIMEN_EINVAL,
		  "a question must be an object with 'task', 'object' or 'http'" },
		{ "{}", true, LIMEN_EINVAL, "there must be 'task', 'object' or 'http'" },
		{ "{\"task\":{},\"request\":{}}", true, LIMEN_EINVAL,
		  "there must be 'task', 'object' or 'http', not several of them" },
		{ "{\"tusk\":{}}", true, LIMEN_EINVAL,
		  "unknown member 'tusk'; did you mean 'task'?" },
		{ "{\"task\":{},\"t\\u0000\\\"\":1,\"ta\":2}", true, LIMEN_EINVAL,
		  "unknown member 't\\u0000\\\"'" },
		{ "{\"task\":{},\"pool\":1}", true, LIMEN_EINVAL,
		  "unknown member 'pool'; did you mean 'poll'?" },
		{ "{\"task\":{},\"poll\":1}", true, LIMEN_OK, "" },
		{ "{\"metadata\":{}}", true, LIMEN_EINVAL,
		  "unknown member 'metadata'; the manifest is the value of 'object'" },
		{ "{\"task\":{},\"hints\":{}}", false, LIMEN_EACCES,
		  "'hints' counts only from trusted clients" },
		{ "{\"task\":{},\"hints\":{}}", true, LIMEN_OK, "" },
		{ "{\"task\":{},\"hints\":{},\"hints\":{}}", true, LIMEN_EINVAL,
		  "member 'hints' is repeated; the first is at line 1 column 12" },
		{ "{\"task\":{},\"hints\":null,\n \"task\":{},\"hints\":{}}", true, LIMEN_EINVAL,
		  "member 'task' is repeated; the first is at line 1 column 2" },
		{ "{\"task\":{},\n \"hints\":{\"a\":1,\"b\":1,\"a\":1}}", true, LIMEN_EINVAL,
		  "member 'a' is repeated; the first is at line 2 column 11" },
		{ "{\"task\":{\"a\":1,\"a\":2},\"#\":1,\"#\":2}", false, LIMEN_OK, "" },
		{ "{\"object\":{\"a\":1,\"a\":2}}", false, LIMEN_OK, "" },
		{ "{\"task\":{},\"hints\":[]}", true, LIMEN_EINVAL, "'hints' must be an object" },
		{ "{\"task\":{\"run_schedule\":null}}", false, LIMEN_EACCES,
		  "'run_schedule' counts only from trusted clients" },
		{ "{\"request\":{\"run_schedule\":{}}}", false, LIMEN_EACCES,
		  "'run_schedule' counts only from trusted clients" },
		{ "{\"task\":{\"run_schedule\":1}}", true, LIMEN_OK, "" },
		{ "{\"task\":{},\"rewrite\":false}", false, LIMEN_EACCES,
		  "'rewrite' counts only from trusted clients" },
		{ "{\"task\":{},\"run\":true}", false, LIMEN_EACCES,
		  "'run' counts only from trusted clients" },
		{ "{\"task\":{},\"rewrite\":null,\"run\":null}", false, LIMEN_OK, "" },
		{ "{\"task\":{\"#run_schedule\":1,\"test\":{\"run_schedule\":1}}}", false, LIMEN_OK, "" },
		{ "{\"task\":[]}", true, LIMEN_EINVAL, "'task' must be an object" },
		{ "{\"object\":{},\"user\":\"a\"}", false, LIMEN_EACCES,
		  "'user' counts only from trusted clients" },
		{ "{\"object\":{},\"user\":\"a\\u0000\"}", true, LIMEN_EINVAL,
		  "'user' must be a string without a NUL" },
		{ "{\"object\":{},\"groups\":[null]}", true, LIMEN_EINVAL,
		  "'groups' must be an array of strings" },
		{ "{\"object\":{},\"operation\":\"PATCH\"}", true, LIMEN_EINVAL,
		  "'operation' must be CREATE, UPDATE, DELETE or CONNECT" },
		{ "{\"object\":{},\"run\":true}", true, LIMEN_EINVAL, "'run' is for tasks" },
		{ "{\"task\":{},\"oldObject\":{}}", true, LIMEN_EINVAL, "'oldObject' is for objects" },
		{ "{\"http\":" HTTP("") "}", false, LIMEN_OK, "" },
		{ "{\"http\":" HTTP(",\"client\":\"::1\"") "}", true, LIMEN_OK, "" },
		{ "{\"http\":" HTTP(",\"client\":\"::1\"") "}", false, LIMEN_EACCES,
		  "'client' counts only from trusted clients" },
		{ "{\"http\":" HTTP(",\"client\":\"a\"") "}", true, LIMEN_EINVAL,
		  "'client' must be an address, not 'a'" },
		{ "{\"http\":" HTTP(",\"client\":\"::1\",\"client\":null") "}", true, LIMEN_EINVAL,
		  "member 'client' is repeated; the first is at line 1 column 36" },
		{ "{\"http\":" HTTP(",\"haeders\":{}") "}", true, LIMEN_EINVAL,
		  "unknown member 'haeders' of 'http'; did you mean 'headers'?" },
		{ "{\"http\":" HTTP(",\"headers\":{\"x\":[\"a\",\"b\"]}") "}", true, LIMEN_OK, "" },
		{ "{\"http\":" HTTP(",\"headers\":{\"x\":[1]}") "}", true, LIMEN_EINVAL,
		  "header 'x' must be a string or an array of strings" },
		{ "{\"http\":" HTTP(",\"headers\":{\"X-User\":\"a\"}") "}", true, LIMEN_EINVAL,
		  "header 'X-User' must be in lower case" },
		{ "{\"http\":" HTTP(",\"headers\":{\"x\":\"\",\"x\":\"\"}") "}", true, LIMEN_EINVAL,
		  "member 'x' is repeated; the first is at line 1 column 47" },
		{ "{\"http\":" HTTP(",\"host\":\"a\\u0000\"") "}", true, LIMEN_EINVAL,
		  "'host' must be a string without a NUL" },
		{ "{\"http\":{\"method\":\"GET\",\"path\":\"a\"}}", true, LIMEN_EINVAL,
		  "'path' must begin with '/'" },
		{ "{\"http\":{\"method\":\"GET\",\"path\":\"/a?b\"}}", true, LIMEN_EINVAL,
		  "'path' must end before the '?': the rest is 'query'" },
		{ "{\"http\":{\"method\":\"GET\"}}", true, LIMEN_EINVAL,
		  "'path' must begin with '/'" },
		{ "{\"http\":{\"path\":\"/\"}}", true, LIMEN_EINVAL,
		  "'method' must be a string without a NUL" },
		{ "{\"http\":[]}", true, LIMEN_EINVAL, "'http' must be an object" },
		{ "{\"http\":" HTTP("") ",\"operation\":\"CREATE\"}", true, LIMEN_EINVAL,
		  "'operation' is for objects" },
		{ "{\"http\":" HTTP("") ",\"task\":{}}", true, LIMEN_EINVAL,
		  "there must be 'task', 'object' or 'http', not several of them" },
		{ "{\"request\":{},\"subject\":\"pod\"}", true, LIMEN_EINVAL,
		  "'subject' must be \"task\" or \"object\"" },
		{ "{\"object\":" REVIEW("x") "}", true, LIMEN_OK, "" },
		{ "{\"object\":" REVIEW("x") "}", false, LIMEN_EACCES,
		  "an AdmissionReview counts only from trusted clients" },
		{ "{\"object\":" REVIEW("x") ",\"namespace\":\"n\"}", true, LIMEN_EINVAL,
		  "'namespace' is not for an AdmissionReview, which says so itself" },
		/* Left out, and told. */
		{ "{\"object\":{\"metadata\":{\"name\":1}}}", true, LIMEN_OK,
		  "metadata.name: must be a string" },
	};
	static const char *const more[] = { "poll", NULL };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const limen_question_options how = { .size = sizeof(how),
			                             .trusted = rows[i].trusted,
			                             .more_members = more };
		limen_decide_options options = { .size = sizeof(options) };
		limen_request *req;
		char problem[256];

		CU_ASSERT_EQUAL(read_text(rows[i].text, &how, &options, &req, problem),
		                rows[i].result);
		CU_ASSERT_STRING_EQUAL(problem, rows[i].problem);
		limen_request_free(req);
	}
}

/* Hints of the connection, of the object and of the question, in this order. */
static void
test_hints(void)
{
	static const struct {
		const char *text;
		const char *hints;
	} rows[] = {
		{ "{\"task\":{}}", "{\"requester\":\"192.0.2.1\",\"server\":\"192.0.2.2\"}" },
		{ "{\"task\":{},\"hints\":{\"server\":1,\"a\":[]}}",
		  "{\"a\":[],\"requester\":\"192.0.2.1\",\"server\":1}" },
		{ "{\"object\":" POD "}",
		  "{\"namespace\":\"shop\",\"operation\":\"CREATE\",\"requester\":\"192.0.2.1\","
		  "\"resource\":\"pods\",\"server\":\"192.0.2.2\"}" },
		{ "{\"oldObject\":" POD ",\"operation\":\"DELETE\",\"user\":\"ann\",\"groups\":[\"g\"],"
		  "\"hints\":{\"user\":\"bob\",\"resource\":\"x\"},\"namespace\":\"n\"}",
		  "{\"groups\":[\"g\"],\"namespace\":\"n\",\"operation\":\"DELETE\","
		  "\"requester\":\"192.0.2.1\",\"resource\":\"x\",\"server\":\"192.0.2.2\","
		  "\"user\":\"bob\"}" },
		{ "{\"http\":" HTTP("") "}",
		  "{\"requester\":\"192.0.2.1\",\"server\":\"192.0.2.2\"}" },
		{ "{\"http\":" HTTP(",\"client\":\"192.0.2.3\"") ",\"hints\":{\"user\":\"ann\"}}",
		  "{\"requester\":\"192.0.2.3\",\"server\":\"192.0.2.2\",\"user\":\"ann\"}" },
		{ "{\"object\":" REVIEW("x") ",\"hints\":{\"user\":\"bob\"}}",
		  "{\"operation\":\"CREATE\",\"requester\":\"192.0.2.1\",\"server\":\"192.0.2.2\","
		  "\"user\":\"bob\"}" },
	};
	const limen_question_options how = { .size = sizeof(how), .trusted = true,
		                             .requester = "192.0.2.1", .server = "192.0.2.2",
		                             .default_namespace = "shop" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_decide_options options = { .size = sizeof(options) };
		limen_request *req;
		char problem[256];
		char *hints;

		CU_ASSERT_EQUAL_FATAL(read_text(rows[i].text, &how, &options, &req, problem),
		                      LIMEN_OK);
		hints = limen_value_to_json(limen_request_hints(req), LIMEN_JSON_SORTED, NULL);
		CU_ASSERT_STRING_EQUAL(hints, rows[i].hints);
		CU_ASSERT_PTR_NULL(limen_request_review_version(req));
		free(hints);
		limen_request_free(req);
	}
}

/* Parts make the document that the same request has in a question. */
static void
test_parts(void)
{
	static const struct {
		limen_http_parts parts;
		const char *document; /* NULL: they are refused */
	} rows[] = {
		{ { .method = "GET", .uri = "/a" }, "{\"method\":\"GET\",\"path\":\"/a\"}" },
		{ { .method = "OPTIONS", .uri = "*", .scheme = "http", .host = "h", .client = "::1" },
		  "{\"method\":\"OPTIONS\",\"scheme\":\"http\",\"host\":\"h\",\"path\":\"*\","
		  "\"client\":\"::1\"}" },
		{ { .method = "GET", .uri = "/a//b/../%63?x?%63" },
		  "{\"method\":\"GET\",\"path\":\"/a/c\",\"query\":\"x?%63\"}" },
		{ { .method = "GET", .uri = "/?" },
		  "{\"method\":\"GET\",\"path\":\"/\",\"query\":\"\"}" },
		{ { .method = "GET", .uri = "/\xc3\xa4?\xff\xc3\xa4", .host = "\x80" },
		  "{\"method\":\"GET\",\"host\":\"%80\",\"path\":\"/\xc3\xa4\","
		  "\"query\":\"%FF%C3%A4\"}" },
		{ { .method = "GET", .uri = "/a/%2f" }, "{\"method\":\"GET\",\"path\":\"/a/%2f\"}" },
		{ { .method = "GET", .uri = "/\xff" }, "{\"method\":\"GET\",\"path\":\"/%FF\"}" },
		{ { .method = "", .uri = "/" }, NULL },
		{ { .uri = "/" }, NULL },
		{ { .method = "GET", .uri = "a" }, NULL },
		{ { .method = "GET" }, NULL },
	};
	const limen_question_options how = { .size = sizeof(how), .requester = "192.0.2.1" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_request *req = limen_request_new(LIMEN_SUBJECT_HTTP);
		limen_http_parts parts = rows[i].parts;
		const char *requester = parts.client == NULL ? "192.0.2.1" : parts.client;
		char *found;

		CU_ASSERT_EQUAL(limen_http_fill_parts(req, &parts, &how), LIMEN_EINVAL);
		parts.size = sizeof(parts);
		CU_ASSERT_EQUAL(limen_http_fill_parts(req, &parts, &how),
		                rows[i].document == NULL ? LIMEN_EINVAL : LIMEN_OK);
		found = limen_value_to_json(limen_request_document(req), 0, NULL);
		if (rows[i].document != NULL) {
			CU_ASSERT_STRING_EQUAL(found, rows[i].document);
			CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_request_hints(req),
			                                              "requester"), requester));
		}
		free(found);
		limen_request_free(req);
	}
}

/* Another spelling of the path changes neither the order of the members nor those that are null. */
static void
test_respelled(void)
{
	static const char text[] = "{\"query\":null,\"path\":\"/a/../%62\",\"headers\":{\"a\":[]},"
				   "\"host\":\"h\",\"method\":\"GET\",\"scheme\":null}";
	limen_request *req = NULL;
	limen_documents *parsed = NULL;
	char *found;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("h.json", text, strlen(text), 0, &parsed, NULL),
	                      LIMEN_OK);
	CU_ASSERT_EQUAL(limen_http_read(limen_documents_get(parsed, 0), NULL, &req, NULL), LIMEN_OK);
	limen_documents_free(parsed);
	found = limen_value_to_json(limen_request_document(req), 0, NULL);
	CU_ASSERT_STRING_EQUAL(found, "{\"query\":null,\"path\":\"/b\",\"headers\":{\"a\":[]},"
	                              "\"host\":\"h\",\"method\":\"GET\",\"scheme\":null}");
	free(found);
	limen_request_free(req);
}

/* A program built with a header that has fewer members. */
static void
test_short_parts(void)
{
	limen_http_parts parts = { .size = offsetof(limen_http_parts, client), .method = "GET",
		                   .uri = "/", .client = "192.0.2.7" };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_HTTP);
	char *found;

	CU_ASSERT_EQUAL(limen_http_fill_parts(req, &parts, NULL), LIMEN_OK);
	found = limen_value_to_json(limen_request_document(req), 0, NULL);
	CU_ASSERT_STRING_EQUAL(found, "{\"method\":\"GET\",\"path\":\"/\"}");
	free(found);
	limen_request_free(req);
}

static void
test_parts_with_headers(void)
{
	static const char text[] = "{\"x-user\":[\"ann\",\"bob\"],\"accept\":\"*\"}";
	limen_http_parts parts = { .size = sizeof(parts), .method = "GET", .uri = "/a/../b" };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_HTTP);
	limen_documents *parsed = NULL;
	char *found;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("h.json", text, strlen(text), 0, &parsed, NULL),
	                      LIMEN_OK);
	parts.headers = limen_documents_get(parsed, 0);
	CU_ASSERT_EQUAL(limen_http_fill_parts(req, &parts, NULL), LIMEN_OK);
	limen_documents_free(parsed);
	found = limen_value_to_json(limen_request_document(req), 0, NULL);
	CU_ASSERT_STRING_EQUAL(found, "{\"method\":\"GET\",\"path\":\"/b\",\"headers\":"
	                              "{\"x-user\":[\"ann\",\"bob\"],\"accept\":\"*\"}}");
	free(found);
	limen_request_free(req);
}

/* What the question says replaces what the caller set, and nothing else does. */
static void
test_options(void)
{
	limen_question_options how = { .size = sizeof(how), .trusted = true, .dry_run = true,
		                       .subject = LIMEN_SUBJECT_OBJECT };
	limen_decide_options options = { .size = sizeof(options), .trace = true,
		                         .prioritize = LIMEN_SWITCH_ON };
	limen_request *req;
	char problem[256];

	read_text("{\"request\":{},\"id\":[7]}", &how, &options, &req, problem);
	CU_ASSERT_EQUAL(limen_request_subject(req), LIMEN_SUBJECT_OBJECT);
	CU_ASSERT_TRUE(limen_request_is_dry_run(req));
	CU_ASSERT_TRUE(limen_request_is_manifest(req));
	CU_ASSERT_EQUAL(limen_value_count(limen_request_id(req)), 1);
	CU_ASSERT_TRUE(options.trace && options.origins);
	CU_ASSERT_EQUAL(options.prioritize, LIMEN_SWITCH_ON);
	limen_request_free(req);
	read_text("{\"task\":{},\"run\":false,\"rewrite\":false,\"explain\":false,\"dryRun\":false,"
	          "\"diagnostics\":true,\"id\":null}", &how, &options, &req, problem);
	CU_ASSERT_EQUAL(options.prioritize, LIMEN_SWITCH_OFF);
	CU_ASSERT_EQUAL(options.rewrite, LIMEN_SWITCH_OFF);
	CU_ASSERT_TRUE(options.diagnostics && !options.trace);
	CU_ASSERT_FALSE(limen_request_is_dry_run(req));
	CU_ASSERT_FALSE(limen_value_exists(limen_request_id(req)));
	limen_request_free(req);
	how.subject = 99;
	CU_ASSERT_EQUAL(read_text("{\"task\":{}}", &how, &options, &req, problem), LIMEN_EINVAL);
	how.size = 0;
	CU_ASSERT_EQUAL(read_text("{\"task\":{}}", &how, &options, &req, problem), LIMEN_EINVAL);
	options.size = 0;
	CU_ASSERT_EQUAL(read_text("{\"task\":{}}", NULL, &options, &req, problem), LIMEN_EINVAL);
}

/* ---- answers ---- */

static limen_engine *
start_engine(void)
{
	const limen_engine_options options = { .size = sizeof(options),
		                               .flags = LIMEN_ENGINE_WITHOUT_POLICY };
	limen_engine *engine = limen_engine_new(&options);

	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	return engine;
}

static const char question[] = "{\"id\":{\"n\":1},\"task\":{\"test\":1},\"hints\":{\"a\":1}}";
static const char admitted[] =
	"{\"id\":{\"n\":1},\"admitted\":true,\"code\":200,\"reason\":\"No limits were applied\",";
static const char response[] =
	"{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\","
	"\"response\":{\"uid\":\"u\\u0007\",\"allowed\":true}}";

/* Asks both; each is LIMEN_OK with the right answer, or the result and nothing. */
static void
ask_both(limen_engine *engine, int results[2])
{
	static const char review[] = REVIEW("admission.k8s.io/v1beta1");
	const limen_question_options how = { .size = sizeof(how), .trusted = true,
		                             .requester = "192.0.2.1" };
	char *answer = NULL;
	size_t length = 0;

	results[0] = limen_engine_answer_question(engine, question, strlen(question), &how, &answer,
	                                          &length, NULL);
	CU_ASSERT_EQUAL(results[0] == LIMEN_OK, answer != NULL);
	if (answer != NULL) {
		CU_ASSERT_EQUAL(length, strlen(answer));
		CU_ASSERT_EQUAL(strncmp(answer, admitted, strlen(admitted)), 0);
	}
	free(answer);
	answer = NULL;
	results[1] = limen_engine_answer_review(engine, review, strlen(review), LIMEN_PHASE_MUTATE,
	                                        NULL, &answer, NULL, NULL);
	CU_ASSERT_EQUAL(results[1] == LIMEN_OK, answer != NULL);
	if (answer != NULL)
		CU_ASSERT_STRING_EQUAL(answer, response);
	free(answer);
}

static void
test_answers(void)
{
	limen_engine *engine = start_engine();
	char *answer = NULL;
	int results[2];

	ask_both(engine, results);
	CU_ASSERT_EQUAL(results[0], LIMEN_OK);
	CU_ASSERT_EQUAL(results[1], LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_answer_question(engine, "{", 1, NULL, &answer, NULL, NULL),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_engine_answer_review(engine, "{}", 2, LIMEN_PHASE_BOTH, NULL, &answer,
	                                           NULL, NULL),
	                LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(answer);
	limen_engine_free(engine);
}

/* Every allocation fails once: there is an answer, or LIMEN_ENOMEM. */
static void
test_short_memory(void)
{
	limen_engine *engine = start_engine();
	bool failed = true;

	recycle_stop();
	for (unsigned long nth = 1; failed; nth++) {
		int results[2];

		fail_malloc_once(nth);
		ask_both(engine, results);
		failed = fail_malloc_stop();
		for (size_t i = 0; i < 2; i++)
			CU_ASSERT(results[i] == LIMEN_OK || (failed && results[i] == LIMEN_ENOMEM));
	}
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what a question may say", test_words },
		{ "its hints", test_hints },
		{ "an HTTP request from its parts", test_parts },
		{ "parts with headers", test_parts_with_headers },
		{ "parts of an older header", test_short_parts },
		{ "a request whose path gets another spelling", test_respelled },
		{ "its options", test_options },
		{ "answers in one call", test_answers },
		{ "without memory", test_short_memory },
		{ NULL, NULL },
	};

	return suite_run("core/question_read", tests);
}
