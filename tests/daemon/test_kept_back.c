/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_kept_back.c - what the decision log has where requesters are told nothing but
 * what was decided.
 */
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/decision_line.h"
#include "observed.h"
#include "suite.h"

static const char policy[] =
	"{\"schema\": 4,"
	" \"identifiers\": ["
	"  {\"name\": \"zz-all\", \"description\": \"\", \"type\": \"always\", \"data\": {}}],"
	" \"classifiers\": [{\"name\": \"zz-everyone\", \"description\": \"\","
	"   \"identifiers\": [\"zz-all\"]}],"
	" \"limits\": [{\"name\": \"zz-quotes\", \"type\": \"jq\","
	"   \"data\": {\"script\": \"\\\"no: \\\" + (hint(\\\"user\\\") // \\\"?\\\") + "
	"\\\" of \\\" + (hint(\\\"groups\\\") // [\\\"?\\\"] | join(\\\"+\\\"))\"}}],"
	" \"applications\": ["
	"  {\"description\": \"zz-application\", \"classifier\": \"zz-everyone\","
	"   \"apply\": [{\"require\": \"all\", \"limits\": [\"zz-quotes\"]}]}],"
	" \"admission\": ["
	"  {\"name\": \"zz-chain\", \"plugin\": \"chain\", \"data\": {\"warning\": \"zz-warning\","
	"   \"audit\": \"zz-audit for jane\"}},"
	"  {\"name\": \"zz-sizes\", \"plugin\": \"LimitRanger\", \"data\": {\"manifests\": ["
	"   {\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", \"metadata\": {\"name\": \"zz-range\","
	"    \"namespace\": \"default\"}, \"spec\": {\"limits\": [{\"type\": \"Container\","
	"    \"max\": {\"cpu\": \"1\"}}]}}]}}]}";

static limen_engine *engine;

static limen_engine *
start_engine(const char *text)
{
	char *path = g_strdup_printf("%s:%s/tests/modules", getenv("LIMEN_MODULE_PATH"),
	                             getenv("LIMEN_BUILDDIR"));
	limen_engine_options options = { .size = sizeof(options), .module_path = path };

	limen_engine *made = limen_engine_new(&options);

	if (limen_engine_load_text(made, "policy", text, strlen(text), NULL) != LIMEN_OK)
		g_error("the policy does not load");
	g_free(path);
	return made;
}

/* One whose objects violate 'count' times what nobody can keep, in 'length' bytes 'letter' each. */
static limen_engine *
start_violated(unsigned count, size_t length, char letter)
{
	char *fill = g_strnfill(length - 2, letter);
	GString *text = g_string_new("{\"admission\": [{\"name\": \"c\", \"plugin\": \"chain\", "
	                             "\"data\": {\"validate\": \"fail\", \"violations\": [");
	limen_engine *made;

	for (unsigned i = 0; i < count; i++)
		g_string_append_printf(text, "%s[\"forbidden\", null, \"%02u%s\"]",
		                       i == 0 ? "" : ",", i, fill);
	g_string_append(text, "]}}]}");
	made = start_engine(text->str);
	g_string_free(text, TRUE);
	g_free(fill);
	return made;
}

/* A decision, as limend makes it where the log is to hold all of it, and its line. */
static char *
decide(limen_request *req, const line_rules *rules, const char *id)
{
	const limen_decide_options options = { .size = sizeof(options), .diagnostics = true,
		                               .trace = true };
	http_peer peer = { .address = "198.51.100.7" };
	record made = { .endpoint = "/v1/decide", .request = req, .peer = &peer };
	GString *line = g_string_new(NULL);
	limen_decision *decision = NULL;
	limen_documents *parsed = NULL;

	if (id != NULL) {
		CU_ASSERT_EQUAL_FATAL(limen_documents_parse("id.json", id, strlen(id), 0, &parsed,
		                                            NULL), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_request_set_id(req, limen_documents_get(parsed, 0)), LIMEN_OK);
		limen_documents_free(parsed);
	}
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	made.decision = decision;
	decision_line_write(line, rules, &made, 0);
	limen_decision_free(decision);
	return g_string_free(line, FALSE);
}

static limen_request *
make_task(const char *hints)
{
	static const char text[] = "{\"test\": {\"type\": \"rtt\", \"spec\": {}}}";
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	limen_request_parse(req, text, sizeof(text) - 1, NULL);
	CU_ASSERT_EQUAL(limen_request_parse(holder, hints, strlen(hints), NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hints(req, limen_request_document(holder)), LIMEN_OK);
	limen_request_free(holder);
	return req;
}

/* A pod whose containers are called 'name' and a number, each too large. */
static limen_request *
make_pod(unsigned containers, const char *name)
{
	GString *text = g_string_new("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":"
	                             "\"p\"},\"spec\":{\"containers\":[");
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);

	for (unsigned i = 0; i < containers; i++)
		g_string_append_printf(text, "%s{\"name\":\"%s%u\",\"resources\":{\"limits\":"
		                       "{\"cpu\":\"2\"},\"requests\":{\"cpu\":\"1\"}}}",
		                       i == 0 ? "" : ",", name, i);
	g_string_append(text, "]}}");
	CU_ASSERT_EQUAL(limen_request_parse(req, text->str, text->len, NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_KIND, "Pod");
	limen_request_set_field(req, LIMEN_FIELD_VERSION, "v1");
	limen_request_set_field(req, LIMEN_FIELD_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "pods");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, "default");
	limen_request_set_field(req, LIMEN_FIELD_USER, "jane");
	g_string_free(text, TRUE);
	return req;
}

/* Decides, frees the request, and returns the line as a document, which 'holder' has. */
static limen_value
read_line(limen_request *req, const line_rules *rules, const char *id, limen_request **holder)
{
	char *line = decide(req, rules, id);

	*holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
	CU_ASSERT_EQUAL(limen_request_parse(*holder, line, strlen(line), NULL), LIMEN_OK);
	limen_request_free(req);
	g_free(line);
	return limen_request_document(*holder);
}

static void
expect(const char *line, const char *words)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(line, words));
	if (strstr(line, words) == NULL)
		printf("# %s\n# is not in %s\n", words, line);
}

static void
expect_not(const char *line, const char *words)
{
	CU_ASSERT_PTR_NULL(strstr(line, words));
	if (strstr(line, words) != NULL)
		printf("# %s\n# is in %s\n", words, line);
}

static const line_rules whole = { .kept_back = true };

static void
test_task(void)
{
	limen_request *req = make_task("{\"requester\":\"192.0.2.9\",\"user\":\"jane\"}");
	char *line = decide(req, &whole, "[1,\"a\"]");

	expect(line, "\"id\":[1,\"a\"],\"identifiers\":[\"zz-all\"],\"kept_back\":{"
	             "\"diagnostics\":\"Hints:\\n  requester: 192.0.2.9\\n  user: jane\\nIdentified as "
	             "zz-all\\nClassified as zz-everyone\\nApplication: zz-application\\n"
	             "  Group 1: Limit 'zz-quotes' failed: no: jane of ?\\n");
	expect(line, "\"trace\":[{\"kind\":\"identifier\",\"type\":\"always\",\"name\":\"zz-all\","
	             "\"verdict\":\"pass\"},{\"kind\":\"limit\",\"type\":\"jq\",\"name\":\"zz-quotes\","
	             "\"verdict\":\"fail\",\"reason\":\"no: jane of ?\"}]}}\n");
	g_free(line);
	/* Where requesters are told everything, the line is as it ever was. */
	line = decide(req, &(line_rules){ .kept_back = false }, "1");
	expect_not(line, "\"id\"");
	expect_not(line, "zz-all");
	expect_not(line, "kept_back");
	g_free(line);
	limen_request_free(req);
}

static void
test_object(void)
{
	limen_request *req = make_pod(1, "c");
	char *line = decide(req, &whole, NULL);

	expect_not(line, "\"id\"");
	expect(line, "\"kept_back\":{\"violations\":[{\"field\":\"spec.containers[0]."
	             "resources.limits[cpu]\",\"message\":\"maximum cpu usage per Container is 1, but "
	             "limit is 2\",\"detail\":\"container \\\"c0\\\": cpu request 1 (given), limit 2 (given); "
	             "LimitRange \\\"zz-range\\\" spec.limits[0].max is 1\"}],"
	             "\"warnings\":[\"zz-warning\"");
	expect(line, "\"annotations\":{\"chain\":\"zz-audit for jane\"}");
	expect(line, "{\"kind\":\"admission\",\"type\":\"LimitRanger\",\"name\":\"zz-sizes\","
	             "\"verdict\":\"fail\",\"phase\":\"validate\",");
	expect(line, "\"notes\":[\"container");
	expect_not(line, "\"cut\"");
	limen_request_free(req);
	g_free(line);
}

/* Every member has a row in docs/decision-log.md. */
static void
test_documented(void)
{
	static const char *const members[] = { "id", "identifiers", "kept_back" };
	static const char *const parts[] = { "violations", "warnings", "annotations", "diagnostics",
		                             "trace", "cut" };
	char *name = g_build_filename(getenv("LIMEN_SRCDIR"), "docs/decision-log.md", NULL);
	char *page = observed_read(name);
	const char *kept = strstr(page, "\n| `kept_back` |");
	char *row = kept == NULL ? NULL : g_strndup(kept + 1, strcspn(kept + 1, "\n"));

	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		char *start = g_strdup_printf("\n| `%s` |", members[i]);

		expect(page, start);
		g_free(start);
	}
	for (size_t i = 0; row != NULL && i < G_N_ELEMENTS(parts); i++) {
		char *part = g_strdup_printf("`%s`", parts[i]);

		expect(row, part);
		g_free(part);
	}
	g_free(row);
	g_free(page);
	g_free(name);
}

/* ---- bounds ---- */

static void
test_id(void)
{
	limen_request *req = make_task("{}");

	for (size_t length = LINE_TEXT_MAX; length <= LINE_TEXT_MAX + 1; length++) {
		char *digits = g_strnfill(length, '1');
		char *line = decide(req, &whole, digits);

		CU_ASSERT_EQUAL(strstr(line, "\"id\":1") != NULL, length == LINE_TEXT_MAX);
		g_free(line);
		g_free(digits);
	}
	limen_request_free(req);
}

static void
test_list(void)
{
	for (unsigned count = LINE_LIST_MAX; count <= LINE_LIST_MAX + 1; count++) {
		limen_request *holder;
		limen_value line = read_line(make_pod(count, "c"), &whole, NULL, &holder);
		limen_value kept = limen_value_get(line, "kept_back");

		CU_ASSERT_EQUAL(limen_value_count(limen_value_get(kept, "violations")), LINE_LIST_MAX);
		CU_ASSERT_EQUAL(limen_value_exists(limen_value_get(kept, "cut")), count > LINE_LIST_MAX);
		limen_request_free(holder);
	}
}

/* The account alone is cut, and the line says so by its dots. */
static void
test_account(void)
{
	static const char dots[] = "...";

	for (size_t step = 0; step < 2; step++) {
		limen_request *holder, *longer;
		limen_value line = read_line(make_task("{\"x\":\"\"}"), &whole, NULL, &holder);
		limen_value kept = limen_value_get(line, "kept_back");
		size_t plain = 0;
		size_t length = 0;
		char *fill, *hints;
		const char *account;

		limen_value_string(limen_value_get(kept, "diagnostics"), &plain);
		fill = g_strnfill(KEPT_BACK_ACCOUNT_MAX - plain + step, 'x');
		hints = g_strdup_printf("{\"x\":\"%s\"}", fill);
		line = read_line(make_task(hints), &whole, NULL, &longer);
		kept = limen_value_get(line, "kept_back");
		account = limen_value_string(limen_value_get(kept, "diagnostics"), &length);
		CU_ASSERT_EQUAL(length, KEPT_BACK_ACCOUNT_MAX + (step == 0 ? 0 : strlen(dots)));
		CU_ASSERT_EQUAL(g_str_has_suffix(account, dots), step == 1);
		g_free(hints);
		g_free(fill);
		limen_request_free(longer);
		limen_request_free(holder);
	}
}

/* However much is violated, a line has an end, and says that something is missing. */
static void
test_all(void)
{
	limen_engine *before = engine;

	for (unsigned count = 15; count <= 30; count += 15) {
		limen_request *req = make_pod(1, "c");
		char *line;

		engine = start_violated(count, 4096, 'n');
		line = decide(req, &whole, NULL);
		CU_ASSERT_EQUAL(strstr(line, "\"cut\":true") != NULL, count == 30);
		CU_ASSERT_EQUAL(strstr(line, "\"trace\":[{") != NULL, count == 15);
		CU_ASSERT(strlen(line) > count * 4096 || count == 30);
		CU_ASSERT(strlen(line) < KEPT_BACK_MAX + 3 * LINE_REASON_MAX);
		g_free(line);
		limen_request_free(req);
		limen_engine_free(engine);
	}
	engine = before;
}

/* ---- what is hidden ---- */

/* Texts of modules may quote anything, so whatever part is hidden hides all of them. */
static void
test_hidden(void)
{
	static const redaction parts[] = { REDACT_USER, REDACT_GROUPS, REDACT_PEER,
		REDACT_NAMESPACE, REDACT_NAME, REDACT_REASON };

	for (size_t i = 0; i < 2 * G_N_ELEMENTS(parts); i++) {
		const line_rules rules = { .kept_back = true,
			.removed = i % 2 == 0 ? parts[i / 2] : 0,
			.hashed = i % 2 == 1 ? parts[i / 2] : 0 };
		limen_request *req = make_task("{\"user\":\"jane\"}");
		char *line = decide(req, &rules, "7");

		/* By the id both sides find the decision. */
		expect(line, "\"id\":7,\"identifiers\":[\"zz-all\"]}\n");
		expect_not(line, "kept_back");
		expect_not(line, "no: jane");
		g_free(line);
		limen_request_free(req);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "of a task: who was identified, its account, each module", test_task },
		{ "of an object: violations, warnings, annotations, notes", test_object },
		{ "all of it is documented", test_documented },
		{ "an id of a kilobyte", test_id },
		{ "64 elements of a list", test_list },
		{ "16 kilobytes of an account", test_account },
		{ "64 kilobytes in all, or a little more", test_all },
		{ "nothing of it where anything is hidden", test_hidden },
		{ NULL, NULL },
	};
	int status;

	engine = start_engine(policy);
	status = suite_run("daemon/kept_back", tests);
	limen_engine_free(engine);
	return status;
}
