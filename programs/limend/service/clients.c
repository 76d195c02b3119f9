/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clients.c - the connections of a listener by their peers, the time that each state of a
 * connection may take, and which connection is shut down when there are too many.
 */
#include "clients.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/coarse_clock.h"

/* Closed connections that are still read, so that the client can read its answer first. */
#define LINGER_MAX 64

/* How long a client has to read a refusal, in nanoseconds. */
#define LINGER_TIME (INT64_C(2) * 1000000000)

typedef struct lingering {
	int fd;
	int64_t until;
} lingering;

/* One address (of IPv6: one network of 64 bits), or all clients of a unix socket. */
typedef struct peer {
	char *address; /* "": a unix socket */
	size_t open;   /* without connections that were shed */
	GQueue clients; /* the oldest first */
} peer;

struct clients {
	pthread_mutex_t lock;
	GHashTable *peers; /* by address */
	size_t open;       /* without connections that were shed */
	size_t most;
	size_t many; /* above this, idle connections have the shorter bound */
	int64_t idle;
	int64_t slow;
	lingering linger[LINGER_MAX];
	size_t linger_count;
};

static void
free_peer(gpointer data)
{
	peer *gone = data;

	g_free(gone->address);
	g_free(gone);
}

clients *
clients_new(int64_t idle, int64_t slow, size_t most)
{
	clients *all = g_new0(clients, 1);

	pthread_mutex_init(&all->lock, NULL);
	all->peers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_peer);
	all->idle = idle;
	all->slow = slow;
	all->most = most;
	all->many = most - most / 4;
	return all;
}

void
clients_free(clients *all)
{
	if (all == NULL)
		return;
	for (size_t i = 0; i < all->linger_count; i++)
		close(all->linger[i].fd);
	g_hash_table_destroy(all->peers);
	pthread_mutex_destroy(&all->lock);
	g_free(all);
}

client *
client_new(int fd, client_state state)
{
	client *connection = g_new0(client, 1);

	connection->fd = fd;
	connection->link.data = connection;
	client_enter(connection, state);
	return connection;
}

/* ---- making room ---- */

/* An IPv6 host has a whole /64 network (RFC 4291), so all addresses of a /64 are one peer. */
static char *
key_of(const char *address)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr network;

	if (address == NULL)
		return g_strdup("");
	if (inet_pton(AF_INET6, address, &network) != 1 || IN6_IS_ADDR_V4MAPPED(&network))
		return g_strdup(address);
	memset(&network.s6_addr[8], 0, 8);
	return g_strdup(inet_ntop(AF_INET6, &network, text, sizeof(text)));
}

static peer *
find_peer(clients *all, const char *address)
{
	char *key = key_of(address);
	peer *found = g_hash_table_lookup(all->peers, key);

	if (found != NULL) {
		g_free(key);
		return found;
	}
	found = g_new0(peer, 1);
	found->address = key;
	g_hash_table_insert(all->peers, found->address, found);
	return found;
}

/* Finds the peer with the most connections; in a tie, not the peer of the new 'connection'. */
static peer *
find_largest(clients *all, const client *connection)
{
	GHashTableIter iter;
	gpointer value;
	peer *largest = NULL;

	g_hash_table_iter_init(&iter, all->peers);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		peer *other = value;

		if (largest == NULL || other->open > largest->open ||
		    (other->open == largest->open && largest == connection->peer))
			largest = other;
	}
	return largest;
}

/* Finds the client of 'from' that was longest in a state of 'states' (bits); skips 'newest'. */
static client *
find_longest(const peer *from, unsigned states, const client *newest)
{
	client *longest = NULL;

	for (GList *link = from->clients.head; link != NULL; link = link->next) {
		client *connection = link->data;
		bool wanted = (states & 1U << atomic_load(&connection->state)) != 0;

		if (wanted && !connection->shed && connection != newest &&
		    (longest == NULL || atomic_load(&connection->since) < atomic_load(&longest->since)))
			longest = connection;
	}
	return longest;
}

/* Finds a connection to shed, of the peer that has the most; it may be 'connection' itself. */
static client *
find_victim(clients *all, client *connection)
{
	const peer *largest = find_largest(all, connection);
	client *found = find_longest(largest, 1U << CLIENT_IDLE, connection);

	if (found == NULL)
		found = find_longest(largest, 1U << CLIENT_GREETING | 1U << CLIENT_READING, connection);
	if (found == NULL)
		found = find_longest(largest, 1U << CLIENT_BODY | 1U << CLIENT_WRITING, connection);
	return found == NULL && connection->peer == largest ? connection : found;
}

bool
clients_add(clients *all, client *connection)
{
	client *victim = NULL;

	pthread_mutex_lock(&all->lock);
	connection->peer = find_peer(all, connection->address);
	g_queue_push_tail_link(&connection->peer->clients, &connection->link);
	connection->peer->open++;
	if (++all->open > all->most)
		victim = find_victim(all, connection);
	if (victim != NULL) {
		/* libmicrohttpd sees the end of the connection and closes the descriptor. */
		shutdown(victim->fd, SHUT_RDWR);
		victim->shed = true;
		victim->peer->open--;
		all->open--;
	}
	pthread_mutex_unlock(&all->lock);
	return victim != NULL;
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

static bool
has_unread(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void
clients_remove(clients *all, client *gone)
{
	pthread_mutex_lock(&all->lock);
	if (!gone->shed) {
		all->open--;
		gone->peer->open--;
	}
	/* libmicrohttpd itself refuses a head that is too long, and leaves the rest of it. */
	if (gone->linger || has_unread(gone->fd))
		keep_reading(all, gone->fd);
	g_queue_unlink(&gone->peer->clients, &gone->link);
	if (g_queue_is_empty(&gone->peer->clients))
		g_hash_table_remove(all->peers, gone->peer->address);
	pthread_mutex_unlock(&all->lock);
	g_free(gone->address);
	g_free(gone->local);
	g_free(gone);
}

const char *
client_peer(const client *connection)
{
	return connection->peer->address;
}

/* ---- time ---- */

void
client_enter(client *connection, client_state state)
{
	/*
	 * The time is stored first, so a new state is never seen with an old time.  A decision that
	 * begins must be seen before anything else is read: its thread asks then whether all ends.
	 */
	if (state == CLIENT_BUSY) {
		atomic_store(&connection->state, state);
		return;
	}
	if (state != CLIENT_BODY)
		atomic_store_explicit(&connection->since, coarse_clock(), memory_order_relaxed);
	atomic_store_explicit(&connection->state, state, memory_order_release);
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
 * Has the client closed its side of the connection?  libmicrohttpd misses it if the end arrived
 * together with the last bytes, because the kernel reports it only once.
 */
static bool
has_hung_up(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/*
 * libmicrohttpd reports a request only after its first line is complete.  The count of received
 * bytes shows earlier that one has begun to arrive on an idle connection.
 */
static void
note_arrival(client *connection, uint64_t received)
{
	int idle = CLIENT_IDLE;

	if (received == connection->received || atomic_load(&connection->state) != CLIENT_IDLE)
		return;
	atomic_store(&connection->since, limen_host_monotonic());
	/* The exchange fails if the request is complete by now. */
	atomic_compare_exchange_strong(&connection->state, &idle, CLIENT_READING);
}

/* Has the connection 'connection' exceeded its bound, or has its client hung up? */
static bool
is_lost(const clients *all, client *connection, int64_t now)
{
	int state = atomic_load(&connection->state);
	int64_t since = atomic_load(&connection->since);
	int64_t bound = state == CLIENT_IDLE ? all->idle : all->slow;
	uint64_t received;

	if (state == CLIENT_BUSY)
		return false;
	if (all->open > all->many)
		bound = MIN(bound, all->slow);
	if (now - since > bound)
		return true;
	if (state == CLIENT_WRITING)
		return false;
	received = connection->unix_socket ? 0 : count_received(connection->fd);
	/* A request read just now may not show in the state yet, so two looks must agree. */
	if (connection->looked_since == since) {
		if (has_hung_up(connection->fd))
			return true;
		note_arrival(connection, received);
	}
	connection->looked_since = since;
	connection->received = received;
	return false;
}

/* Reads and discards what lingering connections still send, at most 1 MiB each; lock held. */
static void
tick_lingering(clients *all, int64_t now)
{
	static const size_t most = (size_t)1 << 20;
	char waste[16384];

	for (size_t i = all->linger_count; i-- > 0;) {
		lingering *closing = &all->linger[i];
		size_t total = 0;
		ssize_t got;

		do {
			got = recv(closing->fd, waste, sizeof(waste), MSG_DONTWAIT);
			total += got > 0 ? (size_t)got : 0;
		} while (got > 0 && total < most);
		if (now < closing->until && (got > 0 || (got == -1 && errno == EAGAIN)))
			continue;
		close(closing->fd);
		*closing = all->linger[--all->linger_count];
	}
}

void
clients_tick(clients *all)
{
	int64_t now = limen_host_monotonic();
	GHashTableIter iter;
	gpointer from;

	pthread_mutex_lock(&all->lock);
	g_hash_table_iter_init(&iter, all->peers);
	while (g_hash_table_iter_next(&iter, NULL, &from))
		for (GList *link = ((peer *)from)->clients.head; link != NULL; link = link->next)
			if (is_lost(all, link->data, now))
				shutdown(((client *)link->data)->fd, SHUT_RDWR);
	tick_lingering(all, now);
	pthread_mutex_unlock(&all->lock);
}

/*
 * Is a request, or a handshake, on its way?  On a busy machine bytes wait for a while before the
 * state of their connection shows it.
 */
static bool
is_active(const client *connection)
{
	int state = atomic_load(&connection->state);

	if (state == CLIENT_GREETING)
		return count_received(connection->fd) > 0;
	return state != CLIENT_IDLE || has_unread(connection->fd);
}

void
clients_count(clients *all, clients_summary *sum)
{
	GHashTableIter iter;
	gpointer from;

	pthread_mutex_lock(&all->lock);
	g_hash_table_iter_init(&iter, all->peers);
	while (g_hash_table_iter_next(&iter, NULL, &from)) {
		for (GList *link = ((peer *)from)->clients.head; link != NULL; link = link->next) {
			const client *connection = link->data;

			sum->open++;
			sum->active += is_active(connection);
			sum->busy += atomic_load(&connection->state) == CLIENT_BUSY;
			sum->last_change = MAX(sum->last_change, atomic_load(&connection->since));
		}
	}
	pthread_mutex_unlock(&all->lock);
}
