/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to a module: who could put another directory or link where limen comes by.
 */
#include "file/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refused_module.h"
#include "scratch.h"
#include "suite.h"

#define STRANGER 65534

/* "top/given/limit/cap.so", which nobody else may change. */
static void
make_tree(const scratch *dir)
{
	scratch_run(dir, "mkdir -p top/given/limit && echo no module > top/given/limit/cap.so && "
	                 "chmod -R go-w . && chmod 755 .");
}

static void
own(const scratch *dir, const char *name, uid_t owner, gid_t group, mode_t mode)
{
	char *path = scratch_path(dir, name);

	CU_ASSERT_EQUAL_FATAL(lchown(path, owner, group), 0);
	CU_ASSERT_EQUAL_FATAL(chmod(path, mode), 0);
	free(path);
}

/* Who made what is in a place like /tmp chose the modules in it, whatever its mode. */
static void
test_stranger(void)
{
	static const struct {
		const char *sticky, *entry;
	} rows[] = {
		{ "top/given/limit", "top/given/limit/cap.so" },
		{ "top/given", "top/given/limit" },
		{ "top", "top/given" },
		{ ".", "top" },
	};
	scratch dir = scratch_new();
	bool can = scratch_can_chown(&dir);

	make_tree(&dir);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && can; i++) {
		char *entry = scratch_path(&dir, rows[i].entry);

		own(&dir, rows[i].entry, STRANGER, STRANGER, 0755);
		CU_ASSERT_FALSE(
			refused_module_in(&dir, "top/given/limit/cap.so", "to another user"));
		own(&dir, rows[i].sticky, 0, 0, 01777);
		CU_ASSERT_TRUE(refused_module_in(&dir, "top/given/limit/cap.so", "to another user"));
		CU_ASSERT_TRUE(refused_module_in(&dir, "top/given/limit/cap.so", entry));
		own(&dir, rows[i].entry, 0, 0, 0755);
		CU_ASSERT_FALSE(
			refused_module_in(&dir, "top/given/limit/cap.so", "to another user"));
		own(&dir, rows[i].sticky, 0, 0, 0755);
		free(entry);
	}
	scratch_free(&dir);
}

/* Where everybody may write, what is there can be replaced, however far above the module. */
static void
test_above(void)
{
	static const char *const places[] = { ".", "top", "top/given" };
	scratch dir = scratch_new();

	make_tree(&dir);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = scratch_path(&dir, places[i]);

		own(&dir, places[i], geteuid(), getegid(), 0777);
		CU_ASSERT_TRUE(
			refused_module_in(&dir, "top/given/limit/cap.so", "every user may change"));
		own(&dir, places[i], geteuid(), getegid(), 01777);
		CU_ASSERT_FALSE(refused_module_in(&dir, "top/given/limit/cap.so", "may change"));
		own(&dir, places[i], geteuid(), getegid(), 0755);
		free(path);
	}
	scratch_free(&dir);
}

/* Above the given directory groups count, unless root let them write there. */
static void
test_groups_above(void)
{
	static const struct {
		uid_t owner;
		gid_t group;
		mode_t mode;
		bool refused;
	} rows[] = {
		{ 0, 50, 0775, false },      { 0, 50, 01775, false },   { 0, 0, 0775, false },
		{ 1000, 1000, 0775, false }, { 1000, 50, 0755, false }, { 1000, 50, 0775, true },
		{ 1000, 50, 01775, false },  { 0, 50, 0777, true },
	};
	scratch dir = scratch_new();
	bool can = scratch_can_chown(&dir);

	make_tree(&dir);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && can; i++) {
		own(&dir, "top", rows[i].owner, rows[i].group, rows[i].mode);
		CU_ASSERT_EQUAL(refused_module_in(&dir, "top/given/limit/cap.so", "may change"),
		                rows[i].refused);
	}
	scratch_free(&dir);
}

/* A link of a kind, of the given directory and above it: both where it is and where it leads count.
 */
static void
test_links(void)
{
	static const char *const links[] = {
		"mv top/given/limit a && ln -s ../../a/limit top/given",
		"mv top/given a && ln -s ../b/next top/given && ln -s ../a/given b/next",
		"mv top a && ln -s \"$PWD/b/../a/./top//\" top",
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		scratch dir = scratch_new();

		make_tree(&dir);
		scratch_run(&dir, "mkdir -m 755 a b");
		scratch_run(&dir, links[i]);
		CU_ASSERT_FALSE(refused_module_in(&dir, "top/given/limit/cap.so", "may change"));
		own(&dir, "a", geteuid(), getegid(), 0777);
		CU_ASSERT_TRUE(refused_module_in(&dir, "top/given/limit/cap.so", "/a"));
		CU_ASSERT_TRUE(refused_module_in(&dir, "top/given/limit/cap.so", "every user"));
		own(&dir, "a", geteuid(), getegid(), 0755);
		scratch_free(&dir);
	}
}

/* A link on the way may lead anywhere: who could replace it counts, where it is. */
static void
test_link_places(void)
{
	scratch dir = scratch_new();
	bool can = scratch_can_chown(&dir);

	make_tree(&dir);
	scratch_run(&dir,
	            "mkdir -m 755 a b && ln -s ../top a/first && ln -s ../a/first/given b/way");
	CU_ASSERT_FALSE(refused_module_in(&dir, "b/way/limit/cap.so", "may change"));
	own(&dir, "a", geteuid(), getegid(), 0777);
	CU_ASSERT_TRUE(refused_module_in(&dir, "b/way/limit/cap.so", "every user may change"));
	own(&dir, "a", geteuid(), getegid(), 01777);
	CU_ASSERT_FALSE(refused_module_in(&dir, "b/way/limit/cap.so", "may change"));
	if (can) {
		char *link = scratch_path(&dir, "a/first");

		CU_ASSERT_EQUAL_FATAL(lchown(link, STRANGER, STRANGER), 0);
		CU_ASSERT_TRUE(refused_module_in(&dir, "b/way/limit/cap.so", "to another user"));
		CU_ASSERT_TRUE(refused_module_in(&dir, "b/way/limit/cap.so", "/a/first"));
		free(link);
	}
	scratch_free(&dir);
}

/* What is named from here is held against what is above it, as what is named from the root. */
static void
test_relative(void)
{
	scratch dir = scratch_new();
	char before[PATH_MAX];

	make_tree(&dir);
	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(before, sizeof(before)));
	CU_ASSERT_EQUAL_FATAL(chdir(dir.path), 0);
	CU_ASSERT_EQUAL_FATAL(chdir("top/given"), 0);
	CU_ASSERT_FALSE(refused_module_for("limit/cap.so", "may change"));
	CU_ASSERT_FALSE(refused_module_for("../../top/./given//limit/cap.so", "may change"));
	own(&dir, "top", geteuid(), getegid(), 0777);
	CU_ASSERT_TRUE(refused_module_for("limit/cap.so", "every user may change"));
	CU_ASSERT_EQUAL_FATAL(chdir(before), 0);
	scratch_free(&dir);
}

/* Links without end and what cannot be looked at are nobody's. */
static void
test_errors(void)
{
	char name[NAME_MAX + 3];
	char path[PATH_MAX + 2];
	trust_fault fault;
	scratch dir = scratch_new();
	char *loop = scratch_path(&dir, "loop");

	memset(name, 'a', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CU_ASSERT_EQUAL_FATAL(symlink("loop", loop), 0);
	CU_ASSERT_FALSE(trust_file(loop, loop, dir.path, true, &fault));
	CU_ASSERT_EQUAL(fault.error, ELOOP);
	CU_ASSERT_FALSE(trust_file("/nowhere/at/all", "/", "/", true, &fault));
	CU_ASSERT_EQUAL(fault.error, ENOENT);
	CU_ASSERT_STRING_EQUAL(fault.path, "/nowhere");
	CU_ASSERT_FALSE(trust_file(name, "/", "/", true, &fault));
	CU_ASSERT_EQUAL(fault.error, ENAMETOOLONG);
	CU_ASSERT_FALSE(trust_file(path, "/", "/", true, &fault));
	CU_ASSERT_EQUAL(fault.error, ENAMETOOLONG);
	free(loop);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a module in a stranger's directory is refused", test_stranger },
		{ "so is one below a directory that every user may change", test_above },
		{ "and below a user's that a group of strangers may change", test_groups_above },
		{ "a link is as safe as what it leads to", test_links },
		{ "and as the place where it is", test_link_places },
		{ "what is named from here is no safer", test_relative },
		{ "what cannot be looked at is not trusted", test_errors },
		{ NULL, NULL },
	};

	return suite_run("core/trust_way", tests);
}
