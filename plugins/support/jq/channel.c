/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channel.c - a message is its length in four bytes and a value (wire.c).  One
 * is answered before the next is sent, so nothing may follow it.
 */
#include "channel.h"

#include <errno.h>
#include <limen/host.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "wire.h"

#define HEAD sizeof(uint32_t)

/* Waits until 'fd' is ready for 'what'; returns false after the deadline. */
static bool
wait_for(int fd, short what, int64_t deadline)
{
	struct pollfd watched = { .fd = fd, .events = what };
	int ready;

	do {
		int64_t left = deadline == INT64_MAX ? 0 : deadline - limen_host_monotonic();
		struct timespec time = { .tv_sec = (time_t)(left / 1000000000),
			                 .tv_nsec = (long)(left % 1000000000) };

		if (left < 0)
			return false;
		ready = ppoll(&watched, 1, deadline == INT64_MAX ? NULL : &time, NULL);
	} while (ready < 0 && errno == EINTR);
	return ready > 0;
}

static bool
is_temporary(int error)
{
	return error == EAGAIN || error == EINTR;
}

static channel_result
send_all(int fd, const char *bytes, size_t length, int64_t deadline)
{
	while (length > 0) {
		ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0 && !is_temporary(errno))
			return CHANNEL_ENDED;
		if (sent > 0) {
			bytes += sent;
			length -= (size_t)sent;
		} else if (!wait_for(fd, POLLOUT, deadline)) {
			return CHANNEL_LATE;
		}
	}
	return CHANNEL_OK;
}

channel_result
channel_send(int fd, jv value, int64_t deadline)
{
	text out = { .bytes = NULL };
	channel_result result = CHANNEL_LARGE;
	uint32_t length = 0;

	text_add(&out, (const char *)&length, HEAD);
	if (wire_put(&out, value)) {
		length = (uint32_t)(out.length - HEAD);
		memcpy(out.bytes, &length, HEAD);
		result = send_all(fd, out.bytes, out.length, deadline);
	}
	text_free(&out);
	return result;
}

/* What 'in' holds so far: BAD, OK if that is all, or LATE if more must come. */
static channel_result
check_length(const text *in)
{
	uint32_t length;

	if (in->length < HEAD)
		return CHANNEL_LATE;
	memcpy(&length, in->bytes, HEAD);
	if (length > WIRE_BYTES_MAX || in->length > HEAD + length)
		return CHANNEL_BAD;
	return in->length == HEAD + length ? CHANNEL_OK : CHANNEL_LATE;
}

/* Room is made for what has come, and never for what a length only promises. */
static channel_result
receive_all(int fd, text *in, int64_t deadline)
{
	channel_result result = CHANNEL_LATE;
	char part[16384];

	while (result == CHANNEL_LATE) {
		ssize_t got;

		if (!wait_for(fd, POLLIN, deadline))
			return CHANNEL_LATE;
		got = recv(fd, part, sizeof(part), MSG_DONTWAIT);
		if (got < 0 && is_temporary(errno))
			continue;
		if (got <= 0)
			return CHANNEL_ENDED;
		text_add(in, part, (size_t)got);
		if (in->failed)
			return CHANNEL_LARGE;
		result = check_length(in);
	}
	return result;
}

channel_result
channel_receive(int fd, int64_t deadline, jv *out)
{
	text in = { .bytes = NULL };
	channel_result result = receive_all(fd, &in, deadline);

	*out = jv_invalid();
	if (result == CHANNEL_OK) {
		*out = wire_get(in.bytes + HEAD, in.length - HEAD);
		if (!jv_is_valid(*out))
			result = CHANNEL_BAD;
	}
	text_free(&in);
	return result;
}
