/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - sets the mmap and trim thresholds of glibc's malloc and returns free memory to the
 * system.  Does nothing with any other C library.
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
