/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of a replaced policy whose instances still do something: nobody
 * waits for that, except the end of the engine.
 */
#include <limen/limen.h>
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
load_stubborn(limen_engine *engine, const signs *files)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"identifiers\": [{\"name\": \"all\","
	                         " \"description\": \"\", \"type\": \"stubborn\", \"data\":"
	                         " {\"started\": \"%s\", \"until\": \"%s\", \"over\": \"%s\"}}],"
	                         " \"classifiers\": [], \"limits\": [], \"applications\": []}",
	                         files->started, files->until, files->over) > 0);
	policy_case_load(engine, text);
	free(text);
	CU_ASSERT_TRUE_FATAL(comes(files->started));
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

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a load does not wait for jobs of the policy it replaces", test_load },
		{ "nor does the background thread", test_background },
		{ "the end of the engine does", test_end },
		{ NULL, NULL }
	};

	return suite_run("engine stop", tests);
}
