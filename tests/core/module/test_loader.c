/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding modules, and loading those of the build tree; tests/abi loads broken
 * ones.
 */
#include "module/loader.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail_malloc.h"
#include "problems.h"
#include "sanitizers.h"
#include "suite.h"

static char directory[] = "/tmp/limen-loader-XXXXXX";

/* Makes an empty file below the test's directory, and the directories it needs. */
static void
make_file(const char *name)
{
	char command[300];

	snprintf(command, sizeof(command), "mkdir -p $(dirname %s/%s) && : > %s/%s", directory,
	         name, directory, name);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void
test_type_names(void)
{
	static const char *const good[] = { "a", "Z", "ip-cidr-list", "LimitRanger", "a1-", "a--b" };
	static const char *const bad[] = { "", "1a", "-a", "a_b", "a.b", "a/b", "../../etc/x", "a b",
		                           "é", "a\n", "a\x7f" };
	char name[67];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CU_ASSERT_TRUE(loader_is_type_name(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_FALSE(loader_is_type_name(bad[i]));
	memset(name, 'a', sizeof(name));
	name[64] = '\0';
	CU_ASSERT_TRUE(loader_is_type_name(name));
	name[64] = 'a';
	name[65] = '\0';
	CU_ASSERT_FALSE(loader_is_type_name(name));
}

static const char *directories[2];

static module_path
two_directories(void)
{
	static char first[64];
	static char second[64];

	snprintf(first, sizeof(first), "%s/one", directory);
	snprintf(second, sizeof(second), "%s/two", directory);
	directories[0] = first;
	directories[1] = second;
	return (module_path){ .directories = directories, .count = 2 };
}

/* Is 'type' found as 'name' below the test's directory, or nowhere if NULL? */
static void
expect_found(limen_kind kind, const char *type, const char *name)
{
	module_path path = two_directories();
	char *file = loader_find(&path, kind, type);

	if (name == NULL) {
		CU_ASSERT_PTR_NULL(file);
	} else {
		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		CU_ASSERT_STRING_EQUAL(file + strlen(directory) + 1, name);
	}
	free(file);
}

static void
test_find(void)
{
	make_file("two/limit/cap.so");
	expect_found(LIMEN_KIND_LIMIT, "cap", "two/limit/cap.so");
	make_file("one/limit/cap.la");
	expect_found(LIMEN_KIND_LIMIT, "cap", "two/limit/cap.so");
	make_file("one/limit/.libs/cap.so");
	expect_found(LIMEN_KIND_LIMIT, "cap", "one/limit/.libs/cap.so");
	make_file("one/limit/cap.so");
	expect_found(LIMEN_KIND_LIMIT, "cap", "one/limit/cap.so");
	expect_found(LIMEN_KIND_STORE, "cap", NULL);
	expect_found(LIMEN_KIND_LIMIT, "ca", NULL);
	expect_found(LIMEN_KIND_LIMIT, "../limit/cap", NULL);
	expect_found((limen_kind)0, "cap", NULL);
}

static void
add_type(void *data, const char *type)
{
	strcat(data, " ");
	strcat(data, type);
}

static void
test_each_type(void)
{
	module_path path = two_directories();
	char found[100] = "";

	make_file("one/store/b.so");
	make_file("one/store/.libs/b.so");
	make_file("two/store/b.so");
	make_file("two/store/.libs/a.so");
	make_file("two/store/d.la");
	make_file("two/store/Z.so");
	make_file("two/store/c.so.1");
	make_file("two/store/c_d.so");
	make_file("two/store/.so");
	make_file("two/store/so");
	CU_ASSERT_TRUE(loader_each_type(&path, LIMEN_KIND_STORE, add_type, found));
	CU_ASSERT_STRING_EQUAL(found, " Z a b");
	found[0] = '\0';
	CU_ASSERT_TRUE(loader_each_type(&path, LIMEN_KIND_REWRITER, add_type, found));
	CU_ASSERT_STRING_EQUAL(found, "");
}

static void
test_each_type_no_memory(void)
{
	module_path path = two_directories();
	char found[100] = "";
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		bool good;

		found[0] = '\0';
		fail_malloc_once(n);
		good = loader_each_type(&path, LIMEN_KIND_STORE, add_type, found);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(good, !failed);
		CU_ASSERT_STRING_EQUAL(found, failed ? "" : " Z a b");
	}
}

/* The file of a module of the build tree. */
static char *
built(limen_kind kind, const char *type)
{
	char *copy = strdup(getenv("LIMEN_MODULE_PATH"));
	const char *list[8];
	module_path path = { .directories = list };
	char *file;
	char *rest;

	for (char *word = strtok_r(copy, ":", &rest); word != NULL && path.count < 8;
	     word = strtok_r(NULL, ":", &rest))
		list[path.count++] = word;
	file = loader_find(&path, kind, type);
	free(copy);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	return file;
}

/* Loads 'file' and returns what was reported, which the caller frees. */
static char *
load(const char *file, limen_kind kind, const char *type, const module **out)
{
	limen_diag *diag = limen_diag_new();
	char *text;

	*out = loader_load(file, kind, type, diag, limen_value_none());
	CU_ASSERT_EQUAL(*out == NULL, limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 1);
	text = problems_print(diag, false);
	limen_diag_free(diag);
	return text;
}

static void
test_load_once(void)
{
	char *file = built(LIMEN_KIND_IDENTIFIER, "always");
	char link_name[128];
	const module *first;
	const module *again;

	free(load(file, LIMEN_KIND_IDENTIFIER, "always", &first));
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_STRING_EQUAL(first->descriptor.head.name, "always");
	free(load(file, LIMEN_KIND_IDENTIFIER, "always", &again));
	CU_ASSERT_PTR_EQUAL(again, first);
	/* By another name it is the same file. */
	snprintf(link_name, sizeof(link_name), "%s/link%s", directory, strrchr(file, '.'));
	CU_ASSERT_EQUAL(symlink(file, link_name), 0);
	free(load(link_name, LIMEN_KIND_IDENTIFIER, "always", &again));
	CU_ASSERT_PTR_EQUAL(again, first);
	free(file);
}

static void
test_loaded_as_another(void)
{
	char *file = built(LIMEN_KIND_IDENTIFIER, "always");
	const module *found;
	char *text;

	free(load(file, LIMEN_KIND_IDENTIFIER, "always", &found));
	text = load(file, LIMEN_KIND_LIMIT, "always", &found);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " is the module identifier/always"));
	CU_ASSERT_PTR_NULL(found);
	free(text);
	text = load(file, LIMEN_KIND_IDENTIFIER, "never", &found);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " is the module identifier/always"));
	free(text);
	free(file);
}

/* Puts a copy of 'file', of which only the directory entry is new, at 'to'. */
static void
replace_by_copy(const char *file, const char *to)
{
	char command[800];

	snprintf(command, sizeof(command), "cp '%s' '%s.new' && mv '%s.new' '%s'", file, to, to,
	         to);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void
test_replaced(void)
{
	char *file = built(LIMEN_KIND_IDENTIFIER, "always");
	char copy[128];
	const module *first;
	const module *again;
	char *text;

	snprintf(copy, sizeof(copy), "%s/replaced.so", directory);
	replace_by_copy(file, copy);
	free(load(copy, LIMEN_KIND_IDENTIFIER, "always", &first));
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_EQUAL(chmod(copy, 0700), 0);
	text = load(copy, LIMEN_KIND_IDENTIFIER, "always", &again);
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
	replace_by_copy(file, copy);
	text = load(copy, LIMEN_KIND_IDENTIFIER, "always", &again);
	CU_ASSERT_PTR_EQUAL(again, first);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the file of the module identifier/always changed since "
	                                    "it was loaded: restart to use it"));
	free(text);
	free(file);
}

/* Loads 'file' as an identifier, and expects 'wanted' in what is reported; "": nothing. */
static void
expect_report(const char *file, const char *type, const char *wanted)
{
	const module *found;
	char *text = load(file, LIMEN_KIND_IDENTIFIER, type, &found);

	CU_ASSERT_EQUAL(found != NULL, *wanted == '\0');
	if (*wanted == '\0')
		CU_ASSERT_STRING_EQUAL(text, "");
	if (strstr(text, wanted) == NULL)
		CU_FAIL("it says something else");
	free(text);
}

/* The dynamic linker does not read such a file again, so what it said of it stays all it knows. */
static void
test_mended(void)
{
	static const char wrong[] = "the module calls itself 'always', but its file is named 'other'";
	static const char changed[] = "the file of the module identifier/other changed since it was "
	                              "refused: restart to use it";
	char *always = built(LIMEN_KIND_IDENTIFIER, "always");
	char *mended = built(LIMEN_KIND_IDENTIFIER, "jq");
	char copy[128];

	snprintf(copy, sizeof(copy), "%s/mended.so", directory);
	replace_by_copy(always, copy);
	expect_report(copy, "other", wrong);
	expect_report(copy, "other", wrong);
	replace_by_copy(mended, copy);
	expect_report(copy, "other", changed);
	expect_report(copy, "other", changed);
	/* What was asked for wrongly can be asked for rightly. */
	snprintf(copy, sizeof(copy), "%s/another.so", directory);
	replace_by_copy(always, copy);
	expect_report(copy, "other", wrong);
	expect_report(copy, "always", "");
	free(always);
	free(mended);
}

static void
test_no_module(void)
{
	char file[128];
	const module *found;
	char *text;

	snprintf(file, sizeof(file), "%s/nowhere.so", directory);
	text = load(file, LIMEN_KIND_LIMIT, "nowhere", &found);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the module cannot be loaded: "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "nowhere.so: No such file or directory"));
	free(text);
	make_file("empty.so");
	snprintf(file, sizeof(file), "%s/empty.so", directory);
	text = load(file, LIMEN_KIND_LIMIT, "empty", &found);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the module cannot be loaded: "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "empty.so: file too short"));
	free(text);
}

static void
test_load_no_memory(void)
{
	char *file = built(LIMEN_KIND_LIMIT, "pass-fail");
	const module *found = NULL;
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		fail_malloc_once(n);
		found = loader_load(file, LIMEN_KIND_LIMIT, "pass-fail", NULL, limen_value_none());
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(found == NULL, failed);
	}
	free(file);
}

#ifndef WITH_ASAN
static atomic_bool ended;

static void *
load_on(void *file)
{
	while (!atomic_load(&ended))
		loader_load(file, LIMEN_KIND_IDENTIFIER, "always", NULL, limen_value_none());
	return NULL;
}
#endif

static void
test_fork(void)
{
#ifdef WITH_ASAN
	suite_skip("a fork may leave the lock of AddressSanitizer's malloc() taken");
#else
	char *file = built(LIMEN_KIND_IDENTIFIER, "always");
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, load_on, file), 0);
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();
		int status = -1;

		CU_ASSERT_FATAL(child >= 0);
		if (child == 0) {
			alarm(60);
			_exit(loader_load(file, LIMEN_KIND_IDENTIFIER, "always", NULL,
			                  limen_value_none()) == NULL);
		}
		CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
		CU_ASSERT_EQUAL_FATAL(status, 0);
	}
	atomic_store(&ended, true);
	pthread_join(thread, NULL);
	free(file);
#endif
}

#ifndef WITH_TSAN
static int
fork_once(limen_diag *diag)
{
	pid_t child = fork();
	int status = -1;

	(void)diag;
	if (child == 0)
		_exit(0);
	return waitpid(child, &status, 0) == child && status == 0 ? LIMEN_OK : LIMEN_EINVAL;
}
#endif

static void
test_fork_in_init(void)
{
#ifdef WITH_TSAN
	suite_skip("this program has two loaders, whose locks a fork takes in another order here");
#else
	module forking = { .descriptor.head.init = fork_once };

	CU_ASSERT_EQUAL(loader_init(&forking, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(forking.initialised);
#endif
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "only plain names become paths", test_type_names },
		{ "the first directory wins, and no .la is read", test_find },
		{ "types are listed sorted and once", test_each_type },
		{ "a list is complete or refused", test_each_type_no_memory },
		{ "a file is loaded once, whatever its name", test_load_once },
		{ "a module is not taken for another", test_loaded_as_another },
		{ "a file replaced since it was loaded is a warning", test_replaced },
		{ "a file replaced since it was refused is a problem", test_mended },
		{ "what is no module has the system's own reason", test_no_module },
		{ "a shortage of memory is a problem, and loading works later", test_load_no_memory },
		{ "a process forks while another thread loads, and its child loads", test_fork },
		{ "a module forks in 'init'", test_fork_in_init },
		{ NULL, NULL },
	};
	char command[100];
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	status = suite_run("core/loader", tests);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command) == 0 ? status : 99;
}
