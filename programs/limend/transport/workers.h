/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers.h - a bounded number of threads, and a bounded number of jobs that wait
 * for one of them.
 */
#ifndef LIMEND_WORKERS_H
#define LIMEND_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct workers workers;

/*
 * Lengthy ones have half of the threads and of all places at most, and large ones,
 * each of which may take forty times its size of memory, an eighth and a quarter.
 */
typedef enum work_kind { WORK_QUICK, WORK_LENGTHY, WORK_LARGE, WORK_KINDS } work_kind;

/* Starts 'threads' threads; at most 'queue' jobs wait.  NULL if a thread cannot be had. */
workers *workers_new(size_t threads, size_t queue);

/*
 * Promises a place, so that workers_push() cannot fail: false when all threads
 * are busy and the queue is full.
 */
bool workers_reserve(workers *pool, work_kind kind);

/* Runs 'job' on the place that was reserved for that kind. */
void workers_push(workers *pool, work_kind kind, void (*job)(void *data), void *data);

/* Waits until no job runs or waits, for 'milliseconds' at most; false if one still does. */
bool workers_wait(workers *pool, unsigned milliseconds);

/* Waits for every job. */
void workers_free(workers *pool);

#endif
