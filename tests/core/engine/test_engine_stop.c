/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of a replaced policy whose instances still do something: nobody
 * waits for that, except the end of the engine.
 */
#include <limen/limen.h>
#include <stdatomic.h>
#include <unistd.h>

#include "latch.h"
#include "policy_case.h"
#include "scratch.h"

#define QUIET "{\"schema\": 4, " EVERYBODY ", \"limits\": [], \"applications\": []}"

/* Files by which the module "stubborn" and the test tell each other things. */
typedef struct signs {
	scratch dir;
	char *started;
	char *until;
	char *over;
} signs;

static signs
make_signs(void)
{
	signs made = { .dir = scratch_new() };

	made.started = scratch_path(&made.dir, "started");
	made.until = scratch_path(&made.dir, "until");
	made.over = scratch_path(&made.dir, "over");
	return made;
}

static void
free_signs(signs *freed)
{
	free(freed->started);
	free(freed->until);
	free(freed->over);
	scratch_free(&freed->dir);
}

static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool
comes(const char *path)
{
	for (int i = 0; i < 10000 && !is_there(path); i++)
		usleep(1000);
	return is_there(path);
}

/* Loads a policy with a stubborn instance, and waits until its job runs. */
static void
load_stubborn_on(limen_engine *engine, const signs *files, bool here)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"identifiers\": [{\"name\": \"all\","
	                         " \"description\": \"\", \"type\": \"stubborn\", \"data\":"
	                         " {\"started\": \"%s\", \"until\": \"%s\", \"over\": \"%s\","
	                         " \"here\": %s}}],"
	                         " \"classifiers\": [], \"limits\": [], \"applications\": []}",
	                         files->started, files->until, files->over,
	                         here ? "true" : "false") > 0);
	policy_case_load(engine, text);
	free(text);
	CU_ASSERT_TRUE_FATAL(comes(files->started));
}

static void
load_stubborn(limen_engine *engine, const signs *files)
{
	load_stubborn_on(engine, files, false);
}

static void
test_load(void)
{
	signs files = make_signs();
	limen_engine *engine = policy_case_engine(0);

	load_stubborn(engine, &files);
	policy_case_load(engine, QUIET);
	policy_case_load(engine, QUIET);
	CU_ASSERT_PTR_NOT_NULL(engine->graveyard);
	CU_ASSERT_FALSE(is_there(files.over));
	scratch_write(files.until, "");
	CU_ASSERT_TRUE(comes(files.over));
	limen_engine_free(engine);
	free_signs(&files);
}

/* The thread that looks at replaced policies goes on with what else it has to do. */
static void
test_background(void)
{
	signs files = make_signs();
	limen_engine *engine = policy_case_engine(0);
	latch ran = LATCH_INIT;

	load_stubborn(engine, &files);
	policy_case_load(engine, QUIET);
	/* Later than the first look. */
	CU_ASSERT_EQUAL(limen_host_after(engine->host, 1500000, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&ran, 1));
	CU_ASSERT_FALSE(is_there(files.over));
	scratch_write(files.until, "");
	CU_ASSERT_TRUE(comes(files.over));
	limen_engine_free(engine);
	free_signs(&files);
}

/* Nothing of the engine is left for a job to work with. */
static void
test_end(void)
{
	signs files = make_signs();
	limen_engine *engine = policy_case_engine(0);

	load_stubborn(engine, &files);
	policy_case_load(engine, QUIET);
	scratch_write(files.until, "");
	limen_engine_free(engine);
	CU_ASSERT_TRUE(is_there(files.over));
	free_signs(&files);
}

/* Loads a policy whose calls wait for company, of two, until their patience ends. */
static void
load_crowd(limen_engine *engine, const signs *files, const char *patience)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"identifiers\": [{\"name\": \"a\","
	                         " \"description\": \"\", \"type\": \"crowd\", \"data\":"
	                         " {\"blocking\": true, \"party\": 2, \"patience\": \"%s\","
	                         " \"started\": \"%s\"}}],"
	                         " \"classifiers\": [], \"limits\": [], \"applications\": []}",
	                         patience, files->started) > 0);
	policy_case_load(engine, text);
	free(text);
}

typedef struct log_seen {
	atomic_int warnings;
	atomic_bool closed;
	atomic_int late; /* lines after the engine was freed */
} log_seen;

static void
see_log(void *data, limen_log_level level, const char *from, const char *text)
{
	log_seen *seen = data;

	(void)from;
	if (level == LIMEN_LOG_WARNING && strstr(text, "have not returned") != NULL)
		atomic_fetch_add(&seen->warnings, 1);
	if (atomic_load(&seen->closed))
		atomic_fetch_add(&seen->late, 1);
}

/*
 * Decides until a decision has given up a call that runs: on a machine under load it can give up
 * before the call has a thread, and then there is none.
 */
static void
give_up_call(limen_engine *engine, const signs *files)
{
	limen_duration timeout = LIMEN_SECOND / 50;

	do {
		limen_decision_free(policy_case_decide(engine, timeout, false));
		timeout *= 4;
	} while (timeout < 60 * LIMEN_SECOND && !comes(files->started));
	CU_ASSERT_TRUE_FATAL(is_there(files->started));
}

/* A call that returns after the end of its engine still finds its memory. */
static void
test_stuck(void)
{
	log_seen seen = { .warnings = 0 };
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = policy_case_path(),
		.log = see_log,
		.log_data = &seen,
	};
	limen_engine *engine = limen_engine_new(&options);
	limen_engine *other;
	signs files = make_signs();
	int64_t start;

	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	load_crowd(engine, &files, "PT60S");
	give_up_call(engine, &files);
	policy_case_load(engine, QUIET);
	start = limen_host_monotonic();
	limen_engine_free(engine);
	atomic_store(&seen.closed, true);
	CU_ASSERT(limen_host_monotonic() - start < INT64_C(30000000000));
	CU_ASSERT_EQUAL(atomic_load(&seen.warnings), 1);
	/* The stuck call has company and returns, into what was left for it. */
	other = policy_case_engine(0);
	load_crowd(other, &files, "PT60S");
	limen_decision_free(policy_case_decide(other, 30 * LIMEN_SECOND, false));
	limen_engine_free(other);
	usleep(100000);
	CU_ASSERT_EQUAL(atomic_load(&seen.late), 0);
	free_signs(&files);
}

/* Nor does a background job that does not return keep the program from ending. */
static void
test_stuck_job(void)
{
	for (int here = 0; here < 2; here++) {
		log_seen seen = { .warnings = 0 };
		limen_engine_options options = {
			.size = sizeof(options),
			.module_path = policy_case_path(),
			.log = see_log,
			.log_data = &seen,
		};
		limen_engine *engine = limen_engine_new(&options);
		signs files = make_signs();
		int64_t start;

		CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
		load_stubborn_on(engine, &files, here == 1);
		start = limen_host_monotonic();
		limen_engine_free(engine);
		CU_ASSERT(limen_host_monotonic() - start < INT64_C(15000000000));
		CU_ASSERT_EQUAL(atomic_load(&seen.warnings), 1);
		CU_ASSERT_FALSE(is_there(files.over));
		/* It goes on with what was left for it. */
		scratch_write(files.until, "");
		CU_ASSERT_TRUE(comes(files.over));
		free_signs(&files);
	}
}

/* A call that returns soon after its decision gave up costs nothing but that time. */
static void
test_slow(void)
{
	log_seen seen = { .warnings = 0 };
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = policy_case_path(),
		.log = see_log,
		.log_data = &seen,
	};
	limen_engine *engine = limen_engine_new(&options);
	signs files = make_signs();

	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	load_crowd(engine, &files, "PT0.5S");
	give_up_call(engine, &files);
	limen_engine_free(engine);
	CU_ASSERT_EQUAL(atomic_load(&seen.warnings), 0);
	free_signs(&files);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a load does not wait for jobs of the policy it replaces", test_load },
		{ "nor does the background thread", test_background },
		{ "the end of the engine does", test_end },
		{ "the end of the engine leaves what a stuck call can reach", test_stuck },
		{ "nor does it wait for a background job that does not return", test_stuck_job },
		{ "it waits for a call that returns soon", test_slow },
		{ NULL, NULL }
	};

	return suite_run("engine stop", tests);
}
