/* SPDX-License-Identifier: Apache-2.0 */
/* test_jq_library.c - what scripts import: found, and read again when it has changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limen/limen.h>

#include "plugin.h"
#include "suite.h"

static char directory[] = "/tmp/limen-jq-XXXXXX";

static void
write_file(const char *name, const char *content)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(content, file);
	CU_ASSERT_EQUAL(fclose(file), 0);
}

static void
remove_all(void)
{
	static const char *const names[] = { "m.jq", "d.json", "deep/deep.jq", "deep" };
	char path[128];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", directory, names[i]);
		remove(path);
	}
	rmdir(directory);
}

static void
load(limen_engine *engine, const char *script)
{
	char policy[1024];
	limen_diag *diag = limen_diag_new();

	snprintf(policy, sizeof policy,
	         "{\"schema\":4,\"identifiers\":[{\"name\":\"a\",\"description\":\"\",\"type\":\"always\","
	         "\"data\":{}}],\"classifiers\":[{\"name\":\"c\",\"description\":\"\","
	         "\"identifiers\":[\"a\"]}],\"limits\":[{\"name\":\"l\",\"description\":\"\","
	         "\"type\":\"jq\",\"data\":{\"script\":\"%s\"}}],\"applications\":[{\"description\":\"\","
	         "\"classifier\":\"c\",\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         script);
	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, policy, strlen(policy), diag), LIMEN_OK);
	limen_diag_print(diag, stdout);
	limen_diag_free(diag);
}

static bool
is_admitted(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_TASK);
	limen_decision *decision = NULL;
	bool admitted;

	CU_ASSERT_EQUAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	admitted = decision != NULL && limen_decision_admitted(decision);
	limen_decision_free(decision);
	limen_request_free(req);
	return admitted;
}

/* Loads a script, changes what it imports, and loads it again. */
static void
check_change(const char *script, const char *file, const char *before, const char *after)
{
	limen_engine_options options = {
		.size = sizeof options,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&options);

	write_file(file, before);
	load(engine, script);
	CU_ASSERT_TRUE(is_admitted(engine));
	write_file(file, after);
	CU_ASSERT_TRUE(is_admitted(engine));
	load(engine, script);
	CU_ASSERT_FALSE(is_admitted(engine));
	limen_engine_free(engine);
}

static void
test_changes(void)
{
	check_change("import \\\"m\\\" as m; m::f", "m.jq", "def f: true;", "def f: false;");
	check_change("include \\\"m\\\"; f", "m.jq", "def f: true;", "def f: \"no\";");
	check_change("import \\\"d\\\" as $d; $d[0].a == 1", "d.json", "{\"a\":1}", "{\"a\":2}");
	check_change("1 as $x | import \\\"deep\\\" as m; m::f", "deep/deep.jq", "def f: true;",
	             "def f: false;");
}

/* A module that does not compile is a problem of the policy. */
static void
test_broken(void)
{
	write_file("m.jq", "def f: nonesuch;");
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", "{\"script\":\"import \\\"m\\\" as m; m::f\"}",
	              "nonesuch/0 is not defined");
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", "{\"script\":\"import \\\"../m\\\" as m; m::f\"}",
	              "/limits/0/data/script");
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "what is imported has changed", test_changes },
		{ "broken modules", test_broken },
		{ NULL, NULL }
	};
	char deep[128];
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	snprintf(deep, sizeof deep, "%s/deep", directory);
	if (mkdir(deep, 0700) != 0)
		return 99;
	setenv("LIMEN_JQ_PATH", directory, 1);
	status = suite_run("support/jq: imports", tests);
	remove_all();
	return status;
}
