/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_pipe.c - writing to a connection the server has closed raises SIGPIPE,
 * which ends a process that does not expect it.  libcurl is told to leave
 * signals alone (CURLOPT_NOSIGNAL), because they belong to the process, so this
 * thread holds the signal back and takes it out again.
 */
#include <time.h>

#include "http_private.h"

static void
only_pipe(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGPIPE);
}

void
http_pipe_block(pipe_guard *guard)
{
	sigset_t pending;
	sigset_t set;

	only_pipe(&set);
	sigemptyset(&pending);
	sigpending(&pending);
	guard->pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &set, &guard->before);
}

void
http_pipe_unblock(const pipe_guard *guard)
{
	static const struct timespec at_once;
	sigset_t set;

	only_pipe(&set);
	/* A SIGPIPE that was pending before belongs to other code. */
	if (!guard->pending)
		sigtimedwait(&set, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}
