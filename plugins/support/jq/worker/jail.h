/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jail.h - what the processes of scripts give up: the template before it compiles anything, a
 * worker before it runs anything.  With a sanitizer there is no limit of addresses and no filter
 * of system calls.
 */
#ifndef LIMEN_SUPPORT_JQ_JAIL_H
#define LIMEN_SUPPORT_JQ_JAIL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Is this built with a sanitizer?  Such a program reserves terabytes of addresses, has threads of
 * its own and opens files when it finds something.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Can this system filter system calls?  Asks without changing anything. */
bool jail_has_filter(void);

/*
 * Closes the template: no new privileges, no programs, no network, no files but for reading.
 * Returns NULL, or what went wrong.
 */
const char *jail_template(void);

/* Before the first worker: clears the environment, with the time zone read for good. */
void jail_forget_environment(void);

/*
 * Closes a worker: nothing but memory, time and the socket that is its descriptor 0.  Returns
 * false if that failed.
 */
bool jail_worker(void);

/* Raises the limit of CPU time, so that a run of 'timeout' nanoseconds fits into it. */
void jail_allow(int64_t timeout);

#endif
