/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watchdog.h - ends runs that take too long or too much memory, from a thread
 * of the process that sleeps while no script runs.
 */
#ifndef LIMEN_SUPPORT_JQ_WATCHDOG_H
#define LIMEN_SUPPORT_JQ_WATCHDOG_H

#include <jq.h>
#include <stdbool.h>
#include <stdint.h>

/* Why a run ended before its time. */
typedef enum watchdog_end {
	WATCHDOG_NOT = 0,
	WATCHDOG_TIME,
	WATCHDOG_MEMORY,
	WATCHDOG_HALT /* the script's own wish */
} watchdog_end;

/* One run; belongs to who runs. */
typedef struct watchdog_run {
	struct watchdog_run *next;
	struct watchdog_run *previous;
	jq_state *jq;
	bool is_armed;
	int64_t started;  /* limen_host_monotonic() */
	int64_t deadline; /* INT64_MAX: none */
	watchdog_end end;
} watchdog_run;

/* The thread lives while somebody uses it; the first run starts it. */
void watchdog_use(void);
void watchdog_leave(void);

/* Starts it before the first run; returns false if that is not possible. */
bool watchdog_start(void);

/*
 * Watches 'run', whose jq has been started, until watchdog_disarm(); then its
 * 'end' tells whether it was ended.  Returns false if there is no thread to
 * watch it.  To disarm what is not armed does nothing.
 */
bool watchdog_arm(watchdog_run *run);
void watchdog_disarm(watchdog_run *run);

/* Ends the calling thread's own run. */
void watchdog_halt(watchdog_run *run);

#endif
