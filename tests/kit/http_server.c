/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_server.c - one thread accepts, one thread a connection answers.
 */
#include "http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_parts.h"

enum { HEAD_MAX = 65536, CONNECTIONS_MAX = 256, TICK_MS = 100 };

struct http_server {
	const struct http_reply *replies;
	int listener;
	unsigned port;
	pthread_t acceptor;
	pthread_mutex_t lock;
	pthread_cond_t ended;      /* a connection's thread did */
	bool stopping;
	int open[CONNECTIONS_MAX]; /* descriptors; -1: free */
	size_t open_count;
	unsigned long connections;
	unsigned long requests;
	char last[HEAD_MAX];
};

/* One connection, and what was read from it and not yet used. */
struct connection {
	http_server *server;
	int fd;
	size_t slot;
	size_t held;
	char head[HEAD_MAX];
};

/* Waits until the client has gone away or 'ms' have passed; true: it has. */
static bool
client_gone(int fd, int ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char byte;

	if (poll(&wait, 1, ms) <= 0)
		return false;
	return recv(fd, &byte, 1, 0) <= 0;
}

static void
reset(int fd)
{
	struct linger at_once = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

static void
repeat_line(int fd, const char *text, size_t length)
{
	size_t start = length < 2 ? 0 : length - 2;

	while (start > 0 && text[start - 1] != '\n')
		start--;
	while (send_all(fd, text + start, length - start))
		;
}

static void
echo(struct connection *one, const char *head)
{
	char line[64];

	snprintf(line, sizeof(line), "Content-Length: %zu\r\n\r\n", strlen(head));
	if (send_all(one->fd, line, strlen(line)))
		send_all(one->fd, head, strlen(head));
}

/* Returns whether the connection goes on. */
static bool
answer(struct connection *one, const struct http_reply *reply, const char *head)
{
	size_t length = reply->length != 0 ? reply->length : strlen(reply->text);

	if (!send_all(one->fd, reply->text, length))
		return false;
	switch (reply->then) {
	case HTTP_KEEP:
		return true;
	case HTTP_CLOSE:
		return false;
	case HTTP_RESET:
		reset(one->fd);
		return false;
	case HTTP_HANG:
		while (!client_gone(one->fd, -1))
			;
		return false;
	case HTTP_TRICKLE:
		while (!client_gone(one->fd, TICK_MS) && send_all(one->fd, " ", 1))
			;
		return false;
	case HTTP_REPEAT_LINE:
		repeat_line(one->fd, reply->text, length);
		return false;
	case HTTP_ECHO:
		echo(one, head);
		return false;
	}
	return false;
}

/* A proxy is asked for whole URLs. */
static bool
path_fits(const char *path, const char *head)
{
	const char *start = strchr(head, ' ');
	size_t length = strlen(path);

	if (strcmp(path, "*") == 0)
		return true;
	if (start != NULL && strncmp(start, " http://", 8) == 0)
		start = strchr(start + 8, '/');
	else if (start != NULL)
		start++;
	if (start == NULL || strncmp(start, path, length) != 0)
		return false;
	return strchr(" ?\r", start[length]) != NULL;
}

static const struct http_reply *
find_reply(const http_server *server, const char *head)
{
	static const struct http_reply none = {
		.text = HTTP_TEXT("404 Not Found", "9", "not found")
	};

	for (const struct http_reply *one = server->replies; one->path != NULL; one++) {
		if (path_fits(one->path, head))
			return one;
	}
	return &none;
}

/* Reads the head of a request; returns its length, or 0 when there is none. */
static size_t
read_head(struct connection *one)
{
	for (;;) {
		char *end;
		ssize_t got;

		one->head[one->held] = '\0';
		end = strstr(one->head, "\r\n\r\n");
		if (end != NULL)
			return (size_t)(end + 4 - one->head);
		if (one->held == sizeof(one->head) - 1)
			return 0;
		got = recv(one->fd, one->head + one->held, sizeof(one->head) - 1 - one->held, 0);
		if (got <= 0)
			return 0;
		one->held += (size_t)got;
	}
}

static void
note_request(http_server *server, const char *head)
{
	pthread_mutex_lock(&server->lock);
	server->requests++;
	snprintf(server->last, sizeof(server->last), "%s", head);
	pthread_mutex_unlock(&server->lock);
}

static bool
serve_one(struct connection *one)
{
	size_t length = read_head(one);
	char *head;
	bool more;

	if (length == 0)
		return false;
	head = strndup(one->head, length);
	if (head == NULL)
		return false;
	one->held -= length;
	memmove(one->head, one->head + length, one->held);
	note_request(one->server, head);
	more = answer(one, find_reply(one->server, head), head);
	free(head);
	return more;
}

static void *
serve(void *data)
{
	struct connection *one = data;
	http_server *server = one->server;

	while (serve_one(one))
		;
	pthread_mutex_lock(&server->lock);
	server->open[one->slot] = -1;
	server->open_count--;
	close(one->fd);
	free(one);
	pthread_cond_signal(&server->ended);
	pthread_mutex_unlock(&server->lock);
	return NULL;
}

/* Returns a free slot, or CONNECTIONS_MAX. */
static size_t
find_slot(const http_server *server)
{
	size_t slot = 0;

	while (slot < CONNECTIONS_MAX && server->open[slot] != -1)
		slot++;
	return slot;
}

static bool
start_connection(http_server *server, int fd)
{
	struct connection *one = calloc(1, sizeof(*one));
	pthread_attr_t detached;
	pthread_t thread;
	bool started = false;
	int on = 1;

	if (one == NULL)
		return false;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_mutex_lock(&server->lock);
	*one = (struct connection){ .server = server, .fd = fd, .slot = find_slot(server) };
	if (!server->stopping && one->slot < CONNECTIONS_MAX &&
	    pthread_create(&thread, &detached, serve, one) == 0) {
		server->open[one->slot] = fd;
		server->open_count++;
		server->connections++;
		started = true;
	}
	pthread_mutex_unlock(&server->lock);
	pthread_attr_destroy(&detached);
	if (!started)
		free(one);
	return started;
}

static void *
accept_all(void *data)
{
	http_server *server = data;

	for (;;) {
		int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0 && !start_connection(server, fd))
			close(fd);
		/* The listener was shut down. */
		if (fd < 0 && errno == EINVAL)
			return NULL;
	}
}

http_server *
http_server_start(const struct http_reply *replies)
{
	http_server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return NULL;
	server->replies = replies;
	memset(server->open, 0xff, sizeof(server->open));
	pthread_mutex_init(&server->lock, NULL);
	pthread_cond_init(&server->ended, NULL);
	server->listener = listen_on_loopback(SOMAXCONN, &server->port);
	if (server->listener >= 0 &&
	    pthread_create(&server->acceptor, NULL, accept_all, server) == 0)
		return server;
	if (server->listener >= 0)
		close(server->listener);
	pthread_cond_destroy(&server->ended);
	pthread_mutex_destroy(&server->lock);
	free(server);
	return NULL;
}

void
http_server_stop(http_server *server)
{
	if (server == NULL)
		return;
	shutdown(server->listener, SHUT_RDWR);
	pthread_join(server->acceptor, NULL);
	close(server->listener);
	pthread_mutex_lock(&server->lock);
	server->stopping = true;
	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		if (server->open[i] != -1)
			shutdown(server->open[i], SHUT_RDWR);
	}
	while (server->open_count > 0)
		pthread_cond_wait(&server->ended, &server->lock);
	pthread_mutex_unlock(&server->lock);
	pthread_cond_destroy(&server->ended);
	pthread_mutex_destroy(&server->lock);
	free(server);
}

unsigned
http_server_port(const http_server *server)
{
	return server->port;
}

static unsigned long
read_count(http_server *server, const unsigned long *count)
{
	unsigned long value;

	pthread_mutex_lock(&server->lock);
	value = *count;
	pthread_mutex_unlock(&server->lock);
	return value;
}

unsigned long
http_server_connections(http_server *server)
{
	return read_count(server, &server->connections);
}

unsigned long
http_server_requests(http_server *server)
{
	return read_count(server, &server->requests);
}

void
http_server_last(http_server *server, char *out, size_t size)
{
	pthread_mutex_lock(&server->lock);
	snprintf(out, size, "%s", server->last);
	pthread_mutex_unlock(&server->lock);
}

int
http_server_deaf(unsigned *port, int *holds, size_t count)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int listener = listen_on_loopback(0, port);

	if (listener < 0)
		return -1;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((in_port_t)*port);
	for (size_t i = 0; i < count; i++) {
		holds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (holds[i] >= 0 &&
		    connect(holds[i], (struct sockaddr *)&address, sizeof(address)) != 0 &&
		    errno != EINPROGRESS)
			*port = 0;
	}
	return listener;
}
