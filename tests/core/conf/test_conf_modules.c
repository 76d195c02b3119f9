/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may say where modules are: in a file that not every user may change, and in no
 * policy of others.
 */
#include <limen/engine.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"

#define PLAIN  "{ \"schema\": 4 }"
#define NAMING "{ \"schema\": 4, \"modules\": [\"more\", \"other\"] }"
#define EMPTY  "{ \"schema\": 4, \"modules\": [] }"

/* Finds "always" in the directory "more" beside the policy, and nowhere else. */
#define USING                                                                                      \
	"{ \"schema\": 4, \"modules\": [\"more\"], \"identifiers\": [{ \"name\": \"all\", "        \
	"\"description\": \"\", \"type\": \"always\", \"data\": {} }] }"

static limen_engine *
new_engine(unsigned flags)
{
	limen_engine_options options = { .size = sizeof(options), .flags = flags };

	return limen_engine_new(&options);
}

/* Is the policy at 'path' taken?  If not, there must be one problem, with 'modules'. */
static bool
is_taken(limen_engine *engine, const char *path)
{
	limen_diag *diag = limen_diag_new();
	int result = limen_engine_load(engine, path, diag);
	bool found = false;

	for (size_t i = 0; limen_diag_get(diag, i) != NULL; i++) {
		const limen_problem *problem = limen_diag_get(diag, i);

		found = found ||
		        (problem->severity == LIMEN_SEVERITY_PROBLEM && problem->hint != NULL &&
		         strstr(problem->text, "'modules' is ") != NULL);
	}
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), result == LIMEN_OK ? 0 : 1);
	CU_ASSERT_EQUAL(result, found ? LIMEN_ECONFIG : LIMEN_OK);
	limen_diag_free(diag);
	return result == LIMEN_OK;
}

static bool
takes(const char *path)
{
	limen_engine *engine = new_engine(LIMEN_ENGINE_PASSIVE);
	bool taken = is_taken(engine, path);

	limen_engine_free(engine);
	return taken;
}

static void
test_modes(void)
{
	static const struct {
		mode_t top, upper, directory, file;
		bool taken;
	} rows[] = {
		{ 0755, 0755, 0755, 0644, true },   { 0700, 0700, 0700, 0600, true },
		{ 0775, 0775, 0775, 0664, true },   { 0755, 0755, 0755, 0646, false },
		{ 0755, 0755, 0755, 0602, false },  { 0755, 0755, 0757, 0644, false },
		{ 0755, 0755, 01777, 0644, false }, { 0755, 0777, 0755, 0644, false },
		{ 0755, 01777, 0755, 0644, true },  { 0777, 0755, 0755, 0644, false },
		{ 01777, 0755, 0755, 0644, true },
	};
	scratch dir = scratch_new();
	char *upper = scratch_path(&dir, "upper");
	char *directory = scratch_path(&dir, "upper/conf.d");
	char *file = scratch_path(&dir, "upper/conf.d/limits.conf");

	scratch_run(&dir, "mkdir -p upper/conf.d");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		scratch_write(file, NAMING);
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].top), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(upper, rows[i].upper), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(directory, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(file, rows[i].file), 0);
		CU_ASSERT_EQUAL(takes(file), rows[i].taken);
		CU_ASSERT_EQUAL(takes(directory), rows[i].taken);
		scratch_write(file, EMPTY);
		CU_ASSERT_TRUE(takes(file));
		scratch_write(file, PLAIN);
		CU_ASSERT_TRUE(takes(file));
		CU_ASSERT_TRUE(takes(directory));
	}
	free(upper);
	free(directory);
	free(file);
	scratch_free(&dir);
}

/* Of two files the one that may says where, and each that may not is told once. */
static void
test_files(void)
{
	scratch dir = scratch_new();
	char *first = scratch_path(&dir, "a.conf");
	char *second = scratch_path(&dir, "b.conf");
	const char *const both[] = { first, second };
	limen_engine *engine = new_engine(LIMEN_ENGINE_PASSIVE);
	limen_diag *diag = limen_diag_new();

	scratch_write(first, NAMING);
	scratch_write(second, NAMING);
	CU_ASSERT_TRUE(takes(dir.path));
	CU_ASSERT_EQUAL(chmod(second, 0666), 0);
	CU_ASSERT_FALSE(takes(dir.path));
	CU_ASSERT_EQUAL(chmod(first, 0666), 0);
	CU_ASSERT_EQUAL(limen_engine_load_files(engine, both, 2, diag), LIMEN_ECONFIG);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	limen_diag_free(diag);
	limen_engine_free(engine);
	free(first);
	free(second);
	scratch_free(&dir);
}

/* What a link leads to counts, and where that is. */
static void
test_links(void)
{
	scratch dir = scratch_new();
	char *link = scratch_path(&dir, "conf.d/limits.conf");
	char *file = scratch_path(&dir, "real/limits.conf");
	char *real = scratch_path(&dir, "real");

	scratch_run(&dir, "mkdir conf.d real && chmod 755 conf.d real && "
	                  "ln -s ../real/limits.conf conf.d");
	scratch_write(file, NAMING);
	CU_ASSERT_TRUE(takes(link));
	CU_ASSERT_EQUAL(chmod(file, 0646), 0);
	CU_ASSERT_FALSE(takes(link));
	CU_ASSERT_EQUAL(chmod(file, 0644), 0);
	CU_ASSERT_EQUAL(chmod(real, 0777), 0);
	CU_ASSERT_FALSE(takes(link));
	CU_ASSERT_EQUAL(chmod(real, 01777), 0);
	CU_ASSERT_TRUE(takes(link));
	if (scratch_can_chown(&dir)) {
		CU_ASSERT_EQUAL(chown(file, 65534, 65534), 0);
		CU_ASSERT_FALSE(takes(link));
		CU_ASSERT_EQUAL(chmod(real, 0755), 0);
		CU_ASSERT_TRUE(takes(link));
	}
	free(link);
	free(file);
	free(real);
	scratch_free(&dir);
}

/* Nothing of the directory is run, and a mended file is taken. */
static void
test_code(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	limen_engine *engine = new_engine(0);
	limen_diag *diag = limen_diag_new();

	scratch_run(&dir, "mkdir -p more/identifier && cp "
	                  "\"${LIMEN_MODULE_PATH%%:*}\"/identifier/.libs/always.so "
	                  "more/identifier && chmod -R go-w more");
	scratch_write(file, USING);
	CU_ASSERT_EQUAL(chmod(file, 0666), 0);
	CU_ASSERT_NOT_EQUAL(limen_engine_load(engine, file, diag), LIMEN_OK);
	/* Neither 'modules' nor the type it would have brought. */
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	CU_ASSERT_EQUAL(chmod(file, 0644), 0);
	CU_ASSERT_TRUE(is_taken(engine, file));
	limen_diag_free(diag);
	limen_engine_free(engine);
	free(file);
	scratch_free(&dir);
}

static int
load_text(limen_engine *engine, const char *text)
{
	limen_diag *diag = limen_diag_new();
	int result = limen_engine_load_text(engine, "text", text, strlen(text), diag);

	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), result == LIMEN_OK ? 0 : 1);
	if (result != LIMEN_OK)
		CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text,
		                       "'modules' is taken only from files of this host's own "
		                       "policy");
	limen_diag_free(diag);
	return result;
}

/* What the engine was told of those who write its policies. */
static void
test_others(void)
{
	static const struct {
		unsigned flags;
		int text, file;
	} rows[] = {
		{ 0, LIMEN_OK, LIMEN_OK },
		{ LIMEN_ENGINE_FOREIGN_TEXTS, LIMEN_ECONFIG, LIMEN_OK },
		{ LIMEN_ENGINE_FOREIGN_POLICIES, LIMEN_ECONFIG, LIMEN_ECONFIG },
		{ LIMEN_ENGINE_FOREIGN_TEXTS | LIMEN_ENGINE_FOREIGN_POLICIES, LIMEN_ECONFIG,
		  LIMEN_ECONFIG },
	};
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");

	scratch_write(file, NAMING);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_engine *engine = new_engine(rows[i].flags | LIMEN_ENGINE_PASSIVE);

		CU_ASSERT_EQUAL(load_text(engine, NAMING), rows[i].text);
		CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), rows[i].text);
		CU_ASSERT_EQUAL(load_text(engine, PLAIN), LIMEN_OK);
		CU_ASSERT_EQUAL(load_text(engine, EMPTY), LIMEN_OK);
		CU_ASSERT_EQUAL(is_taken(engine, file), rows[i].file == LIMEN_OK);
		CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), rows[i].file);
		limen_engine_free(engine);
	}
	free(file);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a file that every user may change may not say where modules are", test_modes },
		{ "each file is looked at for itself", test_files },
		{ "a link is what it leads to, too", test_links },
		{ "nothing is run of a directory that is not taken", test_code },
		{ "nor may what others write, or choose", test_others },
		{ NULL, NULL },
	};

	return suite_run("core/conf_modules", tests);
}
