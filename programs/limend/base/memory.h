/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - returns memory that the allocator keeps for later to the system.  After the largest
 * requests that is hundreds of megabytes, because each thread may have handled one.
 */
#ifndef LIMEND_MEMORY_H
#define LIMEND_MEMORY_H

/* Makes the allocator return the largest blocks to the system as soon as they are freed. */
void memory_setup(void);

/* Returns all free memory to the system.  It is slow, so call it while no request runs. */
void memory_give_back(void);

#endif
