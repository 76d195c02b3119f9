/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages.c - allocates aligned memory.  Blocks of 2 MiB or more begin at a multiple of 2 MiB,
 * and madvise() asks for huge pages for them.
 */
#include "bucket.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Asks for large pages; a system without them ignores it. */
static void
advise(char *start, size_t size)
{
#ifdef MADV_HUGEPAGE
	long page = sysconf(_SC_PAGESIZE);
	size_t before;

	if (page <= 0)
		return;
	before = (size_t)page - 1 - ((uintptr_t)start - 1) % (size_t)page;
	madvise(start + before, (size - before) / (size_t)page * (size_t)page, MADV_HUGEPAGE);
#else
	(void)start;
	(void)size;
#endif
}

void *
pages_alloc(size_t alignment, size_t size)
{
	char *text;

	/* A large page starts at a multiple of its size; other blocks start with small pages. */
	if (size >= PAGES_LARGE)
		alignment = PAGES_LARGE;
	if (size > SIZE_MAX - alignment)
		return NULL;
	size = (size + alignment - 1) / alignment * alignment;
	text = aligned_alloc(alignment, size);
	if (text != NULL && size >= PAGES_LARGE)
		advise(text, size);
	return text;
}
