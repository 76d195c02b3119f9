/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd.c - implements transport.h with libmicrohttpd: configures, starts, drains and stops a daemon
 * for each listening socket.  Owns these daemons, their lists of clients, and the pool of workers.
 */
#include "mhd.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../common/print.h"
#include "base/log.h"
#include "base/memory.h"

/*
 * Memory of a connection for headers, beside the longest URL; bodies are kept elsewhere.
 * libmicrohttpd clears all of it after each request, and half of it twice, so unused memory
 * costs every request.
 */
#define HEADER_MEMORY ((size_t)16 << 10)

/* Bodies of this many of the largest requests fit into memory at once, and as much of answers. */
#define LARGEST_AT_ONCE 16
#define BYTES_LEAST     ((size_t)64 << 20)

/* Connections of a listener for probes and metrics, or for the console, beside all others. */
#define HEALTH_CONNECTIONS 64

#define MICROSECOND INT64_C(1000)

/*
 * Milliseconds for workers to return from requests that are answered already: a few periods of a
 * bound on processor time, which is 100 ms in containers.
 */
#define LAST_MOMENT 400

/*
 * TLS 1.2 and 1.3 without RSA key exchange, which has no forward secrecy and which clients
 * have dropped.
 */
static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA";

static void
free_server(void *data)
{
	server *self = data;

	clients_free(self->clients);
	g_free(self);
}

transport *
transport_new(const transport_options *options)
{
	transport *self = g_new0(transport, 1);

	self->options = *options;
	self->ends_early = mhd_ends_early(MHD_get_version());
	self->bytes_max = MAX(options->max_body * LARGEST_AT_ONCE, BYTES_LEAST);
	self->servers = g_ptr_array_new_with_free_func(free_server);
	/* One peer cannot hang the last of several workers. */
	self->asleep = g_ptr_array_new();
	pthread_mutex_init(&self->sleep_lock, NULL);
	self->pool = watch_add(options->shared->watch, MAX(options->workers, 2) - 1, false);
	self->waits = watch_add(options->shared->watch, 0, false);
	self->workers = workers_new(options->workers, options->queue);
	if (self->workers != NULL)
		return self;
	transport_free(self);
	return NULL;
}

/*
 * Counts an answer that libmicrohttpd gave by itself, such as a refusal of long headers.  It
 * calls no callback then, so the status is taken from its log.
 */
static void
count_own_answer(const transport *self, const char *text)
{
	static const char words[] = "HTTP response code is ";
	const char *status = strstr(text, words);

	if (status != NULL)
		metrics_count_response(self->options.metrics, HTTP_NO_ROW,
		                       (int)strtol(status + sizeof(words) - 1, NULL, 10));
}

/* Messages of libmicrohttpd are about single clients, so they are logged for debugging only. */
static void G_GNUC_PRINTF(2, 0)
log_library(void *data, const char *format, va_list args)
{
	char *text = print_vtext(format, args);

	count_own_answer(data, text);
	log_line(LIMEN_LOG_DEBUG, "http", g_strchomp(text));
	g_free(text);
}

/*
 * libmicrohttpd requires a certificate callback at its start.  It is never called: sessions get
 * their credentials before the handshake begins.
 */
static int
pick_none(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
          const gnutls_pk_algorithm_t *algorithms, int algorithm_count, gnutls_pcert_st **chain,
          unsigned *length, gnutls_privkey_t *key)
{
	(void)session;
	(void)authorities;
	(void)authority_count;
	(void)algorithms;
	(void)algorithm_count;
	*chain = NULL;
	*length = 0;
	*key = NULL;
	return -1;
}

static bool
is_small(served purpose)
{
	return purpose == SERVED_HEALTH || purpose == SERVED_CONSOLE;
}

/* Options of every daemon, for MHD_OPTION_ARRAY. */
static void
fill_options(const transport_options *from, const server *to, int fd, bool tls, GArray *out)
{
	bool small = is_small(to->purpose);
	unsigned most = small ? HEALTH_CONNECTIONS : from->max_connections;
	intptr_t threads = small ? 1 : (intptr_t)from->threads;
	/* A connection beyond the bound is accepted, so that another can be shut down for it. */
	intptr_t all = (intptr_t)most + most / 8 + 16;
	struct MHD_OptionItem rows[] = {
		{ MHD_OPTION_LISTEN_SOCKET, fd, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		  (intptr_t)(from->max_url + HEADER_MEMORY), NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, all, NULL },
		{ MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)from->max_per_peer, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, 0, NULL },
		{ MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
		{ MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL },
	};
	struct MHD_OptionItem pool = { MHD_OPTION_THREAD_POOL_SIZE, threads, NULL };
	struct MHD_OptionItem tls_rows[] = {
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(intptr_t)priorities },
		{ MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(intptr_t)pick_none },
	};
	struct MHD_OptionItem end = { MHD_OPTION_END, 0, NULL };

	g_array_append_vals(out, rows, G_N_ELEMENTS(rows));
	/* A pool of one is a daemon without a pool. */
	if (threads > 1)
		g_array_append_val(out, pool);
	if (tls)
		g_array_append_vals(out, tls_rows, G_N_ELEMENTS(tls_rows));
	g_array_append_val(out, end);
}

static struct MHD_Daemon *
start_daemon(transport *self, server *to, int fd, bool tls)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
	                 MHD_USE_ERROR_LOG | (tls ? MHD_USE_TLS : 0);
	GArray *options = g_array_new(FALSE, FALSE, sizeof(struct MHD_OptionItem));
	struct MHD_Daemon *daemon;

	fill_options(&self->options, to, fd, tls, options);
	daemon = MHD_start_daemon(flags, 0, NULL, NULL, mhd_handle, NULL,
	                          MHD_OPTION_EXTERNAL_LOGGER, log_library, self,
	                          MHD_OPTION_NOTIFY_CONNECTION, mhd_note_connection, to,
	                          MHD_OPTION_URI_LOG_CALLBACK, mhd_begin, to,
	                          MHD_OPTION_NOTIFY_COMPLETED, mhd_end, NULL,
	                          MHD_OPTION_ARRAY, options->data, MHD_OPTION_END);
	g_array_free(options, TRUE);
	return daemon;
}

char *
transport_serve(transport *self, int fd, bool tls, served purpose)
{
	const transport_options *from = &self->options;
	server *added = g_new0(server, 1);
	bool small = is_small(purpose);

	added->owner = self;
	added->purpose = purpose;
	added->pool = watch_add(from->shared->watch, small ? 1 : from->threads, true);
	added->clients = clients_new(from->idle_timeout * MICROSECOND,
	                             from->client_timeout * MICROSECOND,
	                             small ? HEALTH_CONNECTIONS : from->max_connections);
	errno = 0;
	added->daemon = start_daemon(self, added, fd, tls);
	if (added->daemon != NULL) {
		g_ptr_array_add(self->servers, added);
		return NULL;
	}
	free_server(added);
	return g_strdup(errno != 0 ? g_strerror(errno) : "libmicrohttpd did not start");
}

void
transport_tick(transport *self)
{
	for (guint i = 0; i < self->servers->len; i++)
		clients_tick(((const server *)g_ptr_array_index(self->servers, i))->clients);
	mhd_wake_streams(self);
	/* Memory goes back to the system after large requests, once no worker is busy. */
	if (atomic_load(&self->swollen) && workers_wait(self->workers, 0)) {
		atomic_store(&self->swollen, false);
		memory_give_back();
	}
}

/*
 * Accepts the connections that the kernel has established: they would be reset when the socket
 * is closed.
 */
static void
take_last(struct MHD_Daemon *daemon, int fd)
{
	struct sockaddr_storage address;
	int accepted;

	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == -1)
		return;
	do {
		socklen_t length = sizeof(address);

		memset(&address, 0, sizeof(address));
		accepted = accept4(fd, (struct sockaddr *)&address, &length,
		                   SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (accepted != -1)
			MHD_add_connection(daemon, accepted, (struct sockaddr *)&address, length);
	} while (accepted != -1 || errno == ECONNABORTED || errno == EINTR);
}

/*
 * Stands before that of libc, for libmicrohttpd (0.9.75 to 1.0): MHD_quiesce_daemon() and the threads of
 * the daemon both take its socket out of their sets, and who comes second would end the process.
 */
__attribute__((visibility("default"))) int
epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
	static int (*_Atomic next)(int, int, int, struct epoll_event *);
	int result;

	if (next == NULL)
		next = (int (*)(int, int, int, struct epoll_event *))dlsym(RTLD_NEXT, "epoll_ctl");
	result = next(set, operation, fd, event);
	return operation == EPOLL_CTL_DEL && result == -1 && errno == ENOENT ? 0 : result;
}

void
transport_stop_listening(transport *self)
{
	if (atomic_exchange(&self->stopped, true))
		return;
	mhd_wake_streams(self);
	for (guint i = 0; i < self->servers->len; i++) {
		const server *item = g_ptr_array_index(self->servers, i);
		int fd = MHD_quiesce_daemon(item->daemon);

		if (fd != MHD_INVALID_SOCKET)
			take_last(item->daemon, fd);
	}
}

static clients_summary
count_clients(const transport *self)
{
	clients_summary found = { .open = 0 };

	for (guint i = 0; i < self->servers->len; i++)
		clients_count(((const server *)g_ptr_array_index(self->servers, i))->clients, &found);
	return found;
}

bool
transport_is_quiet(transport *self, int64_t quiet)
{
	clients_summary found = count_clients(self);

	if (found.open == 0)
		return true;
	return found.active == 0 && limen_host_monotonic() - found.last_change >= quiet;
}

/*
 * Waits at most LAST_MOMENT until nothing is decided: libmicrohttpd cannot close a suspended
 * connection, and would wait without a limit for a thread that hangs.
 */
static bool
wait_for_calls(transport *self)
{
	atomic_store(&self->ending, true);
	for (unsigned i = 0; count_clients(self).busy > 0; i++) {
		if (i == LAST_MOMENT)
			return false;
		g_usleep(1000);
	}
	return workers_wait(self->workers, LAST_MOMENT);
}

bool
transport_free(transport *self)
{
	if (self == NULL)
		return true;
	transport_stop_listening(self);
	if (self->workers != NULL && !wait_for_calls(self))
		return false;
	for (guint i = 0; i < self->servers->len; i++)
		MHD_stop_daemon(((const server *)g_ptr_array_index(self->servers, i))->daemon);
	workers_free(self->workers);
	g_ptr_array_free(self->servers, TRUE);
	g_ptr_array_free(self->asleep, TRUE);
	pthread_mutex_destroy(&self->sleep_lock);
	g_free(self);
	return true;
}
