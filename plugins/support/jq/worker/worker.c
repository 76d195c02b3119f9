/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.c - makes the memory and the sockets of a worker, has a template fork it, and kills it.
 */
#include "worker.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"

/* How long a killed worker may take to end. */
#define KILL_MILLISECONDS 100

worker *
worker_new(unsigned spins, int fds[2])
{
	worker *made = calloc(1, sizeof(*made));
	int ends[2];

	if (made == NULL)
		return NULL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		free(made);
		return NULL;
	}
	*made = (worker){ .socket = ends[0], .pidfd = -1, .shared = shared_new(&fds[0]) };
	fds[1] = ends[1];
	if (made->shared != NULL) {
		atomic_store(&made->shared->spin, spins);
		return made;
	}
	close(fds[1]);
	worker_forget(made);
	return NULL;
}

bool
worker_fork(worker *made, const process *from, const int fds[2], int64_t deadline)
{
	text answer = { .bytes = NULL };
	int32_t pid = 0;

	if (channel_send(from->socket, "F", 1, fds, deadline) != CHANNEL_OK ||
	    channel_receive(from->socket, &answer, NULL, deadline) != CHANNEL_OK)
		return false;
	if (answer.length == sizeof(pid))
		memcpy(&pid, answer.bytes, sizeof(pid));
	text_free(&answer);
	if (pid <= 1)
		return false;
	made->pid = pid;
	made->group = from->pid;
	made->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	/* A liar could name any process of this user, which would then be killed. */
	if (getpgid(pid) == made->group)
		return true;
	if (made->pidfd >= 0)
		close(made->pidfd);
	made->pidfd = -1;
	return false;
}

void
worker_forget(worker *freed)
{
	close(freed->socket);
	if (freed->pidfd >= 0)
		close(freed->pidfd);
	shared_free(freed->shared);
	free(freed);
}

/*
 * A worker that outlives its template becomes a child of the nearest subreaper, which may be
 * this process: it has to be gone before the template is, or to be waited for here.
 */
static void
await_end(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	siginfo_t about;

	poll(&ended, 1, KILL_MILLISECONDS);
	waitid(BY_PIDFD, (id_t)pidfd, &about, WEXITED | WNOHANG);
}

void
worker_end(worker *ended)
{
	if (ended->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, ended->pidfd, SIGKILL, NULL, 0);
	else if (ended->pid > 0 && getpgid(ended->pid) == ended->group)
		kill(ended->pid, SIGKILL);
	if (ended->pidfd >= 0)
		await_end(ended->pidfd);
	worker_forget(ended);
}
