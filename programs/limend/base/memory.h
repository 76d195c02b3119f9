/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - memory of the process that the allocator keeps for later, which after
 * the largest requests is hundreds of megabytes: each thread may have made one.
 */
#ifndef LIMEND_MEMORY_H
#define LIMEND_MEMORY_H

/* Lets the largest blocks go back to the system as soon as they are freed. */
void memory_setup(void);

/* Gives back what is free, which takes so long that a calm moment is best. */
void memory_give_back(void);

#endif
