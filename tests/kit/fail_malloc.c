/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_malloc.c - the allocating functions as the linker's --wrap redirects
 * them.  Owns the count of allocations of the process.
 */
#include "fail_malloc.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What asprintf() is called when libc is told to check arguments (_FORTIFY_SOURCE). */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static atomic_ulong made; /* allocations since the last start */
static atomic_ulong first = ULONG_MAX;
static atomic_ulong last = ULONG_MAX;
static atomic_bool failed;

/* Of the core, where a test is linked with its objects: what is kept cannot fail. */
void recycle_stop(void) __attribute__((weak));

static void
start(unsigned long from, unsigned long to)
{
	if (recycle_stop != NULL)
		recycle_stop();
	atomic_store(&made, 0);
	atomic_store(&failed, false);
	atomic_store(&last, to);
	atomic_store(&first, from);
}

void
fail_malloc_once(unsigned long nth)
{
	start(nth, nth);
}

void
fail_malloc_from(unsigned long nth)
{
	start(nth, ULONG_MAX);
}

bool
fail_malloc_stop(void)
{
	atomic_store(&first, ULONG_MAX);
	return atomic_load(&failed);
}

static bool
must_fail(void)
{
	unsigned long number;

	if (atomic_load(&first) == ULONG_MAX)
		return false;
	number = atomic_fetch_add(&made, 1) + 1;
	if (number < atomic_load(&first) || number > atomic_load(&last))
		return false;
	atomic_store(&failed, true);
	return true;
}

void *
__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : __real_calloc(count, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
	return must_fail() ? NULL : __real_realloc(old, size);
}

char *
__wrap_strdup(const char *text)
{
	return must_fail() ? NULL : __real_strdup(text);
}

char *
__wrap_strndup(const char *text, size_t length)
{
	return must_fail() ? NULL : __real_strndup(text, length);
}

int
__wrap_asprintf(char **out, const char *format, ...)
{
	va_list arguments;
	int length;

	if (must_fail())
		return -1;
	va_start(arguments, format);
	length = vasprintf(out, format, arguments);
	va_end(arguments);
	return length;
}

int
__wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	if (must_fail())
		return -1;
	va_start(arguments, format);
	length = vasprintf(out, format, arguments);
	va_end(arguments);
	return length;
}
