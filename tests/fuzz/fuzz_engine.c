/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_engine.h"

#include <string.h>

const char fuzz_engine_policy[] =
	"{\"schema\": 4, \"settings\": {\"timeout\": \"PT10S\"},"
	" \"identifiers\": ["
	"  {\"name\": \"all\", \"description\": \"\", \"type\": \"always\", \"data\": {}},"
	"  {\"name\": \"ours\", \"description\": \"\", \"type\": \"ip-cidr-list\","
	"   \"data\": {\"cidrs\": [\"192.0.2.0/24\", \"2001:db8::/32\"]}},"
	"  {\"name\": \"here\", \"description\": \"\", \"type\": \"localif\", \"data\": {}},"
	"  {\"name\": \"who\", \"description\": \"\", \"type\": \"hint\", \"data\": {\"hint\": \"user\","
	"   \"match\": {\"style\": \"regex\", \"match\": \"^(a|ab)+c?$\"}}},"
	"  {\"name\": \"talk\", \"description\": \"\", \"type\": \"jq\", \"data\": {\"script\": \".requester != null\"}}],"
	" \"classifiers\": [{\"name\": \"all\", \"description\": \"\", \"identifiers\": [\"all\", \"ours\", \"who\", \"talk\"]},"
	"  {\"name\": \"here\", \"description\": \"\", \"identifiers\": [\"here\"], \"require\": \"none\"}],"
	" \"rewrite\": {\"script\": \"if .test.spec.duration == null then .test.spec.duration = \\\"PT5S\\\""
	"   | change(\\\"set\\\") else . end\"},"
	" \"limits\": [{\"name\": \"short\", \"type\": \"test\", \"data\": {\"test\": \"throughput\", \"limit\":"
	"   {\"duration\": {\"range\": {\"lower\": \"PT1S\", \"upper\": \"PT60S\"}},"
	"    \"bandwidth\": {\"range\": {\"lower\": \"1K\", \"upper\": \"10G\"}},"
	"    \"dest\": {\"match\": {\"style\": \"contains\", \"match\": \"example\"}}}}},"
	"  {\"name\": \"types\", \"type\": \"test-type\", \"data\": {\"types\": [\"rtt\", \"idle\", \"throughput\"]}},"
	"  {\"name\": \"often\", \"type\": \"rate\", \"data\": {\"key\": [\"requester\", \"test-type\","
	"    \"hint:user\"], \"rate\": \"1000000/s\", \"capacity\": 64}},"
	"  {\"name\": \"hours\", \"type\": \"run-schedule\", \"data\": {\"hour\": [{\"lower\": 8, \"upper\": 17}],"
	"    \"weekday\": [1, 2, 3], \"overlap\": true}},"
	"  {\"name\": \"then\", \"type\": \"run-daterange\", \"data\": {\"start\": \"2020-01-01T00:00:00Z\","
	"    \"end\": \"2030-01-01T00:00:00Z\", \"overlap\": true}},"
	"  {\"name\": \"script\", \"type\": \"jq\", \"data\": {\"script\": \".test.spec.count // 0 | . < 10\"}}],"
	" \"applications\": [{\"description\": \"all\", \"classifier\": \"all\", \"apply\": ["
	"   {\"require\": \"any\", \"limits\": [\"short\", \"types\"]},"
	"   {\"require\": \"any\", \"limits\": [\"often\", \"hours\", \"then\"]},"
	"   {\"require\": \"all\", \"limits\": [\"script\"]}]}],"
	" \"priority\": {\"script\": \"if classifiers_has(\\\"here\\\") then adjust(20; \\\"here\\\") else . end\"},"
	" \"admission\": [{\"name\": \"sizes\", \"plugin\": \"LimitRanger\", \"data\": {\"manifests\": ["
	"   {\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", \"metadata\": {\"name\": \"sizes\"}, \"spec\": {\"limits\": ["
	"    {\"type\": \"Container\", \"max\": {\"cpu\": \"2\", \"memory\": \"1Gi\"}, \"min\": {\"cpu\": \"10m\"},"
	"     \"default\": {\"cpu\": \"1\", \"memory\": \"128Mi\"}, \"defaultRequest\": {\"cpu\": \"500m\"},"
	"     \"maxLimitRequestRatio\": {\"cpu\": \"4\"}},"
	"    {\"type\": \"Pod\", \"max\": {\"cpu\": \"4\"}},"
	"    {\"type\": \"PersistentVolumeClaim\", \"max\": {\"storage\": \"10Gi\"}, \"min\": {\"storage\": \"1Gi\"}}]}}]}},"
	"  {\"name\": \"events\", \"plugin\": \"EventRateLimit\", \"data\": {\"limits\": ["
	"   {\"type\": \"Server\", \"qps\": 1000000, \"burst\": 1000000},"
	"   {\"type\": \"Namespace\", \"qps\": 1, \"burst\": 3, \"cacheSize\": 10},"
	"   {\"type\": \"SourceAndObject\", \"qps\": 1, \"burst\": 3, \"cacheSize\": 10}]}}]}";

static limen_engine *
make_engine(unsigned flags)
{
	const char *modules = getenv("LIMEN_MODULE_PATH");
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = modules == NULL ? "plugins" : modules,
		.flags = flags,
	};
	limen_engine *engine = limen_engine_new(&options);

	FUZZ_CHECK(engine != NULL);
	return engine;
}

static limen_engine *busy_engine;
static limen_engine *idle_engine;

/* Where long keys of buckets stand, a leak sanitizer does not look for pointers. */
static void
free_engines(void)
{
	limen_engine_free(busy_engine);
	limen_engine_free(idle_engine);
	busy_engine = NULL;
	idle_engine = NULL;
}

limen_engine *
fuzz_engine(void)
{
	limen_diag *diag;

	if (busy_engine != NULL)
		return busy_engine;
	busy_engine = make_engine(0);
	atexit(free_engines);
	diag = limen_diag_new();
	if (limen_engine_load_text(busy_engine, "policy.json", fuzz_engine_policy,
	                           strlen(fuzz_engine_policy), diag) != LIMEN_OK) {
		limen_diag_write(diag, stderr);
		abort();
	}
	limen_diag_free(diag);
	return busy_engine;
}

limen_engine *
fuzz_engine_idle(void)
{
	if (idle_engine != NULL)
		return idle_engine;
	idle_engine = make_engine(LIMEN_ENGINE_PASSIVE | LIMEN_ENGINE_MEMORY_STORES);
	atexit(free_engines);
	return idle_engine;
}

void
fuzz_engine_check_json(const char *text, size_t length)
{
	limen_documents *read = NULL;

	FUZZ_CHECK(text != NULL);
	FUZZ_CHECK(limen_documents_parse("answer.json", text, length, 0, &read, NULL) == LIMEN_OK);
	limen_documents_free(read);
}

static bool
is_code(int code)
{
	return code == 200 || code == 403 || code == 422 || code == 429 || code == 500;
}

void
fuzz_engine_decide(limen_engine *engine, const limen_request *req)
{
	limen_decide_options options = { .size = sizeof(options),
		                         .rewrite = LIMEN_SWITCH_ON,
		                         .prioritize = LIMEN_SWITCH_ON,
		                         .diagnostics = true,
		                         .trace = true,
		                         .origins = true };
	limen_decision *decision = NULL;
	size_t length = 0;
	char *text;

	FUZZ_CHECK(limen_engine_decide(engine, req, &options, &decision) == LIMEN_OK);
	FUZZ_CHECK(is_code(limen_decision_code(decision)));
	FUZZ_CHECK(limen_decision_admitted(decision) == (limen_decision_code(decision) == 200));
	FUZZ_CHECK(strchr(limen_decision_reason(decision), '\n') == NULL);
	FUZZ_CHECK(!limen_decision_admitted(decision) || limen_decision_entry(decision) == NULL);
	text = limen_decision_to_json(decision, LIMEN_JSON_SORTED, &length);
	fuzz_engine_check_json(text, length);
	free(text);
	limen_decision_free(decision);
}
