/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_output.c - writes log lines without blocking: send() with MSG_DONTWAIT to sockets, write() to
 * files.  Pipes and terminals are reopened as non-blocking through /proc/self/fd; where that fails,
 * poll() comes before each write().  Owns the reopened descriptors.
 */
#include "log_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Whether a pipe or a terminal blocks is not for us to change, for others have it,
 * too; opened once more, it is another matter.  -1 where that is not possible.
 */
static int
open_again(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void
log_output_open(log_output *self, int fd)
{
	struct stat about;

	*self = (log_output){ .fd = fd, .own = -1, .way = LOG_WAY_POLL };
	if (fstat(fd, &about) != 0)
		return;
	if (S_ISREG(about.st_mode)) {
		self->way = LOG_WAY_WRITE;
	} else if (S_ISSOCK(about.st_mode)) {
		self->way = LOG_WAY_SEND;
	} else {
		self->own = open_again(fd);
		self->way = self->own < 0 ? LOG_WAY_POLL : LOG_WAY_WRITE;
	}
}

void
log_output_close(log_output *self)
{
	if (self->own >= 0)
		close(self->own);
	self->own = -1;
}

/* What poll() says of a pipe is good for PIPE_BUF bytes. */
static ssize_t
write_if_room(int fd, const char *text, size_t length)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };

	if (poll(&wanted, 1, 0) == 1)
		return write(fd, text, length < PIPE_BUF ? length : PIPE_BUF);
	errno = EAGAIN;
	return -1;
}

static ssize_t
write_piece(const log_output *self, const char *text, size_t length)
{
	int fd = self->own >= 0 ? self->own : self->fd;

	switch (self->way) {
	case LOG_WAY_WRITE:
		return write(fd, text, length);
	case LOG_WAY_SEND:
		return send(fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	case LOG_WAY_POLL:
	default:
		return write_if_room(fd, text, length);
	}
}

/* Returns how much of it arrived. */
static size_t
write_all(const log_output *self, const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t count = write_piece(self, text + done, length - done);

		if (count > 0)
			done += (size_t)count;
		else if (count == 0 || errno != EINTR)
			break;
	}
	return done;
}

bool
log_output_write(log_output *self, const char *line, size_t length)
{
	size_t done;

	if (self->torn && write_all(self, "\n", 1) == 0)
		return false;
	self->torn = false;
	done = write_all(self, line, length);
	self->torn = done > 0 && done < length;
	return done == length;
}
