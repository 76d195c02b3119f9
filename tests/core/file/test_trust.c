/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules that strangers may change, or are next to what strangers may change.
 */
#include "file/trust.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refused_module.h"
#include "scratch.h"
#include "suite.h"
#include "file/writable.h"

static bool
is_strangers(const scratch *dir, const char *file)
{
	trust_fault fault;
	bool trusted = trust_file(file, file, dir->path, true, &fault);

	CU_ASSERT_TRUE(trusted || fault.who != NULL);
	return !trusted;
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
		{ 65534, 65534, 0, 0755, 0664, false, true },
		{ 65534, 65534, 65534, 0755, 0664, false, false },
		{ 1000, 0, 50, 0755, 0664, false, false },
		{ 1000, 1000, 0, 0755, 0646, true, true },
	};
	scratch dir = scratch_new();
	char *place = scratch_path(&dir, "place");
	char *file = scratch_path(&dir, "place/file");
	bool can = scratch_can_chown(&dir);

	scratch_run(&dir, "mkdir -m 755 place && touch place/file && chmod 664 place/file");
	CU_ASSERT_FALSE(is_strangers(&dir, file));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && can; i++) {
		CU_ASSERT_EQUAL_FATAL(chown(place, rows[i].owner, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chown(file, rows[i].owner, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(place, rows[i].directory), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(file, rows[i].file), 0);
		CU_ASSERT_EQUAL_FATAL(setegid(rows[i].own), 0);
		CU_ASSERT_EQUAL(writable_by_all(file), rows[i].all);
		CU_ASSERT_EQUAL(is_strangers(&dir, file), rows[i].strangers);
		CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
	}
	free(place);
	free(file);
	scratch_free(&dir);
}

static void
test_module(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "cap.so");

	scratch_write(file, "no module at all");
	CU_ASSERT_EQUAL(chmod(file, 0646), 0);
	CU_ASSERT_TRUE(refused_module_for(file, "every user may change"));
	CU_ASSERT_EQUAL(chmod(file, 0664), 0);
	CU_ASSERT_FALSE(refused_module_for(file, "may change"));
	free(file);
	scratch_free(&dir);
}

/* In a build tree libtool's directory stands between the file and that of its kind. */
static void
test_build_tree(void)
{
	static const char *const places[] = { "modules", "modules/limit", "modules/limit/.libs" };
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "modules/limit/.libs/cap.so");

	scratch_run(&dir, "mkdir -p modules/limit/.libs && "
	                  "echo no module > modules/limit/.libs/cap.so && "
	                  "chmod -R go-w modules");
	CU_ASSERT_FALSE(refused_module_for(file, "may change"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = scratch_path(&dir, places[i]);

		CU_ASSERT_EQUAL_FATAL(chmod(path, 0777), 0);
		CU_ASSERT_TRUE(refused_module_for(file, "every user may change"));
		CU_ASSERT_TRUE(refused_module_for(file, path));
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
		{ "modules/limit", 01777, true },
		{ "modules", 0777, true },
		{ "modules", 01777, false },
		{ "elsewhere", 0777, true },
		{ "elsewhere", 01777, false },
		{ "elsewhere/cap.so", 0646, true },
		{ "elsewhere/cap.so", 0664, false },
	};
	scratch dir = scratch_new();
	char *link = scratch_path(&dir, "modules/limit/link.so");

	refused_module_tree(&dir);
	CU_ASSERT_FALSE(refused_module_for(link, "every user may change"));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *path = scratch_path(&dir, rows[i].path);
		struct stat before;

		CU_ASSERT_EQUAL_FATAL(stat(path, &before), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(path, rows[i].mode), 0);
		CU_ASSERT_EQUAL(refused_module_for(link, "every user may change"), rows[i].refused);
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
	bool can = scratch_can_chown(&dir);

	refused_module_tree(&dir);
	CU_ASSERT_FALSE(refused_module_for(link, "may change"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && can; i++) {
		char *path = scratch_path(&dir, places[i]);

		CU_ASSERT_EQUAL_FATAL(chown(path, 0, 50), 0);
		CU_ASSERT_TRUE(refused_module_for(link, "a group may change"));
		CU_ASSERT_EQUAL_FATAL(setegid(50), 0);
		CU_ASSERT_FALSE(refused_module_for(link, "may change"));
		CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
		CU_ASSERT_EQUAL_FATAL(chown(path, 0, 0), 0);
		free(path);
	}
	free(link);
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
	const module_path path = { .directories = directories, .count = 1 };
	char *link = scratch_path(&dir, "identifier/always.so");
	limen_diag *diag = limen_diag_new();

	/* Of the build tree; the first of the directories is that of the modules. */
	scratch_run(&dir, "mkdir identifier open && "
	                  "cp \"${LIMEN_MODULE_PATH%%:*}\"/identifier/.libs/always.so open && "
	                  "chmod 777 open && printf \"%s\\n\" \"dlname='always.so'\" "
	                  "\"library_names='always.so'\" installed=yes \"libdir='$PWD/open'\" "
	                  "> identifier/always.la");
	CU_ASSERT_PTR_NULL(loader_find(&path, LIMEN_KIND_IDENTIFIER, "always"));
	CU_ASSERT_EQUAL_FATAL(symlink("always.la", link), 0);
	CU_ASSERT_PTR_NULL(
		loader_load(link, LIMEN_KIND_IDENTIFIER, "always", diag, limen_value_none()));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	limen_diag_free(diag);
	free(link);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "of groups, strangers' count", test_groups },
		{ "a module that every user may change is refused", test_module },
		{ "so is one whose place every user may change", test_module_places },
		{ "a module that a group of strangers may change is refused", test_module_groups },
		{ "also in a build tree", test_build_tree },
		{ "nothing is read that names a module elsewhere", test_description },
		{ NULL, NULL },
	};

	return suite_run("core/trust", tests);
}
