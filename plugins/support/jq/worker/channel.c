/* SPDX-License-Identifier: Apache-2.0 */
/* channel.c - sends and receives messages on a socket, with descriptors. */
#include "channel.h"

#include <errno.h>
#include <limen/host.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define HEAD sizeof(uint32_t)

/* Room for the control message of two descriptors. */
typedef union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(2 * sizeof(int))];
} control;

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

static ssize_t
send_part(int fd, const char *bytes, size_t length, const int fds[2])
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = length };
	control with = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fds != NULL) {
		message.msg_control = with.bytes;
		message.msg_controllen = sizeof(with.bytes);
		with.head.cmsg_level = SOL_SOCKET;
		with.head.cmsg_type = SCM_RIGHTS;
		with.head.cmsg_len = CMSG_LEN(2 * sizeof(int));
		memcpy(CMSG_DATA(&with.head), fds, 2 * sizeof(int));
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static channel_result
send_all(int fd, const char *bytes, size_t length, const int fds[2], int64_t deadline)
{
	while (length > 0) {
		ssize_t sent = send_part(fd, bytes, length, fds);

		if (sent < 0 && !is_temporary(errno))
			return CHANNEL_GONE;
		if (sent > 0) {
			bytes += sent;
			length -= (size_t)sent;
			fds = NULL;
		} else if (!wait_for(fd, POLLOUT, deadline)) {
			return CHANNEL_LATE;
		}
	}
	return CHANNEL_OK;
}

channel_result
channel_send(int fd, const char *bytes, size_t length, const int fds[2], int64_t deadline)
{
	uint32_t counted = (uint32_t)length;
	channel_result result;

	if (length > CHANNEL_BYTES_MAX)
		return CHANNEL_GONE;
	result = send_all(fd, (const char *)&counted, HEAD, fds, deadline);
	return result == CHANNEL_OK ? send_all(fd, bytes, length, NULL, deadline) : result;
}

/* What 'in' holds so far: OK if that is all, LATE if more must come, or GONE. */
static channel_result
check_length(const text *in)
{
	uint32_t length;

	if (in->failed)
		return CHANNEL_GONE;
	if (in->length < HEAD)
		return CHANNEL_LATE;
	memcpy(&length, in->bytes, HEAD);
	if (length > CHANNEL_BYTES_MAX || in->length > HEAD + length)
		return CHANNEL_GONE;
	return in->length == HEAD + length ? CHANNEL_OK : CHANNEL_LATE;
}

/* Room is made for what has come, and never for what a length only promises. */
static ssize_t
receive_part(int fd, text *in, int fds[2])
{
	char bytes[16384];
	struct iovec part = { .iov_base = bytes, .iov_len = sizeof(bytes) };
	control with;
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *head;
	ssize_t got;

	if (fds != NULL) {
		message.msg_control = with.bytes;
		message.msg_controllen = sizeof(with.bytes);
	}
	got = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (got <= 0)
		return got;
	text_add(in, bytes, (size_t)got);
	head = fds == NULL ? NULL : CMSG_FIRSTHDR(&message);
	if (head != NULL && head->cmsg_type == SCM_RIGHTS &&
	    head->cmsg_len == CMSG_LEN(2 * sizeof(int)))
		memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
	return got;
}

channel_result
channel_receive(int fd, text *out, int fds[2], int64_t deadline)
{
	channel_result result = CHANNEL_LATE;
	text in = { .bytes = NULL };

	*out = (text){ .bytes = NULL };
	while (result == CHANNEL_LATE) {
		ssize_t got;

		if (!wait_for(fd, POLLIN, deadline))
			break;
		got = receive_part(fd, &in, fds);
		if (got < 0 && is_temporary(errno))
			continue;
		result = got <= 0 ? CHANNEL_GONE : check_length(&in);
	}
	if (result == CHANNEL_OK)
		text_add(out, in.bytes + HEAD, in.length - HEAD);
	text_free(&in);
	return result == CHANNEL_OK && out->failed ? CHANNEL_GONE : result;
}
