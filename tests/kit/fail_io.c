/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_io.c - calls about files as the linker's --wrap redirects them.  Owns the
 * count of these calls of the process.
 */
#include "fail_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *to, size_t size);
ssize_t __real___read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __real_write(int fd, const void *from, size_t size);
ssize_t __real_send(int fd, const void *from, size_t size, int flags);
size_t __real_fwrite(const void *from, size_t size, size_t count, FILE *file);
int __real_fflush(FILE *file);
int __real_fsync(int fd);
int __real_ftruncate(int fd, off_t length);
int __real_rename(const char *from, const char *to);

/* With sanitizers the linker sees the libraries' own calls as wrapped ones. */
#pragma GCC visibility push(default)
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_read(int fd, void *to, size_t size);
/* What read() is called when libc is told to check arguments (_FORTIFY_SOURCE). */
ssize_t __wrap___read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __wrap_write(int fd, const void *from, size_t size);
ssize_t __wrap_send(int fd, const void *from, size_t size, int flags);
size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file);
int __wrap_fflush(FILE *file);
int __wrap_fsync(int fd);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_rename(const char *from, const char *to);
#pragma GCC visibility pop

static atomic_ulong made; /* calls since the last start */
static atomic_ulong first = ULONG_MAX;
static atomic_int chosen_way;
static atomic_int chosen_error;
static atomic_bool failed;

typedef enum fate { FATE_SUCCEED, FATE_HALF, FATE_FAIL } fate;

void
fail_io_start(unsigned long nth, fail_io_way way, int error)
{
	atomic_store(&made, 0);
	atomic_store(&failed, false);
	atomic_store(&chosen_way, (int)way);
	atomic_store(&chosen_error, error);
	atomic_store(&first, nth);
}

bool
fail_io_stop(void)
{
	atomic_store(&first, ULONG_MAX);
	return atomic_load(&failed);
}

/* What becomes of a call; errno is set for one that fails. */
static fate
next_fate(void)
{
	unsigned long begin = atomic_load(&first);
	unsigned long number;
	int way = atomic_load(&chosen_way);

	if (begin == ULONG_MAX)
		return FATE_SUCCEED;
	number = atomic_fetch_add(&made, 1) + 1;
	if (number < begin || (way == FAIL_IO_ONCE && number > begin))
		return FATE_SUCCEED;
	atomic_store(&failed, true);
	errno = atomic_load(&chosen_error);
	return way == FAIL_IO_HALF && number == begin ? FATE_HALF : FATE_FAIL;
}

int
__wrap_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return next_fate() != FATE_SUCCEED ? -1 : __real_open(path, flags, mode);
}

ssize_t
__wrap_read(int fd, void *to, size_t size)
{
	return next_fate() != FATE_SUCCEED ? -1 : __real_read(fd, to, size);
}

ssize_t
__wrap___read_chk(int fd, void *to, size_t size, size_t room)
{
	return next_fate() != FATE_SUCCEED ? -1 : __real___read_chk(fd, to, size, room);
}

ssize_t
__wrap_write(int fd, const void *from, size_t size)
{
	fate what = next_fate();

	if (what == FATE_FAIL || size == 0)
		return what == FATE_FAIL ? -1 : 0;
	return __real_write(fd, from, what == FATE_HALF ? (size + 1) / 2 : size);
}

ssize_t
__wrap_send(int fd, const void *from, size_t size, int flags)
{
	fate what = next_fate();

	if (what == FATE_FAIL || size == 0)
		return what == FATE_FAIL ? -1 : 0;
	return __real_send(fd, from, what == FATE_HALF ? (size + 1) / 2 : size, flags);
}

size_t
__wrap_fwrite(const void *from, size_t size, size_t count, FILE *file)
{
	fate what = next_fate();
	int error = errno;
	size_t done = 0;

	if (what != FATE_FAIL)
		done = __real_fwrite(from, size, what == FATE_HALF ? count / 2 : count, file);
	if (what != FATE_SUCCEED)
		errno = error;
	return done;
}

int
__wrap_fflush(FILE *file)
{
	return next_fate() != FATE_SUCCEED ? EOF : __real_fflush(file);
}

int
__wrap_fsync(int fd)
{
	return next_fate() != FATE_SUCCEED ? -1 : __real_fsync(fd);
}

int
__wrap_ftruncate(int fd, off_t length)
{
	return next_fate() != FATE_SUCCEED ? -1 : __real_ftruncate(fd, length);
}

int
__wrap_rename(const char *from, const char *to)
{
	return next_fate() != FATE_SUCCEED ? -1 : __real_rename(from, to);
}

unsigned long
fail_io_everywhere(fail_io_try attempt)
{
	static const int errors[] = { EIO, ENOSPC };
	unsigned long calls = 0;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		for (int way = FAIL_IO_ONCE; way <= FAIL_IO_HALF; way++)
			for (unsigned long n = 1; attempt(n, (fail_io_way)way, errors[i]); n++)
				calls++;
	return calls;
}
