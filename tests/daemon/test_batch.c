/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_batch.c - POST /v1/decide/batch: arrays and lines, and what is wrong in them.
 */
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "ask_kit.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

#define PATH "/v1/decide/batch"
#define LINES "application/x-ndjson"
#define IDLE "{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{}}}}"
#define BAD "{\"id\":7,\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{\"bad\":1}}}}"
#define POD "{\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"containers\":[{" \
	"\"resources\":{\"limits\":{\"cpu\":2}}}]}}}"

/* Sends one body, and compares the answers, each shortened to "CODE" or "ID:CODE". */
struct row {
	const char *about; /* NULL ends a table */
	const char *body;
	const char *codes; /* with a blank between them */
};

/* Appends what 'answer' says: "200" a decision, "E400" an error. */
static void
append_code(GString *out, limen_value answer)
{
	limen_value error = limen_value_get(answer, "error");
	limen_value from = limen_value_exists(error) ? error : answer;
	char *id = limen_value_to_json(limen_value_get(answer, "id"), 0, NULL);
	int64_t code = 0;

	limen_value_int(limen_value_get(from, "code"), &code);
	g_string_append_printf(out, "%s%s%s%s%lld", out->len > 0 ? " " : "", id == NULL ? "" : id,
	                       id == NULL ? "" : ":", limen_value_exists(error) ? "E" : "",
	                       (long long)code);
	free(id);
}

static void
list_array(const ask_answer *got, GString *out)
{
	limen_iter iter = limen_iter_start(got->json);
	limen_value answer;

	CU_ASSERT_EQUAL(limen_value_type(got->json), LIMEN_TYPE_ARRAY);
	CU_ASSERT_STRING_EQUAL(got->response.content_type, "application/json");
	while (limen_iter_next(&iter, NULL, &answer))
		append_code(out, answer);
}

static void
list_lines(const ask_answer *got, GString *out)
{
	char **lines = g_strsplit(got->response.body->str, "\n", -1);

	CU_ASSERT_STRING_EQUAL(got->response.content_type, LINES);
	for (char **line = lines; *line != NULL && (*line)[0] != '\0'; line++) {
		limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
		int result = limen_request_parse(holder, *line, strlen(*line), NULL);

		ASSERT(result == LIMEN_OK, "no JSON: %s", *line);
		if (result == LIMEN_OK)
			append_code(out, limen_request_document(holder));
		limen_request_free(holder);
	}
	g_strfreev(lines);
}

static void
check_rows(const char *type, const struct row *rows)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	kit.shared.batch_maximum = 4;
	for (; rows->about != NULL; rows++) {
		GString *codes = g_string_new(NULL);
		ask_answer got;

		ask_send(&kit, &(ask){ .path = PATH, .type = type, .body = rows->body }, &got);
		if (got.response.status != 200)
			g_string_printf(codes, "%d", got.response.status);
		else if (strcmp(type, LINES) == 0)
			list_lines(&got, codes);
		else
			list_array(&got, codes);
		ASSERT(strcmp(codes->str, rows->codes) == 0, "%s: %s, not %s: %s", rows->about,
		       codes->str, rows->codes, got.response.body->str);
		g_string_free(codes, TRUE);
		ask_clear(&got);
	}
	ask_kit_stop(&kit);
}

static void
test_arrays(void)
{
	static const struct row rows[] = {
		{ "none", "[]", "" },
		{ "one", "[" IDLE "]", "200" },
		{ "different ones", " [ " IDLE " ,\n" BAD "," POD "]", "200 7:403 403" },
		{ "as many as there may be", "[" IDLE "," IDLE "," IDLE "," IDLE "]",
		  "200 200 200 200" },
		{ "one too many", "[" IDLE "," IDLE "," IDLE "," IDLE "," IDLE "]", "413" },
		{ "a wrong one among good ones", "[" IDLE ",{\"id\":\"x\",\"tsk\":1}," BAD "]",
		  "200 \"x\":E400 7:403" },
		{ "one that has a name and is wrong",
		  "[{\"id\":\"x\",\"task\":{},\"dryRun\":1}]", "\"x\":E400" },
		{ "what is no question", "[null,[],1]", "E400 E400 E400" },
		{ "hints of somebody", "[{\"task\":{},\"hints\":{}}," IDLE "]", "E403 200" },
		{ "half an array", "[" IDLE, "400" },
		{ "no array", IDLE, "400" },
		{ "nothing", "", "400" },
		{ "comments of one", "[{\"task\":{\"#\":1,\"test\":{\"type\":\"idle\",\"spec\":{}}}}]",
		  "200" },
		{ NULL, NULL, NULL },
	};

	check_rows("application/json", rows);
}

static void
test_lines(void)
{
	static const struct row rows[] = {
		{ "none", "", "" },
		{ "blank lines", "\n \r\n\t\n", "" },
		{ "one", IDLE, "200" },
		{ "with an end", IDLE "\n", "200" },
		{ "different ones", IDLE "\r\n\n" BAD "\n" POD "\n", "200 7:403 403" },
		{ "as many as there may be", IDLE "\n" IDLE "\n\n" IDLE "\n" IDLE "\n",
		  "200 200 200 200" },
		{ "one too many", IDLE "\n" IDLE "\n" IDLE "\n" IDLE "\n" IDLE, "413" },
		{ "a torn one among good ones", IDLE "\n{\"task\":\n" BAD "\n", "200 E400 7:403" },
		{ "one that is no text", IDLE "\n\"\xff\"\n" BAD "\n", "200 E400 7:403" },
		{ "an array of them", "[" IDLE "]\n", "E400" },
		{ NULL, NULL, NULL },
	};

	check_rows(LINES, rows);
}

/* What is refused as a whole has decided nothing. */
static void
test_records(void)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	kit.shared.batch_maximum = 2;
	ask_check(&kit, "two", &(ask){ .path = PATH, .body = "[" IDLE "," BAD "]" }, 200, "/1/code",
	          "403");
	CU_ASSERT_EQUAL(ask_recorded(), 2);
	ask_check(&kit, "three", &(ask){ .path = PATH, .body = "[" IDLE "," BAD "," POD "]" }, 413,
	          "/message", "\"A batch holds 2 questions at most\"");
	ask_check(&kit, "three lines",
	          &(ask){ .path = PATH, .type = LINES, .body = IDLE "\n" BAD "\n" POD }, 413,
	          "/message", "\"A batch holds 2 questions at most\"");
	CU_ASSERT_EQUAL(ask_recorded(), 0);
	ask_check(&kit, "another type", &(ask){ .path = PATH, .type = "text/csv", .body = "[]" }, 415,
	          "/code", "415");
	ask_check(&kit, "a status", &(ask){ .path = PATH, .query = "status=verdict", .body = "[]" },
	          400, "/message", "\"Unknown argument 'status'\"");
	ask_check(&kit, "GET", &(ask){ .path = PATH, .get = true }, 405, "/code", "405");
	ask_kit_stop(&kit);
}

/* The time is that of the whole batch. */
static void
test_time(void)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	ask_check(&kit, "too late",
	          &(ask){ .path = PATH,
	                  .body = "[{\"id\":1,\"task\":{}},{\"id\":2,\"task\":{}}]",
	                  .late = INT64_C(61) * 1000000000 },
	          200, "/1",
	          "{\"id\":2,\"error\":{\"code\":503,\"reason\":\"Service Unavailable\","
	          "\"message\":\"The decision timed out\"}}");
	CU_ASSERT_EQUAL(ask_recorded(), 0);
	ask_kit_stop(&kit);
}

/* Names of questions are part of the answers. */
static void
test_much(void)
{
	static const char refused[] = "\n{\"id\":\"x\",\"error\":{\"code\":413,\"reason\":\"Content "
				      "Too Large\",\"message\":\"The answers before this one have "
				      "more than 67108864 bytes together\"}}\n";
	static const size_t sizes[] = { 40 << 20, 25 << 20, 1 };
	GString *body = g_string_new(NULL);
	ask_answer got;
	ask_kit kit;

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		size_t before;

		g_string_append(body, "{\"id\":\"");
		before = body->len;
		g_string_set_size(body, before + sizes[i]);
		memset(body->str + before, 'x', sizes[i]);
		g_string_append(body, "\",\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{}}}}\n");
	}
	if (ask_kit_start(&kit, ask_policy)) {
		ask_send(&kit, &(ask){ .path = PATH, .type = LINES, .body = body->str }, &got);
		CU_ASSERT_EQUAL(got.response.status, 200);
		CU_ASSERT_TRUE(g_str_has_suffix(got.response.body->str, refused));
		/* What is not answered is not charged. */
		CU_ASSERT_EQUAL(ask_recorded(), 2);
		ask_clear(&got);
		ask_kit_stop(&kit);
	}
	g_string_free(body, TRUE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "arrays", test_arrays },
		{ "lines", test_lines },
		{ "what is decided, and what is refused as a whole", test_records },
		{ "one time for all", test_time },
		{ "answers that are too much together", test_much },
		{ NULL, NULL },
	};

	return suite_run("daemon/batch", tests);
}
