/* SPDX-License-Identifier: Apache-2.0 */
#include "file/file_identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"

/* What is at 'path' differs from 'before', which becomes what it is now. */
static bool
differs(const char *path, file_identity *before)
{
	file_identity after = file_identity_get(path);
	bool equal = file_identity_equal(before, &after);

	*before = after;
	return !equal;
}

/* File times are as coarse as the kernel's tick: tests set them apart. */
static void
set_modified(const char *path, long seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void
test_file(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "file");
	char *other = scratch_path(&dir, "other");
	file_identity known = file_identity_get(path);

	CU_ASSERT_FALSE(known.exists);
	CU_ASSERT_FALSE(differs(path, &known));
	scratch_write(path, "one");
	CU_ASSERT_TRUE(differs(path, &known));
	CU_ASSERT_TRUE(known.exists);
	CU_ASSERT_FALSE(known.directory);
	CU_ASSERT_FALSE(differs(path, &known));
	scratch_write(path, "more");
	CU_ASSERT_TRUE(differs(path, &known));
	set_modified(path, 1000);
	CU_ASSERT_TRUE(differs(path, &known));
	scratch_write(other, "more");
	set_modified(other, 1000);
	CU_ASSERT_EQUAL(rename(other, path), 0);
	CU_ASSERT_TRUE(differs(path, &known));
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_TRUE(differs(path, &known));
	CU_ASSERT_FALSE(known.exists);
	free(path);
	free(other);
	scratch_free(&dir);
}

static void
test_links(void)
{
	scratch dir = scratch_new();
	char *first = scratch_path(&dir, "first");
	char *second = scratch_path(&dir, "second");
	char *link = scratch_path(&dir, "link");
	file_identity known;

	scratch_write(first, "one");
	scratch_write(second, "two");
	CU_ASSERT_EQUAL(symlink("first", link), 0);
	known = file_identity_get(link);
	CU_ASSERT_FALSE(differs(first, &known));
	CU_ASSERT_EQUAL(unlink(link), 0);
	CU_ASSERT_EQUAL(symlink("second", link), 0);
	CU_ASSERT_TRUE(differs(link, &known));
	CU_ASSERT_EQUAL(unlink(second), 0);
	CU_ASSERT_TRUE(differs(link, &known));
	CU_ASSERT_FALSE(known.exists);
	free(first);
	free(second);
	free(link);
	scratch_free(&dir);
}

static void
test_directory(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "file");
	char *target = scratch_path(&dir, "target");
	char *link = scratch_path(&dir, "link");
	file_identity known = file_identity_get(dir.path);

	CU_ASSERT_TRUE(known.directory);
	CU_ASSERT_FALSE(differs(dir.path, &known));
	scratch_write(path, "one");
	CU_ASSERT_TRUE(differs(dir.path, &known));
	CU_ASSERT_FALSE(differs(dir.path, &known));
	/* In place, where the directory itself stays as it is. */
	scratch_write(path, "more");
	CU_ASSERT_TRUE(differs(dir.path, &known));
	CU_ASSERT_EQUAL(symlink("target", link), 0);
	CU_ASSERT_TRUE(differs(dir.path, &known));
	scratch_write(target, "x");
	CU_ASSERT_TRUE(differs(dir.path, &known));
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_TRUE(differs(dir.path, &known));
	free(path);
	free(target);
	free(link);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a file created, changed, replaced and removed", test_file },
		{ "symbolic links are followed", test_links },
		{ "a directory is told by its entries", test_directory },
		{ NULL, NULL },
	};

	return suite_run("core/file_identity", tests);
}
