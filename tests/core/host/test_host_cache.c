/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"
#include "scratch.h"
#include "suite.h"

/* The path an entry gets, or "" and what was returned instead. */
static int
ask(const host_services *services, const char *section, const char *entry, const char *name,
    char out[PATH_MAX])
{
	background *back = background_new(services);
	limen_host *host = host_new(back, section, entry);
	int result;

	out[0] = '\0';
	result = limen_host_cache_path(host, name, out, PATH_MAX);
	host_free(host);
	background_free(back);
	return result;
}

static void
test_names(void)
{
	static const struct {
		const char *name;
		int result;
	} cases[] = {
		{ "list", LIMEN_OK },
		{ "a.b_c-D9", LIMEN_OK },
		{ "-", LIMEN_OK },
		{ "a..b", LIMEN_OK },
		{ "", LIMEN_EINVAL },
		{ ".", LIMEN_EINVAL },
		{ "..", LIMEN_EINVAL },
		{ ".hidden", LIMEN_EINVAL },
		{ "a/b", LIMEN_EINVAL },
		{ "../a", LIMEN_EINVAL },
		{ "/a", LIMEN_EINVAL },
		{ "a b", LIMEN_EINVAL },
		{ "a\n", LIMEN_EINVAL },
		{ "\xC3\xA4", LIMEN_EINVAL },
	};
	scratch dir = scratch_new();
	host_services services = { .cache_dir = dir.path };
	char out[PATH_MAX];
	char name[93];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_EQUAL(ask(&services, "limits", "a", cases[i].name, out),
		                cases[i].result);
	memset(name, 'x', sizeof(name));
	name[91] = '\0';
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", name, out), LIMEN_EINVAL);
	name[90] = '\0';
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", name, out), LIMEN_OK);
	scratch_free(&dir);
}

/* Every path lies directly in the directory, can be created and is another one. */
static void
test_entries(void)
{
	static const char *const names[][3] = {
		{ "identifiers", "a", "list" },
		{ "limits", "a", "list" },
		{ "limits", "a", "List" },
		{ "limits", "a-list", "list" },
		{ "limits", "a/list", "list" },
		{ "limits", "a_list", "list" },
		{ "limits", "a.list", "list" },
		{ "limits", "../../etc/passwd", "list" },
		{ "limits", "..", "list" },
		{ "limits", "", "list" },
		{ "limits", "\n", "list" },
		{ "limits", "\xC3\xA4", "list" },
		{ "limits", "\xFF\xFF", "list" },
		{ "limits-a", "b", "list" },
		{ "limits", "a-b", "list" },
		{ "limits", "a", "b-list" },
	};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	static char paths[COUNT][PATH_MAX];
	scratch dir = scratch_new();
	host_services services = { .cache_dir = dir.path };
	size_t length = strlen(dir.path);
	char again[PATH_MAX];

	for (size_t i = 0; i < COUNT; i++) {
		CU_ASSERT_EQUAL(ask(&services, names[i][0], names[i][1], names[i][2], paths[i]),
		                LIMEN_OK);
		CU_ASSERT_EQUAL(strncmp(paths[i], dir.path, length), 0);
		CU_ASSERT_PTR_EQUAL(strrchr(paths[i], '/'), paths[i] + length);
		scratch_write(paths[i], "x");
		for (size_t j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(paths[i], paths[j]);
		/* As after a restart. */
		CU_ASSERT_EQUAL(ask(&services, names[i][0], names[i][1], names[i][2], again),
		                LIMEN_OK);
		CU_ASSERT_STRING_EQUAL(paths[i], again);
	}
	scratch_free(&dir);
}

static void
test_stable(void)
{
	scratch dir = scratch_new();
	host_services services = { .cache_dir = dir.path };
	char out[PATH_MAX];

	/* Written down, so that a new version finds the files of an old one. */
	CU_ASSERT_EQUAL(ask(&services, "identifiers", "Bogus nets", "list", out), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(strrchr(out, '/'),
	                       "/identifiers-Bogus_nets-a26af1766757e5b9-list");
	scratch_free(&dir);
}

static void
test_long_names(void)
{
	scratch dir = scratch_new();
	host_services services = { .cache_dir = dir.path };
	char first[PATH_MAX];
	char second[PATH_MAX];
	char name[91];
	char entry[5000];

	memset(name, 'x', sizeof(name));
	name[90] = '\0';
	memset(entry, 'e', sizeof(entry));
	entry[4999] = '\0';
	CU_ASSERT_EQUAL(ask(&services, entry, entry, name, first), LIMEN_OK);
	entry[4998] = 'f';
	CU_ASSERT_EQUAL(ask(&services, entry, entry, name, second), LIMEN_OK);
	CU_ASSERT_STRING_NOT_EQUAL(first, second);
	/* With room for a suffix such as ".XXXXXX". */
	CU_ASSERT_TRUE(strlen(strrchr(first, '/') + 1) < NAME_MAX - 16);
	scratch_write(first, "x");
	scratch_free(&dir);
}

static void
test_sizes(void)
{
	scratch dir = scratch_new();
	host_services services = { .cache_dir = dir.path };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	char full[PATH_MAX];
	char out[PATH_MAX] = "untouched";
	size_t length;

	CU_ASSERT_EQUAL(limen_host_cache_path(host, "x", full, sizeof(full)), LIMEN_OK);
	length = strlen(full);
	CU_ASSERT_EQUAL(limen_host_cache_path(host, "x", out, 0), LIMEN_ERANGE);
	CU_ASSERT_EQUAL(limen_host_cache_path(host, "x", out, length), LIMEN_ERANGE);
	CU_ASSERT_STRING_EQUAL(out, "untouched");
	CU_ASSERT_EQUAL(limen_host_cache_path(host, "x", out, length + 1), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(out, full);
	host_free(host);
	background_free(back);
	scratch_free(&dir);
}

static void
test_directory(void)
{
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "cache");
	char *deep = scratch_path(&dir, "no/cache");
	host_services services = { .cache_dir = NULL };
	struct stat status;
	char out[PATH_MAX];

	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_ENOENT);
	services.cache_dir = path;
	/* Whoever only looks at a policy leaves no trace. */
	services.passive = true;
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_OK);
	CU_ASSERT_NOT_EQUAL(stat(path, &status), 0);
	services.passive = false;
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_OK);
	CU_ASSERT_EQUAL(stat(path, &status), 0);
	CU_ASSERT_EQUAL(status.st_mode & 0777, 0700);
	CU_ASSERT_EQUAL(chmod(path, 0750), 0);
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_OK);
	CU_ASSERT_EQUAL(chmod(path, 01777), 0);
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_EIO);
	CU_ASSERT_STRING_EQUAL(out, "");
	CU_ASSERT_EQUAL(rmdir(path), 0);
	scratch_write(path, "");
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_EIO);
	services.cache_dir = deep;
	CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), LIMEN_EIO);
	free(path);
	free(deep);
	scratch_free(&dir);
}

/* Who else may write there decides, and so might whoever made it. */
static void
test_owners(void)
{
	static const struct {
		mode_t upper, mode;
		uid_t owner;
		gid_t group, own;
		int result;
	} rows[] = {
		{ 0755, 0770, 0, 0, 0, LIMEN_OK },
		{ 0755, 0750, 0, 50, 0, LIMEN_OK },
		{ 0755, 0770, 0, 50, 0, LIMEN_EIO },
		{ 0755, 01770, 0, 50, 0, LIMEN_EIO },
		{ 0755, 0770, 0, 50, 50, LIMEN_OK },
		{ 0755, 0770, 1000, 1000, 0, LIMEN_OK },
		{ 0755, 0770, 1000, 1001, 0, LIMEN_EIO },
		{ 0777, 0700, 0, 0, 0, LIMEN_OK },
		{ 01777, 0700, 0, 0, 0, LIMEN_OK },
		{ 01777, 0700, 1000, 1000, 0, LIMEN_EIO },
		{ 0755, 0700, 1000, 1000, 0, LIMEN_OK },
	};
	scratch dir = scratch_new();
	char *path = scratch_path(&dir, "cache");
	char *slash = scratch_path(&dir, "cache/");
	host_services services = { .cache_dir = path };
	bool can = scratch_can_chown(&dir);
	char out[PATH_MAX];

	CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && can; i++) {
		CU_ASSERT_EQUAL_FATAL(chown(path, rows[i].owner, rows[i].group), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(path, rows[i].mode), 0);
		CU_ASSERT_EQUAL_FATAL(chmod(dir.path, rows[i].upper), 0);
		CU_ASSERT_EQUAL_FATAL(setegid(rows[i].own), 0);
		services.cache_dir = path;
		CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), rows[i].result);
		services.cache_dir = slash;
		CU_ASSERT_EQUAL(ask(&services, "limits", "a", "x", out), rows[i].result);
		CU_ASSERT_EQUAL_FATAL(setegid(0), 0);
	}
	free(slash);
	free(path);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "only plain file names are taken", test_names },
		{ "no entry gets a path outside, or that of another", test_entries },
		{ "a path stays the same over versions", test_stable },
		{ "long names are cut and stay apart", test_long_names },
		{ "a path that does not fit is not written", test_sizes },
		{ "the directory is made, and must be private", test_directory },
		{ "of groups and of whom it is decides, too", test_owners },
		{ NULL, NULL },
	};

	return suite_run("core/host_cache", tests);
}
