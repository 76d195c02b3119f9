/* SPDX-License-Identifier: Apache-2.0 */
/* process.h - starts the program that scripts run in, and ends it. */
#ifndef LIMEN_SUPPORT_JQ_PROCESS_H
#define LIMEN_SUPPORT_JQ_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct process {
	pid_t pid;
	pid_t owner; /* who started it: after a fork, the child has only a copy of this */
	int pidfd;   /* -1: the system has none */
	int socket;  /* -1: there is no process */
} process;

/* Returns 0, or an errno value. */
int process_start(process *made);

/* Kills it, waits for its end and forgets it; in the child of a fork, forgets it only. */
void process_end(process *one);

/* The path of the program. */
const char *process_program(void);

#endif
