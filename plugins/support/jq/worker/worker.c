/* SPDX-License-Identifier: Apache-2.0 */
/* worker.c - makes the memory and the sockets of a worker, and kills it. */
#include "template.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"

/* Timeout for the end of a killed worker. */
#define KILL_MILLISECONDS 100

/* Messages up to this size keep their pages. */
#define KEPT ((size_t)1 << 20)

shared *
shared_map(int fd)
{
	void *memory = mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Without the seal a worker could shrink the file, which would be a SIGBUS here. */
static bool
make_memory(worker *self, int *fd)
{
	*fd = memfd_create("limen-jq", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd >= 0 && ftruncate(*fd, sizeof(shared)) == 0 &&
	    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		self->shared = shared_map(*fd);
	if (self->shared != NULL)
		return true;
	if (*fd >= 0)
		close(*fd);
	return false;
}

worker *
worker_new(int fds[2])
{
	worker *self = calloc(1, sizeof(*self));
	int ends[2];

	if (self == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		free(self);
		return NULL;
	}
	self->socket = ends[0];
	fds[1] = ends[1];
	if (make_memory(self, &fds[0]))
		return self;
	close(fds[1]);
	worker_forget(self);
	return NULL;
}

ssize_t
worker_ask(worker *self, int64_t deadline)
{
	char answer[CHANNEL_BYTES_MAX];
	const unsigned request = ++self->requests;
	ssize_t length;

	if (!channel_send(self->socket, (const char *)&request, sizeof(request), NULL))
		return CHANNEL_GONE;
	do
		length = channel_receive(self->socket, answer, NULL, deadline);
	while (length > 0 &&
	       (length != sizeof(request) || memcmp(answer, &request, sizeof(request)) != 0));
	return length;
}

void
worker_trim(worker *self, size_t length)
{
	if (length > KEPT)
		madvise((char *)self->shared + KEPT, sizeof(*self->shared) - KEPT, MADV_REMOVE);
}

void
worker_forget(worker *freed)
{
	close(freed->socket);
	if (freed->shared != NULL)
		munmap(freed->shared, sizeof(*freed->shared));
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
