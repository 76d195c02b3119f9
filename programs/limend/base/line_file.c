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
	WAY_WRITE, /* write() never waits: a file, or opened so by us */
	WAY_SEND,  /* a socket, which has a flag for that */
	WAY_POLL   /* poll() tells before each piece whether there is room */
} way;

struct line_file {
	char *path; /* NULL: of the log itself, which nobody waits for */
	int fd;
	bool own;     /* 'fd' is ours to close */
	way way;
	bool torn;    /* a piece of a line stands at the end, of ours or of a process before */
	bool failing; /* the last write failed, and the log knows */
	atomic_int_fast64_t until; /* limen_host_monotonic(): nobody is waited for after that */
};

/*
 * How long a pipe may be full, in nanoseconds.  Standard output may be one, and
 * whether it blocks is not for us to change: others have it, too.
 */
#define PATIENCE (INT64_C(5000) * MILLISECOND)
#define MILLISECOND INT64_C(1000000)
/* After so many milliseconds it is looked whether there is less time than there was. */
#define GLANCE 50

/* ---- opening ---- */

/* Not blocking: a pipe without a reader is an error and not an eternity. */
static int
open_path(const char *path)
{
	if (strcmp(path, "-") == 0)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0640);
}

/* Opens what 'fd' leads to once more; -1 where that is not possible. */
static int
open_again(int fd, int flags)
{
	char path[32];

	g_snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_NOCTTY | O_CLOEXEC);
}

/*
 * Whether a pipe or a terminal blocks is not for us to change, for others have it, too;
 * opened once more, it is another matter.
 */
static void
take_descriptor(line_file *self, int fd, bool own)
{
	struct stat about;
	int again;

	self->fd = fd;
	self->own = own;
	self->way = WAY_POLL;
	if (fstat(fd, &about) != 0)
		return;
	if (S_ISREG(about.st_mode) || (own && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0))
		self->way = WAY_WRITE;
	if (S_ISSOCK(about.st_mode))
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
 * Does a file end within a line?  A process that was killed may have left a piece of one.
 * It is opened once more, as nobody needs to read it to write it.
 */
static bool
ends_within_line(int fd)
{
	struct stat about;
	char last = '\n';
	int reader;

	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
		return false;
	reader = open_again(fd, O_RDONLY);
	if (reader < 0)
		return false;
	if (pread(reader, &last, 1, about.st_size - 1) != 1)
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
is_same(int one, int other)
{
	struct stat about;
	struct stat after;

	return fstat(one, &about) == 0 && fstat(other, &after) == 0 &&
	       about.st_dev == after.st_dev && about.st_ino == after.st_ino;
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
	/* A pipe is opened again, but what was written stays written. */
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

/* How many milliseconds may be waited now, if 'end' is the end of patience. */
static int
time_to_wait(const line_file *self, int64_t end)
{
	int64_t left = MIN(end, atomic_load(&self->until)) - limen_host_monotonic();

	return (int)CLAMP(left / MILLISECOND, 0, GLANCE);
}

/* May something be written without waiting longer than that? */
static bool
wait_for_room(const line_file *self)
{
	struct pollfd wanted = { .fd = self->fd, .events = POLLOUT };
	/* Who did not read for so long has lost the right to let us wait. */
	int64_t end = self->failing ? 0 : limen_host_monotonic() + PATIENCE;
	int wait;
	int found;

	do {
		wait = time_to_wait(self, end);
		found = poll(&wanted, 1, wait);
	} while ((found < 0 && errno == EINTR) || (found == 0 && wait > 0));
	if (found == 0)
		errno = EAGAIN;
	return found > 0;
}

/* What poll() says of a pipe is good for PIPE_BUF bytes. */
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

/* Returns how much of 'text' arrived; less than all is a failure, in errno. */
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
 * What follows a piece that is there for good begins a line of its own, or is not
 * written.
 */
static bool
end_piece(line_file *self)
{
	if (self->torn)
		self->torn = write_all(self, "\n", 1) != 1;
	return !self->torn;
}

/*
 * Takes the last 'piece' bytes back if they are still the last of a file.  The standard error may
 * be a file that others write to, whose lines are not to be cut.
 */
static void
cut_piece(line_file *self, size_t piece, off_t before, size_t done)
{
	struct stat about;

	self->torn = true;
	if (self->path == NULL || fstat(self->fd, &about) != 0 || !S_ISREG(about.st_mode) ||
	    about.st_size != before + (off_t)done)
		return;
	self->torn = ftruncate(self->fd, about.st_size - (off_t)piece) != 0;
	/* Standard output need not append by itself. */
	lseek(self->fd, 0, SEEK_END);
}

/* The log is told once, until it works again. */
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
	struct stat about;
	off_t before = -1;
	size_t whole;
	size_t done = 0;
	int error;

	if (length == 0)
		return 0;
	errno = 0;
	if (end_piece(self)) {
		before = fstat(self->fd, &about) == 0 ? about.st_size : -1;
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
