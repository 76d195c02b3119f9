/* SPDX-License-Identifier: Apache-2.0 */
#include "file/watched_dirs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"

typedef struct seen {
	int number;
	size_t inside;
	size_t itself;
	size_t others;
} seen;

static void
note(void *data, int number, bool inside)
{
	seen *all = data;

	if (number != all->number)
		all->others++;
	else if (inside)
		all->inside++;
	else
		all->itself++;
}

/* Events are there as soon as what they tell of is done. */
static seen
read_events(watched_dirs *dirs, int number)
{
	seen all = { .number = number };

	watched_dirs_read(dirs, note, &all);
	return all;
}

static void
test_events(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "file");
	char *other = scratch_path(&dir, "other");
	watched_dirs dirs;
	int number;
	FILE *in;

	watched_dirs_init(&dirs);
	CU_ASSERT_EQUAL(watched_dirs_fd(&dirs), -1);
	CU_ASSERT_EQUAL(read_events(&dirs, 1).inside, 0);
	number = watched_dirs_add(&dirs, dir.path);
	CU_ASSERT_TRUE(number > 0);
	CU_ASSERT_TRUE(watched_dirs_fd(&dirs) >= 0);
	CU_ASSERT_EQUAL(read_events(&dirs, number).inside, 0);
	scratch_write(path, "x");
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	scratch_write(path, "more");
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	CU_ASSERT_EQUAL(rename(path, other), 0);
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	CU_ASSERT_EQUAL(chmod(other, 0600), 0);
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	/* Reading is no change. */
	in = fopen(other, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(in);
	CU_ASSERT_EQUAL(fgetc(in), 'm');
	fclose(in);
	CU_ASSERT_EQUAL(read_events(&dirs, number).inside, 0);
	CU_ASSERT_EQUAL(unlink(other), 0);
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	CU_ASSERT_EQUAL(rmdir(dir.path), 0);
	CU_ASSERT_TRUE(read_events(&dirs, number).itself > 0);
	CU_ASSERT_PTR_NULL(dirs.list);
	watched_dirs_drop(&dirs, number);
	watched_dirs_finish(&dirs);
	free(path);
	free(other);
}

static void
test_uses(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "file");
	char *link = scratch_path(&dir, "link");
	watched_dirs dirs;
	int number;

	CU_ASSERT_EQUAL(symlink(".", link), 0);
	watched_dirs_init(&dirs);
	number = watched_dirs_add(&dirs, dir.path);
	/* The same directory by another name. */
	CU_ASSERT_EQUAL(watched_dirs_add(&dirs, link), number);
	watched_dirs_drop(&dirs, number);
	watched_dirs_drop(&dirs, WATCHED_DIR_NONE);
	watched_dirs_drop(&dirs, number + 1);
	scratch_write(path, "x");
	CU_ASSERT_TRUE(read_events(&dirs, number).inside > 0);
	watched_dirs_drop(&dirs, number);
	CU_ASSERT_PTR_NULL(dirs.list);
	scratch_write(path, "y");
	CU_ASSERT_EQUAL(read_events(&dirs, number).inside, 0);
	watched_dirs_drop(&dirs, number);
	watched_dirs_finish(&dirs);
	free(path);
	free(link);
	scratch_free(&dir);
}

static void
test_refused(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "file");
	watched_dirs dirs;

	scratch_write(path, "x");
	watched_dirs_init(&dirs);
	errno = 0;
	CU_ASSERT_EQUAL(watched_dirs_add(&dirs, "/nowhere/at/all"), WATCHED_DIR_NONE);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_EQUAL(watched_dirs_add(&dirs, path), WATCHED_DIR_NONE);
	CU_ASSERT_EQUAL(errno, ENOTDIR);
	CU_ASSERT_PTR_NULL(dirs.list);
	watched_dirs_finish(&dirs);
	free(path);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "changes are told, reading is not one", test_events },
		{ "a directory is watched until its last use ends", test_uses },
		{ "what is no directory is refused", test_refused },
		{ NULL, NULL },
	};

	return suite_run("core/watched_dirs", tests);
}
