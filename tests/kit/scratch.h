/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h - a directory for the files of one test.
 */
#ifndef LIMEN_TESTS_CORE_SCRATCH_H
#define LIMEN_TESTS_CORE_SCRATCH_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

typedef struct scratch {
	char path[256];
} scratch;

static inline scratch
scratch_new(void)
{
	const char *base = getenv("TMPDIR");
	scratch made;

	snprintf(made.path, sizeof(made.path), "%s/limen-test-XXXXXX",
	         base == NULL ? "/tmp" : base);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(made.path));
	return made;
}

/* The path of 'name' in the directory; the caller frees it. */
static inline char *
scratch_path(const scratch *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir->path, name) < 0 ? NULL : path;
}

/* Writes a file in place, as most editors do not. */
static inline void
scratch_write(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs(text, out);
	CU_ASSERT_EQUAL(fclose(out), 0);
}

/* Runs commands of the shell in the directory. */
static inline void
scratch_run(const scratch *dir, const char *commands)
{
	char line[2400];
	int length = snprintf(line, sizeof(line), "cd '%s' && %s", dir->path, commands);

	CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof(line));
	CU_ASSERT_EQUAL_FATAL(system(line), 0);
}

/*
 * Can this process give files to others, and take other groups?  The running test is skipped
 * otherwise, from here on: root may lack the capabilities, and its namespace the users.
 */
static inline bool
scratch_can_chown(const scratch *dir)
{
	bool can = geteuid() == 0 && chown(dir->path, 65534, 65534) == 0 &&
	           chown(dir->path, 1000, 50) == 0 && setegid(50) == 0;

	if (!can) {
		suite_skip("only root with CAP_CHOWN and CAP_SETGID can show all of it");
		return false;
	}
	CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
	CU_ASSERT_EQUAL_FATAL(chown(dir->path, 0, 0), 0);
	return true;
}

static inline int
scratch_remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	return remove(path);
}

/* Removes it with all that is in it. */
static inline void
scratch_free(scratch *dir)
{
	nftw(dir->path, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
