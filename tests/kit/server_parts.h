/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server_parts.h - what the servers of tests share: finding a program, ending its process, sockets
 * on the loopback network, and names in DNS messages.
 */
#ifndef LIMEN_TESTS_KIT_SERVER_PARTS_H
#define LIMEN_TESTS_KIT_SERVER_PARTS_H

#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns the first of 'places', ended by NULL, that is a program; NULL if none is. */
static inline const char *
find_program(const char *const *places)
{
	while (*places != NULL && access(*places, X_OK) != 0)
		places++;
	return *places;
}

static inline void
end_process(pid_t *process)
{
	if (*process > 0) {
		kill(*process, SIGKILL);
		waitpid(*process, NULL, 0);
	}
	*process = 0;
}

/* Opens a bound socket and stores its port; port 0: a free one.  Returns -1 if that fails. */
static inline int
open_socket(int type, uint32_t address, unsigned *port)
{
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	struct sockaddr_in place = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)*port),
		.sin_addr.s_addr = htonl(address),
	};
	socklen_t size = sizeof(place);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&place, size) == 0 &&
	    getsockname(fd, (struct sockaddr *)&place, &size) == 0) {
		*port = ntohs(place.sin_port);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Returns a socket that listens on a free port of the loopback interface, or -1. */
static inline int
listen_on_loopback(int queue, unsigned *port)
{
	int fd = open_socket(SOCK_STREAM, INADDR_LOOPBACK, port);

	if (fd < 0 || listen(fd, queue) == 0)
		return fd;
	close(fd);
	return -1;
}

static inline bool
send_all(int fd, const void *bytes, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t sent = send(fd, (const char *)bytes + done, length - done, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		done += (size_t)sent;
	}
	return true;
}

/* Writes 'name' as labels and returns how many bytes it takes. */
static inline size_t
write_name(uint8_t *out, const char *name)
{
	size_t at = 0;

	while (*name != '\0') {
		size_t length = strcspn(name, ".");

		out[at++] = (uint8_t)length;
		memcpy(out + at, name, length);
		at += length;
		name += length + (name[length] == '.');
	}
	out[at++] = 0;
	return at;
}

#endif
