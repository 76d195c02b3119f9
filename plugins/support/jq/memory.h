/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - how much memory the process holds. */
#ifndef LIMEN_SUPPORT_JQ_MEMORY_H
#define LIMEN_SUPPORT_JQ_MEMORY_H

#include <stddef.h>

/* Scripts may add this much to the process while they run. */
#define MEMORY_GROWTH_MAX ((size_t)256 << 20)

/* Resident bytes, or 0 if the system does not tell.  One thread at a time. */
size_t memory_used(void);

/* After a fork: what was opened is about the parent. */
void memory_forget(void);

#endif
