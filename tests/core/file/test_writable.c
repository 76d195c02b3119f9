/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every user may change, and what that means for policies.
 */
#include "file/writable.h"

#include <limen/engine.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	count = limen_diag_count(diag, LIMEN_SEVERITY_WARNING);
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
		bool foreign;
	} rows[] = {
		{ 01777, 0, 0, false },
		{ 01777, 0, 65534, true },
		{ 0777, 0, 65534, true },
		{ 0755, 0, 65534, false },
		{ 0775, 0, 65534, false },
		{ 01775, 50, 65534, true },
		{ 01775, 50, 0, false },
		{ 0755, 50, 65534, false },
	};
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "file");
	char *slashes = scratch_path(&dir, "file//");
	bool can = scratch_can_chown(&dir);

	scratch_write(file, "");
	CU_ASSERT_FALSE(writable_foreign("/nowhere/at/all"));
	CU_ASSERT_EQUAL_FATAL(chmod(dir.path, 01777), 0);
	CU_ASSERT_FALSE(writable_foreign(file));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && can; i++) {
		CU_ASSERT_EQUAL_FATAL(chown(dir.path, 0, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chown(file, rows[i].owner, 0), 0);
		CU_ASSERT_EQUAL(writable_foreign(file), rows[i].foreign);
		CU_ASSERT_EQUAL(writable_foreign(slashes), rows[i].foreign);
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

SUITE()
{
	static const struct suite_test tests[] = {
		{ "modes of files and of their directories", test_modes },
		{ "a link is what it leads to", test_link },
		{ "a policy that every user may change is a warning", test_policy },
		{ "strangers' files where everybody may put some", test_foreign },
		{ "the directory of a path", test_parent },
		{ NULL, NULL },
	};

	return suite_run("core/writable", tests);
}
