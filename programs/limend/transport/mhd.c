/* SPDX-License-Identifier: Apache-2.0 */
#include "mhd.h"

#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/print.h"
#include "base/log.h"
#include "base/memory.h"
#include "metrics/metrics.h"

/*
 * What a connection has for headers beside the longest URL; bodies are elsewhere.
 * libmicrohttpd fills all of it with zeros after each request, and half of it twice,
 * so what is never needed costs each of them.
 */
#define HEADER_MEMORY ((size_t)16 << 10)

/* Bodies of this many of the largest requests may be in memory at once, and as much of answers. */
#define LARGEST_AT_ONCE 16
#define HELD_LEAST      ((size_t)64 << 20)

#define MICROSECOND INT64_C(1000)

/* Milliseconds for workers to be done with what is answered already. */
#define LAST_MOMENT 100

/*
 * TLS 1.2 and 1.3.  Key exchange by RSA keeps no secret once the key is out, and
 * clients have dropped it.
 */
static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA";

size_t
transport_held_maximum(size_t max_body)
{
	size_t largest = max_body * LARGEST_AT_ONCE;

	return largest > HELD_LEAST ? largest : HELD_LEAST;
}

transport *
transport_new(const transport_options *options)
{
	transport *made = g_new0(transport, 1);

	made->options = *options;
	made->ends_early = mhd_ends_early(MHD_get_version());
	made->gathered_max = transport_held_maximum(options->max_body);
	made->clients = clients_new(options->idle_timeout * MICROSECOND,
	                            options->client_timeout * MICROSECOND,
	                            options->max_connections);
	made->daemons = g_ptr_array_new();
	made->workers = workers_new(options->workers, options->queue);
	if (made->workers != NULL)
		return made;
	transport_free(made);
	return NULL;
}

/*
 * What libmicrohttpd refuses by itself, such as headers that are too long, no
 * callback hears of; only its log tells the status.
 */
static void
count_own_answer(const transport *self, const char *text)
{
	static const char words[] = "HTTP response code is ";
	const char *status = strstr(text, words);

	if (status != NULL)
		metrics_count_response(self->options.shared->metrics, NULL,
		                       (int)strtol(status + sizeof(words) - 1, NULL, 10));
}

/* What it says is about single clients: nothing for an operator to act on. */
static void G_GNUC_PRINTF(2, 0)
log_library(void *data, const char *format, va_list arguments)
{
	char *text = print_vtext(format, arguments);

	count_own_answer(data, text);
	log_line(LIMEN_LOG_DEBUG, "http", g_strchomp(text));
	g_free(text);
}

/*
 * libmicrohttpd wants to be told of a certificate at its start; sessions get theirs
 * before they begin, so nobody asks for this one.
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

/* Those of every daemon; MHD_OPTION_ARRAY takes them along. */
static void
fill_options(transport *self, int fd, bool tls, GArray *out)
{
	const transport_options *from = &self->options;
	struct MHD_OptionItem all[] = {
		{ MHD_OPTION_LISTEN_SOCKET, fd, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		  (intptr_t)(from->max_url + HEADER_MEMORY), NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, (intptr_t)from->max_connections, NULL },
		{ MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)from->max_per_peer, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, 0, NULL },
		{ MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
		{ MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL },
	};
	struct MHD_OptionItem pool = { MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)from->threads,
		                       NULL };
	struct MHD_OptionItem tls_rows[] = {
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(intptr_t)priorities },
		{ MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(intptr_t)pick_none },
	};
	struct MHD_OptionItem end = { MHD_OPTION_END, 0, NULL };

	g_array_append_vals(out, all, G_N_ELEMENTS(all));
	/* A pool of one is a daemon without a pool. */
	if (from->threads > 1)
		g_array_append_val(out, pool);
	if (tls)
		g_array_append_vals(out, tls_rows, G_N_ELEMENTS(tls_rows));
	g_array_append_val(out, end);
}

static struct MHD_Daemon *
start_daemon(transport *self, int fd, bool tls)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
	                 MHD_USE_ERROR_LOG | (tls ? MHD_USE_TLS : 0);
	GArray *options = g_array_new(FALSE, FALSE, sizeof(struct MHD_OptionItem));
	struct MHD_Daemon *made;

	fill_options(self, fd, tls, options);
	made = MHD_start_daemon(flags, 0, NULL, NULL, mhd_handle, self,
	                        MHD_OPTION_EXTERNAL_LOGGER, log_library, self,
	                        MHD_OPTION_NOTIFY_CONNECTION, mhd_note_connection, self,
	                        MHD_OPTION_URI_LOG_CALLBACK, mhd_begin, self,
	                        MHD_OPTION_NOTIFY_COMPLETED, mhd_end, self,
	                        MHD_OPTION_ARRAY, options->data, MHD_OPTION_END);
	g_array_free(options, TRUE);
	return made;
}

char *
transport_serve(transport *self, int fd, bool tls)
{
	struct MHD_Daemon *made;

	errno = 0;
	made = start_daemon(self, fd, tls);
	if (made == NULL)
		return g_strdup(errno != 0 ? g_strerror(errno)
		                           : "libmicrohttpd did not start");
	g_ptr_array_add(self->daemons, made);
	return NULL;
}

/* As soon as nobody has to wait for it. */
static void
give_back_memory(transport *self)
{
	if (!atomic_load(&self->swollen) || !workers_wait(self->workers, 0))
		return;
	atomic_store(&self->swollen, false);
	memory_give_back();
}

void
transport_tick(transport *self)
{
	clients_tick(self->clients);
	give_back_memory(self);
}

/*
 * Connections that are complete for their clients but were not accepted yet would
 * be reset when the socket is closed.
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

void
transport_stop_listening(transport *self)
{
	if (self->stopped)
		return;
	self->stopped = true;
	for (guint i = 0; i < self->daemons->len; i++) {
		struct MHD_Daemon *one = g_ptr_array_index(self->daemons, i);
		int fd = MHD_quiesce_daemon(one);

		if (fd != MHD_INVALID_SOCKET)
			take_last(one, fd);
	}
}

bool
transport_is_quiet(transport *self, int64_t quiet)
{
	clients_summary found;

	clients_count(self->clients, &found);
	if (found.open == 0)
		return true;
	return found.active == 0 && limen_host_monotonic() - found.last_change >= quiet;
}

bool
transport_free(transport *self)
{
	if (self == NULL)
		return true;
	transport_stop_listening(self);
	/* libmicrohttpd cannot end a connection that is suspended. */
	if (self->workers != NULL && !workers_wait(self->workers, LAST_MOMENT))
		return false;
	for (guint i = 0; i < self->daemons->len; i++)
		MHD_stop_daemon(g_ptr_array_index(self->daemons, i));
	workers_free(self->workers);
	clients_free(self->clients);
	g_ptr_array_free(self->daemons, TRUE);
	g_free(self);
	return true;
}
