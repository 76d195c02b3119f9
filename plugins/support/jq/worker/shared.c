/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared.c - makes and maps the memory, and waits.  Either side announces that it sleeps before
 * it looks at the counter for the last time, so that no wake-up is lost.
 */
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"

/* Messages up to this size keep their pages. */
#define KEPT ((size_t)1 << 20)

shared *
shared_map(int fd)
{
	void *made = mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return made == MAP_FAILED ? NULL : made;
}

shared *
shared_new(int *fd)
{
	shared *made = NULL;

	*fd = memfd_create("limen-jq", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0)
		return NULL;
	/* Without the seal a worker could shrink the file, which would be a SIGBUS here. */
	if (ftruncate(*fd, sizeof(shared)) == 0 &&
	    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		made = shared_map(*fd);
	if (made == NULL)
		close(*fd);
	return made;
}

void
shared_free(shared *freed)
{
	if (freed != NULL)
		munmap(freed, sizeof(*freed));
}

void
shared_trim(shared *with, size_t length)
{
	if (length > KEPT)
		madvise((char *)with + KEPT, sizeof(*with) - KEPT, MADV_REMOVE);
}

/* Spins until 'counter' is 'wanted'; returns false when it is time to sleep. */
static bool
spin(atomic_uint *counter, unsigned wanted, unsigned nanoseconds)
{
	int64_t end = 0;

	for (unsigned i = 0;; i++) {
		if (atomic_load_explicit(counter, memory_order_acquire) == wanted)
			return true;
		if (nanoseconds == 0)
			return false;
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#endif
		if (i % 32 != 31)
			continue;
		if (end == 0)
			end = limen_host_monotonic() + nanoseconds;
		else if (limen_host_monotonic() >= end)
			return false;
	}
}

/* Wakes the other side if it sleeps; returns false if it is gone. */
static bool
wake(atomic_uint *waits, int socket)
{
	return atomic_load(waits) == 0 ||
	       send(socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno != EPIPE;
}

/* Takes the bytes that have come; returns false if the other side is gone. */
static bool
drain(int socket, int flags)
{
	char bytes[64];
	ssize_t got = recv(socket, bytes, sizeof(bytes), flags);

	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

shared_result
shared_ask(shared *with, int socket, unsigned request, unsigned spins, int64_t deadline)
{
	shared_result result = SHARED_LATE;

	atomic_store(&with->asked, request);
	if (!wake(&with->worker_waits, socket))
		return SHARED_GONE;
	if (spin(&with->answered, request, spins))
		return SHARED_OK;
	atomic_store(&with->host_waits, 1);
	while (result == SHARED_LATE && atomic_load(&with->answered) != request) {
		if (!channel_wait(socket, deadline))
			break;
		if (!drain(socket, MSG_DONTWAIT))
			result = SHARED_GONE;
	}
	if (atomic_load(&with->answered) == request)
		result = SHARED_OK;
	atomic_store(&with->host_waits, 0);
	return result;
}

bool
shared_wait(shared *with, int socket, unsigned next)
{
	bool is_there = true;

	if (spin(&with->asked, next, atomic_load(&with->spin)))
		return true;
	atomic_store(&with->worker_waits, 1);
	while (is_there && atomic_load(&with->asked) != next)
		is_there = drain(socket, 0);
	atomic_store(&with->worker_waits, 0);
	return is_there;
}

void
shared_answer(shared *with, int socket, unsigned request)
{
	atomic_store(&with->answered, request);
	wake(&with->host_waits, socket);
}
