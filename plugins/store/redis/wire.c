/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* More waits for nobody: a pipeline of what fits is far below. */
#define OUT_MAX ((size_t)8 << 20)

/* How long a wait goes on before it is looked whether the instance is closing. */
#define SLICE_MS 200

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

void
wire_fail_answer(wire *one, const char *why)
{
	if (!one->failed)
		one->unsound = true;
	wire_fail(one, "%s", why);
}

void
wire_fail_reply(wire *one, const redisReply *reply)
{
	char text[120];
	size_t length = 0;

	if (reply->type != REDIS_REPLY_ERROR) {
		wire_fail_answer(one, "an unexpected answer");
		return;
	}
	for (; length < sizeof(text) - 1 && length < (size_t)reply->len; length++) {
		unsigned char byte = (unsigned char)reply->str[length];

		text[length] = byte >= ' ' && byte < 0x7F ? (char)byte : '?';
	}
	text[length] = '\0';
	wire_fail_answer(one, length == 0 ? "an error without a text" : text);
}

/* ---- writing ---- */

static bool
make_room(wire *one, size_t more)
{
	size_t wanted = one->out_length + more;
	char *out;

	if (wanted <= one->out_room)
		return true;
	wanted += wanted / 2;
	out = wanted > OUT_MAX ? NULL : realloc(one->out, wanted);
	if (out == NULL)
		return false;
	one->out = out;
	one->out_room = wanted;
	return true;
}

bool
wire_queue(wire *one, size_t count, const char *const *words, const size_t *lengths)
{
	char *text = NULL;
	int length = redisFormatCommandArgv(&text, (int)count, (const char **)(uintptr_t)words,
	                                    lengths);
	bool queued = length > 0 && make_room(one, (size_t)length);

	if (queued) {
		memcpy(one->out + one->out_length, text, (size_t)length);
		one->out_length += (size_t)length;
	}
	if (length > 0)
		redisFreeCommand(text);
	return queued;
}

bool
wire_flush(wire *one)
{
	size_t sent = 0;

	while (!one->failed && sent < one->out_length) {
		ssize_t count = send(one->fd, one->out + sent, one->out_length - sent,
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
	char piece[16384];
	ssize_t count = recv(one->fd, piece, sizeof(piece), 0);

	if (count == 0)
		wire_fail(one, "the connection was closed");
	if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
		wire_fail(one, "%s", strerror(errno));
	if (one->failed || count < 0)
		return !one->failed;
	if (one->fed > WIRE_REPLY_MAX)
		wire_fail_answer(one, "an answer without end");
	else if (redisReaderFeed(one->reader, piece, (size_t)count) != REDIS_OK)
		wire_fail_answer(one, one->reader->errstr);
	one->fed += (size_t)count;
	return !one->failed;
}

redisReply *
wire_next(wire *one)
{
	void *reply = NULL;

	if (!one->failed && redisReaderGetReply(one->reader, &reply) != REDIS_OK)
		wire_fail_answer(one, one->reader->errstr);
	if (reply == NULL)
		return NULL;
	/* What else was read is of the next one. */
	one->fed = one->reader->len - one->reader->pos;
	one->elements = 0;
	return reply;
}

static int
milliseconds_until(int64_t deadline)
{
	int64_t left = deadline - limen_host_monotonic();

	if (left <= 0)
		return 0;
	return left > SLICE_MS * INT64_C(1000000) ? SLICE_MS : (int)((left + 999999) / 1000000);
}

/* Why nobody waits any longer, or NULL. */
static const char *
find_end(int64_t deadline, limen_host *host)
{
	if (limen_host_monotonic() >= deadline)
		return "no answer in time";
	return host != NULL && limen_host_stopping(host) ? "the store is being closed" : NULL;
}

bool
wire_wait_ready(wire *one, short events, int64_t deadline, limen_host *host)
{
	struct pollfd ready = { .fd = one->fd, .events = events };

	for (;;) {
		const char *end = find_end(deadline, host);
		int count = poll(&ready, 1, end != NULL ? 0 : milliseconds_until(deadline));

		if (count > 0)
			return true;
		if (count < 0 && errno != EINTR)
			wire_fail(one, "%s", strerror(errno));
		else if (end != NULL)
			wire_fail(one, "%s", end);
		if (one->failed)
			return false;
	}
}

/* The end holds as well where there is always something to read, as an answer without end. */
redisReply *
wire_wait(wire *one, int64_t deadline, limen_host *host)
{
	redisReply *reply = wire_flush(one) ? wire_next(one) : NULL;

	while (reply == NULL && !one->failed) {
		short events = (short)(POLLIN | (one->out_length > 0 ? POLLOUT : 0));
		const char *end = find_end(deadline, host);

		if (!wire_wait_ready(one, events, deadline, host) || !wire_read(one) ||
		    !wire_flush(one))
			break;
		reply = wire_next(one);
		if (reply == NULL && end != NULL)
			wire_fail(one, "%s", end);
	}
	return reply;
}

/* Nothing is said to one who has asked nothing: what can be read is the end, or nonsense. */
bool
wire_check_idle(wire *one)
{
	struct pollfd ready = { .fd = one->fd, .events = POLLIN };

	if (poll(&ready, 1, 0) <= 0)
		return true;
	if (wire_read(one))
		wire_fail_answer(one, "an answer to no question");
	return false;
}

void
wire_close(wire *one)
{
	if (one == NULL)
		return;
	if (one->reader != NULL)
		redisReaderFree(one->reader);
	if (one->fd >= 0)
		close(one->fd);
	if (one->out != NULL)
		explicit_bzero(one->out, one->out_room);
	free(one->out);
	free(one);
}
