/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers.h - a pool of threads with a queue of jobs for each peer, bounded in all.
 */
#ifndef LIMEND_WORKERS_H
#define LIMEND_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct workers workers;

/*
 * Lengthy jobs use at most half of the threads and half of the places.  Large jobs, each of which
 * may need forty times its size in memory, use at most an eighth of the threads and a quarter of
 * the places.
 */
typedef enum work_kind { WORK_QUICK, WORK_LENGTHY, WORK_LARGE, WORK_KINDS } work_kind;

/* Starts 'threads' threads; at most 'queue' jobs wait.  NULL if a thread cannot be created. */
workers *workers_new(size_t threads, size_t queue);

/* A place for a job. */
typedef struct work work;

/*
 * Reserves a place for a job of 'peer' (client_peer()), so that workers_push() cannot fail.  Returns
 * NULL if all places, or all places of that kind, are taken, or the peer has seven times as many as
 * are free: an eighth is for others.  With 'again', for a request that waited for lookups, there is
 * always one, which takes none from others.
 */
work *workers_reserve(workers *pool, work_kind kind, const char *peer, bool again);

/*
 * Queues 'job' on a place.  Peers take turns, and the last free thread, of all and of those for a
 * kind, is for a peer that has none.
 */
void workers_push(workers *pool, work *place, void (*job)(void *data), void *data);

/* Waits at most 'milliseconds' until no place is taken; false if one still is. */
bool workers_wait(workers *pool, unsigned milliseconds);

/* Waits for all jobs and frees the pool. */
void workers_free(workers *pool);

#endif
