/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs.h - work that a command leaves to other threads, one for each processor.
 */
#ifndef LIMEN_PROGRAM_JOBS_H
#define LIMEN_PROGRAM_JOBS_H

#include <stdbool.h>
#include <stddef.h>

/* One piece of work: the first member of whatever it works on. */
typedef struct job {
	void (*run)(struct job *self);
	struct job *next; /* private, as all that follows */
	bool done;
} job;

typedef struct jobs jobs;

/* Starts the threads; where there can be none, jobs are run when they are given. */
jobs *jobs_start(void);

/* How many threads there are, at least 1. */
unsigned jobs_threads(const jobs *self);

/* Has 'one' run by and by; those given first begin first. */
void jobs_give(jobs *self, job *one);

/* Waits until 'one' has been run; what it wrote can then be read. */
void jobs_wait(jobs *self, job *one);

/* Waits for all that was given and ends the threads. */
void jobs_finish(jobs *self);

#endif
