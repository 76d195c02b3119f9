/* SPDX-License-Identifier: Apache-2.0 */
/* channel.c - sends and receives messages on a socket, with descriptors. */
#include "channel.h"

#include <errno.h>
#include <limen/host.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Room for the control message of two descriptors. */
typedef union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(2 * sizeof(int))];
} control;

bool
channel_wait(int fd, int64_t deadline)
{
	struct pollfd watched = { .fd = fd, .events = POLLIN };
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

bool
channel_send(int fd, const char *bytes, size_t length, const int fds[2])
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = length };
	control with = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fds != NULL) {
		size_t size = (fds[1] < 0 ? 1 : 2) * sizeof(int);

		message.msg_control = with.bytes;
		message.msg_controllen = CMSG_SPACE(size);
		with.head.cmsg_level = SOL_SOCKET;
		with.head.cmsg_type = SCM_RIGHTS;
		with.head.cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(&with.head), fds, size);
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)length;
}

ssize_t
channel_receive(int fd, char *bytes, int fds[2], int64_t deadline)
{
	struct iovec part = { .iov_base = bytes, .iov_len = CHANNEL_BYTES_MAX };
	control with;
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *head;
	ssize_t length;

	if (fds != NULL) {
		message.msg_control = with.bytes;
		message.msg_controllen = sizeof(with.bytes);
	}
	if (!channel_wait(fd, deadline))
		return CHANNEL_LATE;
	length = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (length <= 0 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
		return CHANNEL_GONE;
	head = fds == NULL ? NULL : CMSG_FIRSTHDR(&message);
	if (head != NULL && head->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
	return length;
}
