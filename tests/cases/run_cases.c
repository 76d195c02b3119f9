/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_cases.c - runs the cases below tests/cases, one test each.  A case is
 * data: a policy, requests, and what is to become of them; docs/testing.md has
 * the format.  Arguments, if any, are the names of the cases to run
 * ("pipeline/empty-apply"), or of their groups.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case.h"
#include "suite.h"

static const char *const case_keys[] = { "policy",   "policy-text", "policy-path",
	                                 "problems", "warnings",    "notes",
	                                 "without-policy", "passive", "timezone",
	                                 "modules",  "needs",       "libjq",
	                                 "steps",    NULL };

typedef struct case_list {
	test_case *items;
	size_t count;
} case_list;

/* A zone other than that of whoever runs the tests, so that both are the same everywhere. */
static void
set_timezone(const json_t *root)
{
	const char *zone = json_string_value(json_object_get(root, "timezone"));

	setenv("TZ", zone == NULL ? "UTC0" : zone, 1);
	tzset();
}

/*
 * The modules for cases (tests/modules) are in no search path but this one.
 * A case may name a directory of it that comes first, to put its own modules
 * in the place of shipped ones.
 */
static char *
module_path(const json_t *root)
{
	const char *modules = getenv("LIMEN_MODULE_PATH");
	const char *build = getenv("LIMEN_BUILDDIR");
	const char *first = json_string_value(json_object_get(root, "modules"));
	char *path;

	modules = modules == NULL ? "plugins" : modules;
	build = build == NULL ? "." : build;
	if (asprintf(&path, "%s/tests/modules/%s:%s:%s/tests/modules", build,
	             first == NULL ? "" : first, modules, build) < 0)
		return NULL;
	return path;
}

static unsigned
engine_flags(const json_t *root)
{
	unsigned flags = 0;

	if (json_is_true(json_object_get(root, "without-policy")))
		flags |= LIMEN_ENGINE_WITHOUT_POLICY;
	if (json_is_true(json_object_get(root, "passive")))
		flags |= LIMEN_ENGINE_PASSIVE;
	return flags;
}

static limen_engine *
make_engine(const json_t *root)
{
	char *path = module_path(root);
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = path,
		.flags = engine_flags(root),
	};
	limen_engine *engine = limen_engine_new(&options);

	free(path);
	return engine;
}

/* Returns why the case cannot run with the libjq of this build, NULL if it can. */
static const char *
check_libjq(test_case *test, const char *version)
{
	if (strcmp(version, "1.6") != 0 && strcmp(version, "1.7") != 0)
		case_fail(test, "case", "\"libjq\" is neither \"1.6\" nor \"1.7\"");
	else if (strcmp(version, LIBJQ_VERSION) != 0)
		return "limen was built with libjq " LIBJQ_VERSION;
	return NULL;
}

/* Returns why the case cannot run with this build, NULL if it can. */
static const char *
find_lack(test_case *test, const json_t *root)
{
	const json_t *needs = json_object_get(root, "needs");
	const json_t *libjq = json_object_get(root, "libjq");

	if (libjq != NULL) {
		const char *version = json_string_value(libjq);
		const char *lack = check_libjq(test, version == NULL ? "" : version);

		if (lack != NULL)
			return lack;
	}
	if (needs == NULL)
		return NULL;
	if (json_string_value(needs) == NULL || strcmp(json_string_value(needs), "seccomp") != 0)
		case_fail(test, "case", "what is in \"needs\" is nothing that can be missing");
#ifdef LIMEN_SECCOMP
	return NULL;
#else
	return "limen was built without seccomp";
#endif
}

/* A step decides about a request, or loads another policy. */
static void
run_step(test_case *test, size_t number, const json_t *step)
{
	char where[32];

	snprintf(where, sizeof(where), "step %zu", number);
	if (json_object_get(step, "load") == NULL) {
		case_step(test, where, step);
		return;
	}
	case_check_keys(test, where, step, (const char *const[]){ "load", NULL });
	case_check_keys(test, where, json_object_get(step, "load"), case_policy_keys);
	case_load(test, where, json_object_get(step, "load"));
}

static bool
has_policy(const json_t *root)
{
	const json_t *inline_policy = json_object_get(root, "policy");

	return json_object_get(root, "policy-text") != NULL ||
	       json_object_get(root, "policy-path") != NULL ||
	       (inline_policy != NULL && !json_is_null(inline_policy));
}

static void
run_root(test_case *test, const json_t *root)
{
	const json_t *steps = json_object_get(root, "steps");

	case_check_keys(test, "case", root, case_keys);
	set_timezone(root);
	test->engine = make_engine(root);
	if (has_policy(root))
		case_load(test, "policy", root);
	for (size_t i = 0; i < json_array_size(steps); i++)
		run_step(test, i + 1, json_array_get(steps, i));
	if (json_array_size(steps) == 0 && json_object_get(root, "problems") == NULL &&
	    json_object_get(root, "warnings") == NULL && json_object_get(root, "notes") == NULL)
		case_fail(test, "case", "the case expects nothing");
	limen_engine_free(test->engine);
}

static void
run_case(void *arg)
{
	test_case *test = arg;
	json_error_t error;
	json_t *root = json_load_file(test->path, JSON_ALLOW_NUL, &error);
	const char *lack = find_lack(test, root);

	if (root == NULL)
		case_fail(test, "case", "line %d: %s", error.line, error.text);
	else if (lack == NULL)
		run_root(test, root);
	else
		suite_skip(lack);
	json_decref(root);
	CU_ASSERT_EQUAL(test->failures, 0);
}

/* ---- finding the cases ---- */

static char *
join_path(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

static int
is_visible(const struct dirent *file)
{
	return file->d_name[0] != '.';
}

static int
is_case(const struct dirent *file)
{
	const char *ending = strrchr(file->d_name, '.');

	return is_visible(file) && ending != NULL && strcmp(ending, ".json") == 0;
}

/* "group/name: what it shows". */
static char *
make_title(const test_case *test)
{
	json_t *root = json_load_file(test->path, JSON_ALLOW_NUL, NULL);
	const char *comment = json_string_value(json_object_get(root, "#"));
	char *title;

	if (asprintf(&title, "%s: %s", test->name, comment == NULL ? "?" : comment) < 0)
		title = NULL;
	json_decref(root);
	return title;
}

static bool
is_wanted(const char *name, const char *group, int count, char **wanted)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(wanted[i], name) == 0 || strcmp(wanted[i], group) == 0)
			return true;
	}
	return count == 0;
}

static void
add_case(case_list *list, const char *directory, const char *group, const char *file)
{
	test_case *items = realloc(list->items, (list->count + 1) * sizeof(*items));
	test_case *test;

	if (items == NULL)
		exit(1);
	list->items = items;
	test = &items[list->count++];
	*test = (test_case){ .directory = strdup(directory), .path = join_path(directory, file) };
	test->name = join_path(group, file);
	test->name[strlen(test->name) - strlen(".json")] = '\0';
	test->title = make_title(test);
}

static void
drop_last(case_list *list)
{
	test_case *test = &list->items[--list->count];

	free(test->name);
	free(test->directory);
	free(test->path);
	free(test->title);
}

static void
add_group(case_list *list, const char *root, const char *group, int count, char **wanted)
{
	char *directory = join_path(root, group);
	struct dirent **files = NULL;
	int found = scandir(directory, &files, is_case, alphasort);

	for (int i = 0; i < found; i++) {
		add_case(list, directory, group, files[i]->d_name);
		if (!is_wanted(list->items[list->count - 1].name, group, count, wanted))
			drop_last(list);
		free(files[i]);
	}
	free(files);
	free(directory);
}

static void
add_groups(case_list *list, const char *root, int count, char **wanted)
{
	struct dirent **groups = NULL;
	int found = scandir(root, &groups, is_visible, alphasort);

	for (int i = 0; i < found; i++) {
		add_group(list, root, groups[i]->d_name, count, wanted);
		free(groups[i]);
	}
	free(groups);
}

static int
run_all(case_list *list)
{
	struct suite_data_test *tests = calloc(list->count + 1, sizeof(*tests));
	int status;

	if (tests == NULL)
		return 1;
	for (size_t i = 0; i < list->count; i++)
		tests[i] = (struct suite_data_test){ .name = list->items[i].title,
			                             .run = run_case,
			                             .arg = &list->items[i] };
	status = suite_run_data("cases", tests, list->count);
	free(tests);
	return status;
}

int
main(int argc, char **argv)
{
	const char *source = getenv("LIMEN_SRCDIR");
	char *root = join_path(source == NULL ? "." : source, "tests/cases");
	case_list list = { NULL, 0 };
	int status;

	add_groups(&list, root, argc - 1, argv + 1);
	if (list.count == 0)
		fprintf(stderr, "%s: no cases\n", root);
	status = list.count == 0 ? 1 : run_all(&list);
	while (list.count > 0)
		drop_last(&list);
	free(list.items);
	free(root);
	return status;
}
