/* SPDX-License-Identifier: Apache-2.0 */
/* attempt.h - calls libjq so that a shortage of memory does not end the process. */
#ifndef LIMEN_SUPPORT_JQ_ATTEMPT_H
#define LIMEN_SUPPORT_JQ_ATTEMPT_H

#include <stdbool.h>

/*
 * Calls job(data).  Returns false if libjq found memory short: the job was left
 * where it stood, and what it was working on must not be touched again.
 */
bool attempt(void (*job)(void *data), void *data);

/* The handler to give to jq_set_nomem_handler(). */
void attempt_leave(void *unused);

#endif
