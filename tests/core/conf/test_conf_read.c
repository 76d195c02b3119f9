/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of a directory make up a policy, and in which order. */
#include "conf/conf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problems.h"
#include "suite.h"

static char directory[] = "/tmp/limen-conf-XXXXXX";

static const char *
at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void
write_file(const char *name, const char *text)
{
	FILE *file = fopen(at(name), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

/* Runs 'command' on the test's directory. */
static int
run(const char *command)
{
	char line[100];

	snprintf(line, sizeof(line), "%s %s", command, directory);
	return system(line);
}

static void
empty_directory(void)
{
	CU_ASSERT_EQUAL_FATAL(run("rm -rf"), 0);
	CU_ASSERT_EQUAL_FATAL(mkdir(directory, 0700), 0);
}

typedef struct reading {
	conf *files;
	int result;
	char *problems;
} reading;

static reading
read_path(const char *path)
{
	limen_diag *diag = limen_diag_new();
	reading got;

	got.files = conf_read_paths((const char *const[]){ path, NULL }, &got.result, diag);
	CU_ASSERT_PTR_NOT_NULL_FATAL(got.files);
	got.problems = problems_print(diag, true);
	limen_diag_free(diag);
	return got;
}

static void
finish(reading *got)
{
	conf_free(got->files);
	free(got->problems);
}

/* The names of the files that were read, in order. */
static void
expect_files(const reading *got, const char *names)
{
	char found[256] = "";

	for (size_t i = 0; i < got->files->file_count; i++) {
		strcat(found, i == 0 ? "" : " ");
		strcat(found, problems_base_name(got->files->files[i].name));
	}
	CU_ASSERT_STRING_EQUAL(found, names);
}

static void
test_order_and_suffixes(void)
{
	static const char *const names[] = { "b.json", "a.conf", "Z.yaml", "10-x.yml", "9.json",
		                             "a.json", "é.conf" };
	reading got;

	empty_directory();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		write_file(names[i], "{\"limits\": []}");
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(got.problems, "");
	expect_files(&got, "10-x.yml 9.json Z.yaml a.conf a.json b.json é.conf");
	finish(&got);
}

#define NOT_READ                                                                       \
	" - 0:0 not read: only names ending in .conf, .json, .yaml or .yml are, and none " \
	"that begin with '.' or '#'"

static void
test_leftovers(void)
{
	static const char *const names[] = {
		".hidden.conf", "#a.conf", "#a.conf#", ".#a.conf", "a.conf~", "a.conf.dpkg-old",
		"a.conf.rpmsave", "a.json.bak", "README", ".a.json.swp", "conf", ".conf", "x.JSON"
	};
	reading got;

	empty_directory();
	write_file("a.conf", "{}");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		write_file(names[i], "this would be an error");
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_OK);
	expect_files(&got, "a.conf");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char line[256];

		snprintf(line, sizeof(line), "note %s" NOT_READ, names[i]);
		if (strstr(got.problems, line) == NULL)
			printf("# no note: %s\n", line);
		CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, line));
	}
	finish(&got);
}

static void
test_not_regular(void)
{
	reading got;

	empty_directory();
	write_file("a.conf", "{}");
	CU_ASSERT_EQUAL(mkdir(at("d.conf"), 0700), 0);
	CU_ASSERT_EQUAL(mkfifo(at("f.conf"), 0600), 0);
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(got.problems,
	                       "note d.conf - 0:0 not read: it is not a regular file\n"
	                       "note f.conf - 0:0 not read: it is not a regular file");
	expect_files(&got, "a.conf");
	finish(&got);
}

static void
test_symlinks(void)
{
	reading got;

	empty_directory();
	CU_ASSERT_EQUAL(mkdir(at("data"), 0700), 0);
	write_file("data/real", "{\"limits\": [1]}");
	CU_ASSERT_EQUAL(symlink("data/real", at("a.conf")), 0);
	CU_ASSERT_EQUAL(symlink("data", at("b.conf")), 0);
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_OK);
	expect_files(&got, "a.conf");
	CU_ASSERT_EQUAL(got.files->sections[SECTION_LIMITS].count, 1);
	finish(&got);
	/* One that leads nowhere is a file somebody misses. */
	CU_ASSERT_EQUAL(symlink("nowhere", at("c.conf")), 0);
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem c.conf - 0:0 Unable to read input: "
	                                            "No such file or directory"));
	finish(&got);
}

static void
test_nothing_to_read(void)
{
	reading got;

	empty_directory();
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_ECONFIG);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(got.problems, " - 0:0 no file in this directory can be part of a policy"));
	finish(&got);
	got = read_path(at("nowhere"));
	CU_ASSERT_EQUAL(got.result, LIMEN_EIO);
	CU_ASSERT_STRING_EQUAL(got.problems, "problem nowhere - 0:0 Unable to read input: "
	                                     "No such file or directory");
	finish(&got);
}

static void
test_unreadable(void)
{
	reading got;

	if (geteuid() == 0) {
		suite_skip("root may read everything");
		return;
	}
	empty_directory();
	write_file("a.conf", "{}");
	write_file("b.conf", "{}");
	chmod(at("a.conf"), 0);
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_EIO);
	CU_ASSERT_STRING_EQUAL(got.problems,
	                       "problem a.conf - 0:0 Unable to read input: Permission denied");
	finish(&got);
}

/* One file's mistakes do not hide another's. */
static void
test_all_files_are_read(void)
{
	reading got;

	empty_directory();
	write_file("a.conf", "{\"limits\": [");
	write_file("b.conf", "{\"limts\": []}");
	write_file("c.yaml", "limits: [a\n");
	write_file("d.conf", "{\"limits\": []}");
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_ECONFIG);
	CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem a.conf "));
	CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem b.conf  1:2 Additional properties"));
	CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem c.yaml "));
	CU_ASSERT_PTR_NULL(strstr(got.problems, "d.conf"));
	finish(&got);
}

/* A single file may have any name; what is wrong in it fails the reading. */
static void
test_single_file(void)
{
	reading got;

	empty_directory();
	write_file(".policy", "{\"limits\": []}");
	got = read_path(at(".policy"));
	CU_ASSERT_EQUAL(got.result, LIMEN_OK);
	finish(&got);
	write_file(".policy", "{\"bogus\": 1}");
	got = read_path(at(".policy"));
	CU_ASSERT_EQUAL(got.result, LIMEN_ECONFIG);
	finish(&got);
	write_file(".policy", "");
	got = read_path(at(".policy"));
	CU_ASSERT_NOT_EQUAL(got.files->document_count, 1);
	finish(&got);
}

/* A file that was emptied by accident must not take its limits out of force in silence. */
static void
test_no_document(void)
{
	static const char *const texts[] = { "", "\n", "# nothing\n", "---\n", "---\n# a\n---\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		reading got;

		empty_directory();
		write_file("10-a.conf", "{\"limits\": []}");
		write_file("20-b.yaml", texts[i]);
		got = read_path(directory);
		CU_ASSERT_EQUAL(got.result, LIMEN_ECONFIG);
		CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem 20-b.yaml - 0:0 This file has no "
		                       "document"));
		finish(&got);
		write_file("20-b.yaml", "enabled: false\n");
		got = read_path(directory);
		CU_ASSERT_EQUAL(got.result, LIMEN_OK);
		finish(&got);
	}
}

/* Only a file that had entries and is still there is worth a warning. */
static void
test_emptied(void)
{
	limen_diag *diag = limen_diag_new();
	reading before, after;

	empty_directory();
	write_file("10-a.yaml", "limits: [1]\n");
	write_file("20-b.yaml", "limits: [2]\n");
	write_file("30-c.yaml", "limits: []\n");
	before = read_path(directory);
	write_file("10-a.yaml", "limits: []\n");
	CU_ASSERT_EQUAL(unlink(at("20-b.yaml")), 0);
	after = read_path(directory);
	conf_warn_emptied(after.files, before.files, diag);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 1);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->file, at("10-a.yaml"));
	limen_diag_free(diag);
	finish(&before);
	finish(&after);
}

static void
test_size_bound(void)
{
	reading got;
	int fd;

	empty_directory();
	fd = open(at("big.conf"), O_CREAT | O_WRONLY, 0600);
	CU_ASSERT_EQUAL(ftruncate(fd, (off_t)READ_SIZE_MAX + 1), 0);
	close(fd);
	got = read_path(directory);
	CU_ASSERT_EQUAL(got.result, LIMEN_ERANGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(got.problems, "problem big.conf - 0:0 Unable to read input: "));
	finish(&got);
}

static void
test_text(void)
{
	static const char text[] = "limits: [1, 2]\n---\nlimits: [3]\n";
	limen_diag *diag = limen_diag_new();
	int result;
	conf *files = conf_read_text(NULL, text, sizeof(text) - 1, &result, diag);

	CU_ASSERT_EQUAL(result, LIMEN_OK);
	CU_ASSERT_EQUAL(files->document_count, 2);
	CU_ASSERT_EQUAL(files->file_count, 0);
	CU_ASSERT_EQUAL(files->sections[SECTION_LIMITS].count, 3);
	conf_free(files);
	limen_diag_free(diag);
	conf_free(NULL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "files of four endings are read in byte order", test_order_and_suffixes },
		{ "what editors and packages leave behind is noted, not read", test_leftovers },
		{ "only regular files are read", test_not_regular },
		{ "symbolic links are followed", test_symlinks },
		{ "a directory without a policy is a problem", test_nothing_to_read },
		{ "a file that may not be read is a problem", test_unreadable },
		{ "one file's problems do not hide another's", test_all_files_are_read },
		{ "a single file may have any name", test_single_file },
		{ "a file without a document is a problem", test_no_document },
		{ "a file that lost its entries is a warning", test_emptied },
		{ "a file over 64 MiB is a problem", test_size_bound },
		{ "text is read like a file", test_text },
		{ NULL, NULL },
	};
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	status = suite_run("core/conf_read", tests);
	return run("rm -rf") == 0 ? status : 99;
}
