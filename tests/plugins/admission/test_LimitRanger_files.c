/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_files.c - the option "files": files and directories beside the
 * policy, what is wrong with them, and what becomes of changes.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "ranger_case.h"

#define ENTRY(files)                                                                        \
	"{\"schema\":4,\"admission\":[{\"name\":\"r\",\"plugin\":\"LimitRanger\",\"data\":"      \
	"{\"files\":" files "}}]}"
#define YAML(name, max)                                                                     \
	"apiVersion: v1\nkind: LimitRange\nmetadata: {name: " name "}\nspec:\n  limits:\n"      \
	"  - {type: Pod, max: {cpu: " max "}}\n"
#define TWO POD(CONTAINER("c", "{\"limits\":{\"cpu\":2}}"))
#define SAID(max) "maximum cpu usage per Pod is " max ", but limit is 2"

static char directory[256];

static void
write_file(const char *name, const char *text)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	out = fopen(path, "w");
	if (out == NULL)
		abort();
	fputs(text, out);
	if (fclose(out) != 0)
		abort();
}

static void
remove_file(const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	remove(path);
}

static void
make_directory(const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	if (mkdir(path, 0700) != 0)
		abort();
}

static void
start(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(directory, sizeof directory, "%s/limen-files-XXXXXX", base == NULL ? "/tmp" : base);
	if (mkdtemp(directory) == NULL)
		abort();
	make_directory("ranges");
}

static void
finish(void)
{
	static const char *const names[] = {
		"policy.json", "one.yaml", "list.json", "ranges/a.yaml", "ranges/b.json",
		"ranges/.hidden.yaml", "ranges/README", "ranges", "",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		remove_file(names[i]);
}

/* Loads the policy of the directory; NULL if that is no good. */
static limen_engine *
load(unsigned flags, limen_diag *diag)
{
	const limen_engine_options settings = {
		.size = sizeof settings,
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.flags = flags
	};
	limen_engine *engine = limen_engine_new(&settings);
	char path[512];

	snprintf(path, sizeof path, "%s/policy.json", directory);
	if (limen_engine_load(engine, path, diag) == LIMEN_OK)
		return engine;
	limen_engine_free(engine);
	return NULL;
}

/* The answer about a pod of two cores. */
static void
check(limen_engine *engine, const char *about, const char *expected)
{
	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	ranger_check(engine, about, TWO, NULL, expected);
}

static void
test_files(void)
{
	limen_engine *engine;

	start();
	write_file("policy.json", ENTRY("[\"one.yaml\",\"list.json\",\"ranges\"]"));
	/* Several documents, a list, and a directory in byte order. */
	write_file("one.yaml", "# nothing here\n---\n" YAML("z", "1") "---\n" YAML("y", "3"));
	write_file("list.json", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
	                        RANGE("x", "{\"type\":\"Pod\",\"max\":{\"cpu\":3}}") "]}");
	write_file("ranges/b.json", RANGE("b", "{\"type\":\"Pod\",\"max\":{\"cpu\":3}}"));
	write_file("ranges/a.yaml", YAML("a", "3"));
	write_file("ranges/.hidden.yaml", YAML("hidden", "0"));
	write_file("ranges/README", "no manifest");
	engine = load(0, NULL);
	check(engine, "the only one that refuses", SAID("1"));
	/* What is in the directory is looked at again. */
	write_file("ranges/a.yaml", YAML("a", "500m"));
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	check(engine, "changed", SAID("500m"));
	remove_file("ranges/a.yaml");
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	check(engine, "gone", SAID("1"));
	write_file("ranges/a.yaml", YAML("a", "250m"));
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	check(engine, "new", SAID("250m"));
	/* What does not load changes nothing. */
	write_file("ranges/a.yaml", "kind: [");
	CU_ASSERT_NOT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	check(engine, "broken", SAID("250m"));
	limen_engine_free(engine);
	finish();
}

struct problem_case {
	const char *files;
	const char *text; /* of one.yaml */
	const char *file; /* in which the problem is */
	unsigned line;
	const char *problem; /* its end */
};

static const struct problem_case problems[] = {
	{ "[\"none.yaml\"]", "", "policy.json", 1, "/none.yaml: No such file or directory" },
	{ "[\"ranges\"]", "", "policy.json", 1, "/ranges: there is nothing in it" },
	{ "[\"one.yaml\"]", "", "policy.json", 1, "/one.yaml: there is nothing in it" },
	{ "[\"one.yaml\"]", "# only words\n", "policy.json", 1, "/one.yaml: there is nothing in it" },
	{ "[\"one.yaml\"]", "apiVersion: v1\nkind: Pod\n", "one.yaml", 2,
	  "the kind must be LimitRange, LimitRangeList or List" },
	{ "[\"one.yaml\"]", YAML("a", "1") "---\n" YAML("a", "1"), "one.yaml", 8,
	  "there are two LimitRanges \"a\" in the namespace \"default\"" },
	{ "[\"one.yaml\"]", YAML("a", "x"), "one.yaml", 6,
	  "quantities must match the regular expression "
	  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
	{ "[\"one.yaml\"]", "7", "one.yaml", 1, "must be a LimitRange or a list of them" },
	{ "\"one.yaml\"", YAML("a", "1"), "policy.json", 1, "'one.yaml' is not of type 'array'" },
	{ "[1]", YAML("a", "1"), "policy.json", 1, "1 is not of type 'string'" },
	/* Nine nines of aliases. */
	{ "[\"one.yaml\"]",
	  "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
	  "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
	  "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
	  "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g,*g]\n"
	  "i: [*h,*h,*h,*h,*h,*h,*h,*h,*h,*h]\n",
	  "one.yaml", 0, "" },
};

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void
check_problem(const struct problem_case *one)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine;
	char *policy = NULL;
	const limen_problem *found = NULL;

	if (asprintf(&policy, ENTRY("%s"), one->files) < 0)
		abort();
	write_file("policy.json", policy);
	write_file("one.yaml", one->text);
	engine = load(0, diag);
	ASSERT(engine == NULL, "%s %s loads", one->files, one->text);
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_SEVERITY_NOTE) && found == NULL; i++) {
		if (limen_diag_get(diag, i)->severity == LIMEN_SEVERITY_PROBLEM)
			found = limen_diag_get(diag, i);
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	ASSERT(ends_with(found->text, one->problem), "'%s', want '%s'", found->text, one->problem);
	ASSERT(found->file != NULL && ends_with(found->file, one->file), "in %s, want %s",
	       found->file == NULL ? "?" : found->file, one->file);
	ASSERT(one->line == 0 || found->line == one->line, "line %u, want %u", found->line,
	       one->line);
	limen_engine_free(engine);
	limen_diag_free(diag);
	free(policy);
}

static void
test_problems(void)
{
	start();
	for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
		check_problem(&problems[i]);
	finish();
}

/* Returns whether the answer becomes 'expected' within a minute. */
static bool
becomes(limen_engine *engine, const char *expected)
{
	for (int i = 0; i < 600; i++) {
		limen_decision *decision = ranger_decide(engine, TWO, NULL);
		char found[RANGER_TEXT];
		bool same;

		ranger_messages(decision, found);
		same = strcmp(found, expected) == 0;
		limen_decision_free(decision);
		if (same)
			return true;
		usleep(100000);
	}
	return false;
}

static void
test_watch(void)
{
	limen_engine *engine;

	start();
	write_file("policy.json", ENTRY("[\"ranges\",\"one.yaml\"]"));
	write_file("one.yaml", YAML("one", "3"));
	write_file("ranges/b.json", RANGE("b", "{\"type\":\"Pod\",\"max\":{\"cpu\":3}}"));
	engine = load(LIMEN_ENGINE_WATCH, NULL);
	check(engine, "before", "");
	write_file("ranges/a.yaml", YAML("a", "1"));
	CU_ASSERT_TRUE(becomes(engine, SAID("1")));
	remove_file("ranges/a.yaml");
	CU_ASSERT_TRUE(becomes(engine, ""));
	write_file("one.yaml", YAML("one", "1"));
	CU_ASSERT_TRUE(becomes(engine, SAID("1")));
	limen_engine_free(engine);
	finish();
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "files and directories", test_files },
		{ "what is wrong with them", test_problems },
		{ "changes are noticed", test_watch },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_files", tests);
}
