/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channels.c - the thread of a resolver, its channels of c-ares, and the questions under way.
 * Callers add questions to a list under the lock; all else belongs to the thread.
 */
#include "channels.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cares.h"
#include "message.h"

enum {
	CHANNELS_MAX = 64,
	IDLE_MAX = 16, /* channels kept for later */
	/*
	 * A server that has not answered in time is asked again, after the others, and after
	 * twice the time; a late answer to an earlier try still counts.  A question that has more
	 * time than these tries begins anew.
	 */
	TRY_MILLISECONDS = 500,
	TRIES = 3,
	/* How often c-ares may look at its timeouts, and deadlines are looked at. */
	TICK_MILLISECONDS = 20,
	/* The size that passes unfragmented everywhere (DNS flag day 2020). */
	EDNS_SIZE = 1232,
	EVENTS_MAX = 64
};

#define MILLISECOND INT64_C(1000000)
#define SECOND      INT64_C(1000000000)

/* In place of a channel in the data of an event. */
#define WAKE UINT32_MAX

/* Identifies a state of a file: any change of it changes a member. */
typedef struct mark {
	int64_t modified;
	uint64_t inode;
	int64_t size;
} mark;

/* A channel of c-ares. */
typedef struct channel {
	ares_channel ares;
	channels *stock;
	uint32_t number;
	bool alone;   /* it asks one server */
	size_t count; /* questions that c-ares has */
} channel;

typedef struct query {
	cares_question asked; /* the first member */
	struct query *next;   /* among those to be sent, or those under way */
	struct query **link;
	channels *stock;
	channel *channel;
	int64_t begun;
	limen_deadline deadline;
	bool settled; /* only c-ares still knows it */
	key key;
} query;

struct channels {
	servers servers;
	const char *path;
	cache *store;
	pthread_mutex_t lock; /* guards what follows, up to the thread's */
	query *added;
	query **added_end;
	bool runs;
	pthread_t thread;
	channels_figures figures;
	atomic_bool stopping; /* not under the lock, like what follows */
	atomic_size_t queries; /* increased under the lock */
	int wake; /* eventfd */
	int epoll;
	/* Only the thread uses these. */
	channel *all[CHANNELS_MAX]; /* NULL: not open */
	query *fresh;      /* to be sent */
	query *under_way;
	int64_t ticked;
	mark mark;
	int64_t looked; /* when the file was looked at last */
};

/* ---- the file that names the servers ---- */

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

/* Has the file changed?  It is looked at once a second at most. */
static bool
is_stale(channels *stock, int64_t now)
{
	mark seen;
	bool stale;

	if (stock->servers.count > 0 || now - stock->looked < SECOND)
		return false;
	stock->looked = now;
	seen = look_at(stock->path);
	stale = seen.modified != stock->mark.modified || seen.inode != stock->mark.inode ||
	        seen.size != stock->mark.size;
	stock->mark = seen;
	return stale;
}

/* ---- channels ---- */

/* c-ares tells here which sockets it waits for. */
static void
note_socket(void *data, ares_socket_t fd, int reads, int writes)
{
	const channel *item = data;
	struct epoll_event event = {
		.events = (reads ? EPOLLIN : 0U) | (writes ? EPOLLOUT : 0U),
		.data.u64 = (uint64_t)item->number << 32 | (uint32_t)fd,
	};

	if (event.events == 0)
		epoll_ctl(item->stock->epoll, EPOLL_CTL_DEL, fd, NULL);
	else if (epoll_ctl(item->stock->epoll, EPOLL_CTL_MOD, fd, &event) != 0)
		epoll_ctl(item->stock->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Returns the status of c-ares. */
static int
start(const channels *stock, int more_flags, channel *item)
{
	char lookups[] = "b";
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS | more_flags,
		.timeout = TRY_MILLISECONDS,
		.tries = TRIES,
		.lookups = lookups,
		.ednspsz = EDNS_SIZE,
		.sock_state_cb = note_socket,
		.sock_state_cb_data = item,
		.resolvconf_path = (char *)(uintptr_t)stock->path,
	};
	int status = ares_init_options(&item->ares, &options,
	                               ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
	                                       ARES_OPT_LOOKUPS | ARES_OPT_EDNSPSZ |
	                                       ARES_OPT_SOCK_STATE_CB | ARES_OPT_RESOLVCONF |
	                                       cares_forget(&options));

	if (status == ARES_SUCCESS && stock->servers.count > 0) {
		status = ares_set_servers_ports_csv(item->ares, stock->servers.text);
		if (status != ARES_SUCCESS)
			ares_destroy(item->ares);
	}
	return status;
}

/*
 * With several servers, c-ares skips one that returns an error.  A single server would be
 * asked again and again, so its error response is accepted (ARES_FLAG_NOCHECKRESP).
 */
static int
open_channel(channels *stock, uint32_t number)
{
	channel *item = calloc(1, sizeof(*item));
	int status;

	if (item == NULL)
		return ARES_ENOMEM;
	*item = (channel){ .stock = stock, .number = number };
	status = start(stock, 0, item);
	if (status == ARES_SUCCESS && cares_has_one_server(item->ares)) {
		ares_destroy(item->ares);
		item->alone = true;
		status = start(stock, ARES_FLAG_NOCHECKRESP, item);
	}
	if (status == ARES_SUCCESS)
		stock->all[number] = item;
	else
		free(item);
	return status;
}

/* Questions of the channel end with ARES_EDESTRUCTION. */
static void
close_channel(channels *stock, uint32_t number)
{
	channel *item = stock->all[number];

	if (item == NULL)
		return;
	ares_destroy(item->ares);
	stock->all[number] = NULL;
	free(item);
}

/* Returns a channel without questions, else a new one, else the one with the fewest. */
static channel *
pick_channel(channels *stock, int *status)
{
	channel *best = NULL;
	uint32_t unused = CHANNELS_MAX;

	*status = ARES_SUCCESS;
	for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
		channel *item = stock->all[i];

		if (item == NULL)
			unused = unused == CHANNELS_MAX ? i : unused;
		else if (best == NULL || item->count < best->count)
			best = item;
	}
	if ((best == NULL || best->count > 0) && unused < CHANNELS_MAX) {
		*status = open_channel(stock, unused);
		if (*status == ARES_SUCCESS)
			return stock->all[unused];
	}
	return best;
}

/* ---- questions ---- */

static const char *
status_text(int status)
{
	switch (status) {
	case ARES_ETIMEOUT:
	case ARES_ECANCELLED:
	case ARES_EDESTRUCTION:
		return answer_late;
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

/* Descriptors that are lacking are no word about the name servers. */
static answer *
make_failure(int status)
{
	int spare = eventfd(0, EFD_CLOEXEC);

	if (spare < 0)
		return answer_ref(&answer_closed);
	close(spare);
	return answer_failed(status_text(status));
}

static void
link_query(query **list, query *item)
{
	item->next = *list;
	item->link = list;
	if (item->next != NULL)
		item->next->link = &item->next;
	*list = item;
}

static void
unlink_query(query *item)
{
	*item->link = item->next;
	if (item->next != NULL)
		item->next->link = item->link;
}

static void
free_query(query *item)
{
	atomic_fetch_sub(&item->stock->queries, 1);
	free(item);
}

/* Gives the result, owned, to the cache; NULL: memory is short. */
static void
settle(query *item, answer *result)
{
	channels *stock = item->stock;

	if (result != NULL && result->shown.why != NULL) {
		pthread_mutex_lock(&stock->lock);
		stock->figures.failures++;
		stock->figures.error = result->shown.why;
		pthread_mutex_unlock(&stock->lock);
	}
	cache_settle(stock->store, &item->key, result, item->deadline - item->begun);
	answer_unref(result);
	item->settled = true;
}

/* Called by c-ares, within a call of this file. */
static void
end_query(cares_question *question, int status, answer *result)
{
	query *item = (query *)(void *)question;
	channels *stock = item->stock;
	bool again = !item->settled && result == NULL && !atomic_load(&stock->stopping) &&
	             (status == ARES_EDESTRUCTION ||
	              (status == ARES_ETIMEOUT && limen_host_monotonic() < item->deadline));

	item->channel->count--;
	unlink_query(item);
	if (again) {
		link_query(&stock->fresh, item);
		return;
	}
	if (item->settled)
		answer_unref(result);
	else if (result == NULL && status != ARES_SUCCESS && status != ARES_ENOMEM)
		settle(item, make_failure(status));
	else
		settle(item, result);
	free_query(item);
}

/* Settles and frees a question that c-ares does not know. */
static void
drop_query(query *item, answer *result)
{
	unlink_query(item);
	settle(item, result);
	free_query(item);
}

static void
send_query(channels *stock, query *item)
{
	int status;
	channel *through = pick_channel(stock, &status);

	if (through == NULL) {
		drop_query(item, status == ARES_ENOMEM ? NULL : make_failure(status));
		return;
	}
	unlink_query(item);
	item->channel = through;
	item->asked.alone = through->alone;
	through->count++;
	link_query(&stock->under_way, item);
	cares_ask(through->ares, key_name(&item->key), &item->asked);
}

/* Settles the questions whose time is over. */
static void
check_deadlines(channels *stock, int64_t now)
{
	for (query *item = stock->under_way; item != NULL; item = item->next) {
		if (item->settled || item->deadline > now)
			continue;
		/* Somebody with more time may have joined. */
		item->deadline = cache_deadline(stock->store, &item->key);
		if (item->deadline <= now)
			settle(item, answer_failed(answer_late));
	}
}

/* ---- the thread ---- */

static void
take_added(channels *stock)
{
	pthread_mutex_lock(&stock->lock);
	while (stock->added != NULL) {
		query *item = stock->added;

		stock->added = item->next;
		stock->figures.questions++;
		link_query(&stock->fresh, item);
	}
	stock->added_end = &stock->added;
	pthread_mutex_unlock(&stock->lock);
}

static void
send_fresh(channels *stock, int64_t now)
{
	if (stock->fresh != NULL && is_stale(stock, now)) {
		/* The questions under way are sent again. */
		for (uint32_t i = 0; i < CHANNELS_MAX; i++)
			close_channel(stock, i);
		cache_clear(stock->store);
	}
	while (stock->fresh != NULL)
		send_query(stock, stock->fresh);
}

static void
tick(channels *stock, int64_t now)
{
	uint32_t idle = 0;

	if (now - stock->ticked < TICK_MILLISECONDS * MILLISECOND)
		return;
	stock->ticked = now;
	check_deadlines(stock, now);
	for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
		const channel *item = stock->all[i];

		if (item != NULL && item->count > 0)
			ares_process_fd(item->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
		else if (item != NULL && ++idle > IDLE_MAX)
			close_channel(stock, i);
	}
}

static void
handle(channels *stock, const struct epoll_event *event)
{
	uint32_t number = (uint32_t)(event->data.u64 >> 32);
	ares_socket_t fd = (ares_socket_t)(uint32_t)event->data.u64;
	bool reads = (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
	bool writes = (event->events & EPOLLOUT) != 0;
	eventfd_t count;

	if (number == WAKE)
		eventfd_read(stock->wake, &count);
	else if (stock->all[number] != NULL)
		ares_process_fd(stock->all[number]->ares, reads ? fd : ARES_SOCKET_BAD,
		                writes ? fd : ARES_SOCKET_BAD);
}

/* Waits for sockets, for new questions, or for the next tick. */
static void
wait_once(channels *stock)
{
	struct epoll_event events[EVENTS_MAX];
	int left = stock->under_way == NULL && stock->fresh == NULL ? -1 : TICK_MILLISECONDS;
	int count = epoll_wait(stock->epoll, events, EVENTS_MAX, left);

	for (int i = 0; i < count; i++)
		handle(stock, &events[i]);
}

static void *
work(void *data)
{
	channels *stock = data;

	pthread_setname_np(pthread_self(), "limen-dns");
	while (!atomic_load(&stock->stopping)) {
		int64_t now = limen_host_monotonic();

		take_added(stock);
		send_fresh(stock, now);
		tick(stock, now);
		wait_once(stock);
	}
	return NULL;
}

/*
 * Starts the thread, which gets no signals: neither those of the program, nor SIGPIPE when a server
 * resets a connection.  The lock is held.
 */
static bool
run(channels *stock)
{
	sigset_t all, before;

	if (stock->runs)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	stock->runs = pthread_create(&stock->thread, NULL, work, stock) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return stock->runs;
}

/* ---- callers ---- */

static void
initialise_library(void)
{
	ares_library_init(ARES_LIB_INIT_ALL);
}

channels *
channels_new(const servers *list, const char *path, cache *store)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = (uint64_t)WAKE << 32 };
	channels *stock = calloc(1, sizeof(*stock));

	pthread_once(&once, initialise_library);
	if (stock == NULL)
		return NULL;
	stock->servers = *list;
	stock->path = path;
	stock->store = store;
	stock->added_end = &stock->added;
	stock->mark = look_at(path);
	stock->looked = limen_host_monotonic();
	pthread_mutex_init(&stock->lock, NULL);
	stock->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	stock->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (stock->wake >= 0 && stock->epoll >= 0 &&
	    epoll_ctl(stock->epoll, EPOLL_CTL_ADD, stock->wake, &event) == 0)
		return stock;
	channels_free(stock);
	return NULL;
}

void
channels_free(channels *stock)
{
	if (stock == NULL)
		return;
	atomic_store(&stock->stopping, true);
	if (stock->runs) {
		eventfd_write(stock->wake, 1);
		pthread_join(stock->thread, NULL);
	}
	for (uint32_t i = 0; i < CHANNELS_MAX; i++)
		close_channel(stock, i);
	take_added(stock);
	while (stock->fresh != NULL)
		drop_query(stock->fresh, answer_failed(answer_late));
	if (stock->epoll >= 0)
		close(stock->epoll);
	if (stock->wake >= 0)
		close(stock->wake);
	pthread_mutex_destroy(&stock->lock);
	free(stock);
}

bool
channels_ask(channels *stock, const key *question, limen_deadline deadline)
{
	query *query_of = malloc(sizeof(*query_of));
	bool running;

	if (query_of == NULL)
		return false;
	*query_of = (query){ .asked = { .type = (dns_type)question->text[0], .over = end_query },
		         .stock = stock,
		         .begun = limen_host_monotonic(),
		         .deadline = deadline,
		         .key = *question };
	pthread_mutex_lock(&stock->lock);
	running = atomic_load(&stock->queries) < CHANNELS_QUERIES_MAX && run(stock);
	if (running) {
		atomic_fetch_add(&stock->queries, 1);
		*stock->added_end = query_of;
		stock->added_end = &query_of->next;
	}
	pthread_mutex_unlock(&stock->lock);
	if (running)
		eventfd_write(stock->wake, 1);
	else
		free(query_of);
	return running;
}

channels_figures
channels_count(channels *stock)
{
	channels_figures figures;

	pthread_mutex_lock(&stock->lock);
	figures = stock->figures;
	pthread_mutex_unlock(&stock->lock);
	return figures;
}
