/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages.h - memory in large pages where there is much of it: buckets are asked for in
 * any order, and with pages of 4 KB the address of nearly each has to be looked up in
 * memory, too.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_PAGES_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_PAGES_H

#include <stddef.h>

/* A large page, as most processors have them. */
#define PAGES_LARGE ((size_t)2 << 20)

/*
 * As aligned_alloc(), for any size; to be freed with free().  A size of PAGES_LARGE or more
 * is rounded up to a multiple of it.
 */
void *pages_alloc(size_t alignment, size_t size);

#endif
