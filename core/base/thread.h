/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.h - threads inside a host program: starting one, and per-thread memory.
 */
#ifndef LIMEN_CORE_BASE_THREAD_H
#define LIMEN_CORE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * For a few bytes of _Thread_local that every decision asks for: they are found without a
 * call.  glibc keeps room for that where a library is loaded late, others may refuse it.
 */
#ifdef __GLIBC__
#define THREAD_LOCAL_NEAR __attribute__((tls_model("initial-exec")))
#else
#define THREAD_LOCAL_NEAR
#endif

/*
 * Numbers threads from 0 on, in the order in which they first ask; no number is given twice.
 * Threads that write memory chosen by it do not wait for each other's cache lines.
 */
size_t thread_number(void);

/*
 * Starts 'run' on a thread that the program's signals are never delivered to.
 * Returns 0 or an error number, as pthread_create() does.
 */
int thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

/* Timed waits on 'condition' use CLOCK_MONOTONIC: setting the system clock must not change them. */
void thread_condition(pthread_cond_t *condition);

/*
 * Waits on 'condition' until limen_host_monotonic() reaches 'deadline' (INT64_MAX: no limit).
 * Returns false once that has passed.
 */
bool thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline);

#endif
