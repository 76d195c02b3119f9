/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/decision_log.h"
#include "audit/decision_line.h"
#include "base/line_file.h"
#include "base/log.h"
#include "fail_io.h"
#include "observed.h"
#include "suite.h"

static char *directory;
static char *path;

static void
open_log(service *shared, double sample, const char *redact)
{
	decision_log_options options = { .path = path, .sample = sample };
	char *why = NULL;

	if (redact != NULL)
		CU_ASSERT_TRUE(decision_log_redactions(redact, &options, &why));
	unlink(path);
	shared->decider.decisions = decision_log_open(&options, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(shared->decider.decisions);
}

/* Ends the log and returns its lines; each is JSON. */
static char **
close_log(service *shared, guint *count)
{
	char *text;
	char **lines;

	decision_log_close(shared->decider.decisions);
	shared->decider.decisions = NULL;
	text = observed_read(path);
	lines = g_strsplit(text, "\n", -1);
	*count = g_strv_length(lines) - 1;
	CU_ASSERT(text[0] == '\0' || g_str_has_suffix(text, "\n"));
	for (guint i = 0; i < *count; i++) {
		limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);

		CU_ASSERT_EQUAL(limen_request_parse(holder, lines[i], strlen(lines[i]), NULL),
		                LIMEN_OK);
		limen_request_free(holder);
	}
	g_free(text);
	return lines;
}

/* Whatever the time at its start is, if it is written as all are. */
static void
expect_line(const char *line, const char *rest)
{
	static const char start[] = "^{\"time\":\"[-0-9]{10}T[0-9:]{8}\\.[0-9]{6}Z\",";
	const char *comma = strchr(line, ',');

	CU_ASSERT(g_regex_match_simple(start, line, 0, 0) && comma != NULL);
	CU_ASSERT(comma != NULL && strcmp(comma + 1, rest) == 0);
	if (comma == NULL || strcmp(comma + 1, rest) != 0)
		printf("# %s\n# %s\n", comma == NULL ? line : comma + 1, rest);
}

/* Every member of a line has a row in docs/decision-log.md. */
static void
expect_documented(const char *line)
{
	char *name = g_build_filename(getenv("LIMEN_SRCDIR"), "docs/decision-log.md", NULL);
	char *page = observed_read(name);
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_value key;
	limen_iter iter;

	limen_request_parse(holder, line, strlen(line), NULL);
	iter = limen_iter_start(limen_request_document(holder));
	while (limen_iter_next(&iter, &key, NULL)) {
		char *row = g_strdup_printf("\n| `%s` |", limen_value_string(key, NULL));

		CU_ASSERT_PTR_NOT_NULL(strstr(page, row));
		g_free(row);
	}
	limen_request_free(holder);
	g_free(page);
	g_free(name);
}

/* Recorded refusals are logged whatever the sample, and their reasons are redacted as others are. */
static void
test_would_refuse(void)
{
	static const char policy[] =
		"{\"admission\": [{\"name\": \"events\", \"enforce\": \"audit\","
		"  \"plugin\": \"EventRateLimit\", \"data\": {\"limits\": ["
		"   {\"type\": \"User\", \"qps\": 1, \"burst\": 1}]}}]}";
	limen_request *event = observed_event("jane");

	for (int hidden = 0; hidden < 2; hidden++) {
		service shared;
		char **lines;
		guint count;

		observed_start(&shared, policy, 0);
		open_log(&shared, 0, hidden ? "peer" : NULL);
		for (int i = 0; i < 2; i++)
			CU_ASSERT_EQUAL(observed_decide(&shared, "/admission/validate", event, 1), 200);
		lines = close_log(&shared, &count);
		CU_ASSERT_EQUAL_FATAL(count, 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], hidden ? "\"would_refuse\":{\"events\":\"\"}"
		                                               : "\"would_refuse\":{\"events\":\"limit"));
		expect_documented(lines[0]);
		g_strfreev(lines);
		observed_stop(&shared);
	}
	limen_request_free(event);
}

/* Who still decides when the daemon gives up finds the log there, and is not heard. */
static void
test_finished(void)
{
	limen_request *event = observed_event("jane");
	decision_log_figures figures;
	service shared;
	guint count;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, NULL);
	observed_decide(&shared, "/admission/validate", event, 1234567);
	decision_log_finish(shared.decider.decisions);
	observed_decide(&shared, "/admission/validate", event, 1234567);
	decision_log_count(shared.decider.decisions, &figures);
	CU_ASSERT_EQUAL(figures.written, 1);
	CU_ASSERT_EQUAL(figures.dropped, 1);
	g_strfreev(close_log(&shared, &count));
	CU_ASSERT_EQUAL(count, 1);
	limen_request_free(event);
	observed_stop(&shared);
}

static void
test_lines(void)
{
	limen_request *event = observed_event("jane");
	limen_request *task = observed_task("192.0.2.9");
	service shared;
	struct stat about;
	guint count;
	char **lines;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, NULL);
	for (int i = 0; i < 3; i++)
		observed_decide(&shared, "/admission/validate", event, 1234567);
	limen_request_set_dry_run(task, true);
	observed_decide(&shared, "/v1/decide", task, 999);
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 4);
#define EVENT                                                                              \
	"\"endpoint\":\"/admission/validate\",\"peer\":\"198.51.100.7\",\"subject\":\"object\","  \
	"\"uid\":\"id-1\",\"user\":\"jane\",\"groups\":[\"system:nodes\"],"                       \
	"\"operation\":\"CREATE\",\"api_group\":\"\",\"resource\":\"events\",\"namespace\":\"n\"," \
	"\"name\":\"e\",\"event\":{\"source\":\"kube%2Flet/node1\",\"object\":\"Pod/n/p/u1/\","   \
	"\"type\":\"Warning\",\"reason\":\"BackOff\"},"
	expect_line(lines[0], EVENT "\"verdict\":\"admitted\",\"code\":200,"
	                            "\"reason\":\"no admission entry refuses it\","
	                            "\"seconds\":0.001234}");
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[2], "\"verdict\":\"refused\",\"code\":429,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[2], "\"entry\":\"events\","));
	expect_line(lines[3],
	            "\"endpoint\":\"/v1/decide\",\"peer\":\"198.51.100.7\",\"subject\":\"task\","
	            "\"requester\":\"192.0.2.9\",\"verdict\":\"refused\",\"code\":403,"
	            "\"reason\":\"application 'no' fails: limit 'closed' failed: Forced failure\","
	            "\"entry\":\"closed\",\"classifiers\":[\"everyone\",\"hostile\"],"
	            "\"seconds\":0.000000,\"dry_run\":true}");
	for (guint i = 0; i < count; i++)
		expect_documented(lines[i]);
	CU_ASSERT_EQUAL(stat(path, &about), 0);
	CU_ASSERT_EQUAL(about.st_mode & 07137, 0);
	g_strfreev(lines);
	observed_stop(&shared);
	limen_request_free(event);
	limen_request_free(task);
}

/* What was decided about is part of the line where that is wanted, but for Secrets. */
static void
test_documents(void)
{
	limen_request *event = observed_event("jane");
	limen_request *task = observed_task("192.0.2.9");
	limen_request *secret = observed_event("jane");
	decision_log_options options = { .path = path, .sample = 1, .documents = true };
	service shared;
	guint count;
	char *why = NULL;
	char **lines;

	observed_start(&shared, observed_policy, 0);
	limen_request_set_field(secret, LIMEN_FIELD_RESOURCE, "secrets");
	unlink(path);
	shared.decider.decisions = decision_log_open(&options, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(shared.decider.decisions);
	observed_decide(&shared, "/admission/validate", event, 1);
	limen_request_set_run(task, "2026-11-24T05:00:00Z", "PT1M");
	observed_decide(&shared, "/v1/decide", task, 1);
	observed_decide(&shared, "/admission/validate", secret, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], ",\"document\":{"));
	CU_ASSERT_PTR_NULL(strstr(lines[0], "\"run\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[1], "\"subject\":\"task\",\"run\":true,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[1], ",\"hints\":{\"requester\":\"192.0.2.9\"},"
	                                        "\"document\":{"));
	CU_ASSERT_PTR_NULL(strstr(lines[2], "\"document\""));
	for (guint i = 0; i < count; i++)
		expect_documented(lines[i]);
	g_strfreev(lines);
	observed_stop(&shared);
	limen_request_free(event);
	limen_request_free(task);
	limen_request_free(secret);
}

/* A pod without a name of its own has its prefix and its controller in the line. */
static void
test_controller(void)
{
	static const char text[] =
		"{\"metadata\":{\"generateName\":\"web-5d8f-\",\"ownerReferences\":[{\"kind\":"
		"\"Node\",\"name\":\"n\"},{\"kind\":\"ReplicaSet\",\"name\":\"web-5d8f\","
		"\"controller\":true}]}}";
	static const char *const redactions[] = { NULL, "name", "name:hash" };
	limen_request *pod = limen_request_new(LIMEN_SUBJECT_OBJECT);

	limen_request_parse(pod, text, sizeof(text) - 1, NULL);
	limen_request_set_field(pod, LIMEN_FIELD_GENERATE_NAME, "web-5d8f-");
	for (size_t i = 0; i < G_N_ELEMENTS(redactions); i++) {
		service shared;
		guint count;
		char **lines;

		observed_start(&shared, observed_policy, 0);
		open_log(&shared, 1, redactions[i]);
		observed_decide(&shared, "/admission/validate", pod, 1);
		lines = close_log(&shared, &count);
		CU_ASSERT_EQUAL_FATAL(count, 1);
		expect_documented(lines[0]);
		CU_ASSERT_EQUAL(strstr(lines[0], "\"generate_name\":\"web-5d8f-\","
		                                 "\"controller\":\"ReplicaSet/web-5d8f\"") != NULL,
		                i == 0);
		CU_ASSERT_EQUAL(strstr(lines[0], "\"controller\":\"hash:") != NULL, i == 2);
		g_strfreev(lines);
		observed_stop(&shared);
	}
	limen_request_free(pod);
}

/* An object with 'inner' so many lists down. */
static char *
nest(unsigned depth, const char *inner)
{
	GString *text = g_string_new("{\"kind\":\"Tower\",\"spec\":");

	for (unsigned i = 0; i < depth; i++)
		g_string_append_c(text, '[');
	g_string_append(text, inner);
	for (unsigned i = 0; i < depth; i++)
		g_string_append_c(text, ']');
	g_string_append_c(text, '}');
	return g_string_free(text, FALSE);
}

/* Who asks about a list, or calls a Secret something else, does not get round that. */
static void
test_secrets(void)
{
	static const struct {
		unsigned depth; /* in lists; 0: it is the object */
		const char *text;
		bool logged;
	} objects[] = {
		{ 0, "{\"kind\":\"Secret\",\"data\":{\"p\":\"eA==\"}}", false },
		{ 0, "{\"kind\":\"SecretList\",\"items\":[{\"data\":{\"p\":\"eA==\"}}]}", false },
		{ 0, "{\"kind\":\"List\",\"items\":[5,{\"kind\":\"Secret\",\"data\":{\"p\":\"eA==\"}}]}",
		  false },
		{ 0, "{\"kind\":\"List\",\"items\":[{\"kind\":\"List\",\"items\":[{\"kind\":\"Secret\","
		     "\"stringData\":{\"p\":\"eA==\"}}]}]}",
		  false },
		{ 0, "{\"kind\":\"Work\",\"spec\":{\"a\":1,\"b\":{\"kind\":\"Secret\",\"metadata\":"
		     "{\"annotations\":{\"last\":\"eA==\"}}}}}",
		  false },
		{ 0, "{\"kind\":\"Event\",\"involvedObject\":{\"kind\":\"Secret\",\"name\":\"eA==\"}}",
		  true },
		{ 100, "{\"kind\":\"Secret\",\"data\":{\"p\":\"eA==\"}}", false },
		{ 100, "{\"kind\":\"ConfigMap\",\"data\":{\"p\":\"eA==\"}}", true },
		/* So deep that nobody looks. */
		{ 300, "{\"kind\":\"Secret\",\"data\":{\"p\":\"eA==\"}}", false },
		{ 300, "\"eA==\"", false },
	};
	decision_log_options options = { .path = path, .sample = 1, .documents = true };
	service shared;
	guint count;
	char *why = NULL;
	char **lines;

	observed_start(&shared, observed_policy, 0);
	unlink(path);
	shared.decider.decisions = decision_log_open(&options, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(shared.decider.decisions);
	for (size_t i = 0; i < 2 * G_N_ELEMENTS(objects); i++) {
		const char *inner = objects[i / 2].text;
		unsigned depth = objects[i / 2].depth;
		char *text = depth == 0 ? g_strdup(inner) : nest(depth, inner);
		limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);

		CU_ASSERT_EQUAL(i % 2 == 0
		                        ? limen_request_parse(req, text, strlen(text), NULL)
		                        : limen_request_parse_old(req, text, strlen(text), NULL),
		                LIMEN_OK);
		observed_decide(&shared, "/v1/decide", req, 1);
		limen_request_free(req);
		g_free(text);
	}
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 2 * G_N_ELEMENTS(objects));
	for (guint i = 0; i < count; i++)
		CU_ASSERT_EQUAL(strstr(lines[i], "eA==") != NULL, objects[i / 2].logged);
	g_strfreev(lines);
	observed_stop(&shared);
}

/* Nor are secrets of the policy: what limits say about URLs that could not be fetched. */
static void
test_urls(void)
{
	static const char *const limits[][2] = {
		{ "{\"url\": \"gopher://user:s3cret@127.0.0.1/path?key=s3cret#s3cret\"}",
		  "Fetch gopher://127.0.0.1/path failed: 400" },
		{ "{\"url\": \"gopher://127.0.0.1\", \"url-transform\":"
		  " {\"script\": \".url + $a\", \"args\": {\"a\": \"/s3cret?key=s3cret\"}}}",
		  "Fetch gopher://127.0.0.1/ failed: 400" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
		limen_request *task = observed_task("192.0.2.9");
		char *policy = g_strdup_printf(
			"{\"schema\": 4, \"identifiers\": [{\"name\": \"all\", \"description\": \"\","
			" \"type\": \"always\", \"data\": {}}], \"classifiers\": [{\"name\": \"everyone\","
			" \"description\": \"\", \"identifiers\": [\"all\"]}],"
			" \"limits\": [{\"name\": \"asks\","
			" \"type\": \"url-fetch\", \"data\": %s}], \"applications\": [{\"description\":"
			" \"one\", \"classifier\": \"everyone\","
			" \"apply\": [{\"require\": \"all\", \"limits\": [\"asks\"]}]}]}",
			limits[i][0]);
		service shared;
		guint count;
		char **lines;

		observed_start(&shared, policy, 0);
		open_log(&shared, 1, NULL);
		CU_ASSERT_EQUAL(observed_decide(&shared, "/v1/decide", task, 1), 403);
		lines = close_log(&shared, &count);
		CU_ASSERT_EQUAL_FATAL(count, 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], limits[i][1]));
		CU_ASSERT_PTR_NULL(strstr(lines[0], "s3cret"));
		g_strfreev(lines);
		observed_stop(&shared);
		limen_request_free(task);
		g_free(policy);
	}
}

static void
test_redaction(void)
{
	limen_request *event = observed_event("jane");
	limen_request *other = observed_event("joe");
	service shared;
	guint count;
	char **lines;
	char *first;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, "user:hash,groups,peer,name,namespace");
	for (int i = 0; i < 3; i++)
		observed_decide(&shared, "/admission/validate", event, 1);
	observed_decide(&shared, "/admission/validate", other, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 4);
	for (guint i = 0; i < count; i++) {
		CU_ASSERT_PTR_NULL(strstr(lines[i], "jane"));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "joe"));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "system:nodes"));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "198.51.100.7"));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "\"namespace\""));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "u1"));
	}
	/* Hashes can be compared. */
	first = strstr(lines[0], "\"user\":\"hash:");
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	first = g_strndup(first, strlen("\"user\":\"hash:") + 16);
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[1], first));
	CU_ASSERT_PTR_NULL(strstr(lines[3], first));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[2], "hash:"));
	g_free(first);
	g_strfreev(lines);
	open_log(&shared, 1, "reason,user");
	observed_decide(&shared, "/admission/validate", event, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT(strstr(lines[0], "events") != NULL && strstr(lines[0], "jane") == NULL);
	CU_ASSERT_PTR_NULL(strstr(lines[0], "no admission entry"));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], "\"object\":\"Pod/n/p/"));
	g_strfreev(lines);
	/* Nor does the object that an event is about tell it. */
	open_log(&shared, 1, "namespace");
	observed_decide(&shared, "/admission/validate", event, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], "\"object\":\"Pod//p/"));
	g_strfreev(lines);
	observed_stop(&shared);
	limen_request_free(event);
	limen_request_free(other);
}

static const char quoting_policy[] =
	"{\"schema\": 4, \"admission\": ["
	" {\"name\": \"sizes\", \"plugin\": \"LimitRanger\", \"data\": {\"manifests\": ["
	"  {\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", \"metadata\": {\"name\": \"lr\","
	"   \"namespace\": \"secretspace\"}, \"spec\": {\"limits\": [{\"type\": \"Container\","
	"   \"max\": {\"cpu\": \"1\"}}]}}]}},"
	" {\"name\": \"events\", \"plugin\": \"EventRateLimit\", \"data\": {\"limits\": ["
	"  {\"type\": \"SourceAndObject\", \"qps\": 1, \"burst\": 1, \"cacheSize\": 9}]}}]}";

/* What is refused under that policy, and what may not be told of it. */
static const struct {
	const char *resource;
	const char *kind;
	const char *generate_name;
	const char *name;
	const char *object;
} quoted[] = {
	{ "pods", "Pod", "secretname-5d9-", NULL,
	  "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"generateName\":"
	  " \"secretname-5d9-\", \"namespace\": \"secretspace\"}, \"spec\": {\"containers\":"
	  " [{\"name\": \"c\", \"resources\": {\"limits\": {\"cpu\": \"2\"}}}]}}" },
	{ "pods", "Pod", NULL, NULL,
	  "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"secretname\","
	  " \"namespace\": \"secretspace\"}, \"spec\": {\"containers\":"
	  " [{\"name\": \"c\", \"resources\": {\"limits\": {\"cpu\": \"2\"}}}]}}" },
	{ "events", "Event", NULL, "web.17a",
	  "{\"apiVersion\": \"v1\", \"kind\": \"Event\", \"metadata\": {\"name\": \"web.17a\","
	  " \"namespace\": \"secretspace\"}, \"involvedObject\": {\"kind\": \"Pod\","
	  " \"namespace\": \"secretspace-2\", \"name\": \"secretpod\", \"uid\": \"secretuid\"},"
	  " \"source\": {\"component\": \"kubelet\", \"host\": \"n1\"}, \"type\": \"Warning\"}" },
	{ "events", "Event", NULL, "web.17a",
	  "{\"apiVersion\": \"events.k8s.io/v1\", \"kind\": \"Event\", \"metadata\":"
	  " {\"name\": \"web.17a\", \"namespace\": \"secretspace\"}, \"regarding\":"
	  " {\"kind\": \"Pod\", \"namespace\": \"secretspace\", \"name\": \"secretpod\"},"
	  " \"reportingController\": \"kubelet\", \"reportingInstance\": \"n1\"}" },
};

static limen_request *
quoted_request(size_t index)
{
	const char *object = quoted[index].object;
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);

	CU_ASSERT_EQUAL(limen_request_parse(req, object, strlen(object), NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_KIND, quoted[index].kind);
	limen_request_set_field(req, LIMEN_FIELD_VERSION, "v1");
	limen_request_set_field(req, LIMEN_FIELD_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, quoted[index].resource);
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, "secretspace");
	if (quoted[index].name != NULL)
		limen_request_set_field(req, LIMEN_FIELD_NAME, quoted[index].name);
	if (quoted[index].generate_name != NULL)
		limen_request_set_field(req, LIMEN_FIELD_GENERATE_NAME,
		                        quoted[index].generate_name);
	limen_request_set_field(req, LIMEN_FIELD_USER, "somebody");
	limen_request_add_group(req, "secretgroup");
	return req;
}

/* A refusal may quote what is hidden, so its reason is hidden whole. */
static void
test_redaction_reason(void)
{
	service shared;
	guint count;
	char **lines;

	observed_start(&shared, quoting_policy, 0);
	open_log(&shared, 1, "name:hash,namespace:hash,groups");
	for (size_t i = 0; i < G_N_ELEMENTS(quoted); i++) {
		limen_request *req = quoted_request(i);

		observed_decide(&shared, "/admission/validate", req, 1);
		CU_ASSERT_NOT_EQUAL(observed_decide(&shared, "/admission/validate", req, 1), 200);
		limen_request_free(req);
	}
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL(count, 2 * G_N_ELEMENTS(quoted));
	for (guint i = 0; i < count; i++) {
		CU_ASSERT_PTR_NULL(strstr(lines[i], "secret"));
		CU_ASSERT_PTR_NULL(strstr(lines[i], "web.17a"));
		if (strstr(lines[i], "secret") != NULL)
			printf("# %s\n", lines[i]);
	}
	CU_ASSERT_PTR_NULL(strstr(lines[0], "\"reason\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[5], "\"entry\":\"events\""));
	g_strfreev(lines);
	open_log(&shared, 1, "user");
	for (size_t i = 0; i < G_N_ELEMENTS(quoted); i++) {
		limen_request *req = quoted_request(i);

		observed_decide(&shared, "/admission/validate", req, 1);
		limen_request_free(req);
	}
	lines = close_log(&shared, &count);
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[2], "\"event\":{\"source\":\"hash:"));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[3], "\"reporter\":\"hash:"));
	CU_ASSERT_PTR_NULL(strstr(lines[3], "kubelet"));
	g_strfreev(lines);
	observed_stop(&shared);
}

static void
test_redaction_words(void)
{
	static const char *const bad[] = { "users", "user:", "user:sha", "user,,peer", "",
		                           "user:hash:hash" };
	decision_log_options options = { .path = NULL };
	char *why;

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		why = NULL;
		CU_ASSERT_FALSE(decision_log_redactions(bad[i], &options, &why));
		CU_ASSERT_PTR_NOT_NULL(why);
		g_free(why);
	}
	CU_ASSERT_TRUE(decision_log_redactions("name,reason:hash", &options, &why));
	CU_ASSERT((options.removed & REDACT_NAME) != 0 && (options.hashed & REDACT_REASON) != 0);
	options.path = "/nonexistent/log";
	CU_ASSERT_PTR_NULL(decision_log_open(&options, &why));
	CU_ASSERT_STRING_EQUAL(why, "/nonexistent/log: No such file or directory");
	g_free(why);
	decision_log_close(NULL);
	decision_log_reopen(NULL);
}

static void
test_sample(void)
{
	limen_request *good = observed_task("192.0.2.1");
	limen_request *bad = observed_task("192.0.2.9");
	service shared;
	guint count;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 0.25, NULL);
	for (int i = 0; i < 4000; i++) {
		observed_decide(&shared, "/v1/decide", good, 1);
		if (i < 50)
			observed_decide(&shared, "/v1/decide", bad, 1);
	}
	g_strfreev(close_log(&shared, &count));
	/* 1000 of 4000 with a standard deviation of 27, and all refusals. */
	CU_ASSERT(count > 50 + 800 && count < 50 + 1200);
	open_log(&shared, 0, NULL);
	for (int i = 0; i < 100; i++)
		observed_decide(&shared, "/v1/decide", i < 7 ? bad : good, 1);
	g_strfreev(close_log(&shared, &count));
	CU_ASSERT_EQUAL(count, 7);
	observed_stop(&shared);
	limen_request_free(good);
	limen_request_free(bad);
}

static void
wait_for_file(const char *name)
{
	for (int i = 0; i < 3000 && access(name, F_OK) != 0; i++)
		usleep(10000);
	CU_ASSERT_EQUAL(access(name, F_OK), 0);
}

static void
wait_for_lines(service *shared, uint64_t lines)
{
	decision_log_figures seen = { 0, 0, 0 };

	for (int i = 0; i < 3000 && seen.written < lines; i++) {
		decision_log_count(shared->decider.decisions, &seen);
		usleep(1000);
	}
	CU_ASSERT_EQUAL(seen.written, lines);
}

/* As logrotate does: the file is moved, the daemon is told, nothing is lost. */
static void
test_reopen(void)
{
	limen_request *task = observed_task("192.0.2.1");
	char *old = g_build_filename(directory, "old", NULL);
	service shared;
	guint count;
	char *text;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, NULL);
	observed_decide(&shared, "/v1/decide", task, 1);
	wait_for_lines(&shared, 1);
	CU_ASSERT_EQUAL(rename(path, old), 0);
	observed_decide(&shared, "/v1/decide", task, 1);
	wait_for_lines(&shared, 2);
	decision_log_reopen(shared.decider.decisions);
	wait_for_file(path);
	observed_decide(&shared, "/v1/decide", task, 1);
	g_strfreev(close_log(&shared, &count));
	CU_ASSERT_EQUAL(count, 1);
	text = observed_read(old);
	CU_ASSERT_PTR_NOT_NULL(strchr(strchr(text, '\n') + 1, '\n'));
	g_free(text);
	unlink(old);
	g_free(old);
	observed_stop(&shared);
	limen_request_free(task);
}

/* Opens a file as standard output that does not append by itself, as with "limend > FILE". */
static line_file *
open_output(char **why)
{
	int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	line_file *file;

	fflush(stdout);
	CU_ASSERT(kept >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	file = line_file_open("-", why);
	CU_ASSERT_EQUAL(dup2(kept, STDOUT_FILENO), STDOUT_FILENO);
	close(kept);
	close(fd);
	return file;
}

/* What does not fit leaves no piece behind, and what follows when there is room again does. */
static void
test_full_disk(void)
{
	struct rlimit old;
	struct rlimit small = { .rlim_cur = 10 };
	char *why = NULL;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	for (int output = 0; output < 2; output++) {
		line_file *file;
		char *text;

		unlink(path);
		file = output ? open_output(&why) : line_file_open(path, &why);
		setrlimit(RLIMIT_FSIZE, &small);
		CU_ASSERT_EQUAL(line_file_append(file, "one\ntwo\nthree\n", 14), 2);
		CU_ASSERT_EQUAL(line_file_append(file, "fourth\n", 7), 0);
		setrlimit(RLIMIT_FSIZE, &old);
		CU_ASSERT_EQUAL(line_file_append(file, "five\n", 5), 1);
		CU_ASSERT_EQUAL(line_file_append(file, "", 0), 0);
		text = observed_read(path);
		CU_ASSERT_STRING_EQUAL(text, "one\ntwo\nfive\n");
		g_free(text);
		line_file_close(file);
	}
}

/* Is 'line' one of those of 'text'? */
static bool
has_line(char **lines, const char *line)
{
	return g_strv_contains((const char *const *)lines, line);
}

/*
 * Whichever call fails while two lines are written, those that are counted are there, and
 * the lines before and after are whole.
 */
static bool
append_badly(unsigned long nth, fail_io_way way, int error)
{
	char *why = NULL;
	line_file *file;
	size_t written;
	bool failed;
	char *text;
	char **lines;

	unlink(path);
	file = line_file_open(path, &why);
	CU_ASSERT_EQUAL(line_file_append(file, "one\n", 4), 1);
	fail_io_start(nth, way, error);
	written = line_file_append(file, "second\nthird\n", 13);
	failed = fail_io_stop();
	CU_ASSERT(failed || written == 2);
	CU_ASSERT_EQUAL(line_file_append(file, "four\n", 5), 1);
	text = observed_read(path);
	lines = g_strsplit(text, "\n", -1);
	CU_ASSERT_TRUE(has_line(lines, "one") && has_line(lines, "four"));
	CU_ASSERT_EQUAL(has_line(lines, "second"), written > 0);
	CU_ASSERT_EQUAL(has_line(lines, "third"), written > 1);
	/* A piece is taken back, if the disk lets us. */
	CU_ASSERT(way == FAIL_IO_HALF || g_strv_length(lines) == 2 + written + 1);
	CU_ASSERT_STRING_EQUAL(lines[g_strv_length(lines) - 1], "");
	g_strfreev(lines);
	g_free(text);
	line_file_close(file);
	return failed;
}

static void
test_bad_disk(void)
{
	CU_ASSERT(fail_io_everywhere(append_badly) >= 6);
}

/* A piece that could not be taken back, and then not even ended. */
static void
test_bad_disk_for_long(void)
{
	char *why = NULL;
	line_file *file;
	char *text;

	unlink(path);
	file = line_file_open(path, &why);
	fail_io_start(1, FAIL_IO_HALF, EIO);
	CU_ASSERT_EQUAL(line_file_append(file, "first\n", 6), 0);
	fail_io_start(1, FAIL_IO_ONCE, EIO);
	CU_ASSERT_EQUAL(line_file_append(file, "second\n", 7), 0);
	CU_ASSERT_TRUE(fail_io_stop());
	CU_ASSERT_EQUAL(line_file_append(file, "third\n", 6), 1);
	text = observed_read(path);
	CU_ASSERT_STRING_EQUAL(text, "fir\nthird\n");
	g_free(text);
	line_file_close(file);
}

/* What a process that was killed has left of a line is no part of another one. */
static void
test_left_over(void)
{
	static const char *const rows[][2] = {
		{ "whole\npiece", "whole\npiece\nnext\n" },
		{ "piece", "piece\nnext\n" },
		{ "whole\n", "whole\nnext\n" },
		{ "", "next\n" },
	};

	for (size_t i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
		const char *const *row = rows[i / 2];
		bool reopened = i % 2 == 1;
		char *why = NULL;
		line_file *file;
		char *text;

		unlink(path);
		if (!reopened)
			CU_ASSERT_TRUE(g_file_set_contents(path, row[0], -1, NULL));
		file = line_file_open(path, &why);
		/* It has been replaced meanwhile. */
		if (reopened) {
			CU_ASSERT_TRUE(g_file_set_contents(path, row[0], -1, NULL));
			line_file_reopen(file);
		}
		CU_ASSERT_EQUAL(line_file_append(file, "next\n", 5), 1);
		text = observed_read(path);
		CU_ASSERT_STRING_EQUAL(text, row[1]);
		g_free(text);
		line_file_close(file);
	}
}

/* The log of the daemon is in a file of its own meanwhile; returns what it said, to g_free(). */
static char *
decide_badly(service *shared, decision_log_figures *seen)
{
	limen_request *task = observed_task("192.0.2.1");
	char *said_path = g_build_filename(directory, "said", NULL);
	log_options options = { LOG_TEXT, LIMEN_LOG_INFO,
		                open(said_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600) };
	char *said;

	log_setup(&options);
	for (uint64_t i = 0; i < 60; i++) {
		if (i == 20)
			fail_io_start(1, FAIL_IO_FROM, EIO);
		if (i == 40)
			CU_ASSERT_TRUE(fail_io_stop());
		CU_ASSERT_EQUAL(observed_decide(shared, "/v1/decide", task, 1), 200);
		do {
			usleep(100);
			decision_log_count(shared->decider.decisions, seen);
		} while (seen->written + seen->lost <= i);
	}
	said = observed_read(said_path);
	close(options.fd);
	options.fd = STDERR_FILENO;
	log_setup(&options);
	unlink(said_path);
	g_free(said_path);
	limen_request_free(task);
	return said;
}

/* Decisions go on: each is written or counted as lost, and the log says that it works again. */
static void
test_bad_disk_decides(void)
{
	decision_log_figures seen;
	service shared;
	guint count;
	char *said;

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, NULL);
	said = decide_badly(&shared, &seen);
	CU_ASSERT_EQUAL(seen.written, 40);
	CU_ASSERT_EQUAL(seen.lost, 20);
	CU_ASSERT_EQUAL(seen.dropped, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "can be written again"));
	g_strfreev(close_log(&shared, &count));
	CU_ASSERT_EQUAL(count, 40);
	g_free(said);
	observed_stop(&shared);
}

/* Reads all that is in a pipe; to g_free(). */
static char *
empty_pipe(int reader)
{
	GString *text = g_string_new(NULL);
	char piece[4096];
	ssize_t count;

	while ((count = read(reader, piece, sizeof(piece))) > 0)
		g_string_append_len(text, piece, count);
	return g_string_free(text, FALSE);
}

/* A piece of a line in a pipe is there for good, however often that is opened again. */
static void
test_torn_pipe(void)
{
	char *line = g_strnfill((gsize)1 << 20, 'x');
	char *why = NULL;
	line_file *file;
	int reader;

	line[((gsize)1 << 20) - 1] = '\n';
	unlink(path);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	file = line_file_open(path, &why);
	line_file_hurry(file, 0);
	CU_ASSERT_EQUAL(line_file_append(file, line, (gsize)1 << 20), 0);
	g_free(line);
	line = empty_pipe(reader);
	CU_ASSERT(line[0] == 'x' && strchr(line, '\n') == NULL);
	g_free(line);
	line_file_reopen(file);
	CU_ASSERT_EQUAL(line_file_append(file, "next\n", 5), 1);
	line = empty_pipe(reader);
	CU_ASSERT_STRING_EQUAL(line, "\nnext\n");
	g_free(line);
	line_file_close(file);
	close(reader);
	unlink(path);
}

/* Nobody reads the pipe: decisions go on, lines are dropped or lost and counted. */
static void
test_stuck(void)
{
	limen_request *task = observed_task("192.0.2.1");
	decision_log_figures seen;
	service shared;
	int reader;
	int total = 30000;

	observed_start(&shared, observed_policy, 0);
	unlink(path);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	{
		decision_log_options options = { .path = path, .sample = 1 };
		char *why = NULL;

		shared.decider.decisions = decision_log_open(&options, &why);
		CU_ASSERT_PTR_NOT_NULL_FATAL(shared.decider.decisions);
	}
	for (int i = 0; i < total; i++)
		CU_ASSERT_EQUAL(observed_decide(&shared, "/v1/decide", task, 1), 200);
	/* The writer has patience with a pipe for some seconds. */
	for (int i = 0; i < 60000; i++) {
		decision_log_count(shared.decider.decisions, &seen);
		if (seen.written + seen.dropped + seen.lost == (uint64_t)total)
			break;
		usleep(1000);
	}
	CU_ASSERT_EQUAL(seen.written + seen.dropped + seen.lost, (uint64_t)total);
	CU_ASSERT(seen.lost > 0);
	decision_log_close(shared.decider.decisions);
	shared.decider.decisions = NULL;
	close(reader);
	unlink(path);
	observed_stop(&shared);
	limen_request_free(task);
}

typedef struct worker {
	service *shared;
	limen_request *request;
} worker;

static void *
work(void *data)
{
	worker *one = data;

	for (int i = 0; i < 500; i++)
		observed_decide(one->shared, "/v1/decide", one->request, i);
	return NULL;
}

static void
test_threads(void)
{
	limen_request *task = observed_task("192.0.2.1");
	pthread_t threads[8];
	service shared;
	guint count;
	worker one = { &shared, task };

	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, "peer:hash");
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, work, &one);
	for (int i = 0; i < 20; i++)
		decision_log_reopen(shared.decider.decisions);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	g_strfreev(close_log(&shared, &count));
	CU_ASSERT_EQUAL(count, 4000);
	observed_stop(&shared);
	limen_request_free(task);
}

/* Texts of any length and bytes make lines of bounded length. */
static void
test_hostile(void)
{
	limen_request *req = observed_event("x");
	char *big = g_malloc0(1 << 20);
	char *head = g_strnfill(1023, 'g');
	char *long_group = g_strconcat(head, "\xc3\xa9 and more", NULL);
	char *cut = g_strconcat("\"", head, "...\"", NULL);
	service shared;
	guint count;
	char **lines;

	memset(big, '"', (1 << 20) - 1);
	limen_request_set_field(req, LIMEN_FIELD_NAME, big);
	memset(big, '\x02', (1 << 20) - 1);
	limen_request_set_field(req, LIMEN_FIELD_USER, big);
	for (int i = 0; i < 300; i++)
		limen_request_add_group(req, i == 1 ? long_group : "g\xc3\xa9\n");
	observed_start(&shared, observed_policy, 0);
	open_log(&shared, 1, NULL);
	observed_decide(&shared, "/v1/decide", req, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT(strlen(lines[0]) < 100000);
	CU_ASSERT_TRUE(g_utf8_validate(lines[0], -1, NULL));
	/* What is cut says so, between two characters. */
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], cut));
	g_strfreev(lines);
	observed_stop(&shared);
	limen_request_free(req);
	g_free(long_group);
	g_free(head);
	g_free(cut);
	g_free(big);
}

/* Who shows a log on a terminal shows no orders to it, from names or from documents. */
static void
test_controls(void)
{
	static const char object[] = "{\"kind\":\"Pod\",\"a\xc2\x9b\":[\"\xc2\x85\x7f\xc3\xa9"
	                             "\xe2\x80\xae\xe2\x80\x8d\xf3\xa0\x81\xbf\"]}";
	static const char *const raw[] = { "\xc2\x9b", "\xc2\x85", "\x7f", "\xe2\x80\xae",
		"\xe2\x81\xa7", "\xe2\x80\x8d", "\xf3\xa0\x81\xbf" };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	decision_log_options options = { .path = path, .sample = 1, .documents = true };
	service shared;
	guint count;
	char *why = NULL;
	char **lines;

	CU_ASSERT_EQUAL(limen_request_parse(req, object, strlen(object), NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_USER, "eve\xc2\x9b" "2J\xc2\x85\x7f\xe2\x81\xa7");
	observed_start(&shared, observed_policy, 0);
	unlink(path);
	shared.decider.decisions = decision_log_open(&options, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(shared.decider.decisions);
	observed_decide(&shared, "/v1/decide", req, 1);
	lines = close_log(&shared, &count);
	CU_ASSERT_EQUAL_FATAL(count, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(raw); i++)
		CU_ASSERT_PTR_NULL(strstr(lines[0], raw[i]));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], "\"user\":\"eve\\u009b2J\\u0085\\u007f\\u2067\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(lines[0], "{\"kind\":\"Pod\","
	                                        "\"a\\u009b\":[\"\\u0085\\u007f\xc3\xa9\\u202e"
	                                        "\\u200d\\udb40\\udc7f\"]}"));
	g_strfreev(lines);
	observed_stop(&shared);
	limen_request_free(req);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a line says who asked for what and what became of it", test_lines },
		{ "what comes after the last line is dropped", test_finished },
		{ "what is only recorded is logged whatever the sample", test_would_refuse },
		{ "documents are part of a line where that is wanted", test_documents },
		{ "a pod has its controller in the line", test_controller },
		{ "Secrets are not, in whatever they come", test_secrets },
		{ "nor are passwords and keys of the policy", test_urls },
		{ "parts are left out or hashed", test_redaction },
		{ "where a part is hidden, so are reasons, which may quote it", test_redaction_reason },
		{ "what to hide is read strictly", test_redaction_words },
		{ "a share of what is admitted, and all that is not", test_sample },
		{ "the file is opened again", test_reopen },
		{ "a full disk leaves no piece of a line", test_full_disk },
		{ "a disk that fails tears no other line", test_bad_disk },
		{ "nor does one that fails for long", test_bad_disk_for_long },
		{ "a piece that another process left has a line of its own", test_left_over },
		{ "decisions go on while the disk fails, and lines that are lost are counted",
		  test_bad_disk_decides },
		{ "a piece of a line in a pipe is ended, whenever", test_torn_pipe },
		{ "a file that takes nothing stops nobody", test_stuck },
		{ "many threads log and reopen at once", test_threads },
		{ "hostile texts make bounded lines", test_hostile },
		{ "control characters are escaped, in documents too", test_controls },
		{ NULL, NULL },
	};
	log_options quiet = { LOG_TEXT, LIMEN_LOG_ERROR, STDERR_FILENO };
	int status;

	log_setup(&quiet);
	directory = observed_directory();
	path = g_build_filename(directory, "decisions", NULL);
	status = suite_run("daemon/decision_log", tests);
	unlink(path);
	rmdir(directory);
	g_free(path);
	g_free(directory);
	return status;
}
