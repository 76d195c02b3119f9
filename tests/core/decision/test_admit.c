/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The admission chain under pressure: shortage of memory, many threads and
 * reloads, thousands of violations.  What it decides is shown by the cases in
 * tests/cases/admission.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "fail_malloc.h"
#include "peak.h"
#include "policy_case.h"

#define POLICY                                                                            \
	"{\"stores\": {\"s\": {\"type\": \"fake\"}},"                                     \
	" \"identifiers\": [{\"name\": \"i\", \"description\": \"\", \"type\": \"verdict\","  \
	"  \"data\": {\"from-hint\": \"i\"}}],"                                           \
	" \"classifiers\": [{\"name\": \"c\", \"description\": \"\","                     \
	"  \"identifiers\": [\"i\"]}],"                                                   \
	" \"limits\": [], \"applications\": [{\"apply\": []}],"                           \
	" \"applications-on\": [\"tasks\", \"objects\"],"                                 \
	" \"admission\": ["                                                               \
	"  {\"name\": \"sets\", \"plugin\": \"chain\","                                    \
	"   \"data\": {\"set\": {\"/x\": [1, 2]}, \"reason\": \"%s\"}},"                    \
	"  {\"name\": \"warns\", \"plugin\": \"chain\", \"enforce\": \"warn\", \"data\": {"  \
	"   \"validate\": \"fail\", \"violations\": [[\"invalid\", \"f\", \"m\"],"        \
	"   [\"rate\", null, \"n\"]], \"warning\": \"w\", \"audit\": \"a\", \"show\": true}},"  \
	"  {\"name\": \"audits\", \"plugin\": \"chain\", \"enforce\": \"audit\","         \
	"   \"data\": {\"mutate\": \"error\", \"validate\": \"fail\", \"reason\": \"r\"}},"  \
	"  {\"name\": \"takes\", \"plugin\": \"bucket\","                                 \
	"   \"data\": {\"store\": \"s\", \"burst\": 100000000, \"reserve\": true}},"      \
	"  {\"name\": \"off\", \"plugin\": \"chain\", \"enabled\": false},"               \
	"  {\"name\": \"refuses\", \"plugin\": \"chain\", \"match\": {"                   \
	"   \"operations\": [\"CRE*\"], \"resources\": [\"pods\", \"*/*\"],"              \
	"   \"labels\": {\"l\": [\"bad\", \"worse\"], \"k\": \"*\"},"                     \
	"   \"not\": [{\"classifiers\": [\"c\"]}, {\"users\": [\"u\"]}]},"                \
	"   \"data\": {\"validate\": \"fail\", \"violations\": ["                         \
	"   [\"forbidden\", \"f\", \"m\"], [\"forbidden\", \"g\", \"m\"],"                \
	"   [\"invalid\", null, \"n\"]]}}]}"

#define RANGE                                                                             \
	"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\","  \
	" \"kind\": \"LimitRange\", \"spec\": {\"limits\": []}}]}"

#define PLUGINS                                                                           \
	"{\"apiVersion\": \"apiserver.config.k8s.io/v1\","                                \
	" \"kind\": \"AdmissionConfiguration\", \"plugins\": [{\"name\": \"EventRateLimit\","  \
	" \"configuration\": {\"kind\": \"Configuration\","                               \
	"  \"apiVersion\": \"eventratelimit.admission.k8s.io/v1alpha1\", \"limits\": []}}]}"

static limen_engine *
make_engine(void)
{
	char path[4096];
	const char *build = getenv("LIMEN_BUILDDIR");
	limen_engine_options options = { .size = sizeof(options), .module_path = path };

	snprintf(path, sizeof(path), "%s/tests/modules/manifests:%s", build == NULL ? "." : build,
	         policy_case_path());
	return limen_engine_new(&options);
}

static limen_request *
make_pod(const char *label)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char text[200];
	int length = snprintf(text, sizeof(text),
	                      "{\"metadata\": {\"name\": \"p\", \"labels\": {\"l\": \"%s\","
	                      " \"k\": \"\"}}}", label);

	limen_request_parse(req, text, (size_t)length, NULL);
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "pods");
	return req;
}

/* The code, or 0 without a decision. */
static int
decide(limen_engine *engine, const limen_request *req, bool trace)
{
	limen_decide_options options = { .size = sizeof(options), .trace = trace };
	limen_decision *decision = NULL;
	int code;

	if (limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK)
		return 0;
	code = limen_decision_code(decision);
	CU_ASSERT_EQUAL(limen_decision_admitted(decision), code == 200);
	/* Whoever is admitted gets all of the changes. */
	if (code == 200)
		CU_ASSERT_EQUAL(limen_value_count(limen_decision_patch(decision)), 1);
	if (code == 403) {
		limen_value details = limen_decision_details(decision);

		CU_ASSERT_EQUAL(limen_value_count(limen_value_get(details, "causes")), 3);
	}
	free(limen_decision_to_json(decision, LIMEN_JSON_SORTED, NULL));
	limen_decision_free(decision);
	return code;
}

static int
load(limen_engine *engine, const char *text)
{
	return limen_engine_load_text(engine, "policy", text, strlen(text), NULL);
}

/* An engine with the policy 'text', which is good. */
static limen_engine *
load_engine(const char *text)
{
	limen_engine *engine = make_engine();

	policy_case_load(engine, text);
	return engine;
}

static limen_request *good;
static limen_request *bad;
static char first[sizeof(POLICY) + 8];
static char second[sizeof(POLICY) + 8];

static void
expect_sound(limen_engine *engine)
{
	CU_ASSERT_EQUAL(decide(engine, good, true), 200);
	CU_ASSERT_EQUAL(decide(engine, bad, true), 403);
}

/* Each allocation of loading 'text' fails once; a load that failed says so. */
static void
exhaust_load(const char *text, int code)
{
	bool failed = true;
	int result = LIMEN_ENOMEM;

	for (unsigned long n = 1; failed; n++) {
		limen_engine *engine = make_engine();

		fail_malloc_once(n);
		result = load(engine, text);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(decide(engine, good, false), result == LIMEN_OK ? code : 0);
		limen_engine_free(engine);
	}
	CU_ASSERT_EQUAL(result, LIMEN_OK);
}

static void
test_load_no_memory(void)
{
	exhaust_load(first, 200);
	exhaust_load(RANGE, 422);
	exhaust_load(PLUGINS, 422);
}

/* A shortage refuses nobody and admits nobody: it is an error, or no decision. */
static void
test_decide_no_memory(void)
{
	limen_engine *engine = load_engine(first);
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		int codes[2];

		fail_malloc_once(n);
		codes[0] = decide(engine, good, true);
		codes[1] = decide(engine, bad, true);
		failed = fail_malloc_stop();
		CU_ASSERT(codes[0] == 200 || codes[0] == 500 || codes[0] == 0);
		CU_ASSERT(codes[1] == 403 || codes[1] == 500 || codes[1] == 0);
	}
	expect_sound(engine);
	limen_engine_free(engine);
}

/* More text than the first block of a decision has room for. */
#define LONG_WORDS                                                                        \
	"{\"admission\": [{\"name\": \"refuses\", \"plugin\": \"chain\","               \
	" \"failurePolicy\": \"Ignore\", \"data\": {\"validate\": \"fail\","              \
	" \"violations\": [[\"forbidden\", \"f\", \"%1500d\"],"                         \
	" [\"forbidden\", \"f\", \"%1501d\"], [\"invalid\", null, \"%1502d\"]],"         \
	" \"reason\": \"%1503d\", \"warning\": \"%1504d\", \"audit\": \"%1505d\"}}]}"

/* What cannot be told is ignored; what is refused and cannot be explained is not. */
static void
test_refuse_no_memory(void)
{
	limen_engine *engine;
	char *text = NULL;
	bool failed = true;

	CU_ASSERT_FATAL(asprintf(&text, LONG_WORDS, 1, 2, 3, 4, 5, 6) > 0);
	engine = load_engine(text);
	for (unsigned long n = 1; failed; n++) {
		int code;

		fail_malloc_once(n);
		code = decide(engine, bad, true);
		failed = fail_malloc_stop();
		CU_ASSERT(code == 403 || code == 500 || code == 0);
	}
	CU_ASSERT_EQUAL(decide(engine, bad, true), 403);
	limen_engine_free(engine);
	free(text);
}

#define THREADS 4

static atomic_bool stop;

typedef struct decider {
	pthread_t thread;
	limen_engine *engine;
	unsigned long wrong;
	unsigned long count;
} decider;

static void *
keep_deciding(void *data)
{
	decider *one = data;

	while (!atomic_load(&stop) || one->count < 50) {
		limen_decision *decisions[2] = { NULL, NULL };

		limen_engine_decide(one->engine, good, NULL, &decisions[0]);
		limen_engine_decide(one->engine, bad, NULL, &decisions[1]);
		one->wrong += limen_decision_code(decisions[0]) != 200;
		one->wrong += limen_decision_code(decisions[1]) != 403;
		limen_decision_free(decisions[0]);
		limen_decision_free(decisions[1]);
		one->count++;
	}
	return NULL;
}

static void
test_threads(void)
{
	limen_engine *engine = load_engine(first);
	decider deciders[THREADS];

	atomic_store(&stop, false);
	for (size_t i = 0; i < THREADS; i++) {
		deciders[i] = (decider){ .engine = engine };
		pthread_create(&deciders[i].thread, NULL, keep_deciding, &deciders[i]);
	}
	for (int i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(load(engine, i % 2 == 0 ? second : first), LIMEN_OK);
		free(limen_engine_describe(engine, 0, NULL));
	}
	atomic_store(&stop, true);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(deciders[i].thread, NULL);
		CU_ASSERT_EQUAL(deciders[i].wrong, 0);
	}
	limen_engine_free(engine);
}

/* Entries are carried over by a reload, and what is off is not described. */
static void
test_reload(void)
{
	limen_engine *engine = load_engine(first);
	instance *before;
	char *text;

	before = engine->current->admission.items[0].instance;
	CU_ASSERT_EQUAL(engine->current->admission.count, 5);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(engine->current->admission.items[0].instance, before);
	text = limen_engine_describe(engine, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"admission\":{\"sets\":{\"type\":\"chain\""));
	CU_ASSERT_PTR_NULL(strstr(text, "\"off\""));
	free(text);
	limen_engine_free(engine);
}

/* Writes an entry; every other message of its violations is new, of so many digits at least. */
static void
write_entry(FILE *out, int number, const char *how, int count, int digits)
{
	fprintf(out, "%s{\"name\": \"e%d\", \"plugin\": \"chain\", \"enforce\": \"%s\","
	             " \"data\": {\"validate\": \"fail\", \"violations\": [",
	        number == 0 ? "" : ", ", number, how);
	for (int i = 0; i < count; i++)
		fprintf(out, "%s[\"rate\", \"f[%d]\", \"m%0*d\"]", i == 0 ? "" : ",", i,
		        digits, i / 2);
	fprintf(out, "]}}");
}

static limen_engine *
load_entries(int entries, const char *how, int count, int digits)
{
	limen_engine *engine;
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fprintf(out, "{\"admission\": [");
	for (int i = 0; i < entries; i++)
		write_entry(out, i, how, count, digits);
	fprintf(out, "]}");
	fclose(out);
	engine = load_engine(text);
	free(text);
	return engine;
}

static limen_engine *
load_violations(int count, int digits)
{
	return load_entries(1, "deny", count, digits);
}

/* They are told as long as they are no more than two MiB. */
static void
test_long_violations(void)
{
	static const struct {
		int found, length;
		size_t told;
	} cases[] = { { 1000, 1000, 1000 }, { 200, (2 << 20) / 100, 101 }, { 3, 4 << 20, 2 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_engine *engine = load_violations(cases[i].found, cases[i].length);
		limen_decision *decision = NULL;
		const limen_violation *last;
		bool all = i == 0;

		CU_ASSERT_EQUAL(limen_engine_decide(engine, good, NULL, &decision), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 429);
		last = limen_decision_violation(decision, cases[i].told - 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(last);
		CU_ASSERT_PTR_NULL(limen_decision_violation(decision, cases[i].told));
		CU_ASSERT(all == (strcmp(last->message, "only the first violations are reported, "
		                                        "because they are too long") != 0));
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

/* A hostile pod has as many as it likes; an answer tells the first thousand. */
static void
test_many_violations(void)
{
	static const struct {
		int found;
		size_t told;
		const char *last;
	} cases[] = {
		{ 999, 999, "m499" },
		{ 1000, 1000, "m499" },
		{ 1001, 1001, "only the first 1000 violations are reported" },
		{ 20000, 1001, "only the first 1000 violations are reported" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_engine *engine = load_violations(cases[i].found, 0);
		limen_decision *decision = NULL;
		const limen_violation *last;

		CU_ASSERT_EQUAL(limen_engine_decide(engine, good, NULL, &decision), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 429);
		last = limen_decision_violation(decision, cases[i].told - 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(last);
		CU_ASSERT_STRING_EQUAL(last->message, cases[i].last);
		CU_ASSERT_PTR_NULL(limen_decision_violation(decision, cases[i].told));
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

static void
expect_observed(const limen_decision *decision, size_t warnings, size_t annotations)
{
	const limen_annotation *one = limen_decision_annotation(decision, 0);
	size_t count;

	limen_decision_warnings(decision, &count);
	CU_ASSERT_EQUAL(count, warnings);
	CU_ASSERT_EQUAL(one != NULL, annotations > 0);
	for (size_t i = 0; i < annotations; i++) {
		one = limen_decision_annotation(decision, i);
		CU_ASSERT_PTR_NOT_NULL_FATAL(one);
		CU_ASSERT_EQUAL(strlen(one->value), 32 << 10);
		CU_ASSERT_EQUAL(strncmp(one->value, "m000", 4), 0);
		CU_ASSERT_STRING_EQUAL(one->value + strlen(one->value) - 4, "0...");
	}
}

/* No message costs what all before it are long, and what is told of all has a bound. */
static void
test_observed_memory(void)
{
	static const struct {
		const char *enforce;
		int entries, digits;
		size_t warnings, annotations;
	} cases[] = {
		{ "audit", 1, 2000, 0, 1 }, { "audit", 4, 2000, 0, 4 },
		{ "warn", 1, 2000, 500, 0 }, { "warn", 4, 2000, 524, 0 },
		{ "warn", 2, 4, 1000, 0 }, { "warn", 3, 4, 1001, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_engine *engine = load_entries(cases[i].entries, cases[i].enforce, 1000,
		                                    cases[i].digits);
		limen_decision *decision = NULL;
		long before = get_peak();

		CU_ASSERT_EQUAL(limen_engine_decide(engine, good, NULL, &decision), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 200);
		CU_ASSERT(get_peak() - before < 96 * 1024);
		expect_observed(decision, cases[i].warnings, cases[i].annotations);
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every allocation of a load may fail", test_load_no_memory },
		{ "every allocation of a decision may fail", test_decide_no_memory },
		{ "none makes a refusal something that is ignored", test_refuse_no_memory },
		{ "decisions and reloads do not disturb each other", test_threads },
		{ "unchanged entries are carried over", test_reload },
		{ "of many violations the first are told", test_many_violations },
		{ "and of long ones", test_long_violations },
		{ "so it is if they are only observed", test_observed_memory },
		{ NULL, NULL },
	};
	int status;

	snprintf(first, sizeof(first), POLICY, "1");
	snprintf(second, sizeof(second), POLICY, "2");
	good = make_pod("good");
	bad = make_pod("bad");
	status = suite_run("core/admit", tests);
	limen_request_free(good);
	limen_request_free(bad);
	return status;
}
