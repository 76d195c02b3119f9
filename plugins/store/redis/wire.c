/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.c - writes commands and reads replies on a connection of hiredis.  Commands are
 * sent with send(), since hiredis would raise SIGPIPE in the program that embeds limen.
 */
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* How long a wait goes on before it looks whether the instance is closing. */
#define SLICE_MS 200

#define NUMBER_MAX 21

void
wire_fail(wire *one, const char *format, ...)
{
	va_list arguments;

	if (one->failed)
		return;
	one->failed = true;
	va_start(arguments, format);
	vsnprintf(one->error, sizeof(one->error), format, arguments);
	va_end(arguments);
}

static void
fail_unsound(wire *one, const char *why)
{
	if (!one->failed)
		one->unsound = true;
	wire_fail(one, "%s", why);
}

void
wire_fail_answer(wire *one)
{
	fail_unsound(one, "the answer makes no sense or is too large");
}

void
wire_fail_reply(wire *one, const redisReply *reply)
{
	char text[120];
	size_t length = 0;

	if (reply->type != REDIS_REPLY_ERROR) {
		wire_fail_answer(one);
		return;
	}
	for (; length < sizeof(text) - 1 && length < (size_t)reply->len; length++) {
		unsigned char byte = (unsigned char)reply->str[length];

		text[length] = byte >= ' ' && byte < 0x7F ? (char)byte : '?';
	}
	text[length] = '\0';
	fail_unsound(one, length == 0 ? "an error without a text" : text);
}

wire *
wire_new(redisContext *context)
{
	wire *one = calloc(1, sizeof(*one));

	if (one == NULL) {
		redisFree(context);
		return NULL;
	}
	one->context = context;
	context->flags &= ~REDIS_BLOCK;
#ifdef REDIS_READER_MAX_ARRAY_ELEMENTS
	context->reader->maxelements = WIRE_ELEMENTS_MAX;
#endif
	if (fcntl(context->fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0 ||
	    fcntl(context->fd, F_SETFD, FD_CLOEXEC) < 0)
		wire_fail(one, "%s", strerror(errno));
	return one;
}

void
wire_close(wire *one)
{
	if (one == NULL)
		return;
	redisFree(one->context);
	free(one->out);
	free(one);
}

/* ---- writing ---- */

static void
append(wire *one, const char *text, size_t length)
{
	size_t wanted = one->out_length + length;
	char *out;

	if (one->failed)
		return;
	if (wanted > one->out_room) {
		out = realloc(one->out, 2 * wanted);
		if (out == NULL) {
			wire_fail(one, "%s", limen_result_text(LIMEN_ENOMEM));
			return;
		}
		one->out = out;
		one->out_room = 2 * wanted;
	}
	memcpy(one->out + one->out_length, text, length);
	one->out_length = wanted;
}

/* Writes the digits of 'number' to the end of 'out' and returns where they begin. */
static char *
print_number(char out[NUMBER_MAX], int64_t number)
{
	char *at = out + NUMBER_MAX;

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return at;
}

/* "*3\r\n", "$7\r\n" */
static void
append_count(wire *one, char sign, size_t count)
{
	char text[NUMBER_MAX + 3];
	char *at = print_number(text + 1, (int64_t)count) - 1;

	*at = sign;
	memcpy(text + 1 + NUMBER_MAX, "\r\n", 2);
	append(one, at, (size_t)(text + sizeof(text) - at));
}

void
wire_begin(wire *one, size_t count)
{
	append_count(one, '*', count);
}

void
wire_pair(wire *one, const char *text, size_t length, const char *more, size_t more_length)
{
	append_count(one, '$', length + more_length);
	append(one, text, length);
	append(one, more, more_length);
	append(one, "\r\n", 2);
}

void
wire_text(wire *one, const char *text)
{
	wire_pair(one, text, strlen(text), "", 0);
}

void
wire_number(wire *one, int64_t number)
{
	char text[NUMBER_MAX];
	char *at = print_number(text, number);

	wire_pair(one, at, (size_t)(text + NUMBER_MAX - at), "", 0);
}

bool
wire_flush(wire *one)
{
	size_t sent = 0;

	while (!one->failed && sent < one->out_length) {
		ssize_t count = send(one->context->fd, one->out + sent, one->out_length - sent,
		                     MSG_NOSIGNAL);

		if (count >= 0)
			sent += (size_t)count;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			break;
		else if (errno != EINTR)
			wire_fail(one, "%s", strerror(errno));
	}
	if (sent > 0)
		memmove(one->out, one->out + sent, one->out_length - sent);
	one->out_length -= sent;
	return !one->failed;
}

/* ---- reading ---- */

bool
wire_read(wire *one)
{
	size_t before = one->context->reader->len;

	if (one->failed)
		return false;
	if (redisBufferRead(one->context) == REDIS_OK) {
		one->fed += one->context->reader->len - before;
		if (one->fed > WIRE_REPLY_MAX)
			wire_fail_answer(one);
	} else if (one->context->err == REDIS_ERR_EOF) {
		wire_fail(one, "the connection was closed");
	} else if (one->context->err == REDIS_ERR_IO) {
		wire_fail(one, "%s", strerror(errno));
	} else {
		wire_fail_answer(one);
	}
	return !one->failed;
}

static bool
is_modest(const redisReply *reply, int depth)
{
	if (reply->type != REDIS_REPLY_ARRAY)
		return true;
	if (depth == WIRE_DEPTH_MAX || reply->elements > WIRE_ELEMENTS_MAX)
		return false;
	for (size_t i = 0; i < reply->elements; i++) {
		if (!is_modest(reply->element[i], depth + 1))
			return false;
	}
	return true;
}

/*
 * Is the reply that is being read within the bounds so far?  It is looked at after each
 * piece: hiredis 1.x reads arrays in arrays without a bound and frees them by
 * recursion, and 0.14 bounds no array.
 */
static bool
is_modest_yet(const redisReader *reader)
{
	bool modest = reader->ridx <= WIRE_DEPTH_MAX;

#ifndef REDIS_READER_MAX_ARRAY_ELEMENTS
	for (int i = 0; i < reader->ridx && modest; i++)
		modest = reader->rstack[i].elements <= WIRE_ELEMENTS_MAX;
#endif
	return modest;
}

redisReply *
wire_next(wire *one)
{
	void *reply = NULL;

	if (one->failed)
		return NULL;
	if (redisGetReplyFromReader(one->context, &reply) != REDIS_OK ||
	    (reply == NULL && !is_modest_yet(one->context->reader)))
		wire_fail_answer(one);
	if (reply == NULL)
		return NULL;
	/* Bytes after this reply belong to the next one. */
	one->fed = one->context->reader->len - one->context->reader->pos;
	if (is_modest(reply, 0))
		return reply;
	freeReplyObject(reply);
	wire_fail_answer(one);
	return NULL;
}

/* Returns the milliseconds to wait for, 0 with the reason in 'why' once a wait is over. */
static int
time_left(int64_t deadline, limen_host *host, const char **why)
{
	int64_t left = (deadline - limen_host_monotonic() + 999999) / 1000000;

	if (left > 0 && (host == NULL || !limen_host_stopping(host)))
		return left > SLICE_MS ? SLICE_MS : (int)left;
	*why = left > 0 ? "the store is being closed" : "no answer in time";
	return 0;
}

redisReply *
wire_wait(wire *one, int64_t deadline, limen_host *host)
{
	redisReply *reply = wire_flush(one) ? wire_next(one) : NULL;

	while (reply == NULL && !one->failed) {
		struct pollfd ready = {
			.fd = one->context->fd,
			.events = (short)(POLLIN | (one->out_length > 0 ? POLLOUT : 0)),
		};
		const char *why = NULL;

		if (poll(&ready, 1, time_left(deadline, host, &why)) > 0 && wire_read(one) &&
		    wire_flush(one))
			reply = wire_next(one);
		if (reply == NULL && why != NULL)
			wire_fail(one, "%s", why);
	}
	return reply;
}

/* Redis says nothing unasked: anything to read is the end of the connection or an error. */
bool
wire_check_idle(wire *one)
{
	struct pollfd ready = { .fd = one->context->fd, .events = POLLIN };

	if (one->context->reader->pos == one->context->reader->len && poll(&ready, 1, 0) <= 0)
		return true;
	if (one->context->reader->pos < one->context->reader->len || wire_read(one))
		wire_fail_answer(one);
	return false;
}
