/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - opens a file or standard input and reads it to its end, at most INPUT_MAX bytes. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024 };

bool
input_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

size_t
input_streams(char *const *paths)
{
	size_t count = 0;

	for (; paths != NULL && *paths != NULL; paths++)
		count += input_is_stdin(*paths);
	return count;
}

const char *
input_name(const char *path)
{
	return input_is_stdin(path) ? "<stdin>" : path;
}

int
input_open(const char *path, char **why)
{
	int fd = input_is_stdin(path) ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		*why = g_strdup_printf("%s: %s", input_name(path), g_strerror(errno));
	return fd;
}

/* Appends all bytes that can be read from 'fd'; returns an errno value or 0. */
static int
read_all(int fd, GString *content)
{
	char block[BLOCK];
	int result = 0;
	ssize_t got;

	do {
		got = read(fd, block, BLOCK);
		if (got > 0)
			g_string_append_len(content, block, got);
		else if (got < 0 && errno != EINTR)
			result = errno;
	} while (result == 0 && got != 0 && content->len <= INPUT_MAX);
	return result == 0 && content->len > INPUT_MAX ? EFBIG : result;
}

GString *
input_read(const char *path, char **why)
{
	int fd = input_open(path, why);
	g_autoptr(GString) content = g_string_new(NULL);
	int failure;

	if (fd < 0)
		return NULL;
	failure = read_all(fd, content);
	close(fd);
	if (failure == 0)
		return g_steal_pointer(&content);
	*why = g_strdup_printf("%s: %s", input_name(path),
	                       failure == EFBIG    ? "larger than 64 MiB"
	                       : failure == EISDIR ? "no file in this directory ends in .json, "
	                                             ".yaml or .yml"
	                                           : g_strerror(failure));
	return NULL;
}
