/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.h - a process that has compiled scripts and forks the workers that run them, seen
 * from limen.  Scripts of trusted policies share one, until its first worker is forked; what is
 * opened later goes to the next.  A script that is to be alone has one of its own.  A template
 * that has ended is started again, with all of its scripts, when a worker has to be forked.
 *
 * Nothing that comes from these processes is believed.
 */
#ifndef LIMEN_SUPPORT_JQ_TEMPLATE_H
#define LIMEN_SUPPORT_JQ_TEMPLATE_H

#include "worker.h"

typedef struct template template;

/* A script as a template compiles it. */
typedef struct template_script {
	const char *program;
	bool output_raw;
	bool is_alone;      /* in a template of its own */
	bool needs_filter;  /* refuse a system that cannot filter system calls */
} template_script;

/* Why a script has no template. */
typedef struct template_problem {
	char *text;      /* for the caller to free; NULL: memory is short */
	bool is_from_jq; /* the messages of its compiler, one a line */
} template_problem;

/*
 * Has a template compile 'script', and gives the script's number in it.  Returns NULL with
 * '*problem'.  '*has_filter' tells whether the system filters system calls.
 */
template *template_join(const template_script *script, uint32_t *number, bool *has_filter,
                        template_problem *problem);

/* Leaves the template, which ends with its last script. */
void template_leave(template *left, uint32_t number);

/*
 * Takes a worker, waiting for one until 'deadline' (limen_host_monotonic()) if all are busy or
 * the template has to start again.  Returns NULL after the deadline, or earlier if none can be
 * started.
 */
worker *template_take(template *from, int64_t deadline);

/* Gives it back; 'is_lost' kills it, and another takes its place when it is needed. */
void template_put(template *to, worker *back, bool is_lost);

/* Ends the workers that are idle since before 'time'; returns true if it has others. */
bool template_end_idle(template *self, int64_t time);

/* How long to spin for a worker's reply, in nanoseconds. */
unsigned template_spin(void);

#endif
