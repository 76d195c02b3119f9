/* SPDX-License-Identifier: Apache-2.0 */
/* wire_open.c - connects: the socket, the login, what the server is, and the scripts. */
#include <errno.h>
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

#define VERSION_LEAST 5 /* scripts that ask for the time may write since then */

/* Connects to one address; returns 0 or an errno. */
static int
try_address(wire *connection, const struct sockaddr *address, socklen_t size)
{
	const char *why = NULL;
	socklen_t length = sizeof(int);
	int error, on = 1;

	if (connection->fd >= 0)
		close(connection->fd);
	connection->fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	error = connection->fd >= 0 && connect(connection->fd, address, size) == 0 ? 0 : errno;
	while (error == EINPROGRESS && why == NULL) {
		if (wire_poll(connection, POLLOUT, &why))
			(void)getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &length);
	}
	/* A Unix socket has no such option. */
	(void)setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return error == EINPROGRESS ? ETIMEDOUT : error;
}

/* Connects, with TLS if that is wanted; the connection may have failed.  NULL if memory is short. */
static wire *
dial(const settings *options, const place *address, limen_deadline deadline, limen_host *host)
{
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	wire *connection = wire_new(-1);
	char port[24];
	int result = 0, error = ENAMETOOLONG;

	if (connection == NULL)
		return NULL;
	connection->deadline = deadline;
	connection->host = host;
	snprintf(port, sizeof(port), "%lld", (long long)address->port);
	if (options->path == NULL)
		result = getaddrinfo(address->host, port, &hints, &list);
	else if ((size_t)snprintf(local.sun_path, sizeof(local.sun_path), "%s", options->path) <
	         sizeof(local.sun_path))
		error = try_address(connection, (struct sockaddr *)&local, sizeof(local));
	for (const struct addrinfo *next = list; next != NULL && error != 0; next = next->ai_next)
		error = try_address(connection, next->ai_addr, next->ai_addrlen);
	if (result != 0 || error != 0)
		wire_fail(connection, "%s", result != 0 ? gai_strerror(result) : strerror(error));
	else if (options->tls)
		tls_start(connection, options, address->host);
	if (list != NULL)
		freeaddrinfo(list);
	return connection;
}

static void
log_in(wire *connection, const char *user, const char *password)
{
	if (password != NULL)
		freeReplyObject(user == NULL ? wire_ask(connection, "AUTH %s", password)
		                             : wire_ask(connection, "AUTH %s %s", user, password));
}

/* Returns the connection; closes one that has failed: NULL with the reason in 'why'. */
static wire *
check(wire *connection, wire_fault *why)
{
	if (connection != NULL && !connection->failed)
		return connection;
	snprintf(why->text, sizeof(why->text), "%s",
	         connection == NULL ? limen_result_text(LIMEN_ENOMEM) : connection->error);
	why->lasts = connection != NULL && connection->unfit;
	wire_close(connection);
	return NULL;
}

/* Copies the value of 'name', which ends in a colon, from INFO; false once the connection has failed. */
static bool
find_info(wire *connection, const char *info, const char *name, char *out, size_t size)
{
	const char *field = connection->failed ? NULL : strstr(info, name);
	size_t length = 0;

	if (field != NULL) {
		field += strlen(name);
		length = strspn(field, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		                       "0123456789-.:_");
	}
	if (length == 0 || length >= size) {
		wire_fail(connection, "INFO has no '%s'", name);
		return false;
	}
	memcpy(out, field, length);
	out[length] = '\0';
	return true;
}

/* Checks that limen can count in the server that 'info' describes. */
static void
check_server(wire *connection, const settings *options, const char *info)
{
	/* Valkey's name for it stands second. */
	const char *mode_name = strstr(info, "redis_mode:") != NULL ? "redis_mode:" : "server_mode:";
	char version[32], mode[32];

	if (!find_info(connection, info, "redis_version:", version, sizeof(version)) ||
	    !find_info(connection, info, mode_name, mode, sizeof(mode)))
		return;
	if (strtol(version, NULL, 10) < VERSION_LEAST)
		wire_fail(connection, "its version is %s: use Redis %d or later", version, VERSION_LEAST);
	else if (strcmp(mode, "sentinel") == 0)
		wire_fail(connection, "it is a Sentinel: name it in 'sentinels', beside 'master'");
	else if (strcmp(mode, "cluster") == 0 && options->cluster.count == 0)
		wire_fail(connection, "it is a node of a Redis Cluster: name it in 'cluster'");
	connection->unfit = connection->failed;
}

/* Only a master can count.  Sentinels may name a replica while they replace the master. */
static void
check_role(wire *connection, const settings *options, const char *info)
{
	char role[32], host[NI_MAXHOST], port[16];

	if (!find_info(connection, info, "\nrole:", role, sizeof(role)) ||
	    strcmp(role, "master") == 0 ||
	    !find_info(connection, info, "master_host:", host, sizeof(host)) ||
	    !find_info(connection, info, "master_port:", port, sizeof(port)))
		return;
	wire_fail(connection, "it is a replica of %s:%s: name the address of the master", host, port);
	connection->unfit = options->master == NULL && options->cluster.count == 0;
}

static void
greet(wire *connection, const settings *options)
{
	redisReply *info;

	log_in(connection, options->user, options->password);
	if (options->database != 0)
		freeReplyObject(wire_ask(connection, "SELECT %lld", (long long)options->database));
	info = wire_ask(connection, "INFO");
	if (info == NULL || info->type != REDIS_REPLY_STRING) {
		wire_fail_reply(connection, NULL);
	} else {
		check_server(connection, options, info->str);
		check_role(connection, options, info->str);
		(void)find_info(connection, info->str, "run_id:", connection->run,
		                sizeof(connection->run));
		(void)find_info(connection, info->str, "maxmemory_policy:", connection->policy,
		                sizeof(connection->policy));
	}
	freeReplyObject(info);
	for (int which = 0; which < SCRIPT_COUNT && !connection->failed; which++) {
		redisReply *reply = wire_ask(connection, "SCRIPT LOAD %s", script_texts[which]);

		if (reply != NULL && reply->type == REDIS_REPLY_STRING &&
		    (size_t)reply->len == sizeof(connection->sha[which]) - 1)
			memcpy(connection->sha[which], reply->str, sizeof(connection->sha[which]));
		else
			wire_fail_reply(connection, NULL);
		freeReplyObject(reply);
	}
	connection->made = limen_host_monotonic();
}

bool
place_equal(const place *a, const place *b)
{
	return a->port == b->port && strcmp(a->host, b->host) == 0;
}

/* CRC-16/XMODEM, as the specification of Redis Cluster has it. */
unsigned
wire_slot(const char *text, size_t length)
{
	unsigned sum = 0;

	for (size_t i = 0; i < length; i++) {
		sum ^= (unsigned)(unsigned char)text[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			sum = (sum << 1 ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xFFFF;
	}
	return sum & 16383;
}

bool
wire_place(const char *host, const char *port, const char *teller, place *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-%";

	out->port = strtol(port, NULL, 10);
	host = host == NULL || *host == '\0' ? teller : host;
	return out->port > 0 && out->port <= 65535 && host[strspn(host, plain)] == '\0' &&
	       (size_t)snprintf(out->host, sizeof(out->host), "%s", host) < sizeof(out->host);
}

/* Reads the answer of a Sentinel: host and port, or nil. */
static void
read_master(wire *connection, const settings *options, const redisReply *reply, cluster_map *out)
{
	out->count = 1;
	if (reply->type == REDIS_REPLY_NIL) {
		wire_fail(connection, "it knows no master '%s'", options->master);
		connection->unfit = true;
	} else if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
	           reply->element[0]->type != REDIS_REPLY_STRING ||
	           reply->element[1]->type != REDIS_REPLY_STRING ||
	           !wire_place(reply->element[0]->str, reply->element[1]->str, "",
	                       &out->masters[0])) {
		wire_fail_reply(connection, NULL);
	}
}

/* Reads first slot, last slot, and the master of them; false if that is malformed. */
static bool
read_range(const redisReply *range, const char *teller, const unsigned slots[CALL_TAGS],
           cluster_map *out)
{
	place *found = &out->masters[out->count];
	const redisReply *master;
	char port[24];
	size_t at = 0;

	/* An element that is no integer, or no array, has 0 there. */
	if (range->elements < 3 || range->element[2]->elements < 2)
		return false;
	master = range->element[2];
	snprintf(port, sizeof(port), "%lld", master->element[1]->integer);
	/* The text of a host that is not known is nil, or no text. */
	if (!wire_place(master->element[0]->str, port, teller, found))
		return false;
	while (!place_equal(&out->masters[at], found))
		at++;
	out->count += at == out->count;
	for (unsigned tag = 0; tag < CALL_TAGS; tag++) {
		if (slots[tag] >= range->element[0]->integer && slots[tag] <= range->element[1]->integer)
			out->owner[tag] = (unsigned char)at;
	}
	return out->count <= NODES_MAX;
}

static void
read_slots(wire *connection, const char *teller, const redisReply *reply, cluster_map *out)
{
	bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements > 0;
	unsigned slots[CALL_TAGS];
	char text[8];

	*out = (cluster_map){ .count = 0 };
	for (unsigned tag = 0; tag < CALL_TAGS; tag++)
		slots[tag] = wire_slot(text, (size_t)snprintf(text, sizeof(text), "%u", tag));
	for (size_t i = 0; good && i < reply->elements; i++)
		good = read_range(reply->element[i], teller, slots, out);
	if (!good)
		wire_fail_reply(connection, NULL);
}

/* Asks one Sentinel or node. */
static bool
ask_place(const settings *options, const place *there, limen_deadline deadline, limen_host *host,
          cluster_map *out, wire_fault *why)
{
	wire *connection = dial(options, there, deadline, host);
	redisReply *reply = NULL;

	if (connection != NULL && options->master == NULL) {
		log_in(connection, options->user, options->password);
		reply = wire_ask(connection, "CLUSTER SLOTS");
	} else if (connection != NULL) {
		log_in(connection, options->sentinel_user, options->sentinel_password);
		reply = wire_ask(connection, "SENTINEL GET-MASTER-ADDR-BY-NAME %s", options->master);
	}
	if (reply != NULL && options->master == NULL)
		read_slots(connection, there->host, reply, out);
	else if (reply != NULL)
		read_master(connection, options, reply, out);
	freeReplyObject(reply);
	connection = check(connection, why);
	if (connection == NULL)
		return false;
	wire_close(connection);
	return true;
}

bool
wire_find(const settings *options, const place *more, size_t more_count, limen_deadline deadline,
          limen_host *host, cluster_map *out, wire_fault *why)
{
	size_t count = options->place_count + more_count;
	/* One that is cut off and does not know it must not always come first. */
	size_t first = more_count == 0 ? 0 : (size_t)limen_host_monotonic() % count;
	wire_fault latest;

	for (size_t turn = 0; turn < count; turn++) {
		size_t i = (first + turn) % count;
		const place *asked = i < options->place_count ? &options->places[i]
		                                              : &more[i - options->place_count];
		int64_t now = limen_host_monotonic();
		int64_t share = (deadline - now) / (int64_t)(count - turn + 1);

		if (ask_place(options, asked, now + share, host, out, &latest))
			return true;
		why->lasts = latest.lasts;
		snprintf(why->text, sizeof(why->text), "the %s %.80s:%d: %.80s",
		         options->master == NULL ? "node" : "Sentinel", asked->host, (int)asked->port,
		         latest.text);
	}
	return false;
}

wire *
wire_open(const settings *options, const place *address, limen_deadline deadline, limen_host *host,
          wire_fault *why)
{
	cluster_map found;
	wire *connection;

	if (options->master != NULL) {
		if (!wire_find(options, NULL, 0, deadline, host, &found, why))
			return NULL;
		address = &found.masters[0];
	}
	connection = dial(options, address, deadline, host);
	if (connection != NULL)
		greet(connection, options);
	return check(connection, why);
}

size_t
wire_open_all(const settings *options, limen_deadline deadline, cluster_map *map,
              wire *out[NODES_MAX], wire_fault *why)
{
	cluster_map found = { .count = 1, .masters = { options->address } };
	wire_fault latest;
	size_t count = 0;

	*map = found;
	if (options->cluster.count > 0 && !wire_find(options, NULL, 0, deadline, NULL, &found, why))
		return 0;
	*map = found;
	*why = (wire_fault){ .lasts = false };
	for (size_t i = 0; !why->lasts && i < map->count; i++) {
		out[count] = wire_open(options, &map->masters[i], deadline, NULL, &latest);
		if (out[count] == NULL)
			*why = latest;
		else
			count++;
	}
	return count;
}
