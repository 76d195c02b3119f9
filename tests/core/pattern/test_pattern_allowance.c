/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compiled patterns of a policy may take: identifiers of type "hint", of whose
 * patterns each takes some 50 KB.  How many there is room for depends on the processor that
 * PCRE2 compiles for, and is asked.
 */
#include "peak.h"
#include "policy_case.h"
#include "base/strbuf.h"

#define MANY 24000
#define PROBLEM "there are more than 268435456 bytes of compiled patterns"

/* A policy of 'count' patterns; each identifier is on a line of its own, from the second on. */
static strbuf
make_policy(size_t count, const char *pattern)
{
	strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "{\"schema\": 4, \"identifiers\": [");
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "\n{\"name\": \"i%zu\", \"description\": \"x\", \"type\": \"hint\","
		                   " \"data\": {\"hint\": \"requester\", \"match\": %s}},", i, pattern);
	strbuf_adds(&text, "\n{\"name\": \"all\", \"description\": \"x\", \"type\": \"always\","
	                   " \"data\": {}}], \"classifiers\": [{\"name\": \"all\","
	                   " \"description\": \"x\", \"identifiers\": [\"all\"]}],"
	                   " \"applications\": [{\"apply\": []}]}");
	CU_ASSERT_FALSE_FATAL(text.failed);
	return text;
}

static strbuf
make_hungry(size_t count)
{
	return make_policy(count, "{\"style\": \"regex\", \"match\": \"(?:a{1,50}){1,50}\"}");
}

/* Loads and frees 'text'.  Returns the number of patterns before the first that is too much. */
static size_t
load(limen_engine *engine, strbuf text, int wanted)
{
	limen_diag *diag = limen_diag_new();
	size_t first = 0;

	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text.text, text.length, diag), wanted);
	if (wanted != LIMEN_OK) {
		const limen_problem *problem = limen_diag_get(diag, 0);

		CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
		CU_ASSERT_STRING_EQUAL(problem->text, PROBLEM);
		first = problem->line - 2;
	}
	limen_diag_free(diag);
	strbuf_free(&text);
	return first;
}

/* What is compared byte by byte needs no compiled pattern, and all of the rest. */
static void
test_memory(void)
{
	limen_engine *engine = policy_case_engine(0);
	long before, taken;

	load(engine, make_policy(MANY, "{\"style\": \"exact\", \"match\": \"a\"}"), LIMEN_OK);
	before = get_peak();
	load(engine, make_hungry(MANY), LIMEN_ECONFIG);
	taken = get_peak() - before;
	if (taken > 1024 * 1024)
		printf("# %ld KiB\n", taken);
	CU_ASSERT(taken <= 1024 * 1024);
	limen_engine_free(engine);
}

/* As many as there is room for load, again and again; one more does not, however it comes. */
static void
test_reload(void)
{
	limen_engine *engine = policy_case_engine(0);
	size_t room = load(engine, make_hungry(MANY), LIMEN_ECONFIG);

	CU_ASSERT(room > 1000 && room < MANY);
	load(engine, make_hungry(room), LIMEN_OK);
	load(engine, make_hungry(room), LIMEN_OK);
	CU_ASSERT_EQUAL(load(engine, make_hungry(room + 1), LIMEN_ECONFIG), room);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "patterns too many take no memory, texts none at all", test_memory },
		{ "what a reload keeps counts as what it compiles", test_reload },
		{ NULL, NULL },
	};

	return suite_run("core/pattern_allowance", tests);
}
