/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.h - starting a thread inside somebody else's program.
 */
#ifndef LIMEN_CORE_THREAD_H
#define LIMEN_CORE_THREAD_H

#include <pthread.h>

/*
 * Starts 'run' on a thread that the program's signals are never delivered to.
 * Returns 0 or an error number, as pthread_create() does.
 */
int thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
