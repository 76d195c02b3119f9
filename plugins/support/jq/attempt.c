/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attempt.c - libjq ends the process when memory is short, unless the handler
 * that it calls first does not return.  Ours leaves by longjmp().
 */
#include "attempt.h"

#include <jv.h>
#include <setjmp.h>
#include <stddef.h>

/* Where to go from the innermost attempt of this thread. */
static _Thread_local jmp_buf *escape;

void
attempt_leave(void *unused)
{
	(void)unused;
	if (escape != NULL)
		longjmp(*escape, 1);
}

bool
attempt(void (*job)(void *data), void *data)
{
	jmp_buf *const outer = escape;
	jmp_buf out;

	if (setjmp(out) != 0) {
		escape = outer;
		return false;
	}
	escape = &out;
	jv_nomem_handler(attempt_leave, NULL);
	job(data);
	escape = outer;
	return true;
}
