/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that everybody may change: a warning for policies, the end for modules.
 */
#include "writable.h"

#include <limen/engine.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader.h"
#include "scratch.h"
#include "suite.h"

/* The modes of a file and of the directory it is in. */
static void
test_modes(void)
{
	static const struct {
		mode_t directory;
		mode_t file;
		bool writable;
	} rows[] = {
		{ 0755, 0644, false },
		{ 0700, 0600, false },
		{ 0775, 0664, false },
		{ 0755, 0646, true },
		{ 0755, 0602, true },
		{ 0757, 0644, true },
		{ 0777, 0600, true },
		{ 01777, 0644, false },
		{ 01777, 0666, true },
	};
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "file");

	scratch_write(file, "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(file, rows[i].file), 0);
		CU_ASSERT_EQUAL(writable_by_all(file), rows[i].writable);
	}
	CU_ASSERT_EQUAL(chmod(dir.path, 0755), 0);
	CU_ASSERT_FALSE(writable_by_all("/nowhere/at/all"));
	CU_ASSERT_FALSE(writable_by_all("/"));
	free(file);
	scratch_free(&dir);
}

/* Whom a group adds to the owner tells whether it may write. */
static void
test_groups(void)
{
	static const struct {
		uid_t owner;
		gid_t group, own;
		mode_t directory, file;
		bool all, strangers;
	} rows[] = {
		{ 0, 0, 0, 0755, 0664, false, false },
		{ 0, 0, 0, 0775, 0644, false, false },
		{ 0, 50, 0, 0755, 0644, false, false },
		{ 0, 50, 0, 0755, 0664, false, true },
		{ 0, 50, 0, 0755, 0624, false, true },
		{ 0, 50, 0, 0775, 0644, false, true },
		{ 0, 50, 0, 01775, 0644, false, false },
		{ 0, 50, 0, 01775, 0664, false, true },
		{ 0, 50, 50, 0775, 0664, false, false },
		{ 0, 50, 51, 0775, 0664, false, true },
		{ 1000, 1000, 0, 0775, 0664, false, false },
		{ 1000, 1001, 0, 0755, 0664, false, true },
		{ 1000, 0, 50, 0755, 0664, false, false },
		{ 1000, 1000, 0, 0755, 0646, true, true },
	};
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "file");

	scratch_write(file, "");
	CU_ASSERT_EQUAL_FATAL(chmod(file, 0664), 0);
	CU_ASSERT_FALSE(writable_by_strangers(file));
	CU_ASSERT_FALSE(writable_by_strangers("/nowhere/at/all"));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && geteuid() == 0; i++) {
		CU_ASSERT_EQUAL_FATAL(chown(dir.path, rows[i].owner, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chown(file, rows[i].owner, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(file, rows[i].file), 0);
		CU_ASSERT_EQUAL_FATAL(setegid(rows[i].own), 0);
		CU_ASSERT_EQUAL(writable_by_all(file), rows[i].all);
		CU_ASSERT_EQUAL(writable_by_strangers(file), rows[i].strangers);
		CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
	}
	free(file);
	scratch_free(&dir);
}

/* A link is what it leads to. */
static void
test_link(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "file");
	char *link = scratch_path(&dir, "link");

	scratch_write(file, "");
	CU_ASSERT_EQUAL_FATAL(symlink(file, link), 0);
	CU_ASSERT_FALSE(writable_by_all(link));
	CU_ASSERT_EQUAL(chmod(file, 0666), 0);
	CU_ASSERT_TRUE(writable_by_all(link));
	free(file);
	free(link);
	scratch_free(&dir);
}

/* Loads the policy at 'path', which must load, and returns how many warnings there were. */
static size_t
count_warnings(const char *path)
{
	limen_engine *engine = limen_engine_new(NULL);
	limen_diag *diag = limen_diag_new();
	size_t count;

	CU_ASSERT_EQUAL(limen_engine_load(engine, path, diag), LIMEN_OK);
	count = limen_diag_count(diag, LIMEN_WARNING);
	limen_diag_free(diag);
	limen_engine_free(engine);
	return count;
}

static void
test_policy(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");

	scratch_write(file, "{ \"schema\": 4 }");
	CU_ASSERT_EQUAL(chmod(file, 0664), 0);
	CU_ASSERT_EQUAL(count_warnings(file), 0);
	CU_ASSERT_EQUAL(count_warnings(dir.path), 0);
	CU_ASSERT_EQUAL(chmod(file, 0666), 0);
	CU_ASSERT_EQUAL(count_warnings(file), 1);
	CU_ASSERT_EQUAL(count_warnings(dir.path), 1);
	CU_ASSERT_EQUAL(chmod(dir.path, 0777), 0);
	CU_ASSERT_EQUAL(count_warnings(dir.path), 2);
	free(file);
	scratch_free(&dir);
}

/* Where everybody may put files, only what is root's or one's own is no stranger's. */
static void
test_foreign(void)
{
	static const struct {
		mode_t directory;
		gid_t group;
		uid_t owner;
		bool foreign, to_groups;
	} rows[] = {
		{ 01777, 0, 0, false, false },
		{ 01777, 0, 65534, true, true },
		{ 0777, 0, 65534, true, true },
		{ 0755, 0, 65534, false, false },
		{ 0775, 0, 65534, false, false },
		{ 01775, 50, 65534, false, true },
		{ 01775, 50, 0, false, false },
		{ 0755, 50, 65534, false, false },
	};
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "file");
	char *slashes = scratch_path(&dir, "file//");

	scratch_write(file, "");
	CU_ASSERT_FALSE(writable_foreign("/nowhere/at/all", true));
	CU_ASSERT_EQUAL_FATAL(chmod(dir.path, 01777), 0);
	CU_ASSERT_FALSE(writable_foreign(file, true));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && geteuid() == 0; i++) {
		CU_ASSERT_EQUAL_FATAL(chown(dir.path, 0, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chown(file, rows[i].owner, 0), 0);
		CU_ASSERT_EQUAL(writable_foreign(file, false), rows[i].foreign);
		CU_ASSERT_EQUAL(writable_foreign(file, true), rows[i].to_groups);
		CU_ASSERT_EQUAL(writable_foreign(slashes, true), rows[i].to_groups);
	}
	free(slashes);
	free(file);
	scratch_free(&dir);
}

static void
test_parent(void)
{
	static const char *const rows[][2] = {
		{ "/a/b", "/a" }, { "/a", "/" }, { "a", "." }, { "a/b.c", "a" }, { "", "." },
		{ "/a/b//", "/a" }, { "a/", "." }, { "/", "/" }, { "//", "/" },
	};
	char long_path[PATH_MAX + 3];
	char parent[PATH_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_TRUE(writable_parent(rows[i][0], parent));
		CU_ASSERT_STRING_EQUAL(parent, rows[i][1]);
	}
	memset(long_path, 'a', sizeof(long_path));
	memcpy(long_path + PATH_MAX - 1, "/b", 3);
	CU_ASSERT_TRUE(writable_parent(long_path, parent));
	memcpy(long_path + PATH_MAX - 1, "a/b", 4);
	CU_ASSERT_FALSE(writable_parent(long_path, parent));
}

static bool
has_problem(const limen_diag *diag, const char *text)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	return problem != NULL && strstr(problem->text, text) != NULL;
}

static void
test_module(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "always.so");
	limen_diag *diag = limen_diag_new();

	scratch_write(file, "no module at all");
	CU_ASSERT_EQUAL(chmod(file, 0646), 0);
	CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_IDENTIFIER, "always", diag,
	                               limen_value_none()));
	CU_ASSERT_TRUE(has_problem(diag, "everybody may change"));
	limen_diag_free(diag);
	diag = limen_diag_new();
	CU_ASSERT_EQUAL(chmod(file, 0664), 0);
	CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_IDENTIFIER, "always", diag,
	                               limen_value_none()));
	CU_ASSERT_FALSE(has_problem(diag, "everybody may change"));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_PROBLEM), 1);
	limen_diag_free(diag);
	free(file);
	scratch_free(&dir);
}

/* Is the module at 'file' refused as one that 'who' may change, or for another reason? */
static bool
is_refused_for(const char *file, const char *who)
{
	limen_diag *diag = limen_diag_new();
	bool refused;

	CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_LIMIT, "cap", diag, limen_value_none()));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_PROBLEM), 1);
	refused = has_problem(diag, who);
	limen_diag_free(diag);
	return refused;
}

static bool
is_refused_for_mode(const char *file)
{
	return is_refused_for(file, "everybody may change");
}

/* In a build tree libtool's directory stands between the file and that of its kind. */
static void
test_build_tree(void)
{
	static const char *const places[] = { "modules", "modules/limit", "modules/limit/.libs" };
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "modules/limit/.libs/cap.so");
	char command[600];

	snprintf(command, sizeof(command), "cd '%s' && mkdir -p modules/limit/.libs && "
	         "echo no module > modules/limit/.libs/cap.so && chmod -R go-w modules", dir.path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	CU_ASSERT_FALSE(is_refused_for_mode(file));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = scratch_path(&dir, places[i]);

		CU_ASSERT_EQUAL_FATAL(chmod(path, 0777), 0);
		CU_ASSERT_TRUE(is_refused_for_mode(file));
		CU_ASSERT_EQUAL_FATAL(chmod(path, 0755), 0);
		free(path);
	}
	free(file);
	scratch_free(&dir);
}

/* A link is as safe as its place and what it leads to, and a file as the directory of its kind. */
static void
test_module_places(void)
{
	static const struct {
		const char *path; /* what is changed to 'mode' */
		mode_t mode;
		bool refused;
	} rows[] = {
		{ "modules/limit/link.so", 0666, true },
		{ "modules/limit", 0777, true },
		{ "modules", 0777, true },
		{ "modules", 01777, false },
		{ "elsewhere", 0777, true },
		{ "elsewhere/cap.so", 0646, true },
		{ "elsewhere/cap.so", 0664, false },
	};
	scratch dir = scratch_new();
	char *link = scratch_path(&dir, "modules/limit/link.so");
	char command[600];

	snprintf(command, sizeof(command), "cd '%s' && mkdir -p modules/limit elsewhere && "
	         "echo no module > elsewhere/cap.so && "
	         "ln -s ../../elsewhere/cap.so modules/limit/link.so && "
	         "chmod -R go-w modules elsewhere", dir.path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	CU_ASSERT_FALSE(is_refused_for_mode(link));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *path = scratch_path(&dir, rows[i].path);
		struct stat before;

		CU_ASSERT_EQUAL_FATAL(stat(path, &before), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(path, rows[i].mode), 0);
		CU_ASSERT_EQUAL(is_refused_for_mode(link), rows[i].refused);
		CU_ASSERT_EQUAL_FATAL(chmod(path, before.st_mode & 07777), 0);
		free(path);
	}
	free(link);
	scratch_free(&dir);
}

/* The file, the directory of its kind, the one that was given, and both ends of a link. */
static void
test_module_groups(void)
{
	static const char *const places[] = { "modules", "modules/limit", "elsewhere",
		                              "elsewhere/cap.so" };
	scratch dir = scratch_new();
	char *link = scratch_path(&dir, "modules/limit/link.so");
	char command[600];

	snprintf(command, sizeof(command), "cd '%s' && mkdir -p modules/limit elsewhere && "
	         "echo no module > elsewhere/cap.so && "
	         "ln -s ../../elsewhere/cap.so modules/limit/link.so && "
	         "chmod -R g+w,o-w modules elsewhere", dir.path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	CU_ASSERT_FALSE(is_refused_for(link, "may change"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && geteuid() == 0; i++) {
		char *path = scratch_path(&dir, places[i]);

		CU_ASSERT_EQUAL_FATAL(chown(path, 0, 50), 0);
		CU_ASSERT_TRUE(is_refused_for(link, "a group may change"));
		CU_ASSERT_EQUAL_FATAL(setegid(50), 0);
		CU_ASSERT_FALSE(is_refused_for(link, "may change"));
		CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
		CU_ASSERT_EQUAL_FATAL(chown(path, 0, 0), 0);
		free(path);
	}
	free(link);
	scratch_free(&dir);
}

/* Who made the directory of a kind in a place like /tmp chose the modules in it. */
static void
test_stranger(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limit/cap.so");
	char *kind = scratch_path(&dir, "limit");
	char command[600];
	limen_diag *diag = limen_diag_new();

	snprintf(command, sizeof(command), "cd '%s' && mkdir limit && echo no module > limit/cap.so "
	         "&& chmod -R go-w limit && chmod 1777 .", dir.path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_LIMIT, "cap", diag, limen_value_none()));
	CU_ASSERT_FALSE(has_problem(diag, "another user"));
	limen_diag_free(diag);
	if (geteuid() == 0) {
		diag = limen_diag_new();
		CU_ASSERT_EQUAL_FATAL(chown(kind, 65534, 65534), 0);
		CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_LIMIT, "cap", diag,
		                               limen_value_none()));
		CU_ASSERT_TRUE(has_problem(diag, "another user"));
		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_PROBLEM), 1);
		limen_diag_free(diag);
	}
	free(kind);
	free(file);
	scratch_free(&dir);
}

/*
 * A libtool description may name any file anywhere, whose constructors run before anybody
 * can look at it.
 */
static void
test_description(void)
{
	scratch dir = scratch_new();
	const char *const directories[] = { dir.path };
	const module_path path = { directories, 1 };
	char *link = scratch_path(&dir, "identifier/always.so");
	limen_diag *diag = limen_diag_new();
	char command[2400];

	/* Of the build tree; the first of the directories is that of the modules. */
	snprintf(command, sizeof(command), "cd '%s' && mkdir identifier open && "
	         "cp \"${LIMEN_MODULE_PATH%%%%:*}\"/identifier/.libs/always.so open && "
	         "chmod 777 open && printf \"%%s\\n\" \"dlname='always.so'\" "
	         "\"library_names='always.so'\" installed=yes \"libdir='$PWD/open'\" "
	         "> identifier/always.la", dir.path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	CU_ASSERT_PTR_NULL(loader_find(&path, LIMEN_KIND_IDENTIFIER, "always"));
	CU_ASSERT_EQUAL_FATAL(symlink("always.la", link), 0);
	CU_ASSERT_PTR_NULL(loader_load(link, LIMEN_KIND_IDENTIFIER, "always", diag,
	                               limen_value_none()));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_PROBLEM), 1);
	limen_diag_free(diag);
	free(link);
	scratch_free(&dir);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "modes of files and of their directories", test_modes },
		{ "of groups, strangers' count", test_groups },
		{ "a link is what it leads to", test_link },
		{ "a policy that everybody may change is a warning", test_policy },
		{ "a module that everybody may change is refused", test_module },
		{ "so is one whose place everybody may change", test_module_places },
		{ "a module that a group of strangers may change is refused", test_module_groups },
		{ "also in a build tree", test_build_tree },
		{ "strangers' files where everybody may put some", test_foreign },
		{ "the directory of a path", test_parent },
		{ "a module in a stranger's directory is refused", test_stranger },
		{ "nothing is read that names a module elsewhere", test_description },
		{ NULL, NULL },
	};

	return suite_run("core/writable", tests);
}
