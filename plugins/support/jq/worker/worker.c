/* SPDX-License-Identifier: Apache-2.0 */
/* worker.c - makes the memory and the sockets of a worker, and kills it. */
#include "template.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Timeout for the end of a killed worker. */
#define KILL_MILLISECONDS 100

worker *
worker_new(unsigned spins, int fds[2])
{
	worker *made = calloc(1, sizeof(*made));
	int ends[2];

	if (made == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		free(made);
		return NULL;
	}
	*made = (worker){ .socket = ends[0], .shared = shared_new(&fds[0]) };
	fds[1] = ends[1];
	if (made->shared != NULL) {
		atomic_store(&made->shared->spin, spins);
		return made;
	}
	close(fds[1]);
	worker_forget(made);
	return NULL;
}

void
worker_forget(worker *freed)
{
	close(freed->socket);
	shared_free(freed->shared);
	free(freed);
}

/*
 * A worker that outlives its template becomes a child of the nearest subreaper, which may be
 * this process: it has to be gone before the template is, or to be waited for here.
 */
void
worker_end(worker *ended)
{
	struct pollfd watched = { .fd = (int)syscall(SYS_pidfd_open, ended->pid, 0),
		                  .events = POLLIN };
	siginfo_t about;

	/* If it is gone, its number may be that of another process by now. */
	if (getpgid(ended->pid) == ended->group) {
		kill(ended->pid, SIGKILL);
		if (watched.fd >= 0)
			poll(&watched, 1, KILL_MILLISECONDS);
		waitid(P_PID, (id_t)ended->pid, &about, WEXITED | WNOHANG);
	}
	if (watched.fd >= 0)
		close(watched.fd);
	worker_forget(ended);
}
