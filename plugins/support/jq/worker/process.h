/* SPDX-License-Identifier: Apache-2.0 */
/* process.h - starts the program that scripts run in, and ends it. */
#ifndef LIMEN_SUPPORT_JQ_PROCESS_H
#define LIMEN_SUPPORT_JQ_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/wait.h>

/* waitid() by pidfd; the name is newer than the call. */
#define BY_PIDFD ((idtype_t)3)

typedef struct process {
	pid_t pid;
	pid_t owner; /* who started it: after a fork, the child has only a copy of this */
	int pidfd;   /* -1: the system has none */
	int socket;
} process;

/* Returns 0, or an errno value. */
int process_start(process *made);

/* In the child of a fork the process and what is said to it are the parent's. */
bool process_is_own(const process *one);

/* Kills it at once, without waiting for its end. */
void process_kill(process *one);

/* Kills it, waits for its end and forgets it. */
void process_end(process *one);

/* The path of the program. */
const char *process_program(void);

#endif
