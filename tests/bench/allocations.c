/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocations.c - the program's own malloc(), which the libraries it is linked with
 * use as well, in front of that of the C library.
 */
#include "allocations.h"

#include <stdint.h>

#include "../kit/sanitizers.h"

static _Thread_local bool counting;
static _Thread_local size_t calls;
static _Thread_local size_t total;

void
allocations_start(void)
{
	calls = 0;
	total = 0;
	counting = true;
}

void
allocations_stop(size_t *count, size_t *bytes)
{
	counting = false;
	*count = calls;
	*bytes = total;
}

#if defined(OWN_MALLOC) || !defined(__GLIBC__)

bool
allocations_known(void)
{
	return false;
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* The libraries are to find them. */
#define SHOWN __attribute__((visibility("default")))

SHOWN void *malloc(size_t size);
SHOWN void *calloc(size_t count, size_t size);
SHOWN void *realloc(void *old, size_t size);

bool
allocations_known(void)
{
	return true;
}

static void
note(size_t size)
{
	if (!counting)
		return;
	calls++;
	total += size;
}

void *
malloc(size_t size)
{
	note(size);
	return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	note(count * size);
	return __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	note(size);
	return __libc_realloc(old, size);
}

#endif
