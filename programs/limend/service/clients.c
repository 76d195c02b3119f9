/* SPDX-License-Identifier: Apache-2.0 */
#include "clients.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limen/host.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <unistd.h>

/* Connections that are read on, so that what was answered is not lost. */
#define LINGER_MAX 64

/* As long as it takes to read a refusal; in nanoseconds. */
#define LINGER_TIME (INT64_C(2) * 1000000000)

typedef struct lingering {
	int fd;
	int64_t until;
} lingering;

struct clients {
	pthread_mutex_t lock;
	client *first;
	size_t open;
	size_t many; /* so many are too many to let the idle ones be */
	int64_t idle;
	int64_t slow;
	lingering linger[LINGER_MAX];
	size_t linger_count;
};

clients *
clients_new(int64_t idle, int64_t slow, size_t most)
{
	clients *made = g_new0(clients, 1);

	pthread_mutex_init(&made->lock, NULL);
	made->idle = idle;
	made->slow = slow;
	made->many = most - most / 4;
	return made;
}

void
clients_free(clients *all)
{
	if (all == NULL)
		return;
	for (size_t i = 0; i < all->linger_count; i++)
		close(all->linger[i].fd);
	pthread_mutex_destroy(&all->lock);
	g_free(all);
}

client *
client_new(int fd, client_state state)
{
	client *made = g_new0(client, 1);

	made->fd = fd;
	client_enter(made, state);
	return made;
}

void
clients_add(clients *all, client *made)
{
	pthread_mutex_lock(&all->lock);
	made->next = all->first;
	if (all->first != NULL)
		all->first->previous = made;
	all->first = made;
	all->open++;
	pthread_mutex_unlock(&all->lock);
}

/*
 * A socket that is closed with bytes unread resets the connection, and the
 * refusal that was sent may never be seen.  A second descriptor keeps it open.
 */
static void
keep_reading(clients *all, int fd)
{
	int copy;

	if (all->linger_count == LINGER_MAX)
		return;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy == -1)
		return;
	shutdown(copy, SHUT_WR);
	all->linger[all->linger_count++] =
		(lingering){ .fd = copy, .until = limen_host_monotonic() + LINGER_TIME };
}

void
clients_remove(clients *all, client *gone)
{
	pthread_mutex_lock(&all->lock);
	all->open--;
	if (gone->linger)
		keep_reading(all, gone->fd);
	if (gone->next != NULL)
		gone->next->previous = gone->previous;
	if (gone->previous != NULL)
		gone->previous->next = gone->next;
	else
		all->first = gone->next;
	pthread_mutex_unlock(&all->lock);
	g_free(gone->address);
	g_free(gone->local);
	g_free(gone);
}

void
client_enter(client *one, client_state state)
{
	/* In this order a new state is never seen with an old time. */
	atomic_store(&one->since, limen_host_monotonic());
	atomic_store(&one->state, state);
}

/* Bytes that the kernel has received on 'fd' so far; 0 where it does not count them. */
static uint64_t
count_received(int fd)
{
	struct tcp_info facts = { .tcpi_state = 0 };
	socklen_t length = sizeof(facts);

	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &facts, &length) == 0
	               ? facts.tcpi_bytes_received
	               : 0;
}

/*
 * Has the client said all that it will ever say?  libmicrohttpd waits for the
 * kernel to tell of that, which it does not once more if the end came along with
 * the last bytes.
 */
static bool
has_hung_up(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/*
 * A request that has begun to arrive on an idle connection is not told of before
 * its first line is complete; the kernel knows.
 */
static void
note_arrival(client *one, uint64_t received)
{
	int idle = CLIENT_IDLE;

	if (received == one->received || atomic_load(&one->state) != CLIENT_IDLE)
		return;
	atomic_store(&one->since, limen_host_monotonic());
	/* Not if the request is complete by now. */
	atomic_compare_exchange_strong(&one->state, &idle, CLIENT_READING);
}

static bool
is_our_turn(int state)
{
	return state == CLIENT_BUSY || state == CLIENT_WRITING;
}

static int64_t
bound_of(const clients *all, int state)
{
	if (state != CLIENT_IDLE)
		return all->slow;
	return all->open > all->many ? MIN(all->idle, all->slow) : all->idle;
}

/* Is it of no use to wait for 'one' any longer? */
static bool
is_lost(const clients *all, client *one, int64_t now)
{
	int state = atomic_load(&one->state);
	int64_t since = atomic_load(&one->since);
	uint64_t received;

	if (state == CLIENT_BUSY)
		return false;
	if (now - since > bound_of(all, state))
		return true;
	if (is_our_turn(state))
		return false;
	received = one->unix_socket ? 0 : count_received(one->fd);
	/* What was read a moment ago may be under way to an answer: look twice. */
	if (one->looked_since == since) {
		if (has_hung_up(one->fd))
			return true;
		note_arrival(one, received);
	}
	one->looked_since = since;
	one->received = received;
	return false;
}

/* Reads on what nobody wants to know; lock held. */
static void
tick_lingering(clients *all, int64_t now)
{
	static const size_t most = (size_t)1 << 20;
	char waste[16384];

	for (size_t i = all->linger_count; i-- > 0;) {
		lingering *one = &all->linger[i];
		size_t total = 0;
		ssize_t got;

		do {
			got = recv(one->fd, waste, sizeof(waste), MSG_DONTWAIT);
			total += got > 0 ? (size_t)got : 0;
		} while (got > 0 && total < most);
		if (now < one->until && (got > 0 || (got == -1 && errno == EAGAIN)))
			continue;
		close(one->fd);
		*one = all->linger[--all->linger_count];
	}
}

void
clients_tick(clients *all)
{
	int64_t now = limen_host_monotonic();

	pthread_mutex_lock(&all->lock);
	/* Its owner sees the end of the connection and closes it. */
	for (client *one = all->first; one != NULL; one = one->next)
		if (is_lost(all, one, now))
			shutdown(one->fd, SHUT_RDWR);
	tick_lingering(all, now);
	pthread_mutex_unlock(&all->lock);
}

void
clients_count(clients *all, clients_summary *out)
{
	*out = (clients_summary){ .open = 0 };
	pthread_mutex_lock(&all->lock);
	for (client *one = all->first; one != NULL; one = one->next) {
		int state = atomic_load(&one->state);
		int64_t since = atomic_load(&one->since);

		out->open++;
		if (state != CLIENT_IDLE && state != CLIENT_GREETING)
			out->active++;
		if (since > out->last_change)
			out->last_change = since;
	}
	pthread_mutex_unlock(&all->lock);
}
