/* SPDX-License-Identifier: Apache-2.0 */
/* channels.c - a stock of channels of c-ares, and one question over one of them. */
#include "channels.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cares.h"
#include "message.h"

enum {
	IDLE_MAX = 16, /* channels kept for later */
	/*
	 * A server that has not answered in time is asked again, after the others; a late
	 * answer to an earlier try still counts.  TRIES is large enough for the deadline,
	 * not c-ares, to end the wait.
	 */
	TRY_MILLISECONDS = 500,
	TRIES = 9,
	/* The size that passes unfragmented everywhere (DNS flag day 2020). */
	EDNS_SIZE = 1232
};

#define SECOND INT64_C(1000000000)

/* Identifies a state of a file: any change of it changes a member. */
typedef struct mark {
	int64_t modified;
	uint64_t inode;
	int64_t size;
} mark;

/* The sockets of a channel: one of UDP and one of TCP for each server that is asked. */
#define SOCKETS_MAX 32

/* A channel of c-ares, with what it waits for. */
typedef struct channel {
	ares_channel ares;
	bool alone; /* it asks one server */
	unsigned generation;
	struct pollfd sockets[SOCKETS_MAX];
	nfds_t count;
} channel;

struct channels {
	servers servers;
	const char *path;
	pthread_mutex_t lock; /* guards what follows */
	channel *idle[IDLE_MAX];
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

static void
free_channel(channel *one)
{
	ares_destroy(one->ares);
	free(one);
}

/* The caller holds the lock or is the only user of 'stock'. */
static void
drop_idle(channels *stock)
{
	while (stock->count > 0)
		free_channel(stock->idle[--stock->count]);
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

/* c-ares tells here which sockets it waits for. */
static void
note_socket(void *data, ares_socket_t fd, int reads, int writes)
{
	channel *one = data;
	short events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
	nfds_t at = 0;

	while (at < one->count && one->sockets[at].fd != fd)
		at++;
	if (events == 0 && at < one->count)
		one->sockets[at] = one->sockets[--one->count];
	else if (events != 0 && at < SOCKETS_MAX)
		one->sockets[at] = (struct pollfd){ .fd = fd, .events = events };
	if (events != 0 && at == one->count && at < SOCKETS_MAX)
		one->count++;
}

/* Returns the status of c-ares. */
static int
start(const channels *stock, int more_flags, channel *one)
{
	char lookups[] = "b";
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS | more_flags,
		.timeout = TRY_MILLISECONDS,
		.tries = TRIES,
		.lookups = lookups,
		.ednspsz = EDNS_SIZE,
		.sock_state_cb = note_socket,
		.sock_state_cb_data = one,
		.resolvconf_path = (char *)(uintptr_t)stock->path,
	};
	int status = ares_init_options(&one->ares, &options,
	                               ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
	                                       ARES_OPT_LOOKUPS | ARES_OPT_EDNSPSZ |
	                                       ARES_OPT_SOCK_STATE_CB | ARES_OPT_RESOLVCONF |
	                                       cares_forget(&options));

	if (status == ARES_SUCCESS)
		cares_guard(one->ares);
	if (status == ARES_SUCCESS && stock->servers.count > 0) {
		status = ares_set_servers_ports_csv(one->ares, stock->servers.text);
		if (status != ARES_SUCCESS)
			ares_destroy(one->ares);
	}
	return status;
}

/*
 * With several servers, c-ares skips one that returns an error.  A single server would be
 * asked again and again, so its error response is accepted (ARES_FLAG_NOCHECKRESP).
 */
static int
open_channel(const channels *stock, channel **out)
{
	channel *one = calloc(1, sizeof(*one));
	int status = one == NULL ? ARES_ENOMEM : start(stock, 0, one);

	if (status == ARES_SUCCESS && cares_has_one_server(one->ares)) {
		ares_destroy(one->ares);
		one->alone = true;
		status = start(stock, ARES_FLAG_NOCHECKRESP, one);
	}
	if (status != ARES_SUCCESS) {
		free(one);
		one = NULL;
	}
	*out = one;
	return status;
}

static int
take_channel(channels *stock, channel **out)
{
	unsigned generation;
	int status = ARES_SUCCESS;

	pthread_mutex_lock(&stock->lock);
	generation = stock->generation;
	*out = stock->count > 0 ? stock->idle[--stock->count] : NULL;
	pthread_mutex_unlock(&stock->lock);
	if (*out == NULL)
		status = open_channel(stock, out);
	if (*out != NULL)
		(*out)->generation = generation;
	return status;
}

static void
give_back(channels *stock, channel *one)
{
	bool kept;

	pthread_mutex_lock(&stock->lock);
	kept = one->generation == stock->generation && stock->count < IDLE_MAX;
	if (kept)
		stock->idle[stock->count++] = one;
	pthread_mutex_unlock(&stock->lock);
	if (!kept)
		free_channel(one);
}

/* ---- one question ---- */

static const char *
status_text(int status)
{
	switch (status) {
	case ARES_ETIMEOUT:
	case ARES_ECANCELLED:
		return "no name server answered in time";
	case ARES_EBADNAME:
		return "the name cannot be queried";
	case ARES_EBADRESP:
		return message_malformed;
	case ARES_ECONNREFUSED:
	case ARES_ESERVFAIL:
	case ARES_ENOTIMP:
	case ARES_EREFUSED:
		return "no name server could be reached, or all of them failed";
	default:
		return "the query could not be sent";
	}
}

/* Returns the time until c-ares wants to ask again, or until the deadline. */
static struct timespec
time_to_sleep(ares_channel ares, int64_t left)
{
	struct timeval most = { .tv_sec = (time_t)(left / SECOND),
		                .tv_usec = (suseconds_t)(left % SECOND / 1000) };
	struct timeval room;
	struct timeval *wish = ares_timeout(ares, &most, &room);

	return (struct timespec){ .tv_sec = wish->tv_sec, .tv_nsec = wish->tv_usec * 1000L };
}

static void
wait_once(channel *one, int64_t left)
{
	struct pollfd ready[SOCKETS_MAX];
	nfds_t count = one->count;
	struct timespec sleep = time_to_sleep(one->ares, left);

	memcpy(ready, one->sockets, count * sizeof(ready[0]));
	if (ppoll(ready, count, &sleep, NULL) <= 0) {
		ares_process_fd(one->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
		return;
	}
	for (nfds_t i = 0; i < count; i++) {
		bool reads = (ready[i].revents & (POLLIN | POLLERR | POLLHUP)) != 0;
		bool writes = (ready[i].revents & POLLOUT) != 0;

		if (reads || writes)
			ares_process_fd(one->ares, reads ? ready[i].fd : ARES_SOCKET_BAD,
			                writes ? ready[i].fd : ARES_SOCKET_BAD);
	}
}

answer *
channels_ask(channels *stock, dns_type type, const char *name, limen_deadline deadline)
{
	cares_question asked = { .type = type };
	channel *one;
	int status = take_channel(stock, &one);

	if (status != ARES_SUCCESS)
		return status == ARES_ENOMEM ? NULL : answer_failed("c-ares does not start");
	asked.alone = one->alone;
	cares_ask(one->ares, name, &asked);
	while (!asked.over) {
		int64_t left = deadline - limen_host_monotonic();

		if (left > 0)
			wait_once(one, left);
		else
			ares_cancel(one->ares);
	}
	give_back(stock, one);
	if (asked.answer == NULL && asked.status != ARES_SUCCESS && asked.status != ARES_ENOMEM)
		return answer_failed(status_text(asked.status));
	return asked.answer;
}
