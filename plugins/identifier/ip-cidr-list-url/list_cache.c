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
 *	covered 1                   of them are not here, others hold them; unless it is 0
 *	10.0.0.0/8
 *	2001:db8::/32
 *	sum 0123456789abcdef        of all before
 */
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../support/buffer.h"
#include "network_list.h"

#define MAGIC "limen ip-cidr-list-url 1\n"

#define SUM_LENGTH ((size_t)21) /* "sum ", sixteen digits, a newline */

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

typedef struct cache_writer {
	FILE *file;
	uint64_t sum;
	bool failed;
} cache_writer;

static void
write_bytes(cache_writer *out, const char *text, size_t length)
{
	out->sum = list_hash(out->sum, text, length);
	out->failed = out->failed || fwrite(text, 1, length, out->file) != length;
}

static void LIMEN_PRINTF(2, 3) write_line(cache_writer *out, const char *format, ...)
{
	char line[256];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(line))
		out->failed = true;
	else
		write_bytes(out, line, (size_t)length);
}

static void
write_list(cache_writer *out, uint64_t key, const list_text *text, const list_version *version)
{
	write_line(out, "%s", MAGIC);
	write_line(out, "key %016llx\n", (unsigned long long)key);
	write_line(out, "etag %s\n", version->etag);
	write_line(out, "modified %s\n", version->modified);
	write_line(out, "skipped %zu\n", text->skipped);
	write_line(out, "entries %zu\n", text->entries);
	if (text->entries > text->count)
		write_line(out, "covered %zu\n", text->entries - text->count);
	for (size_t i = 0; i < text->count && !out->failed; i++) {
		char line[LIMEN_NETWORK_TEXT_MAX];
		size_t length;

		limen_network_print(&text->networks[i], line);
		length = strlen(line);
		line[length++] = '\n';
		write_bytes(out, line, length);
	}
	write_line(out, "sum %016llx\n", (unsigned long long)out->sum);
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
put_in_place(cache_writer *done, const char *fresh, const char *path)
{
	int error = 0;

	if (done->failed || fflush(done->file) != 0 || fsync(fileno(done->file)) != 0 ||
	    rename(fresh, path) != 0) {
		error = errno == 0 ? EIO : errno;
		unlink(fresh);
	}
	fclose(done->file);
	return error;
}

int
list_cache_write(const char *path, uint64_t key, const list_text *text,
                 const list_version *version)
{
	cache_writer out = { .sum = LIST_HASH_START };
	char fresh[PATH_MAX];
	int fd, error;

	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		return ENAMETOOLONG;
	fd = open_locked(fresh);
	out.file = fd < 0 ? NULL : fdopen(fd, "w");
	if (out.file == NULL) {
		error = errno;
		if (error != EAGAIN)
			unlink(fresh);
		if (fd >= 0)
			close(fd);
		return error;
	}
	errno = 0;
	write_list(&out, key, text, version);
	return put_in_place(&out, fresh, path);
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

/* Takes nothing that write_line() does not write. */
static bool
take_number(reader *in, const char *name, unsigned base, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef";
	size_t length;
	const char *text = take_line(in, name, &length);

	/* Digits as write_line() writes them. */
	if (text == NULL || (base == 16 ? length != 16 : length == 0 || (length > 1 && *text == '0')))
		return false;
	*out = 0;
	for (size_t i = 0; i < length; i++) {
		const char *digit = memchr(digits, text[i], base);

		if (digit == NULL || __builtin_mul_overflow(*out, base, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(digit - digits), out))
			return false;
	}
	return true;
}

/* Reads a validator, with the same checks as for a server's (http.c): requests contain it. */
static bool
take_text(reader *in, const char *name, char *out, size_t size)
{
	size_t length;
	const char *text = take_line(in, name, &length);

	if (text == NULL || length >= size)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < ' ' || text[i] > '~')
			return false;
	}
	memcpy(out, text, length);
	out[length] = '\0';
	return true;
}

static bool
take_networks(reader *in, list_text *out)
{
	uint64_t entries, covered = 0;

	if (!take_number(in, "entries ", 10, &entries) || entries > LIST_TEXT_MAX)
		return false;
	/* No network begins so; that there are as many bytes is known, the sum is behind them. */
	if (memcmp(in->text, "covered ", 8) == 0 &&
	    (!take_number(in, "covered ", 10, &covered) || covered == 0 || covered >= entries))
		return false;
	for (uint64_t i = 0; i < entries - covered; i++) {
		size_t length;
		const char *line = take_line(in, "", &length);
		limen_network network;

		if (line == NULL || limen_network_parse(line, length, 0, &network) != LIMEN_OK)
			return false;
		list_text_add_network(out, &network);
	}
	out->entries = (size_t)entries;
	return in->length == 0 && out->failure == NULL;
}

/* Is the last line the checksum of the others?  Then it is taken off. */
static bool
check_sum(reader *in)
{
	reader last = { in->text, SUM_LENGTH };
	uint64_t sum;

	if (in->length < SUM_LENGTH)
		return false;
	in->length -= SUM_LENGTH;
	last.text += in->length;
	return take_number(&last, "sum ", 16, &sum) &&
	       sum == list_hash(LIST_HASH_START, in->text, in->length);
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
	if (!check_sum(&in) || take_line(&in, "limen ip-cidr-list-url 1", &length) == NULL ||
	    length != 0 || !take_number(&in, "key ", 16, &number))
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
	limen_time modified = facts->st_mtim.tv_sec * LIMEN_SECOND +
	                      facts->st_mtim.tv_nsec / 1000;
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
