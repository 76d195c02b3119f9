/* SPDX-License-Identifier: Apache-2.0 */
/* jail.h - what a script's process gives up: in two steps, around compiling. */
#ifndef LIMEN_SUPPORT_JQ_JAIL_H
#define LIMEN_SUPPORT_JQ_JAIL_H

#include <stdint.h>

/* Limits that also hold while the script is compiled.  NULL, or what went wrong. */
const char *jail_limit(void);

/*
 * Once all files have been read and all threads started: no file, no process
 * and no system call any more but those that running takes.  NULL, or what went
 * wrong.
 */
const char *jail_close(void);

/*
 * The process ends 'nanoseconds' from now by itself, should the one that would
 * kill it be gone; 0: it does not.
 */
void jail_alarm(int64_t nanoseconds);

#endif
