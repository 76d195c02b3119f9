/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.c - writes commands and reads replies, by the reader of hiredis.  Commands are
 * sent with send(), since hiredis would raise SIGPIPE in the program that embeds limen.
 */
#include "wire.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLICE_MS 200 /* interval at which a wait checks whether the instance is closing */

void
wire_fail(wire *connection, const char *format, ...)
{
	va_list arguments;

	if (connection->failed)
		return;
	connection->failed = true;
	va_start(arguments, format);
	vsnprintf(connection->error, sizeof(connection->error), format, arguments);
	va_end(arguments);
}

void
wire_fail_reply(wire *connection, const redisReply *reply)
{
	char text[120] = "the answer is malformed or too large";

	if (reply != NULL && reply->type == REDIS_REPLY_ERROR)
		snprintf(text, sizeof(text), "%s",
		         *reply->str == '\0' ? "an error without a text" : reply->str);
	for (char *byte = text; *byte != '\0'; byte++)
		*byte = *byte >= ' ' && *byte < 0x7F ? *byte : '?';
	connection->unsound |= !connection->failed;
	wire_fail(connection, "%s", text);
}

/* hiredis would allocate what an array claims to have, and free its levels by recursion. */
static void *
make_array(const redisReadTask *task, wire_count count)
{
	wire *connection = task->privdata;

	if (connection->reader->ridx >= WIRE_DEPTH_MAX ||
	    (size_t)count > WIRE_ELEMENTS_MAX - connection->elements)
		return NULL;
	connection->elements += (size_t)count;
	return connection->usual->createArray(task, count);
}

wire *
wire_new(int fd)
{
	wire *connection = calloc(1, sizeof(*connection));
	redisReader *reader = connection == NULL ? NULL : redisReaderCreate();

	if (reader == NULL) {
		if (fd >= 0)
			close(fd);
		free(connection);
		return NULL;
	}
	connection->fd = fd;
	connection->reader = reader;
	connection->usual = reader->fn;
	connection->makers = *reader->fn;
	connection->makers.createArray = make_array;
	reader->fn = &connection->makers;
	reader->privdata = connection;
	return connection;
}

void
wire_close(wire *connection)
{
	if (connection == NULL)
		return;
	if (connection->tls != NULL)
		gnutls_deinit(connection->tls);
	if (connection->fd >= 0)
		close(connection->fd);
	redisReaderFree(connection->reader);
	buffer_clear(&connection->out);
	free(connection);
}

static void
append(wire *connection, const char *text, size_t length)
{
	if (connection->failed)
		return;
	buffer_add(&connection->out, text, length);
	if (buffer_failed(&connection->out))
		wire_fail(connection, "%s", limen_result_text(LIMEN_ENOMEM));
}

/* "*3\r\n", "$7\r\n" */
static void
append_count(wire *connection, char sign, size_t count)
{
	char text[24];

	append(connection, text, (size_t)snprintf(text, sizeof(text), "%c%zu\r\n", sign, count));
}

void
wire_begin(wire *connection, size_t count)
{
	append_count(connection, '*', count);
}

void
wire_pair(wire *connection, const char *text, size_t length, const char *more, size_t more_length)
{
	append_count(connection, '$', length + more_length);
	append(connection, text, length);
	append(connection, more, more_length);
	append(connection, "\r\n", 2);
}

void
wire_text(wire *connection, const char *text)
{
	wire_pair(connection, text, strlen(text), "", 0);
}

void
wire_number(wire *connection, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	wire_text(connection, text);
}

bool
wire_flush(wire *connection)
{
	size_t sent = 0;

	while (!connection->failed && sent < connection->out.length) {
		const char *text = connection->out.text + sent;
		size_t length = connection->out.length - sent;
		ssize_t count = connection->tls == NULL
		                        ? send(connection->fd, text, length, MSG_NOSIGNAL)
		                        : tls_result(connection,
		                                     gnutls_record_send(connection->tls, text, length));

		if (count >= 0)
			sent += (size_t)count;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			break;
		else if (errno != EINTR)
			wire_fail(connection, "%s", strerror(errno));
	}
	if (sent > 0)
		memmove(connection->out.text, connection->out.text + sent, connection->out.length - sent);
	connection->out.length -= sent;
	return !connection->failed;
}

bool
wire_read(wire *connection)
{
	char piece[WIRE_PIECE];
	ssize_t count;

	if (connection->failed)
		return false;
	count = connection->tls == NULL
	                ? recv(connection->fd, piece, sizeof(piece), 0)
	                : tls_result(connection,
	                             gnutls_record_recv(connection->tls, piece, sizeof(piece)));
	if (count == 0) {
		wire_fail(connection, "the connection was closed");
	} else if (count < 0) {
		if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			wire_fail(connection, "%s", strerror(errno));
	} else {
		connection->fed += (size_t)count;
		if (connection->fed > WIRE_REPLY_MAX ||
		    redisReaderFeed(connection->reader, piece, (size_t)count) != REDIS_OK)
			wire_fail_reply(connection, NULL);
	}
	return !connection->failed;
}

redisReply *
wire_next(wire *connection)
{
	void *reply = NULL;

	if (!connection->failed && redisReaderGetReply(connection->reader, &reply) != REDIS_OK)
		wire_fail_reply(connection, NULL);
	if (reply == NULL)
		return NULL;
	/* Bytes after this reply belong to the next one. */
	connection->fed = connection->reader->len - connection->reader->pos;
	connection->elements = 0;
	return reply;
}

bool
wire_poll(const wire *connection, short events, const char **why)
{
	struct pollfd ready = { .fd = connection->fd, .events = events };
	int64_t left = (connection->deadline - limen_host_monotonic() + 999999) / 1000000;

	if (left <= 0)
		*why = "no answer in time";
	else if (connection->host != NULL && limen_host_stopping(connection->host))
		*why = "the store is being closed";
	return poll(&ready, 1, *why != NULL ? 0 : left > SLICE_MS ? SLICE_MS : (int)left) > 0;
}

redisReply *
wire_wait(wire *connection, limen_deadline deadline, limen_host *host)
{
	redisReply *reply = wire_flush(connection) ? wire_next(connection) : NULL;

	connection->deadline = deadline;
	connection->host = host;
	while (reply == NULL && !connection->failed) {
		short events = (short)(POLLIN | (connection->out.length > 0 ? POLLOUT : 0));
		const char *why = NULL;

		if (wire_poll(connection, events, &why) && wire_read(connection) && wire_flush(connection))
			reply = wire_next(connection);
		if (reply == NULL && why != NULL)
			wire_fail(connection, "%s", why);
	}
	return reply;
}

redisReply *
wire_ask(wire *connection, const char *format, ...)
{
	char *command = NULL;
	redisReply *reply;
	va_list words;
	int length;

	va_start(words, format);
	length = redisvFormatCommand(&command, format, words);
	va_end(words);
	if (length < 0)
		wire_fail(connection, "%s", limen_result_text(LIMEN_ENOMEM));
	else
		append(connection, command, (size_t)length);
	redisFreeCommand(command);
	reply = wire_wait(connection, connection->deadline, connection->host);
	if (reply == NULL || reply->type != REDIS_REPLY_ERROR)
		return reply;
	wire_fail_reply(connection, reply);
	/* Others, such as LOADING, pass. */
	connection->unfit = strncmp(reply->str, "NOAUTH ", 7) == 0 ||
	                    strncmp(reply->str, "WRONGPASS ", 10) == 0 ||
	                    strncmp(reply->str, "NOPERM ", 7) == 0 ||
	                    strstr(reply->str, "cluster support disabled") != NULL;
	freeReplyObject(reply);
	return NULL;
}

/* Redis sends nothing unasked, but TLS may: other input is an error or the end. */
bool
wire_check_idle(wire *connection)
{
	const redisReader *reader = connection->reader;
	struct pollfd ready = { .fd = connection->fd, .events = POLLIN };

	if (reader->pos == reader->len && poll(&ready, 1, 0) > 0)
		wire_read(connection);
	if (reader->pos < reader->len)
		wire_fail_reply(connection, NULL);
	return !connection->failed;
}
