/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.h - a process that has compiled scripts and forks the workers that run them, seen
 * from limen.  Scripts of trusted policies share one, until its first worker is forked; what is
 * opened later goes to the next.  A script that is to be alone has one of its own.
 *
 * Nothing that comes from these processes is believed.
 */
#ifndef LIMEN_SUPPORT_JQ_TEMPLATE_H
#define LIMEN_SUPPORT_JQ_TEMPLATE_H

#include <jv.h>

#include "worker.h"

typedef struct template template;

/* A script as a template compiles it. */
typedef struct template_script {
	const char *program;
	bool output_raw;
	bool is_alone;      /* in a template of its own */
	bool needs_filter;  /* refuse a system that cannot filter system calls */
} template_script;

/*
 * Has a template compile 'script', and gives the script's number in it.  Returns NULL with
 * '*problem', which the caller frees: a string, an array of jq's messages, or an invalid value
 * when memory is short.  '*has_filter' tells whether the system filters system calls.
 */
template *template_join(const template_script *script, uint32_t *number, bool *has_filter,
                        jv *problem);

/* Leaves the template, which ends with its last script. */
void template_leave(template *left, uint32_t number);

/*
 * Takes a worker, waiting for one until 'deadline' (limen_host_monotonic()) if all are busy.
 * Returns NULL after the deadline, or earlier if none can be started.
 */
worker *template_take(template *from, int64_t deadline);

/* Gives it back; 'is_lost' kills it, and another takes its place when it is needed. */
void template_put(template *to, worker *back, bool is_lost);

/* How long to spin for a worker's reply, in nanoseconds. */
unsigned template_spin(void);

#endif
