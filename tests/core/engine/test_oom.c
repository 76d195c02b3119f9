/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of loading, deciding and reloading fails once, alone and
 * with all that follow: nothing crashes or leaks, nothing is admitted that
 * should not be, and what could not be told is not called a refusal.
 */
#include <stdio.h>
#include <unistd.h>

#include "fail_malloc.h"
#include "policy_case.h"
#include "scratch.h"

#define POLICY                                                                            \
	"{\"schema\": 4, \"#\": \"%s\", \"settings\": {\"timeout\": \"PT1M\"},"           \
	" \"stores\": {\"s\": {\"type\": \"fake\"}},"                                     \
	" \"identifiers\": ["                                                             \
	"  {\"name\": \"all\", \"description\": \"\", \"type\": \"always\", \"data\": {}},"  \
	"  {\"name\": \"v\", \"description\": \"\", \"type\": \"verdict\","               \
	"   \"data\": {\"verdict\": \"pass\", \"blocking\": true, \"reason\": \"r\"}},"   \
	"  {\"name\": \"net\", \"description\": \"\", \"type\": \"ip-cidr-list\","        \
	"   \"data\": {\"cidrs\": [\"192.0.2.0/24\"]}},"                                  \
	"  {\"name\": \"h\", \"description\": \"\", \"type\": \"hint\", \"data\": {"      \
	"   \"hint\": \"who\", \"match\": {\"style\": \"regex\", \"match\": \"^a+$\"}}}]," \
	" \"classifiers\": [{\"name\": \"c\", \"description\": \"\", \"require\": \"all\","  \
	"  \"identifiers\": [\"all\", \"v\"]}],"                                          \
	" \"rewrite\": {\"type\": \"edit\", \"set\": {\"/added\": {\"by\": [1, 2]}},"     \
	"  \"message\": [\"added\"]},"                                                    \
	" \"limits\": [{\"name\": \"take\", \"type\": \"take\","                          \
	"   \"data\": {\"store\": \"s\", \"burst\": 1000000, \"reserve\": true}},"        \
	"  {\"name\": \"told\", \"type\": \"verdict\", \"data\": {\"from-hint\": \"answer\"}},"  \
	"  {\"name\": \"again\", \"clone\": \"told\", \"data\": {\"reason\": \"x\"}}],"   \
	" \"applications\": [{\"classifier\": \"c\", \"apply\": [{\"require\": \"all\","  \
	"  \"limits\": [\"take\", \"told\", \"again\"]}]}],"                              \
	" \"admission-on\": [\"tasks\", \"objects\"],"                                    \
	" \"admission\": [{\"name\": \"more\", \"plugin\": \"chain\","                      \
	"  \"data\": {\"set\": {\"/more\": 1}}}],"                                        \
	" \"priority\": {\"type\": \"fixed\", \"default\": 1, \"priority\": 7, \"notes\": [\"n\"]}}"

static char *
policy_text(const char *comment)
{
	char *text;

	return asprintf(&text, POLICY, comment) < 0 ? NULL : text;
}

static limen_request *
make_request(const char *answer)
{
	static const char task[] = "{\"test\": {\"type\": \"idle\"}, \"priority\": 3}";
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	limen_request_parse(req, task, sizeof(task) - 1, NULL);
	limen_request_set_hint(req, "answer", answer);
	limen_request_set_hint(req, "who", "aaa");
	limen_request_set_hint(req, "requester", "192.0.2.7");
	return req;
}

static limen_request *passing;
static limen_request *failing;

/*
 * Decides about 'req' with everything asked for, or without what 'rest' turns off; returns
 * the code, or 0 without a decision.
 */
static int
decide(limen_engine *engine, const limen_request *req, limen_switch rest)
{
	limen_decide_options options = { .size = sizeof(options),
		                         .rewrite = rest == LIMEN_SWITCH_OFF ? LIMEN_SWITCH_OFF
		                                                             : LIMEN_SWITCH_ON,
		                         .prioritize = rest,
		                         .diagnostics = true,
		                         .trace = true };
	limen_decision *decision = NULL;
	int code;

	if (limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK)
		return 0;
	code = limen_decision_code(decision);
	CU_ASSERT_EQUAL(limen_decision_admitted(decision), code == 200);
	CU_ASSERT_PTR_NOT_NULL(limen_decision_reason(decision));
	/* A task that is admitted without the one it was made into would be acted on as it came. */
	CU_ASSERT(code != 200 || limen_value_exists(limen_decision_rewritten(decision)));
	free(limen_decision_to_json(decision, LIMEN_JSON_SORTED, NULL));
	limen_decision_free(decision);
	return code;
}

/* Is the policy as good as new? */
static void
expect_sound(limen_engine *engine)
{
	CU_ASSERT_EQUAL(decide(engine, passing, LIMEN_SWITCH_ON), 200);
	CU_ASSERT_EQUAL(decide(engine, failing, LIMEN_SWITCH_ON), 403);
}

/* One step under test: what it does when the allocation 'nth' fails. */
typedef void step(void);

static void (*const starts[])(unsigned long nth) = { fail_malloc_once, fail_malloc_from };

/* Lets each allocation of 'run' fail until none is left to fail; returns how many there were. */
static unsigned long
exhaust(step *run, step *check)
{
	unsigned long count = 0;

	for (size_t mode = 0; mode < 2; mode++) {
		bool failed = true;

		for (unsigned long n = 1; failed; n++) {
			starts[mode](n);
			run();
			failed = fail_malloc_stop();
			check();
			count++;
		}
	}
	return count;
}

static limen_engine *engine;
static int result;
static char *first;
static char *second;

static void
run_load(void)
{
	limen_engine_options options = { .size = sizeof(options),
		                         .module_path = policy_case_path() };

	result = LIMEN_ENOMEM;
	engine = limen_engine_new(&options);
	if (engine != NULL)
		result = limen_engine_load_text(engine, "policy", first, strlen(first), NULL);
}

static void
check_load(void)
{
	if (result == LIMEN_OK)
		expect_sound(engine);
	else if (engine != NULL)
		CU_ASSERT_EQUAL(decide(engine, passing, LIMEN_SWITCH_ON), 0);
	limen_engine_free(engine);
	engine = NULL;
}

static void
test_load(void)
{
	/* So many that it is plain that all parts are there. */
	CU_ASSERT(exhaust(run_load, check_load) > 300);
}

static char path[] = "/tmp/limen-oom-XXXXXX";

static void
run_load_file(void)
{
	limen_diag *diag = limen_diag_new();

	engine = limen_engine_new(NULL);
	result = engine == NULL ? LIMEN_ENOMEM : limen_engine_load(engine, path, diag);
	/* What went wrong is never lost without a trace: only a shortage needs no words. */
	if (engine != NULL && diag != NULL && result != LIMEN_ENOMEM)
		CU_ASSERT_EQUAL(result == LIMEN_OK,
		                limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
	limen_diag_free(diag);
}

static void
check_load_file(void)
{
	limen_engine_free(engine);
	engine = NULL;
}

static void
test_load_yaml_directory(void)
{
	static const char text[] = "schema: 4\nidentifiers: []\nclassifiers: []\nlimits: []\n"
	                           "applications:\n- apply: []\n  description: &x a\n";
	char file[64];
	FILE *out;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
	snprintf(file, sizeof(file), "%s/a.yaml", path);
	out = fopen(file, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs(text, out);
	fclose(out);
	exhaust(run_load_file, check_load_file);
	CU_ASSERT_EQUAL(result, LIMEN_OK);
	unlink(file);
	rmdir(path);
}

/* Selectors of requests, and documents that a module reads from files and a directory. */
#define RANGER                                                                                \
	"{\"schema\": 4, \"admission\": [{\"name\": \"r\", \"plugin\": \"LimitRanger\","        \
	" \"match\": {\"labels\": {\"a\": [\"x\", \"y*\"]},"                                     \
	"  \"selector\": {\"matchLabels\": {\"a\": \"x\"}, \"matchExpressions\": ["               \
	"   {\"key\": \"a\", \"operator\": \"In\", \"values\": [\"x\", \"y\"]},"                \
	"   {\"key\": \"b\", \"operator\": \"DoesNotExist\"}]},"                               \
	"  \"fields\": {\"metadata.name\": [\"p*\", \"q\"], \"metadata.namespace\": \"*\"}},"    \
	" \"data\": {\"files\": [\"%s/one\", \"%s\"]}}]}"

#define RANGE(NAME)                                                                           \
	"apiVersion: v1\nkind: LimitRange\nmetadata: {name: " NAME "}\n"                      \
	"spec: {limits: [{type: Container, max: {cpu: 1}}]}\n"

static int codes[4];
static char *ranger;
static limen_request *large;

static void
run_load_ranger(void)
{
	limen_engine_options options = { .size = sizeof(options),
		                         .module_path = policy_case_path() };

	result = LIMEN_ENOMEM;
	engine = limen_engine_new(&options);
	if (engine != NULL)
		result = limen_engine_load_text(engine, "policy", ranger, strlen(ranger), NULL);
}

static void
check_load_ranger(void)
{
	if (engine != NULL)
		CU_ASSERT_EQUAL(decide(engine, large, LIMEN_SWITCH_AUTO),
		                result == LIMEN_OK ? 403 : 0);
	limen_engine_free(engine);
	engine = NULL;
}

static void
run_decide_ranger(void)
{
	codes[0] = decide(engine, large, LIMEN_SWITCH_AUTO);
}

static void
check_decide_ranger(void)
{
	CU_ASSERT(codes[0] == 403 || codes[0] == 500 || codes[0] == 0);
	CU_ASSERT_EQUAL(decide(engine, large, LIMEN_SWITCH_AUTO), 403);
}

static void
test_documents(void)
{
	static const char pod[] =
		"{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\","
		" \"labels\": {\"a\": \"x\"}}, \"spec\": {\"containers\": [{\"name\": \"c\","
		" \"resources\": {\"limits\": {\"cpu\": \"2\"}}}]}}";
	scratch dir = scratch_new();
	char *one = scratch_path(&dir, "one");
	char *other = scratch_path(&dir, "other.yaml");

	scratch_write(one, RANGE("one"));
	scratch_write(other, RANGE("other"));
	CU_ASSERT_FATAL(asprintf(&ranger, RANGER, dir.path, dir.path) > 0);
	large = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_request_parse(large, pod, sizeof(pod) - 1, NULL);
	limen_request_set_field(large, LIMEN_FIELD_OPERATION, "CREATE");
	CU_ASSERT(exhaust(run_load_ranger, check_load_ranger) > 200);
	CU_ASSERT_EQUAL(result, LIMEN_OK);
	run_load_ranger();
	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	exhaust(run_decide_ranger, check_decide_ranger);
	limen_engine_free(engine);
	engine = NULL;
	limen_request_free(large);
	free(ranger);
	free(one);
	free(other);
	scratch_free(&dir);
}


static void
run_decide(void)
{
	codes[0] = decide(engine, passing, LIMEN_SWITCH_ON);
	codes[1] = decide(engine, failing, LIMEN_SWITCH_ON);
	codes[2] = decide(engine, passing, LIMEN_SWITCH_OFF);
	codes[3] = decide(engine, failing, LIMEN_SWITCH_OFF);
}

static void
check_decide(void)
{
	for (size_t i = 0; i < 4; i++) {
		int right = i % 2 == 0 ? 200 : 403;

		CU_ASSERT(codes[i] == right || codes[i] == 500 || codes[i] == 0);
	}
	expect_sound(engine);
}

static void
test_decide(void)
{
	engine = policy_case_engine(0);
	policy_case_load(engine, first);
	CU_ASSERT(exhaust(run_decide, check_decide) > 100);
	limen_engine_free(engine);
	engine = NULL;
}

static bool turn;

static void
run_reload(void)
{
	const char *text = turn ? first : second;

	turn = !turn;
	limen_engine_load_text(engine, "policy", text, strlen(text), NULL);
	limen_engine_reload(engine, NULL);
}

static void
check_reload(void)
{
	expect_sound(engine);
}

static void
test_reload(void)
{
	engine = policy_case_engine(0);
	policy_case_load(engine, first);
	exhaust(run_reload, check_reload);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	expect_sound(engine);
	limen_engine_free(engine);
	engine = NULL;
}

static void
ignore_module(void *data, const limen_module_info *info)
{
	(void)data;
	CU_ASSERT_PTR_NOT_NULL(info->type);
}

static void
run_describe(void)
{
	limen_diag *diag = limen_diag_new();

	free(limen_engine_describe(engine, LIMEN_JSON_PRETTY, NULL));
	limen_engine_each_module(engine, ignore_module, NULL, diag);
	limen_engine_find_module(engine, LIMEN_KIND_LIMIT, "pass-fail", ignore_module, NULL, diag);
	limen_diag_free(diag);
}

static void
test_describe(void)
{
	engine = policy_case_engine(0);
	policy_case_load(engine, first);
	exhaust(run_describe, check_reload);
	limen_engine_free(engine);
	engine = NULL;
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a policy is loaded completely or not at all", test_load },
		{ "no problem of a directory is lost", test_load_yaml_directory },
		{ "selectors, and documents of modules", test_documents },
		{ "nothing is admitted or refused for want of memory", test_decide },
		{ "a reload that fails changes nothing", test_reload },
		{ "describing and listing do no harm", test_describe },
		{ NULL, NULL },
	};
	int status;

	first = policy_text("first");
	second = policy_text("second");
	passing = make_request("pass");
	failing = make_request("fail");
	status = suite_run("core/oom", tests);
	limen_request_free(passing);
	limen_request_free(failing);
	free(first);
	free(second);
	return status;
}
