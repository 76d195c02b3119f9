/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs.h - runs jobs of a command on other threads, one for each processor.
 */
#ifndef LIMEN_PROGRAM_JOBS_H
#define LIMEN_PROGRAM_JOBS_H

#include <stdbool.h>
#include <stddef.h>

/* One job; embed it as the first member of the struct that 'run' works on. */
typedef struct job {
	void (*run)(struct job *self);
	bool done; /* private */
} job;

typedef struct jobs jobs;

/* Starts the threads; if none can be started, jobs_give() runs each job itself. */
jobs *jobs_start(void);

/* Returns the number of threads, at least 1. */
unsigned jobs_threads(const jobs *self);

/* Queues 'item'; jobs start in the order given. */
void jobs_give(jobs *self, job *item);

/* Waits until 'item' has run; its results can then be read. */
void jobs_wait(jobs *self, job *item);

/* Waits for all queued jobs, ends the threads and frees 'self'. */
void jobs_finish(jobs *self);

#endif
