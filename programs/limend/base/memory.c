/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - sets the mmap and trim thresholds of glibc's malloc and returns free memory to the
 * system, which does nothing with any other C library, and reserves room in a text.
 */
#include "memory.h"

#include <malloc.h>

/*
 * By default glibc raises the mmap threshold up to 32 MiB as blocks are freed, and then never
 * returns the free end of a thread's arena to the system.  Fixed values prevent that.  They are
 * far above what a usual request takes.
 */
#define BLOCK_KEPT_MAX (4 << 20)
#define REST_KEPT_MAX  (2 << 20)

/* Texts up to this size may take the spare. */
#define SMALL ((size_t)64 << 10)

/* GLib ends the process if one of its small allocations fails.  This much is left for them. */
#define SPARE ((size_t)16 << 20)

void
memory_setup(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, BLOCK_KEPT_MAX);
	mallopt(M_TRIM_THRESHOLD, REST_KEPT_MAX);
#endif
}

void
memory_give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

bool
memory_has(size_t size)
{
	g_autofree void *probe = g_try_malloc(size + SPARE);

	return probe != NULL;
}

bool
memory_reserve(GString *text, size_t more)
{
	size_t needed = text->len + more + 1;
	/* Doubling keeps the number of copies small. */
	size_t size = MAX(needed, 2 * text->allocated_len);
	char *grown;

	if (needed <= text->allocated_len)
		return true;
	if (size > SMALL && !memory_has(size))
		return false;
	grown = g_try_realloc(text->str, size);
	if (grown == NULL)
		return false;
	text->str = grown;
	text->allocated_len = size;
	return true;
}
