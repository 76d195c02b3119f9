/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.h - a process that has compiled scripts and forks the workers that run them, seen
 * from limen.  Scripts of trusted policies share one, until its first worker is forked; what is
 * opened later goes to the next.  A script that is to be alone has one of its own.  A template
 * that has ended is started again, with all of its scripts, when a worker has to be forked.
 *
 * Limen validates everything that these processes send.
 */
#ifndef LIMEN_SUPPORT_JQ_TEMPLATE_H
#define LIMEN_SUPPORT_JQ_TEMPLATE_H

#include <sys/types.h>

#include "shared.h"

/* ---- a process that runs scripts; limen is not its parent (worker.c) ---- */

typedef struct worker {
	struct worker *next; /* in the list of idle ones */
	int64_t idle_since;
	shared *shared;
	int socket;
	pid_t pid;         /* 0: it has no process yet */
	pid_t group;       /* its template's */
	unsigned requests; /* so far */
} worker;

/*
 * Makes a worker without a process, and 'fds', which its process gets and the caller closes: a
 * memfd and a socket.  NULL when memory or descriptors are short.
 */
worker *worker_new(int fds[2]);

/*
 * Has the worker answer the request in its memory, and waits for the reply until 'deadline'
 * (limen_host_monotonic(); INT64_MAX: none).  Returns CHANNEL_LATE, CHANNEL_GONE, or more than 0.
 */
ssize_t worker_ask(worker *self, int64_t deadline);

/* Gives the pages of a message of 'length' bytes back to the system, if there are many. */
void worker_trim(worker *self, size_t length);

/* Kills the process and frees the worker. */
void worker_end(worker *ended);

/* Frees the worker without a signal to its process, which may be the parent's. */
void worker_forget(worker *freed);

/* ---- the program that scripts run in (process.c) ---- */

typedef struct process {
	pid_t pid;
	pid_t owner; /* who started it: after a fork, the child has only a copy of this */
	int pidfd;   /* -1: the system has none */
	int socket;  /* -1: there is no process */
} process;

/* Returns 0, or an errno value. */
int process_start(process *started);

/* Kills it, waits for its end and forgets it; in the child of a fork, forgets it only. */
void process_end(process *item);

/* The path of the program. */
const char *process_program(void);

/* ---- templates ---- */

typedef struct template template;

/* A script as a template compiles it. */
typedef struct template_script {
	const char *program;
	bool output_raw;
	/* It needs a template of its own, and a system that can filter system calls. */
	bool is_alone;
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

/* Returns a worker; 'is_lost' kills it, and another one is forked when it is needed. */
void template_put(template *to, worker *back, bool is_lost);

/* Ends the workers that are idle since before 'time'; returns true if it has others. */
bool template_end_idle(template *self, int64_t time);

#endif
