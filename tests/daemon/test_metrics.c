/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted, and how it is shown: read back by rules of our own (prometheus.h). */
#include <limen/version.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/decision_log.h"
#include "base/exposition.h"
#include "base/log.h"
#include "metrics/observer.h"
#include "audit/refusals.h"
#include "observed.h"
#include "prometheus.h"
#include "suite.h"

#define VALIDATE "/admission/validate"

static scrape
read_metrics(service *shared)
{
	scrape seen;
	int status;
	GString *text = observed_get(shared, "/metrics", NULL, &status);

	CU_ASSERT_EQUAL(status, 200);
	scrape_read(&seen, text->str);
	CU_ASSERT_PTR_NULL(seen.fault);
	if (seen.fault != NULL)
		g_printerr("# %s\n", seen.fault);
	g_string_free(text, TRUE);
	return seen;
}

/* The series is there and has this value. */
static void
expect(const scrape *seen, const char *series, double value)
{
	double found = scrape_value(seen, series);

	CU_ASSERT_EQUAL(found, value);
	if (found != value)
		printf("# %s is %g, not %g\n", series, found, value);
}

static void
test_decisions(void)
{
	limen_request *event = observed_event("jane");
	limen_request *good = observed_task("192.0.2.1");
	limen_request *bad = observed_task("192.0.2.9");
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 3);
	CU_ASSERT_EQUAL(observed_decide(&shared, VALIDATE, event, 50000), 200);
	CU_ASSERT_EQUAL(observed_decide(&shared, VALIDATE, event, 50001), 200);
	CU_ASSERT_EQUAL(observed_decide(&shared, VALIDATE, event, 99999999999), 429);
	CU_ASSERT_EQUAL(observed_decide(&shared, "/v1/decide", good, -5), 200);
	CU_ASSERT_EQUAL(observed_decide(&shared, "/v1/decide", bad, 0), 403);
	seen = read_metrics(&shared);
	expect(&seen, "limend_decisions_total{endpoint=\"/admission/validate\",code=\"200\"}", 2);
	expect(&seen, "limend_decisions_total{endpoint=\"/admission/validate\",code=\"429\"}", 1);
	expect(&seen, "limend_decisions_total{endpoint=\"/v1/decide\",code=\"403\"}", 1);
	expect(&seen, "limend_decisions_total{endpoint=\"/v1/passed\",code=\"200\"}", 0);
	expect(&seen, "limend_refusals_total{entry=\"events\",code=\"429\"}", 1);
	expect(&seen, "limend_refusals_total{entry=\"closed\",code=\"403\"}", 1);
	expect(&seen, "limend_top_refused{entry=\"events\",key=\"jane\"}", 1);
	expect(&seen, "limend_top_refused{entry=\"closed\",key=\"192.0.2.9\"}", 1);
	expect(&seen, "limend_top_refused_error{entry=\"closed\",key=\"192.0.2.9\"}", 0);
	expect(&seen, "limend_decision_seconds_bucket{endpoint=\"/admission/validate\",le=\"5e-05\"}",
	       1);
	expect(&seen, "limend_decision_seconds_bucket{endpoint=\"/admission/validate\",le=\"0.0001\"}",
	       2);
	expect(&seen, "limend_decision_seconds_bucket{endpoint=\"/admission/validate\",le=\"10\"}", 2);
	expect(&seen, "limend_decision_seconds_bucket{endpoint=\"/admission/validate\",le=\"+Inf\"}",
	       3);
	expect(&seen, "limend_decision_seconds_count{endpoint=\"/admission/validate\"}", 3);
	CU_ASSERT_DOUBLE_EQUAL(
		scrape_value(&seen, "limend_decision_seconds_sum{endpoint=\"/admission/validate\"}"),
		100.000100, 1e-6);
	scrape_clear(&seen);
	observed_stop(&shared);
	limen_request_free(event);
	limen_request_free(good);
	limen_request_free(bad);
}

static void
test_instances(void)
{
	limen_request *event = observed_event("joe");
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 0);
	for (int i = 0; i < 3; i++)
		observed_decide(&shared, VALIDATE, event, 1);
	seen = read_metrics(&shared);
#define ENTRY "section=\"admission\",entry=\"events\",type=\"EventRateLimit\""
#define TABLE ENTRY ",table=\"User\",store=\"default\""
	expect(&seen, "limend_instance_events_total{" ENTRY ",event=\"accepted\"}", 2);
	expect(&seen, "limend_table_buckets{" TABLE "}", 1);
	expect(&seen, "limend_table_capacity{" TABLE "}", 100);
	expect(&seen, "limend_table_refusals_total{" TABLE "}", 1);
	CU_ASSERT_FALSE(g_hash_table_contains(seen.families, "limend_top_refused"));
	scrape_clear(&seen);
	observed_stop(&shared);
	limen_request_free(event);
}

/* A policy whose table has room for four users, each with two events and no more. */
static const char crowded[] =
	"{\"schema\": 4, \"identifiers\": [], \"classifiers\": [], \"limits\": [],"
	" \"applications\": [], \"admission\": [{\"name\": \"events\", \"enforce\": \"%s\","
	"  \"plugin\": \"EventRateLimit\", \"data\": {\"limits\": ["
	"   {\"type\": \"User\", \"qps\": 1, \"burst\": 2, \"cacheSize\": 4}]}}]}";

static int
decide_for(service *shared, const char *user)
{
	limen_request *event = observed_event(user);
	int code = observed_decide(shared, VALIDATE, event, 1);

	limen_request_free(event);
	return code;
}

static void
start_crowded(service *shared, const char *enforce)
{
	char *policy = g_strdup_printf(crowded, enforce);

	observed_start(shared, policy, 0);
	g_free(policy);
}

/* Whoever has been asked for longest makes room, and is admitted again when he comes back. */
static void
test_evictions(void)
{
	service shared;
	scrape seen;

	start_crowded(&shared, "deny");
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(decide_for(&shared, "joe"), i < 2 ? 200 : 429);
	for (const char *user = "abc"; *user != '\0'; user++)
		CU_ASSERT_EQUAL(decide_for(&shared, user), 200);
	CU_ASSERT_EQUAL(decide_for(&shared, "d"), 200);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(decide_for(&shared, "joe"), i < 2 ? 200 : 429);
	seen = read_metrics(&shared);
	expect(&seen, "limend_table_evictions_total{" TABLE "}", 2);
	expect(&seen, "limend_table_takes_total{" TABLE "}", 10);
	expect(&seen, "limend_table_refusals_total{" TABLE "}", 2);
	expect(&seen, "limend_table_buckets{" TABLE "}", 4);
	expect(&seen, "limend_table_capacity{" TABLE "}", 4);
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_rehearsed(void)
{
	service shared;
	scrape seen;

	start_crowded(&shared, "audit");
	for (int i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(decide_for(&shared, "joe"), 200);
	seen = read_metrics(&shared);
	expect(&seen, "limend_rehearsed_refusals_total{entry=\"events\"}", 3);
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_warnings(void)
{
	service shared;
	scrape seen;

	start_crowded(&shared, "warn");
	for (int i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(decide_for(&shared, "joe"), 200);
	seen = read_metrics(&shared);
	expect(&seen, "limend_decisions_with_warnings_total{endpoint=\"/admission/validate\"}", 3);
	expect(&seen, "limend_decisions_with_warnings_total{endpoint=\"/v1/decide\"}", 0);
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_process(void)
{
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 0);
	seen = read_metrics(&shared);
	expect(&seen, "limend_build_info{version=\"" LIMEN_VERSION "\"}", 1);
	expect(&seen, "limend_log_lines_lost_total", (double)log_lost());
	CU_ASSERT(scrape_value(&seen, "process_resident_memory_bytes") > 1000000);
	CU_ASSERT(scrape_value(&seen, "process_virtual_memory_bytes") >=
	          scrape_value(&seen, "process_resident_memory_bytes"));
	CU_ASSERT(scrape_value(&seen, "process_cpu_seconds_total") >= 0);
	CU_ASSERT(scrape_value(&seen, "process_threads") >= 2);
	CU_ASSERT(scrape_value(&seen, "process_open_fds") >= 3);
	CU_ASSERT(scrape_value(&seen, "process_max_fds") >=
	          scrape_value(&seen, "process_open_fds"));
	CU_ASSERT(scrape_value(&seen, "process_start_time_seconds") > 1.7e9);
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_service(void)
{
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 0);
	metrics_note_expiry(shared.decider.metrics,
	                    limen_host_wall_time() + (limen_time)(7.5 * 86400e6));
	metrics_count_reload(shared.decider.metrics, true);
	metrics_count_reload(shared.decider.metrics, false);
	metrics_count_response(shared.decider.metrics, HTTP_NO_ROW, 413);
	metrics_count_response(shared.decider.metrics, endpoint_row("/readyz"), 299);
	metrics_count_shed(shared.decider.metrics);
	metrics_count_response(shared.decider.metrics, endpoint_row("/nowhere\"\n"), 404);
	seen = read_metrics(&shared);
	CU_ASSERT_DOUBLE_EQUAL(scrape_value(&seen, "limend_tls_certificate_days_left"), 7.5, 0.01);
	expect(&seen, "limend_http_connections_shed_total", 1);
	/* With the first one. */
	expect(&seen, "limend_policy_loads_total", 3);
	expect(&seen, "limend_policy_load_failures_total", 1);
	CU_ASSERT(scrape_value(&seen, "limend_policy_loaded_timestamp_seconds") > 1.7e9);
	expect(&seen, "limend_http_responses_total{endpoint=\"other\",status=\"413\"}", 1);
	expect(&seen, "limend_http_responses_total{endpoint=\"other\",status=\"404\"}", 1);
	expect(&seen, "limend_http_responses_total{endpoint=\"/readyz\",status=\"other\"}", 1);
	expect(&seen, "limend_draining", 0);
	scrape_clear(&seen);
	observed_stop(&shared);
}

/* Does limend have words for this status, because it answers with it? */
static bool
is_known(int status)
{
	http_response response = { .body = g_string_new(NULL) };
	bool known;

	http_fail(&response, status, "x");
	known = strstr(response.body->str, "\"reason\":\"Error\"") == NULL;
	http_response_clear(&response);
	return known;
}

/* A status that limend answers with is not counted among others. */
static void
test_statuses(void)
{
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 0);
	for (int status = 400; status < 600; status++)
		if (is_known(status))
			metrics_count_response(shared.decider.metrics, HTTP_NO_ROW, status);
	CU_ASSERT(is_known(421) && !is_known(499));
	seen = read_metrics(&shared);
	for (int status = 400; status < 600; status++) {
		char series[100];

		snprintf(series, sizeof(series),
		         "limend_http_responses_total{endpoint=\"other\",status=\"%d\"}", status);
		if (is_known(status))
			expect(&seen, series, 1);
	}
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_probes(void)
{
	service shared;
	int status;
	GString *text;

	observed_start(&shared, NULL, 0);
	text = observed_get(&shared, "/livez", NULL, &status);
	CU_ASSERT(status == 200 && strcmp(text->str, "ok") == 0);
	g_string_free(text, TRUE);
	text = observed_get(&shared, "/readyz", NULL, &status);
	CU_ASSERT_EQUAL(status, 503);
	CU_ASSERT_STRING_EQUAL(text->str, "[+]ping ok\n[+]threads ok\n[+]decisions ok\n"
	                                  "[-]policy failed: no policy is in force\n"
	                                  "[+]modules ok\n[+]shutdown ok\nreadyz check failed\n");
	g_string_free(text, TRUE);
	/* A daemon that is to do without one is not waited for. */
	shared.without_policy = true;
	g_string_free(observed_get(&shared, "/readyz", NULL, &status), TRUE);
	CU_ASSERT_EQUAL(status, 200);
	shared.without_policy = false;
	metrics_count_reload(shared.decider.metrics, false);
	g_string_free(observed_get(&shared, "/readyz", NULL, &status), TRUE);
	CU_ASSERT_EQUAL(status, 503);
	limen_engine_load_text(shared.decider.engine, "p", observed_policy, strlen(observed_policy), NULL);
	metrics_count_reload(shared.decider.metrics, true);
	/* A load that fails later changes nothing. */
	metrics_count_reload(shared.decider.metrics, false);
	text = observed_get(&shared, "/readyz", NULL, &status);
	CU_ASSERT(status == 200 && strcmp(text->str, "ok") == 0);
	g_string_free(text, TRUE);
	text = observed_get(&shared, "/readyz", "verbose", &status);
	CU_ASSERT_STRING_EQUAL(text->str, "[+]ping ok\n[+]threads ok\n[+]decisions ok\n"
	                                  "[+]policy ok\n[+]modules ok\n"
	                                  "[+]shutdown ok\nreadyz check passed\n");
	g_string_free(text, TRUE);
	atomic_store(&shared.draining, true);
	text = observed_get(&shared, "/readyz", NULL, &status);
	CU_ASSERT(status == 503 && strstr(text->str, "[-]shutdown failed: about to end\n") != NULL);
	g_string_free(text, TRUE);
	g_string_free(observed_get(&shared, "/livez", "verbose", &status), TRUE);
	CU_ASSERT_EQUAL(status, 200);
	text = observed_get(&shared, "/healthz", "verbose", &status);
	CU_ASSERT(status == 200 && strcmp(text->str, "[+]ping ok\n[+]threads ok\nhealthz check passed\n") == 0);
	g_string_free(text, TRUE);
	observed_stop(&shared);
}

/*
 * Loads a policy whose description no reader takes: each of its classifiers names its
 * file, and that has a very long name.
 */
static void
load_lengthy(service *shared)
{
	GString *text = g_string_new("{\"schema\": 4, \"identifiers\": [{\"name\": \"all\","
	                             " \"description\": \"\", \"type\": \"always\", \"data\": {}}],"
	                             " \"limits\": [], \"applications\": [], \"classifiers\": [");
	char *name = g_strnfill((gsize)1 << 20, 'x');

	for (int i = 0; i < 66; i++)
		g_string_append_printf(text, "%s{\"name\": \"c%d\", \"description\": \"\","
		                       " \"identifiers\": [\"all\"]}", i == 0 ? "" : ", ", i);
	g_string_append(text, "]}");
	CU_ASSERT_EQUAL(limen_engine_load_text(shared->decider.engine, name, text->str, text->len, NULL),
	                LIMEN_OK);
	metrics_count_reload(shared->decider.metrics, true);
	g_string_free(text, TRUE);
	g_free(name);
}

/* However long it takes to look at a policy, and whatever can be seen: it is in force. */
static void
test_lengthy(void)
{
	service shared;
	int status = 503;
	GString *text;
	scrape seen;

	observed_start(&shared, NULL, 0);
	load_lengthy(&shared);
	for (int i = 0; i < 600 && status == 503; i++) {
		text = observed_get(&shared, "/readyz", NULL, &status);
		CU_ASSERT(status == 200 && strcmp(text->str, "ok") == 0);
		g_string_free(text, TRUE);
		text = observed_get(&shared, "/v1/policy", NULL, &status);
		CU_ASSERT_PTR_NOT_NULL(strstr(text->str, status == 200 ? "\"classifiers\"" : "description"));
		CU_ASSERT(status != 200 || text->len > (gsize)64 << 20);
		g_string_free(text, TRUE);
	}
	CU_ASSERT_EQUAL(status, 200);
	seen = read_metrics(&shared);
	CU_ASSERT_TRUE(g_hash_table_contains(seen.families, "process_threads"));
	scrape_clear(&seen);
	observed_stop(&shared);
}

static void
test_views(void)
{
	static const char secret[] =
		"{\"schema\": 4, \"identifiers\": [{\"name\": \"a\", \"description\": \"\","
		" \"type\": \"hint\", \"data\": {\"hint\": \"h\", \"match\":"
		" {\"style\": \"exact\", \"match\": \"s3cret\"}}}],"
		" \"classifiers\": [], \"limits\": [], \"applications\": []}";
	service shared;
	int status;
	GString *text;

	observed_start(&shared, secret, 0);
	limen_engine_load_text(shared.decider.engine, "p", "{", 1, NULL);
	text = observed_get(&shared, "/v1/policy", NULL, &status);
	CU_ASSERT_EQUAL(status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "\"loaded\":"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "\"error\":"));
	CU_ASSERT_PTR_NULL(strstr(text->str, "s3cret"));
	g_string_free(text, TRUE);
	text = observed_get(&shared, "/version", NULL, &status);
	CU_ASSERT(status == 200 && g_str_has_prefix(text->str, "{\"version\":\""));
	g_string_free(text, TRUE);
	observed_stop(&shared);
}

static const char strange[] =
	"{\"limits\": {\"a\\\"b\\n\\\\\": {\"type\": \"t\", \"status\": {\"ready\": false,"
	" \"age\": 1.5, \"x\": {\"y\": 2, \"ready\": true, \"z\": {\"a\": {\"b\": {\"c\": 1}}}},"
	" \"x.y\": 3, \"list\": [1, 2], \"text\": \"no\", \"null\": null,"
	" \"counters\": {\"n\": 4, \"t\": \"no\"}},"
	" \"tables\": {\"T\": {\"store\": \"s\", \"buckets\": 7, \"odd\": {\"n\": 8}}}},"
	" \"type\": {\"type\": \"t\", \"status\": {\"n\": 1}}},"
	" \"rewrite\": {\"type\": \"jq\", \"status\": {\"n\": 1}}, \"classifiers\": {\"c\": {}},"
	" \"files\": {\"f\": true}, \"loads\": 3}";

static void
write_strange(GString *out)
{
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);

	CU_ASSERT_EQUAL(limen_request_parse(holder, strange, sizeof(strange) - 1, NULL), LIMEN_OK);
	instance_metrics_write(limen_request_document(holder), out);
	limen_request_free(holder);
}

/* A status may say anything: names of others, the same twice, lists, very deep. */
static void
test_strange_status(void)
{
	GString *out = g_string_new(NULL);
	scrape seen;

	write_strange(out);
	scrape_read(&seen, out->str);
	CU_ASSERT_PTR_NULL(seen.fault);
#define STRANGE "section=\"limits\",entry=\"a\\\"b\\n\\\\\",type=\"t\""
	expect(&seen, "limend_instance_ready{" STRANGE "}", 0);
	expect(&seen, "limend_instance_age_seconds{" STRANGE "}", 1.5);
	expect(&seen, "limend_instance_status{" STRANGE ",field=\"x.y\"}", 2);
	expect(&seen, "limend_instance_status{" STRANGE ",field=\"x.ready\"}", 1);
	expect(&seen, "limend_instance_status{" STRANGE ",field=\"list\"}", 2);
	expect(&seen, "limend_instance_status{" STRANGE ",field=\"text\"}", -1);
	expect(&seen, "limend_instance_events_total{" STRANGE ",event=\"n\"}", 4);
	expect(&seen,
	       "limend_instance_status{section=\"limits\",entry=\"type\",type=\"t\",field=\"n\"}", 1);
	expect(&seen,
	       "limend_instance_status{section=\"rewrite\",entry=\"rewrite\",type=\"jq\",field=\"n\"}",
	       1);
	expect(&seen, "limend_table_buckets{" STRANGE ",table=\"T\",store=\"s\"}", 7);
	expect(&seen, "limend_table_status{" STRANGE ",table=\"T\",store=\"s\",field=\"odd.n\"}", 8);
	scrape_clear(&seen);
	g_string_free(out, TRUE);
}

static void
test_exposition(void)
{
	GString *out = g_string_new(NULL);
	scrape seen;

	exposition_single(out, "a", "gauge", "Help.", HUGE_VAL);
	exposition_family(out, "b", "gauge", "Help.");
	g_string_append(out, "b");
	exposition_label(out, "l", "\xff\"\\\n}x\x1b\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x9c"
	                           "\xf3\xa0\x80\xbf");
	exposition_real(out, -0.25);
	CU_ASSERT_STRING_EQUAL(out->str, "# HELP a Help.\n# TYPE a gauge\na +Inf\n"
	                                 "# HELP b Help.\n# TYPE b gauge\n"
	                                 "b{l=\"\xef\xbf\xbd\\\"\\\\\\n}x\\\\u001b\\\\u009b\\\\u202e"
	                                 "\\\\u2066\xe2\x80\x9c\\\\udb40\\\\udc3f\"} -0.25\n");
	scrape_read(&seen, out->str);
	CU_ASSERT_PTR_NULL(seen.fault);
	scrape_clear(&seen);
	g_string_append(out, "b{l=\"again\"} 1\nb{l=\"again\"} 2\n");
	scrape_read(&seen, out->str);
	CU_ASSERT_PTR_NOT_NULL(seen.fault);
	scrape_clear(&seen);
	g_string_free(out, TRUE);
}

/* Heavy ones stay although there are far more others than room. */
static void
test_top(void)
{
	refusals *sketch = refusals_new(8, NULL);
	GList *rows;
	int heavy = 0;
	char key[300];

	for (int i = 0; i < 10000; i++) {
		snprintf(key, sizeof(key), "somebody-%d-%0250d", i, i);
		refusals_count(sketch, key, "entry", 0, 1);
		if (i % 3 == 0)
			refusals_count(sketch, "heavy", "entry", 0, 1);
		if (i % 3 == 1)
			refusals_count(sketch, "heavy", "other", 0, 1);
	}
	rows = refusals_list(sketch);
	CU_ASSERT_EQUAL(g_list_length(rows), 9);
	/* Never too low, and too high by the error at most. */
	for (const GList *link = rows; link != NULL; link = link->next) {
		const refusals_row *row = link->data;
		uint64_t truth = strcmp(row->entry, "entry") == 0 ? 3334 : 3333;

		if (strcmp(row->name, "heavy") != 0)
			continue;
		heavy++;
		CU_ASSERT(refusals_bound(row) >= truth && refusals_bound(row) - row->error <= truth);
	}
	CU_ASSERT_EQUAL(heavy, 2);
	g_list_free(rows);
	refusals_free(sketch);
}

/* A name that is that of the rest counts for it: no two rows have the same labels. */
static void
test_name_of_rest(void)
{
	refusals *table = refusals_new(1, "rest");
	const refusals_row *last;
	GList *rows;

	refusals_count(table, "rest", "", 0, 1);
	refusals_count(table, "a", "", 0, 1);
	refusals_count(table, "b", "", 0, 1);
	rows = refusals_list(table);
	CU_ASSERT_EQUAL(g_list_length(rows), 2);
	last = g_list_last(rows)->data;
	CU_ASSERT(last->rest && last->counts[0] == 2);
	g_list_free(rows);
	refusals_free(table);
}

/* Adds the rows of the table of docs/observability.md: family -> type. */
static GHashTable *
read_documented(void)
{
	GHashTable *rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	char *name = g_build_filename(getenv("LIMEN_SRCDIR"), "docs/observability.md", NULL);
	char *text = observed_read(name);
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		char family[100];
		char type[20];

		if (sscanf(*line, "| `%99[a-z_]` | %19[a-z] |", family, type) == 2 &&
		    strchr(family, '_') != NULL)
			g_hash_table_insert(rows, g_strdup(family), g_strdup(type));
	}
	g_strfreev(lines);
	g_free(text);
	g_free(name);
	return rows;
}

/* Every documented family is there with its type and the other way round. */
static void
compare_families(GHashTable *shown, GHashTable *documented)
{
	GHashTableIter iter;
	gpointer name;
	gpointer type;

	CU_ASSERT_EQUAL(g_hash_table_size(shown), g_hash_table_size(documented));
	g_hash_table_iter_init(&iter, documented);
	while (g_hash_table_iter_next(&iter, &name, &type)) {
		const char *found = g_hash_table_lookup(shown, name);

		CU_ASSERT(found != NULL && strcmp(found, type) == 0);
		if (found == NULL || strcmp(found, type) != 0)
			printf("# %s is documented as a %s\n", (char *)name, (char *)type);
	}
}

static void
test_documentation(void)
{
	decision_log_options options = { .path = "/dev/null" };
	GString *out = g_string_new(NULL);
	GHashTable *documented = read_documented();
	service shared;
	scrape seen;
	scrape more;
	GHashTableIter iter;
	gpointer name;
	gpointer type;
	char *why;

	observed_start(&shared, observed_policy, 1);
	metrics_note_expiry(shared.decider.metrics,
	                    limen_host_wall_time() + (limen_time)(7.5 * 86400e6));
	shared.decider.decisions = decision_log_open(&options, &why);
	metrics_count_reload(shared.decider.metrics, true);
	seen = read_metrics(&shared);
	write_strange(out);
	scrape_read(&more, out->str);
	g_hash_table_iter_init(&iter, more.families);
	while (g_hash_table_iter_next(&iter, &name, &type))
		g_hash_table_insert(seen.families, g_strdup(name), g_strdup(type));
	compare_families(seen.families, documented);
	scrape_clear(&seen);
	scrape_clear(&more);
	g_hash_table_destroy(documented);
	g_string_free(out, TRUE);
	decision_log_close(shared.decider.decisions);
	observed_stop(&shared);
}

/* Counts the samples of 'family' in the text of /metrics. */
static size_t
count_samples(const char *text, const char *family)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, family)) != NULL; at++)
		count += (at == text || at[-1] == '\n') && at[strlen(family)] == '{';
	return count;
}

/* Long names that are equal as far as they are kept take the place of one. */
static void
test_long_namespaces(void)
{
	static const char policy[] =
		"{\"admission\": [{\"name\": \"all\", \"plugin\": \"EventRateLimit\", \"data\":"
		"  {\"limits\": [{\"type\": \"Server\", \"qps\": 1, \"burst\": 1}]}}]}";
	limen_request *event = observed_event("jane");
	service shared;
	scrape seen;
	char name[300];

	limen_request_set_now(event, 1000000);
	observed_start(&shared, policy, 0);
	for (int i = 0; i <= 300; i++) {
		snprintf(name, sizeof(name), "%0290d-%d", 0, i);
		limen_request_set_field(event, LIMEN_FIELD_NAMESPACE, name);
		observed_decide(&shared, VALIDATE, event, 1000);
	}
	limen_request_set_field(event, LIMEN_FIELD_NAMESPACE, "last");
	observed_decide(&shared, VALIDATE, event, 1000);
	seen = read_metrics(&shared);
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"all\",namespace=\"last\",enforce=\"deny\"}", 1);
	scrape_clear(&seen);
	limen_request_free(event);
	observed_stop(&shared);
}

static void
test_namespaces(void)
{
	static const char policy[] =
		"{\"admission\": [{\"name\": \"tight\", \"plugin\": \"EventRateLimit\", \"data\":"
		"  {\"limits\": [{\"type\": \"Namespace\", \"qps\": 1, \"burst\": 1}]}},"
		" {\"name\": \"tried\", \"plugin\": \"EventRateLimit\", \"enforce\": \"warn\", \"data\":"
		"  {\"limits\": [{\"type\": \"Server\", \"qps\": 1, \"burst\": 1}]}},"
		" {\"name\": \"watched\", \"plugin\": \"EventRateLimit\", \"enforce\": \"audit\","
		"  \"data\": {\"limits\": [{\"type\": \"Server\", \"qps\": 1, \"burst\": 2}]}}]}";
	static const char family[] = "limend_refusals_by_namespace_total";
	limen_request *event = observed_event("jane");
	service shared;
	GString *text;
	scrape seen;
	int status;

	limen_request_set_now(event, 1000000);
	observed_start(&shared, policy, 0);
	for (int i = 0; i < 900; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i % 300);
		limen_request_set_field(event, LIMEN_FIELD_NAMESPACE, name);
		observed_decide(&shared, VALIDATE, event, 1000);
	}
	seen = read_metrics(&shared);
	/* n0 is first refused after 200 others: the first event is within all rates. */
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"tight\",namespace=\"n200\",enforce=\"deny\"}", 2);
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"tried\",namespace=\"n1\",enforce=\"warn\"}", 1);
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"watched\",namespace=\"n2\",enforce=\"audit\"}", 1);
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"tight\",namespace=\"other\",enforce=\"deny\"}", 200);
	expect(&seen, "limend_refusals_by_namespace_total{entry=\"tried\",namespace=\"other\",enforce=\"warn\"}", 99);
	scrape_clear(&seen);
	text = observed_get(&shared, "/metrics", NULL, &status);
	/* Three entries have 201 names each, but "watched" would refuse nothing in n1. */
	CU_ASSERT_EQUAL(count_samples(text->str, family), (size_t)3 * 201 - 1);
	g_string_free(text, TRUE);
	observed_stop(&shared);
	limen_request_free(event);
}

static void
test_owners(void)
{
	static const char policy[] =
		"{\"admission\": [{\"name\": \"limits\", \"plugin\": \"LimitRanger\", \"data\":"
		" {\"manifests\": {\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", \"metadata\":"
		" {\"name\": \"l\", \"namespace\": \"shop\"}, \"spec\": {\"limits\": [{\"type\":"
		" \"Container\", \"max\": {\"cpu\": \"1\"}}]}}}}]}";
	static const char *const owners[] = {
		"{\"kind\": \"Node\", \"name\": \"n\"}, "
		"{\"kind\": \"ReplicaSet\", \"name\": \"web-5d8f\", \"controller\": true}",
		"{\"kind\": \"Thing\", \"name\": \"t\", \"controller\": false}",
	};
	service shared;
	scrape seen;

	observed_start(&shared, policy, 5);
	for (size_t i = 0; i < G_N_ELEMENTS(owners); i++) {
		limen_request *pod = observed_event("system:serviceaccount:kube-system:x");
		char *text = g_strdup_printf(
			"{\"metadata\": {\"ownerReferences\": [%s]}, \"spec\": {\"containers\":"
			" [{\"name\": \"c\", \"resources\": {\"limits\": {\"cpu\": \"2\"}}}]}}",
			owners[i]);

		limen_request_parse(pod, text, strlen(text), NULL);
		limen_request_set_field(pod, LIMEN_FIELD_KIND, "Pod");
		limen_request_set_field(pod, LIMEN_FIELD_RESOURCE, "pods");
		limen_request_set_field(pod, LIMEN_FIELD_NAMESPACE, "shop");
		CU_ASSERT_EQUAL(observed_decide(&shared, VALIDATE, pod, 1), 403);
		limen_request_free(pod);
		g_free(text);
	}
	seen = read_metrics(&shared);
	expect(&seen, "limend_top_refused{entry=\"limits\",key=\"shop ReplicaSet/web-5d8f\"}", 1);
	expect(&seen,
	       "limend_top_refused{entry=\"limits\",key=\"shop system:serviceaccount:kube-system:x\"}",
	       1);
	scrape_clear(&seen);
	observed_stop(&shared);
}

#define THREADS 8
#define ROUNDS 2000

typedef struct worker {
	service *shared;
	limen_request *request;
	bool reads;
} worker;

static void *
work(void *data)
{
	worker *one = data;
	int status;

	for (int i = 0; i < (one->reads ? 50 : ROUNDS); i++) {
		if (one->reads)
			g_string_free(observed_get(one->shared, "/metrics", NULL, &status), TRUE);
		else
			observed_decide(one->shared, "/v1/decide", one->request, i);
		metrics_count_response(one->shared->decider.metrics, endpoint_row("/v1/decide"), 200);
	}
	return NULL;
}

static void
test_threads(void)
{
	limen_request *bad = observed_task("192.0.2.9");
	pthread_t threads[THREADS];
	worker workers[THREADS];
	service shared;
	scrape seen;

	observed_start(&shared, observed_policy, 5);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (worker){ &shared, bad, i == 0 };
		pthread_create(&threads[i], NULL, work, &workers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	seen = read_metrics(&shared);
	expect(&seen, "limend_decisions_total{endpoint=\"/v1/decide\",code=\"403\"}",
	       (THREADS - 1) * ROUNDS);
	expect(&seen, "limend_refusals_total{entry=\"closed\",code=\"403\"}", (THREADS - 1) * ROUNDS);
	expect(&seen, "limend_top_refused{entry=\"closed\",key=\"192.0.2.9\"}",
	       (THREADS - 1) * ROUNDS);
	expect(&seen, "limend_http_responses_total{endpoint=\"/v1/decide\",status=\"200\"}",
	       (THREADS - 1) * ROUNDS + 50);
	scrape_clear(&seen);
	observed_stop(&shared);
	limen_request_free(bad);
}

/* Counts for users nobody heard of before make neither memory nor the answer grow. */
static void
test_flat(void)
{
	service shared;
	size_t before = 0;
	size_t length = 0;
	int status;

	observed_start(&shared, observed_policy, 3);
	for (int i = 0; i < 6000; i++) {
		char user[40];
		limen_request *req;

		snprintf(user, sizeof(user), "192.0.2.9%%%d", i);
		req = observed_task("192.0.2.9");
		limen_request_set_field(req, LIMEN_FIELD_USER, user);
		observed_decide(&shared, "/v1/decide", req, 1000);
		limen_request_free(req);
		if (i == 2000) {
			GString *text = observed_get(&shared, "/metrics", NULL, &status);

			length = text->len;
			g_string_free(text, TRUE);
			before = mallinfo2().uordblks;
		}
	}
	CU_ASSERT(mallinfo2().uordblks < before + 100000);
	for (int i = 0; i < 3; i++) {
		GString *text = observed_get(&shared, "/metrics", NULL, &status);

		CU_ASSERT(text->len < length + 500);
		g_string_free(text, TRUE);
	}
	observed_stop(&shared);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "decisions are counted by path, code, entry and time", test_decisions },
		{ "instances and their tables are shown", test_instances },
		{ "a bucket that makes room is counted, and full when it comes back",
		  test_evictions },
		{ "decisions that warn are counted", test_warnings },
		{ "what is only recorded is counted by entry", test_rehearsed },
		{ "the process shows its version, memory, time, threads and descriptors",
		  test_process },
		{ "loads, answers and the certificate are shown", test_service },
		{ "each status that limend answers with is counted", test_statuses },
		{ "/livez and /readyz answer as those of Kubernetes", test_probes },
		{ "a policy that takes long to look at is in force", test_lengthy },
		{ "/v1/policy shows what is loaded and no secrets; /version", test_views },
		{ "a status of any shape gives valid samples", test_strange_status },
		{ "docs/observability.md lists all families and no others", test_documentation },
		{ "labels and values are escaped, and our reader sees faults", test_exposition },
		{ "those refused most are found among very many", test_top },
		{ "300 namespaces with refusals have 201 names", test_namespaces },
		{ "long ones that are cut to one have one", test_long_namespaces },
		{ "a name is that of the rest", test_name_of_rest },
		{ "the top refused keys of pods are their owners", test_owners },
		{ "many threads count and read at once", test_threads },
		{ "memory and answer stay flat whoever asks", test_flat },
		{ NULL, NULL },
	};

	return suite_run("daemon/metrics", tests);
}
