/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_cache.c - owns the format of the file:
 *
 *	limen ip-cidr-list-url 1
 *	key 0123456789abcdef        which source and transform
 *	etag "x"                    may be empty
 *	modified Sat, 01 Jan ...    may be empty
 *	skipped 0
 *	entries 3
 *	10.0.0.0/8
 *	2001:db8::/32
 */
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../support/buffer.h"
#include "network_list.h"

#define MAGIC "limen ip-cidr-list-url 1\n"

/* Cap on the file: the most entries of the longest text, which leaves room for the rest. */
#define FILE_MAX (LIST_TEXT_MAX * LIMEN_NETWORK_TEXT_MAX)

uint64_t
list_hash(uint64_t before, const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < length; i++)
		before = (before ^ byte[i]) * UINT64_C(0x100000001b3);
	return before;
}

/* ---- writing ---- */

/* Writes until a write fails, with its error in errno. */
static void
write_list(FILE *out, uint64_t key, const list_text *text, const list_version *version)
{
	fprintf(out, MAGIC "key %016llx\netag %s\nmodified %s\nskipped %zu\nentries %zu\n",
	        (unsigned long long)key, version->etag, version->modified, text->skipped,
	        text->count);
	for (size_t i = 0; i < text->count && !ferror(out); i++) {
		char line[LIMEN_NETWORK_TEXT_MAX];

		limen_network_print(&text->networks[i], line);
		fprintf(out, "%s\n", line);
	}
}

/*
 * Opens the file to be written and locks it, as instances of an old and of a new
 * policy, or of two programs, may have the same cache.  Returns -1 and an error,
 * EAGAIN if another writer holds the lock.
 */
static int
open_locked(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	struct stat there, locked;
	int error = EAGAIN;

	if (fd < 0)
		return -1;
	/* The previous holder may have renamed the file before releasing the lock. */
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		error = errno;
	else if (stat(path, &there) == 0 && fstat(fd, &locked) == 0 &&
	         there.st_ino == locked.st_ino && there.st_dev == locked.st_dev)
		error = ftruncate(fd, 0) == 0 ? 0 : errno;
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

/*
 * The content has reached the disk before the name does, and the lock lasts until
 * both have.
 */
static int
put_in_place(FILE *done, const char *fresh, const char *path)
{
	int error = 0;

	if (ferror(done) || fflush(done) != 0 || fsync(fileno(done)) != 0 ||
	    rename(fresh, path) != 0) {
		error = errno == 0 ? EIO : errno;
		unlink(fresh);
	}
	fclose(done);
	return error;
}

int
list_cache_write(const char *path, uint64_t key, const list_text *text, const list_version *version)
{
	char fresh[PATH_MAX];
	FILE *out;
	int fd, error;

	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		return ENAMETOOLONG;
	fd = open_locked(fresh);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (out == NULL) {
		error = errno;
		if (error != EAGAIN)
			unlink(fresh);
		if (fd >= 0)
			close(fd);
		return error;
	}
	errno = 0;
	write_list(out, key, text, version);
	return put_in_place(out, fresh, path);
}

/* Sets the time of the file that was read, even if its name has been replaced since. */
bool
list_cache_touch(const char *path, uint64_t key, const list_version *version)
{
	char wanted[sizeof(MAGIC) + 64 + 2 * HTTP_VALIDATOR_MAX];
	char found[sizeof(wanted)];
	ssize_t length = snprintf(wanted, sizeof(wanted),
	                          MAGIC "key %016llx\netag %s\nmodified %s\n",
	                          (unsigned long long)key, version->etag, version->modified);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool same = fd >= 0 && pread(fd, found, (size_t)length, 0) == length &&
	            memcmp(wanted, found, (size_t)length) == 0 && futimens(fd, NULL) == 0;

	if (fd >= 0)
		close(fd);
	return same;
}

/* ---- reading ---- */

/* The unread rest of the file. */
typedef struct reader {
	const char *text;
	size_t length;
} reader;

/* Takes a line that begins with 'name' off; returns what follows it, or NULL. */
static const char *
take_line(reader *in, const char *name, size_t *length)
{
	const char *end = memchr(in->text, '\n', in->length);
	const char *line = in->text;
	size_t skip = strlen(name);

	*length = end == NULL ? 0 : (size_t)(end - line);
	if (end == NULL || *length < skip || memcmp(line, name, skip) != 0)
		return NULL;
	in->text += *length + 1;
	in->length -= *length + 1;
	*length -= skip;
	return line + skip;
}

static bool
take_number(reader *in, const char *name, int base, uint64_t *out)
{
	size_t length;
	const char *text = take_line(in, name, &length);
	char *end = NULL;

	if (text == NULL || length == 0)
		return false;
	*out = strtoull(text, &end, base);
	return end == text + length;
}

/* Reads a validator, with the same checks as for a server's (http.c): requests contain it. */
static bool
take_text(reader *in, const char *name, char *out, size_t size)
{
	size_t length;
	const char *text = take_line(in, name, &length);

	if (text == NULL || length >= size)
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	memcpy(out, text, length);
	out[length] = '\0';
	return true;
}

static bool
take_networks(reader *in, list_text *out)
{
	uint64_t entries;

	if (!take_number(in, "entries ", 10, &entries) || entries > LIST_TEXT_MAX)
		return false;
	for (uint64_t i = 0; i < entries; i++) {
		size_t length;
		const char *line = take_line(in, "", &length);
		limen_network network;

		if (line == NULL || limen_network_parse(line, length, 0, &network) != LIMEN_OK)
			return false;
		list_text_add_network(out, &network);
	}
	return in->length == 0 && out->failure == NULL;
}

static network_list *
parse(reader in, uint64_t key, int64_t fresh, const char **why)
{
	list_text text = { .networks = NULL };
	list_version version;
	uint64_t number, skipped;
	size_t length;
	network_list *list = NULL;

	*why = "it is damaged";
	if (take_line(&in, "limen ip-cidr-list-url 1", &length) == NULL || length != 0 ||
	    !take_number(&in, "key ", 16, &number))
		return NULL;
	*why = "the list is from another source";
	if (number != key)
		return NULL;
	*why = "it is damaged";
	if (take_text(&in, "etag ", version.etag, sizeof(version.etag)) &&
	    take_text(&in, "modified ", version.modified, sizeof(version.modified)) &&
	    take_number(&in, "skipped ", 10, &skipped) && take_networks(&in, &text)) {
		text.skipped = (size_t)skipped;
		list = network_list_new(&text, &version, fresh);
		*why = list == NULL ? "out of memory" : NULL;
	}
	list_text_clear(&text);
	return list;
}

/* A time that has not come yet tells nothing: the list counts as very old. */
static int64_t
fresh_at(const struct stat *facts)
{
	limen_time modified = facts->st_mtim.tv_sec * LIMEN_SECOND + facts->st_mtim.tv_nsec / 1000;
	limen_duration age = limen_host_wall_time() - modified;
	int64_t now = limen_host_monotonic();
	int64_t fresh;

	if (age < 0 || __builtin_mul_overflow(-age, 1000, &fresh) ||
	    __builtin_add_overflow(now, fresh, &fresh))
		return INT64_MIN / 2;
	return fresh;
}

network_list *
list_cache_read(const char *path, uint64_t key, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	buffer content = { .max = FILE_MAX };
	network_list *list = NULL;
	struct stat facts;

	*why = fd < 0 && errno == ENOENT ? NULL : "it cannot be read";
	if (fd < 0)
		return NULL;
	/* Regular files of this user or root, up to the size cap. */
	if (fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= (off_t)FILE_MAX &&
	    (facts.st_uid == geteuid() || facts.st_uid == 0) && buffer_read(&content, fd))
		list = parse((reader){ content.text, content.length }, key, fresh_at(&facts), why);
	buffer_clear(&content);
	close(fd);
	return list;
}
