/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_file.c - appends whole lines to a file, a pipe or a socket and limits how long a slow reader
 * is waited for.  Truncates a partial line, or ends it with a newline before the next write.  Owns
 * its descriptor unless it is the caller's; logs the first failed write to a file and the first one
 * that succeeds again.
 */
#include "line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limen/host.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

/* How a piece is written without waiting. */
typedef enum way {
	WAY_WRITE, /* write() never waits: a regular file, or opened with O_NONBLOCK */
	WAY_SEND,  /* a socket: send() with MSG_DONTWAIT */
	WAY_POLL   /* poll() before each piece tells whether there is room */
} way;

struct line_file {
	char *path; /* NULL: the log itself, which never waits for its reader */
	int fd;
	bool own;     /* 'fd' is closed with this */
	way way;
	bool torn;    /* the file ends in a partial line, of this or of an earlier process */
	bool failing; /* the last write failed, which was logged */
	atomic_int_fast64_t until; /* limen_host_monotonic(): no wait lasts beyond that */
};

/*
 * How long a full pipe is waited for, in nanoseconds.
 */
#define PATIENCE (INT64_C(5000) * MILLISECOND)
#define MILLISECOND INT64_C(1000000)
/* Milliseconds between two looks at the deadline, which line_file_hurry() may shorten. */
#define GLANCE 50

/* ---- opening ---- */

/* Opens without blocking: a pipe without a reader is an error instead of an endless wait. */
static int
open_path(const char *path)
{
	if (strcmp(path, "-") == 0)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0640);
}

/* Opens the file of 'fd' a second time; -1 if that is not possible. */
static int
open_again(int fd, int flags)
{
	char path[32];

	g_snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_NOCTTY | O_CLOEXEC);
}

/*
 * Chooses how to write to 'fd'.  O_NONBLOCK must not be set on a pipe or terminal that other
 * processes share, so it is opened a second time with that flag if possible.
 */
static void
take_descriptor(line_file *self, int fd, bool own)
{
	struct stat facts;
	int again;

	self->fd = fd;
	self->own = own;
	self->way = WAY_POLL;
	if (fstat(fd, &facts) != 0)
		return;
	if (S_ISREG(facts.st_mode) || (own && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0))
		self->way = WAY_WRITE;
	if (S_ISSOCK(facts.st_mode))
		self->way = WAY_SEND;
	again = self->way == WAY_POLL ? open_again(fd, O_WRONLY | O_APPEND | O_NONBLOCK) : -1;
	if (again < 0)
		return;
	if (own)
		close(fd);
	self->fd = again;
	self->own = true;
	self->way = WAY_WRITE;
}

/*
 * Does a file end within a line?  A killed process may have left a partial line.  The file is
 * opened a second time to read its last byte, because 'fd' is open for writing only.
 */
static bool
ends_within_line(int fd)
{
	struct stat facts;
	char last = '\n';
	int reader;

	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
		return false;
	reader = open_again(fd, O_RDONLY);
	if (reader < 0)
		return false;
	if (pread(reader, &last, 1, facts.st_size - 1) != 1)
		last = '\n';
	close(reader);
	return last != '\n';
}

line_file *
line_file_on(int fd)
{
	line_file *self = g_new0(line_file, 1);

	take_descriptor(self, fd, false);
	return self;
}

line_file *
line_file_open(const char *path, char **why)
{
	int fd = open_path(path);
	line_file *self;

	if (fd < 0) {
		*why = g_strdup_printf("%s: %s", path, g_strerror(errno));
		return NULL;
	}
	self = g_new0(line_file, 1);
	self->path = g_strdup(path);
	self->torn = ends_within_line(fd);
	take_descriptor(self, fd, true);
	atomic_store(&self->until, INT64_MAX);
	return self;
}

void
line_file_hurry(line_file *self, int64_t until)
{
	atomic_store(&self->until, until);
}

void
line_file_close(line_file *self)
{
	if (self == NULL)
		return;
	if (self->own)
		close(self->fd);
	g_free(self->path);
	g_free(self);
}

static bool
is_same(int fd, int other)
{
	struct stat facts;
	struct stat after;

	return fstat(fd, &facts) == 0 && fstat(other, &after) == 0 &&
	       facts.st_dev == after.st_dev && facts.st_ino == after.st_ino;
}

void
line_file_reopen(line_file *self)
{
	int fd = open_path(self->path);

	if (fd < 0) {
		log_print(LIMEN_LOG_ERROR, "decision log", "%s cannot be opened again: %s",
		          self->path, g_strerror(errno));
		return;
	}
	/* The same pipe or file, opened again, still ends in the partial line. */
	self->torn = is_same(self->fd, fd) ? self->torn : ends_within_line(fd);
	if (self->own)
		close(self->fd);
	take_descriptor(self, fd, true);
}

static size_t
count_lines(const char *text, size_t length)
{
	size_t count = 0;

	for (const char *at = memchr(text, '\n', length); at != NULL;
	     at = memchr(at + 1, '\n', length - (size_t)(at + 1 - text)))
		count++;
	return count;
}

/* Waits for room, up to the deadline.  Returns false with EAGAIN in errno if there is none. */
static bool
wait_for_room(const line_file *self)
{
	struct pollfd wanted = { .fd = self->fd, .events = POLLOUT };
	/* After a failed write a reader is not waited for until a write succeeds again. */
	int64_t end = self->failing ? 0 : limen_host_monotonic() + PATIENCE;
	int wait;
	int found;

	do {
		int64_t left = MIN(end, atomic_load(&self->until)) - limen_host_monotonic();

		wait = (int)CLAMP(left / MILLISECOND, 0, GLANCE);
		found = poll(&wanted, 1, wait);
	} while ((found < 0 && errno == EINTR) || (found == 0 && wait > 0));
	if (found == 0)
		errno = EAGAIN;
	return found > 0;
}

/* Writes without waiting.  After poll() a pipe takes PIPE_BUF bytes without blocking, no more. */
static ssize_t
write_piece(const line_file *self, const char *text, size_t length)
{
	struct pollfd wanted = { .fd = self->fd, .events = POLLOUT };

	if (self->way == WAY_SEND)
		return send(self->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (self->way == WAY_WRITE)
		return write(self->fd, text, length);
	if (poll(&wanted, 1, 0) == 1)
		return write(self->fd, text, MIN(length, PIPE_BUF));
	errno = EAGAIN;
	return -1;
}

/* Returns how many bytes of 'text' were written; errno tells why if that is not all. */
static size_t
write_all(const line_file *self, const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t count = write_piece(self, text + done, length - done);

		if (count > 0)
			done += (size_t)count;
		else if (count == 0 ||
		         (errno != EINTR && (errno != EAGAIN || !wait_for_room(self))))
			break;
	}
	return done;
}

/*
 * Truncates the last 'piece' bytes of a regular file if nothing was appended after them.  The log
 * is never truncated: standard error may be a file that other processes write to.
 */
static void
cut_piece(line_file *self, size_t piece, off_t before, size_t done)
{
	struct stat facts;

	self->torn = true;
	if (self->path == NULL || fstat(self->fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
	    facts.st_size != before + (off_t)done)
		return;
	self->torn = ftruncate(self->fd, facts.st_size - (off_t)piece) != 0;
	/* Standard output may be a file opened without O_APPEND. */
	lseek(self->fd, 0, SEEK_END);
}

/* Logs the first failure of a series, and the success that ends it. */
static void
report(line_file *self, bool failed, int error)
{
	const char *shown = g_strcmp0(self->path, "-") == 0 ? "standard output" : self->path;

	if (shown == NULL)
		return;
	if (failed && !self->failing)
		log_print(LIMEN_LOG_ERROR, "decision log", "%s cannot be written: %s", shown,
		          g_strerror(error));
	else if (!failed && self->failing)
		log_print(LIMEN_LOG_INFO, "decision log", "%s can be written again", shown);
	self->failing = failed;
}

size_t
line_file_append(line_file *self, const char *text, size_t length)
{
	struct stat facts;
	off_t before = -1;
	size_t whole;
	size_t done = 0;
	int error;

	if (length == 0)
		return 0;
	errno = 0;
	/* A partial line that was not truncated is ended first, lest lines be joined. */
	if (self->torn)
		self->torn = write_all(self, "\n", 1) != 1;
	if (!self->torn) {
		before = fstat(self->fd, &facts) == 0 ? facts.st_size : -1;
		done = write_all(self, text, length);
	}
	error = errno;
	report(self, done < length, error);
	whole = done;
	while (whole > 0 && text[whole - 1] != '\n')
		whole--;
	if (whole < done)
		cut_piece(self, done - whole, before, done);
	return count_lines(text, whole);
}
