/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack.h - libjq walks values by recursion, and a script can nest values
 * hundreds of thousands deep within its time: its calls run on stacks of their
 * own, large and mostly never touched.
 */
#ifndef LIMEN_SUPPORT_JQ_STACK_H
#define LIMEN_SUPPORT_JQ_STACK_H

#include <stdbool.h>

/*
 * Calls job(data) on a large stack, or directly when the thread is on one
 * already.  Returns false if there is no memory for a stack, or if libjq found
 * memory short in the middle of the job (attempt.h).
 */
bool stack_run(void (*job)(void *data), void *data);

#endif
