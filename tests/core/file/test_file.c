/* SPDX-License-Identifier: Apache-2.0 */
#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/document.h"
#include "fail_malloc.h"
#include "suite.h"

static char directory[] = "/tmp/limen-file-XXXXXX";

/* The path 'name' in the test's directory; good until the next call. */
static const char *
at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void
write_file(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(at(name), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fwrite(text, 1, length, file);
	fclose(file);
}

static int
fails(const char *name, int *error)
{
	char *text = NULL;
	size_t length = 99;
	int result;

	errno = 0;
	result = file_read(at(name), &text, &length);
	*error = errno;
	CU_ASSERT_PTR_NULL(text);
	CU_ASSERT_EQUAL(length, 99);
	return result;
}

static void
test_read(void)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 200000 };
	char *wanted = malloc(200000);

	for (size_t i = 0; i < 200000; i++)
		wanted[i] = (char)(i * 31 % 256);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *text = NULL;
		size_t length = 1;

		write_file("file", wanted, sizes[i]);
		CU_ASSERT_EQUAL(file_read(at("file"), &text, &length), LIMEN_OK);
		CU_ASSERT_EQUAL_FATAL(length, sizes[i]);
		CU_ASSERT_EQUAL(memcmp(text, wanted, length), 0);
		CU_ASSERT_EQUAL(text[length], '\0');
		free(text);
	}
	free(wanted);
	unlink(at("file"));
}

/* A sparse file of 'size' bytes costs no disk. */
static int
read_sparse(off_t size)
{
	int fd = open(at("big"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
	char *text = NULL;
	size_t length = 0;
	int result;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(ftruncate(fd, size), 0);
	close(fd);
	result = file_read(at("big"), &text, &length);
	if (result == LIMEN_OK)
		CU_ASSERT_EQUAL((off_t)length, size);
	free(text);
	unlink(at("big"));
	return result;
}

static void
test_size_bound(void)
{
	CU_ASSERT_EQUAL(READ_SIZE_MAX, (size_t)64 * 1024 * 1024);
	CU_ASSERT_EQUAL(read_sparse((off_t)READ_SIZE_MAX), LIMEN_OK);
	CU_ASSERT_EQUAL(read_sparse((off_t)READ_SIZE_MAX + 1), LIMEN_ERANGE);
}

static void
test_no_file(void)
{
	int error;

	CU_ASSERT_EQUAL(fails("nowhere", &error), LIMEN_EIO);
	CU_ASSERT_EQUAL(error, ENOENT);
	CU_ASSERT_EQUAL(fails("", &error), LIMEN_EIO);
	CU_ASSERT_EQUAL(error, EISDIR);
}

/* Nobody writes to this FIFO: opening it must not wait. */
static void
test_fifo(void)
{
	int error;

	CU_ASSERT_EQUAL(mkfifo(at("fifo"), 0600), 0);
	CU_ASSERT_EQUAL(fails("fifo", &error), LIMEN_EIO);
	CU_ASSERT_EQUAL(error, EINVAL);
	unlink(at("fifo"));
}

static void
test_unreadable(void)
{
	int error;

	if (geteuid() == 0) {
		suite_skip("root may read everything");
		return;
	}
	write_file("secret", "x", 1);
	chmod(at("secret"), 0);
	CU_ASSERT_EQUAL(fails("secret", &error), LIMEN_EIO);
	CU_ASSERT_EQUAL(error, EACCES);
	unlink(at("secret"));
}

static void
test_no_memory(void)
{
	char *text = NULL;
	size_t length = 0;

	write_file("file", "content", 7);
	fail_malloc_once(1);
	CU_ASSERT_EQUAL(file_read(at("file"), &text, &length), LIMEN_ENOMEM);
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_PTR_NULL(text);
	unlink(at("file"));
}

static void
test_hash(void)
{
	CU_ASSERT_EQUAL(file_hash("foobar", 6), file_hash("foobarx", 6));
	CU_ASSERT_NOT_EQUAL(file_hash("", 0), file_hash("a", 1));
	CU_ASSERT_NOT_EQUAL(file_hash("\0", 1), file_hash("\0\0", 2));
	CU_ASSERT_NOT_EQUAL(file_hash("\xff", 1), file_hash("\x7f", 1));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "files are read whole", test_read },
		{ "64 MiB are read, one byte more is not", test_size_bound },
		{ "what is no file has an error number", test_no_file },
		{ "a FIFO is refused without waiting", test_fifo },
		{ "a file that may not be read is refused", test_unreadable },
		{ "a shortage of memory is an answer", test_no_memory },
		{ "the hash is FNV-1a", test_hash },
		{ NULL, NULL },
	};
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	status = suite_run("core/file", tests);
	rmdir(directory);
	return status;
}
