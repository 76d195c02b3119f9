/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_case.h - an engine with the modules of the build tree, and short ways
 * to load a policy and to decide under it.
 */
#ifndef LIMEN_TESTS_CORE_POLICY_CASE_H
#define LIMEN_TESTS_CORE_POLICY_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "problems.h"
#include "suite.h"

/* The identifier "all", which identifies everybody, and its classifier. */
#define EVERYBODY                                                                         \
	"\"identifiers\": [{\"name\": \"all\", \"description\": \"\","                    \
	" \"type\": \"always\", \"data\": {}}],"                                          \
	" \"classifiers\": [{\"name\": \"all\", \"description\": \"\","                   \
	" \"identifiers\": [\"all\"]}]"

/* Where modules are: those to be installed, and those for tests only. */
static inline const char *
policy_case_path(void)
{
	static char path[2048];
	const char *modules = getenv("LIMEN_MODULE_PATH");
	const char *build = getenv("LIMEN_BUILDDIR");

	snprintf(path, sizeof(path), "%s:%s/tests/modules", modules == NULL ? "plugins" : modules,
	         build == NULL ? "." : build);
	return path;
}

static inline limen_engine *
policy_case_engine(unsigned flags)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = policy_case_path(),
		.flags = flags,
	};
	limen_engine *engine = limen_engine_new(&options);

	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	return engine;
}

/* Loads 'text' as the file "policy"; it must be good. */
static inline void
policy_case_load(limen_engine *engine, const char *text)
{
	limen_diag *diag = limen_diag_new();
	int result = limen_engine_load_text(engine, "policy", text, strlen(text), diag);

	if (result != LIMEN_OK)
		limen_diag_write(diag, stdout);
	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	limen_diag_free(diag);
}

/* Loads 'text', which must fail with 'result' and exactly 'problems'. */
static inline void
policy_case_refuse(limen_engine *engine, const char *text, int result, const char *problems)
{
	limen_diag *diag = limen_diag_new();
	char *found;

	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, strlen(text), diag), result);
	found = problems_print(diag, false);
	if (strcmp(found, problems) != 0)
		printf("# wanted: %s\n# found:  %s\n", problems, found);
	CU_ASSERT_STRING_EQUAL(found, problems);
	free(found);
	limen_diag_free(diag);
}

/* Decides about an empty task; 'timeout' 0: none. */
static inline limen_decision *
policy_case_decide(limen_engine *engine, limen_duration timeout, bool dry_run)
{
	static const limen_decide_options options = { .size = sizeof(options),
		                                      .diagnostics = true,
		                                      .trace = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	limen_request_set_timeout(req, timeout);
	limen_request_set_dry_run(req, dry_run);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	limen_request_free(req);
	return decision;
}

static inline bool
policy_case_admits(limen_engine *engine)
{
	limen_decision *decision = policy_case_decide(engine, 0, false);
	bool admitted = limen_decision_admitted(decision);

	limen_decision_free(decision);
	return admitted;
}

#endif
