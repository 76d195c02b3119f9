/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_slot.h - a small number for the calling thread that no other living thread
 * has, so that what every decision writes has a place for each thread: a line of the
 * cache that several threads write is the slowest memory there is.
 */
#ifndef LIMEN_CORE_BASE_THREAD_SLOT_H
#define LIMEN_CORE_BASE_THREAD_SLOT_H

#define THREAD_SLOTS 64

/*
 * Below THREAD_SLOTS: the number of this thread until it ends, when another one may
 * get it, who then sees what this one wrote.  THREAD_SLOTS: there are more threads
 * than numbers, and this one has to share with others of its kind.
 */
unsigned thread_slot(void);

#endif
