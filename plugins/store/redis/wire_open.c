/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_open.c - making a connection: the socket, then what is said once.
 */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire.h"

#if HIREDIS_MAJOR < 1
typedef int array_length;
#else
typedef size_t array_length;
#endif

/*
 * hiredis multiplies the number an array claims to have with the size of a pointer,
 * and bounds neither that number nor that of all arrays in arrays.
 */
static void *
create_array(const redisReadTask *task, array_length elements)
{
	wire *one = task->privdata;

	if ((size_t)elements > WIRE_ELEMENTS_MAX - one->elements) {
		wire_fail_answer(one, "an answer of too many elements");
		return NULL;
	}
	one->elements += (size_t)elements;
	return one->makers->createArray(task, elements);
}

wire *
wire_new(void)
{
	wire *one = calloc(1, sizeof(*one));

	if (one == NULL)
		return NULL;
	one->fd = -1;
	one->reader = redisReaderCreate();
	if (one->reader == NULL) {
		wire_close(one);
		return NULL;
	}
	one->makers = one->reader->fn;
	one->functions = *one->makers;
	one->reader->privdata = one;
	one->functions.createArray = create_array;
	one->reader->fn = &one->functions;
	return one;
}

/* ---- the socket ---- */

static bool
finish_connecting(wire *one, int64_t deadline, limen_host *host)
{
	int error = 0;
	socklen_t size = sizeof(error);

	if (!wire_wait_ready(one, POLLOUT, deadline, host)) {
		errno = ETIMEDOUT;
		return false;
	}
	if (getsockopt(one->fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
		errno = error;
	return errno == 0;
}

/* Leaves the reason in errno. */
static bool
connect_to(wire *one, const struct sockaddr *address, socklen_t size, int64_t deadline,
           limen_host *host)
{
	int yes = 1;

	one->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (one->fd < 0)
		return false;
	if (address->sa_family != AF_UNIX)
		setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	if (connect(one->fd, address, size) == 0)
		return true;
	if (errno == EINPROGRESS && finish_connecting(one, deadline, host))
		return true;
	yes = errno;
	close(one->fd);
	one->fd = -1;
	errno = yes;
	return false;
}

static bool
connect_path(wire *one, const char *path, int64_t deadline, limen_host *host)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	return connect_to(one, (struct sockaddr *)&address, sizeof(address), deadline, host);
}

static bool
connect_host(wire *one, const place *where, int64_t deadline, limen_host *host)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	char port[24];
	int result;

	snprintf(port, sizeof(port), "%" PRId64, where->port);
	result = getaddrinfo(where->host, port, &hints, &list);
	if (result != 0) {
		wire_fail(one, "%s", gai_strerror(result));
		return false;
	}
	for (const struct addrinfo *at = list; at != NULL && one->fd < 0 && !one->failed; at = at->ai_next)
		connect_to(one, at->ai_addr, at->ai_addrlen, deadline, host);
	freeaddrinfo(list);
	return one->fd >= 0;
}

static bool
connect_wire(wire *one, const place *where, int64_t deadline, limen_host *host)
{
	if (where->path != NULL ? connect_path(one, where->path, deadline, host)
	                        : connect_host(one, where, deadline, host))
		return true;
	wire_fail(one, "%s", strerror(errno));
	return false;
}

/* ---- what is said once ---- */

/* Sends a command of words without NULs and returns the answer, unless that is an error. */
static redisReply *
ask(wire *one, size_t count, const char *const *words, int64_t deadline, limen_host *host)
{
	size_t lengths[3];
	redisReply *reply;

	for (size_t i = 0; i < count; i++)
		lengths[i] = strlen(words[i]);
	if (!wire_queue(one, count, words, lengths)) {
		wire_fail(one, "%s", limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	reply = wire_wait(one, deadline, host);
	if (reply != NULL && reply->type == REDIS_REPLY_ERROR) {
		wire_fail_reply(one, reply);
		freeReplyObject(reply);
		reply = NULL;
	}
	return reply;
}

static bool
order(wire *one, size_t count, const char *const *words, int64_t deadline, limen_host *host)
{
	redisReply *reply = ask(one, count, words, deadline, host);

	if (reply == NULL)
		return false;
	freeReplyObject(reply);
	return true;
}

/* Who we are, and which database is ours. */
static bool
enter(wire *one, const place *where, int64_t deadline, limen_host *host)
{
	char database[24];

	if (where->password != NULL && where->user != NULL &&
	    !order(one, 3, (const char *[]){ "AUTH", where->user, where->password }, deadline, host))
		return false;
	if (where->password != NULL && where->user == NULL &&
	    !order(one, 2, (const char *[]){ "AUTH", where->password }, deadline, host))
		return false;
	if (where->database == 0)
		return true;
	snprintf(database, sizeof(database), "%" PRId64, where->database);
	return order(one, 2, (const char *[]){ "SELECT", database }, deadline, host);
}

/* Copies the value of 'name', which a colon and a line follow, from a section of INFO. */
static bool
find_info(const redisReply *reply, const char *name, char *out, size_t size)
{
	const char *at = reply->type == REDIS_REPLY_STRING ? strstr(reply->str, name) : NULL;
	size_t length;

	if (at == NULL)
		return false;
	at += strlen(name);
	length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
	if (length == 0 || length >= size)
		return false;
	memcpy(out, at, length);
	out[length] = '\0';
	return true;
}

static bool
learn(wire *one, const char *section, const char *name, char *out, size_t size,
      int64_t deadline, limen_host *host)
{
	redisReply *reply = ask(one, 2, (const char *[]){ "INFO", section }, deadline, host);
	bool found = reply != NULL && find_info(reply, name, out, size);

	if (reply != NULL)
		freeReplyObject(reply);
	if (!found)
		wire_fail(one, "INFO %s does not tell '%s'", section, name);
	return found;
}

static bool
load_script(wire *one, script_id which, int64_t deadline, limen_host *host)
{
	redisReply *reply = ask(one, 3, (const char *[]){ "SCRIPT", "LOAD", script_texts[which] },
	                        deadline, host);
	bool good = reply != NULL && reply->type == REDIS_REPLY_STRING &&
	            (size_t)reply->len == sizeof(one->sha[which]) - 1;

	if (good)
		memcpy(one->sha[which], reply->str, sizeof(one->sha[which]));
	else
		wire_fail(one, "an unexpected answer to SCRIPT LOAD");
	if (reply != NULL)
		freeReplyObject(reply);
	return good;
}

static bool
prepare(wire *one, const place *where, int64_t deadline, limen_host *host)
{
	if (!connect_wire(one, where, deadline, host) || !enter(one, where, deadline, host) ||
	    !learn(one, "server", "run_id:", one->run, sizeof(one->run), deadline, host) ||
	    !learn(one, "memory", "maxmemory_policy:", one->policy, sizeof(one->policy), deadline,
	           host))
		return false;
	for (int which = 0; which < SCRIPT_COUNT; which++) {
		if (!load_script(one, (script_id)which, deadline, host))
			return false;
	}
	return true;
}

wire *
wire_open(const place *where, int64_t deadline, limen_host *host, char *why, size_t size)
{
	wire *one = wire_new();

	if (one == NULL) {
		snprintf(why, size, "%s", limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if (prepare(one, where, deadline, host)) {
		one->made = limen_host_monotonic();
		return one;
	}
	snprintf(why, size, "%s", one->error);
	wire_close(one);
	return NULL;
}
