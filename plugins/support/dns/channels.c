/* SPDX-License-Identifier: Apache-2.0 */
#include "channels.h"

#include <ares.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "message.h"

enum {
	IDLE_MAX = 16, /* channels kept for later */
	CLASS_IN = 1,
	/*
	 * A server is asked again when it has not answered in time, and others in
	 * between; an answer to an earlier question still counts.  The tries are
	 * so many that the deadline, not c-ares, ends the waiting.
	 */
	TRY_MILLISECONDS = 500,
	TRIES = 9,
	/* The size that passes unfragmented everywhere (DNS flag day 2020). */
	EDNS_SIZE = 1232
};

#define SECOND INT64_C(1000000000)

/* What tells one state of a file from the next. */
typedef struct mark {
	int64_t modified;
	uint64_t inode;
	int64_t size;
} mark;

struct channels {
	servers servers;
	const char *path;
	pthread_mutex_t lock; /* guards what follows */
	ares_channel idle[IDLE_MAX];
	size_t count;
	unsigned generation; /* of the file; channels of older ones are not kept */
	mark mark;
	int64_t looked; /* when the file was looked at last */
};

static mark
look_at(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0)
		return (mark){ .size = -1 };
	return (mark){
		.modified = (int64_t)info.st_mtim.tv_sec * SECOND + info.st_mtim.tv_nsec,
		.inode = info.st_ino,
		.size = info.st_size,
	};
}

static void
initialise_library(void)
{
	ares_library_init(ARES_LIB_INIT_ALL);
}

channels *
channels_new(const servers *list, const char *path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	channels *stock = calloc(1, sizeof(*stock));

	pthread_once(&once, initialise_library);
	if (stock == NULL)
		return NULL;
	stock->servers = *list;
	stock->path = path;
	stock->mark = look_at(path);
	stock->looked = limen_host_monotonic();
	pthread_mutex_init(&stock->lock, NULL);
	return stock;
}

/* The lock is held, or nobody else has 'stock'. */
static void
drop_idle(channels *stock)
{
	while (stock->count > 0)
		ares_destroy(stock->idle[--stock->count]);
}

void
channels_free(channels *stock)
{
	if (stock == NULL)
		return;
	drop_idle(stock);
	pthread_mutex_destroy(&stock->lock);
	free(stock);
}

bool
channels_are_stale(channels *stock)
{
	int64_t now = limen_host_monotonic();
	bool stale = false;
	mark seen;

	if (stock->servers.count > 0)
		return false;
	pthread_mutex_lock(&stock->lock);
	if (now - stock->looked >= SECOND) {
		stock->looked = now;
		seen = look_at(stock->path);
		stale = seen.modified != stock->mark.modified ||
		        seen.inode != stock->mark.inode || seen.size != stock->mark.size;
		stock->mark = seen;
	}
	if (stale) {
		stock->generation++;
		drop_idle(stock);
	}
	pthread_mutex_unlock(&stock->lock);
	return stale;
}

/* ---- making a channel ---- */

static int
set_servers(ares_channel channel, const servers *list)
{
	struct ares_addr_port_node nodes[SERVERS_MAX];

	memset(nodes, 0, sizeof(nodes));
	for (size_t i = 0; i < list->count; i++) {
		const name_server *one = &list->items[i];

		nodes[i].next = i + 1 < list->count ? &nodes[i + 1] : NULL;
		nodes[i].family = one->address.family == 4 ? AF_INET : AF_INET6;
		memcpy(&nodes[i].addr, one->address.bytes, one->address.family == 4 ? 4 : 16);
		nodes[i].udp_port = one->port;
		nodes[i].tcp_port = one->port;
	}
	return ares_set_servers_ports(channel, nodes);
}

/* Returns the status of c-ares. */
static int
make_channel(const channels *stock, int more_flags, ares_channel *out)
{
	char lookups[] = "b";
	char *path = strdup(stock->path);
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS | more_flags,
		.timeout = TRY_MILLISECONDS,
		.tries = TRIES,
		.lookups = lookups,
		.ednspsz = EDNS_SIZE,
		.resolvconf_path = path,
	};
	int status = ARES_ENOMEM;

	if (path != NULL)
		status = ares_init_options(out, &options,
		                           ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
		                                   ARES_OPT_LOOKUPS | ARES_OPT_EDNSPSZ |
		                                   ARES_OPT_RESOLVCONF);
	free(path);
	if (status == ARES_SUCCESS && stock->servers.count > 0) {
		status = set_servers(*out, &stock->servers);
		if (status != ARES_SUCCESS)
			ares_destroy(*out);
	}
	return status;
}

static bool
has_one_server(ares_channel channel)
{
	struct ares_addr_port_node *nodes = NULL;
	bool one;

	if (ares_get_servers_ports(channel, &nodes) != ARES_SUCCESS)
		return false;
	one = nodes != NULL && nodes->next == NULL;
	ares_free_data(nodes);
	return one;
}

/*
 * Where several servers are, one that fails is passed over in favour of the
 * next; a single one would be asked again and again, so its word counts.
 */
static int
open_channel(const channels *stock, ares_channel *out)
{
	int status = make_channel(stock, 0, out);

	if (status != ARES_SUCCESS || !has_one_server(*out))
		return status;
	ares_destroy(*out);
	return make_channel(stock, ARES_FLAG_NOCHECKRESP, out);
}

static int
take_channel(channels *stock, ares_channel *out, unsigned *generation)
{
	bool taken = false;

	pthread_mutex_lock(&stock->lock);
	*generation = stock->generation;
	if (stock->count > 0) {
		*out = stock->idle[--stock->count];
		taken = true;
	}
	pthread_mutex_unlock(&stock->lock);
	return taken ? ARES_SUCCESS : open_channel(stock, out);
}

static void
give_back(channels *stock, ares_channel channel, unsigned generation)
{
	bool kept;

	pthread_mutex_lock(&stock->lock);
	kept = generation == stock->generation && stock->count < IDLE_MAX;
	if (kept)
		stock->idle[stock->count++] = channel;
	pthread_mutex_unlock(&stock->lock);
	if (!kept)
		ares_destroy(channel);
}

/* ---- one question ---- */

typedef struct question {
	dns_type type;
	bool over;
	bool late;
	answer *answer;
} question;

static const char *
status_text(const question *one, int status)
{
	if (one->late || status == ARES_ETIMEOUT)
		return "no name server answered in time";
	if (status == ARES_EBADNAME)
		return "the name is none that can be asked for";
	if (status == ARES_ECONNREFUSED)
		return "no name server could be reached, or all of them failed";
	return "the question could not be asked";
}

/*
 * What c-ares thinks of the message does not matter here: its statuses for an
 * answer that has been received all come with the message itself.
 */
static void
receive(void *data, int status, int timeouts, unsigned char *bytes, int length)
{
	question *one = data;

	(void)timeouts;
	one->over = true;
	if (bytes != NULL && length > 0)
		one->answer = message_read(one->type, bytes, (size_t)length);
	else if (status != ARES_ENOMEM)
		one->answer = answer_failed(status_text(one, status));
}

/* How long to sleep: until c-ares wants to ask again, or the deadline. */
static struct timespec
time_to_sleep(ares_channel channel, int64_t left)
{
	struct timeval room;
	struct timeval *wish = ares_timeout(channel, NULL, &room);
	int64_t sleep = left;

	if (wish != NULL && wish->tv_sec < left / SECOND + 1)
		sleep = (int64_t)wish->tv_sec * SECOND + (int64_t)wish->tv_usec * 1000;
	if (sleep > left)
		sleep = left;
	return (struct timespec){ .tv_sec = (time_t)(sleep / SECOND),
	                          .tv_nsec = (long)(sleep % SECOND) };
}

static nfds_t
list_sockets(ares_channel channel, struct pollfd *out)
{
	ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
	/* c-ares' own macros for these bits shift the one into the sign of an int. */
	unsigned bits = (unsigned)ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
	nfds_t count = 0;

	for (int i = 0; i < ARES_GETSOCK_MAXNUM; i++) {
		short events = 0;

		if ((bits & 1U << i) != 0)
			events |= POLLIN;
		if ((bits & 1U << (i + ARES_GETSOCK_MAXNUM)) != 0)
			events |= POLLOUT;
		if (events != 0)
			out[count++] = (struct pollfd){ .fd = sockets[i], .events = events };
	}
	return count;
}

static void
wait_once(ares_channel channel, int64_t left)
{
	struct pollfd sockets[ARES_GETSOCK_MAXNUM];
	nfds_t count = list_sockets(channel, sockets);
	struct timespec sleep = time_to_sleep(channel, left);
	int ready = ppoll(sockets, count, &sleep, NULL);

	if (ready <= 0) {
		ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
		return;
	}
	for (nfds_t i = 0; i < count; i++) {
		bool reads = (sockets[i].revents & (POLLIN | POLLERR | POLLHUP)) != 0;
		bool writes = (sockets[i].revents & POLLOUT) != 0;

		if (reads || writes)
			ares_process_fd(channel, reads ? sockets[i].fd : ARES_SOCKET_BAD,
			                writes ? sockets[i].fd : ARES_SOCKET_BAD);
	}
}

answer *
channels_ask(channels *stock, dns_type type, const char *name, int64_t deadline)
{
	question one = { .type = type };
	ares_channel channel;
	unsigned generation;
	int status = take_channel(stock, &channel, &generation);

	if (status != ARES_SUCCESS)
		return status == ARES_ENOMEM ? NULL : answer_failed("c-ares does not start");
	ares_query(channel, name, CLASS_IN, (int)type, receive, &one);
	while (!one.over) {
		int64_t left = deadline - limen_host_monotonic();

		if (left <= 0) {
			one.late = true;
			ares_cancel(channel);
			break;
		}
		wait_once(channel, left);
	}
	give_back(stock, channel, generation);
	return one.answer;
}
