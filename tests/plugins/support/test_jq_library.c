/* SPDX-License-Identifier: Apache-2.0 */
/* test_jq_library.c - what scripts import: found, and read again when it has changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limen/limen.h>

#include "../../../plugins/support/jq/jq.h"
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
	static const char *const names[] = { "m.jq", "d.json", "deep/deep.jq", "deep/e.f-g_0.jq",
		                              "deep" };
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
	limen_diag_write(diag, stdout);
	limen_diag_free(diag);
}

static bool
is_admitted(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
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

/* A module that does not compile is a problem of the policy, at the line of the module. */
static void
test_broken(void)
{
	char place[128];

	snprintf(place, sizeof place, "%s/m.jq:2: jq: error: nonesuch/0 is not defined\n",
	         directory);
	write_file("m.jq", "def g: 1;\ndef f: nonesuch;");
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", "{\"script\":\"import \\\"m\\\" as m; m::f\"}", place);
	snprintf(place, sizeof place, "%s/m.jq:3: jq: error: syntax error", directory);
	write_file("m.jq", "def f:\n  1 +\n;");
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", "{\"script\":\"import \\\"m\\\" as m; m::f\"}", place);
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", "{\"script\":\"import \\\"../m\\\" as m; m::f\"}",
	              "/limits/0/data/script");
}

/* Opens 'script'; true if it is refused with a message that has 'why' in it. */
static bool
is_refused(const char *script, int sandbox, const char *why)
{
	const jq_setup setup = { .sandbox = sandbox };
	const limen_transform transform = { .script = script };
	limen_diag *diag = limen_diag_new();
	jq_script *made = NULL;
	bool refused = jq_script_open(&setup, &transform, NULL, diag, &made) != LIMEN_OK &&
	               limen_diag_get(diag, 0) != NULL &&
	               strstr(limen_diag_get(diag, 0)->text, why) != NULL;

	jq_script_close(made);
	limen_diag_free(diag);
	return refused;
}

/* Files of the host are not for scripts that nobody trusts, however they ask. */
static void
test_foreign(void)
{
	static const char by_name[] = "imports by name";
	static const struct {
		const char *script;
		bool refused;
	} rows[] = {
		{ "import \"d\" as $d; $d", false },
		{ "1 as $x | include \"deep/e.f-g_0\"; 1", false },
		{ "{import: \"/x\", include: 1}, .import, \"import /x\" # import \"/x\" as $x;", false },
		{ "import \"/etc/d\" as $d; $d", true },
		{ "1 as $x | import \"/etc/d\" as $d; $d", true },
		{ "import \"d\" as $d {search: \"/etc\"}; $d", true },
		{ "import \"d\" as $d {\"search\": [\"/etc\"]}; $d", true },
		{ "include \"m\" {search: \"/etc\"}; 1", true },
		{ "import # of mine\n\"/etc/d\" # here\nas $d; $d", true },
		{ "import \"d\" as $d; import \"/etc/d\" as $e; $e", true },
		{ "import \"\\u002fetc/d\" as $d; $d", true },
		{ "import \"~/d\" as $d; $d", true }, { "import \"./d\" as $d; $d", true },
		{ "import \"deep/../d\" as $d; $d", true }, { "import \"\" as $d; $d", true },
		{ "import \"d/\" as $d; $d", true }, { "import \"d\" as\n$d {}; $d", true },
	};

	write_file("d.json", "1");
	write_file("m.jq", "def f: true;");
	write_file("deep/e.f-g_0.jq", "def f: true;");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		plugin_assert(is_refused(rows[i].script, JQ_SANDBOX_PROCESS, by_name) ==
		              rows[i].refused, __FILE__, __LINE__, "%s", rows[i].script);
	CU_ASSERT_FALSE(is_refused("import \"d\" as $d {}; $d", JQ_SANDBOX_NONE, by_name));
	/* An import with a format, such as @text, is a syntax error. */
	CU_ASSERT_TRUE(is_refused("import @text \"/etc/d\" as $d; $d", JQ_SANDBOX_PROCESS,
	                          "syntax error"));
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "what is imported has changed", test_changes },
		{ "broken modules", test_broken },
		{ "files of the host", test_foreign },
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
