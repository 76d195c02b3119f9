/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_dns.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_parts.h"
#include "suite.h"

enum { ROOM = 65535, HEADER = 12 };

struct fake_dns {
	fake_dns_answer answer;
	void *data;
	int udp;
	int tcp;
	int stop[2]; /* a pipe */
	pthread_t thread;
	atomic_uint count;
	char address[32];
	uint8_t out[ROOM];
};

/* ---- sockets ---- */

/* One port for both; somebody may have the other half of it. */
static bool
open_sockets(struct fake_dns *server)
{
	for (int i = 0; i < 50; i++) {
		unsigned port = 0;

		server->udp = open_socket(SOCK_DGRAM, INADDR_LOOPBACK, &port);
		if (server->udp < 0)
			return false;
		server->tcp = open_socket(SOCK_STREAM, INADDR_LOOPBACK, &port);
		if (server->tcp >= 0 && listen(server->tcp, 16) == 0) {
			snprintf(server->address, sizeof(server->address), "127.0.0.1:%u", port);
			return true;
		}
		close(server->udp);
	}
	return false;
}

/* On an address of the loopback network that hardly anybody else uses. */
static bool
open_sockets_at_53(struct fake_dns *server)
{
	unsigned port = 53;
	uint32_t address = 0x7f000002U + ((uint32_t)getpid() & 0xffff) * 16U;

	for (uint32_t i = 0; i < 8; i++, address++) {
		server->udp = open_socket(SOCK_DGRAM, address, &port);
		if (server->udp < 0)
			continue;
		server->tcp = open_socket(SOCK_STREAM, address, &port);
		if (server->tcp >= 0 && listen(server->tcp, 16) == 0) {
			snprintf(server->address, sizeof(server->address), "127.%u.%u.%u",
			         address >> 16 & 255, address >> 8 & 255, address & 255);
			return true;
		}
		close(server->udp);
	}
	return false;
}

int
fake_dns_blackhole(char address[32])
{
	unsigned port = 0;
	int fd = open_socket(SOCK_DGRAM, INADDR_LOOPBACK, &port);

	snprintf(address, 32, "127.0.0.1:%u", port);
	CU_ASSERT_FATAL(fd >= 0);
	return fd;
}

/* ---- questions ---- */

static bool
read_question(const uint8_t *bytes, size_t length, struct fake_question *out)
{
	size_t at = HEADER;
	size_t used = 0;

	while (at < length && bytes[at] != 0) {
		size_t label = bytes[at++];

		if (label > 63 || length - at < label || used + label + 2 > sizeof(out->name))
			return false;
		if (used > 0)
			out->name[used++] = '.';
		for (size_t i = 0; i < label; i++) {
			char c = (char)bytes[at++];

			out->name[used++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
		}
	}
	if (length < HEADER || length - at < 5)
		return false;
	out->name[used] = '\0';
	out->type = (unsigned)bytes[at + 1] << 8 | bytes[at + 2];
	out->message = bytes;
	out->length = length;
	out->end = at + 5;
	return true;
}

static size_t
answer(struct fake_dns *server, const uint8_t *bytes, size_t length, bool tcp)
{
	struct fake_question question = { .tcp = tcp };

	if (!read_question(bytes, length, &question))
		return 0;
	question.asked = atomic_fetch_add(&server->count, 1);
	return server->answer(&question, server->out, ROOM, server->data);
}

static void
serve_udp(struct fake_dns *server)
{
	uint8_t bytes[4096];
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	ssize_t got = recvfrom(server->udp, bytes, sizeof(bytes), 0, (struct sockaddr *)&from,
	                       &size);
	size_t length = got < 0 ? 0 : answer(server, bytes, (size_t)got, false);

	if (length > 0)
		sendto(server->udp, server->out, length, 0, (struct sockaddr *)&from, size);
}

static bool
read_all(int fd, uint8_t *out, size_t length)
{
	while (length > 0) {
		ssize_t got = recv(fd, out, length, 0);

		if (got <= 0)
			return false;
		out += got;
		length -= (size_t)got;
	}
	return true;
}

/* One question a connection; nobody who connects may keep the server for long. */
static void
serve_tcp(struct fake_dns *server)
{
	struct timeval patience = { .tv_sec = 5 };
	uint8_t bytes[4096], size[2];
	int fd = accept(server->tcp, NULL, NULL);
	size_t length;

	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (read_all(fd, size, 2)) {
		length = (size_t)size[0] << 8 | size[1];
		length = length <= sizeof(bytes) && read_all(fd, bytes, length)
		                 ? answer(server, bytes, length, true)
		                 : 0;
		size[0] = (uint8_t)(length >> 8);
		size[1] = (uint8_t)length;
		if (length > 0) {
			send_all(fd, size, 2);
			send_all(fd, server->out, length);
		}
	}
	close(fd);
}

static void *
serve(void *data)
{
	struct fake_dns *server = data;
	struct pollfd fds[3] = {
		{ .fd = server->udp, .events = POLLIN },
		{ .fd = server->tcp, .events = POLLIN },
		{ .fd = server->stop[0], .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 3, -1) < 0)
			continue;
		if (fds[2].revents != 0)
			return NULL;
		if (fds[0].revents != 0)
			serve_udp(server);
		if (fds[1].revents != 0)
			serve_tcp(server);
	}
}

static struct fake_dns *
make(fake_dns_answer how, void *data)
{
	struct fake_dns *server = calloc(1, sizeof(*server));

	CU_ASSERT_FATAL(server != NULL);
	server->answer = how;
	server->data = data;
	return server;
}

static struct fake_dns *
start(struct fake_dns *server)
{
	CU_ASSERT_FATAL(pipe(server->stop) == 0);
	CU_ASSERT_FATAL(pthread_create(&server->thread, NULL, serve, server) == 0);
	return server;
}

struct fake_dns *
fake_dns_start(fake_dns_answer how, void *data)
{
	struct fake_dns *server = make(how, data);

	CU_ASSERT_FATAL(open_sockets(server));
	return start(server);
}

struct fake_dns *
fake_dns_start_at_53(fake_dns_answer how, void *data)
{
	struct fake_dns *server = make(how, data);

	if (open_sockets_at_53(server))
		return start(server);
	free(server);
	return NULL;
}

void
fake_dns_stop(struct fake_dns *server)
{
	if (server == NULL)
		return;
	CU_ASSERT_EQUAL(write(server->stop[1], "", 1), 1);
	pthread_join(server->thread, NULL);
	close(server->udp);
	close(server->tcp);
	close(server->stop[0]);
	close(server->stop[1]);
	free(server);
}

const char *
fake_dns_address(const struct fake_dns *server)
{
	return server->address;
}

unsigned
fake_dns_count(const struct fake_dns *server)
{
	return atomic_load(&server->count);
}

/* ---- answers ---- */

static void
write16(uint8_t *out, unsigned value)
{
	out[0] = (uint8_t)(value >> 8);
	out[1] = (uint8_t)value;
}

static void
write32(uint8_t *out, uint32_t value)
{
	write16(out, value >> 16);
	write16(out + 2, value & 0xffff);
}

size_t
fake_dns_begin(const struct fake_question *question, unsigned rcode, uint8_t *out)
{
	memcpy(out, question->message, question->end);
	write16(out + 2, 0x8180U | rcode);
	write16(out + 4, 1);
	memset(out + 6, 0, 6);
	return question->end;
}

size_t
fake_dns_add(uint8_t *out, size_t at, const char *owner, unsigned type, uint32_t ttl,
             const void *data, size_t size, bool authority)
{
	uint8_t *count = out + (authority ? 8 : 6);

	if (owner == NULL) {
		write16(out + at, 0xc000U | HEADER);
		at += 2;
	} else {
		at += write_name(out + at, owner);
	}
	write16(out + at, type);
	write16(out + at + 2, 1);
	write32(out + at + 4, ttl);
	write16(out + at + 8, (unsigned)size);
	if (size > 0)
		memcpy(out + at + 10, data, size);
	write16(count, ((unsigned)count[0] << 8 | count[1]) + 1);
	return at + 10 + size;
}

size_t
fake_dns_add_name(uint8_t *out, size_t at, const char *owner, unsigned type, uint32_t ttl,
                  const char *target)
{
	uint8_t data[512];

	return fake_dns_add(out, at, owner, type, ttl, data, write_name(data, target), false);
}

size_t
fake_dns_add_soa(uint8_t *out, size_t at, uint32_t ttl, uint32_t minimum)
{
	uint8_t data[22] = { 0 };

	write32(data + 18, minimum);
	return fake_dns_add(out, at, "test", FAKE_DNS_SOA, ttl, data, sizeof(data), true);
}
