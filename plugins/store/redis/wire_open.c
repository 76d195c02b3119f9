/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_open.c - makes a connection: the socket, by way of hiredis, then the login, the
 * state of the server and the scripts.
 */
#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "wire.h"

/* Scripts that ask for the time may write since this version. */
#define VERSION_LEAST 5

/* ---- the socket ---- */

static struct timeval
time_until(limen_deadline deadline)
{
	int64_t left = (deadline - limen_host_monotonic()) / 1000;

	if (left < 1000)
		left = 1000;
	return (struct timeval){ .tv_sec = (time_t)(left / 1000000),
		                 .tv_usec = (suseconds_t)(left % 1000000) };
}

/* NULL with the reason in 'why' unless 'context' is connected. */
static redisContext *
check(redisContext *context, char *why, size_t size)
{
	if (context != NULL && context->err == 0)
		return context;
	snprintf(why, size, "%s",
	         context == NULL ? limen_result_text(LIMEN_ENOMEM) : strerror(errno));
	if (context != NULL)
		redisFree(context);
	return NULL;
}

/* Tries all addresses of the host, one after the other; hiredis would try the first. */
static redisContext *
connect_host(const location *where, limen_deadline deadline, char *why, size_t size)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	redisContext *context = NULL;
	char address[NI_MAXHOST];
	int result = getaddrinfo(where->host, NULL, &hints, &list);

	snprintf(why, size, "%s", gai_strerror(result));
	for (const struct addrinfo *candidate = list;
	     result == 0 && candidate != NULL && context == NULL; candidate = candidate->ai_next) {
		if (getnameinfo(candidate->ai_addr, candidate->ai_addrlen, address, sizeof(address),
		                NULL, 0, NI_NUMERICHOST) == 0)
			context = check(redisConnectWithTimeout(address, (int)where->port,
			                                        time_until(deadline)),
			                why, size);
	}
	if (result == 0)
		freeaddrinfo(list);
	return context;
}

/* Connects, with TLS if that is wanted; NULL with the reason in 'why'. */
static wire *
dial(const location *where, limen_deadline deadline, limen_host *host, wire_fault *why)
{
	redisContext *context = NULL;
	wire *connection;

	if (where->path == NULL)
		context = connect_host(where, deadline, why->text, sizeof(why->text));
	/* hiredis cuts a longer path off. */
	else if (strlen(where->path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
		snprintf(why->text, sizeof(why->text), "%s", strerror(ENAMETOOLONG));
	else
		context = check(redisConnectUnixWithTimeout(where->path, time_until(deadline)),
		                why->text, sizeof(why->text));
	if (context == NULL)
		return NULL;
	connection = wire_new(context);
	if (connection == NULL) {
		snprintf(why->text, sizeof(why->text), "%s", limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	connection->deadline = deadline;
	connection->host = host;
	if (!connection->failed && where->secure)
		(void)tls_start(connection, where, deadline, host);
	return connection;
}

/* Closes a connection that has failed; returns NULL with the reason in 'why'. */
static wire *
give_up(wire *connection, wire_fault *why)
{
	if (connection != NULL) {
		snprintf(why->text, sizeof(why->text), "%s", connection->error);
		why->lasts = connection->unfit;
	}
	wire_close(connection);
	return NULL;
}

/* ---- the greeting ---- */

/* Sends a command in the format of hiredis and returns the reply, unless that is an error. */
static redisReply * LIMEN_PRINTF(2, 3)
ask(wire *connection, const char *format, ...)
{
	char *command = NULL;
	redisReply *reply;
	va_list words;
	int length;

	va_start(words, format);
	length = redisvFormatCommand(&command, format, words);
	va_end(words);
	wire_add(connection, command, length);
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

static bool
log_in(wire *connection, const location *where)
{
	const login *as = &where->login;
	redisReply *reply;

	if (as->password != NULL) {
		reply = as->user == NULL ? ask(connection, "AUTH %s", as->password)
		                         : ask(connection, "AUTH %s %s", as->user, as->password);
		freeReplyObject(reply);
	}
	if (!connection->failed && where->database != 0)
		freeReplyObject(ask(connection, "SELECT %lld", (long long)where->database));
	return !connection->failed;
}

/* Copies the value of 'name', which ends in a colon, from the text of INFO. */
static bool
find_info(wire *connection, const char *info, const char *name, char *out, size_t size)
{
	const char *field = strstr(info, name);
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

/* Only a master can count.  Sentinels may name a replica while they replace the master. */
static void
check_role(wire *connection, const location *where, const char *info)
{
	char role[32], host[NI_MAXHOST], port[16];

	if (!find_info(connection, info, "\nrole:", role, sizeof(role)) ||
	    strcmp(role, "master") == 0 ||
	    !find_info(connection, info, "master_host:", host, sizeof(host)) ||
	    !find_info(connection, info, "master_port:", port, sizeof(port)))
		return;
	wire_fail(connection, "it is a replica of %s:%s: name the address of the master", host, port);
	connection->unfit = where->master == NULL && where->cluster.count == 0;
}

/* Checks that limen can count in the server that 'info' describes. */
static bool
check_server(wire *connection, const location *where, const char *info)
{
	/* Valkey's name for it stands second. */
	const char *mode_name = strstr(info, "redis_mode:") != NULL ? "redis_mode:" : "server_mode:";
	char version[32], mode[32];

	if (!find_info(connection, info, "redis_version:", version, sizeof(version)) ||
	    !find_info(connection, info, mode_name, mode, sizeof(mode)))
		return false;
	if (strtol(version, NULL, 10) < VERSION_LEAST)
		wire_fail(connection, "its version is %s: use Redis %d or later", version, VERSION_LEAST);
	else if (strcmp(mode, "sentinel") == 0)
		wire_fail(connection, "it is a Sentinel: name it in 'sentinels', beside 'master'");
	else if (strcmp(mode, "cluster") == 0 && where->cluster.count == 0)
		wire_fail(connection, "it is a node of a Redis Cluster: name it in 'cluster'");
	connection->unfit = connection->failed;
	if (!connection->failed)
		check_role(connection, where, info);
	return !connection->failed;
}

static bool
learn(wire *connection, const location *where)
{
	redisReply *reply = ask(connection, "INFO");
	bool good = reply != NULL && reply->type == REDIS_REPLY_STRING;

	if (reply != NULL && !good)
		wire_fail_answer(connection);
	good = good && check_server(connection, where, reply->str) &&
	       find_info(connection, reply->str, "run_id:", connection->run,
	                 sizeof(connection->run)) &&
	       find_info(connection, reply->str, "maxmemory_policy:", connection->policy,
	                 sizeof(connection->policy));
	freeReplyObject(reply);
	return good;
}

static bool
greet(wire *connection, const location *where)
{
	if (connection->failed || !log_in(connection, where) || !learn(connection, where))
		return false;
	for (int which = 0; which < SCRIPT_COUNT && !connection->failed; which++) {
		redisReply *reply = ask(connection, "SCRIPT LOAD %s", script_texts[which]);

		if (reply != NULL && reply->type == REDIS_REPLY_STRING &&
		    (size_t)reply->len == sizeof(connection->sha[which]) - 1)
			memcpy(connection->sha[which], reply->str, sizeof(connection->sha[which]));
		else
			wire_fail_answer(connection);
		freeReplyObject(reply);
	}
	connection->made = limen_host_monotonic();
	return !connection->failed;
}

/* ---- Sentinels and clusters ---- */

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
read_master(wire *connection, const location *there, const redisReply *reply, cluster_map *out)
{
	out->count = 1;
	if (reply->type == REDIS_REPLY_NIL) {
		wire_fail(connection, "it knows no master '%s'", there->master);
		connection->unfit = true;
	} else if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
	           reply->element[0]->type != REDIS_REPLY_STRING ||
	           reply->element[1]->type != REDIS_REPLY_STRING ||
	           !wire_place(reply->element[0]->str, reply->element[1]->str, "",
	                       &out->masters[0])) {
		wire_fail_answer(connection);
	}
}

/* Reads first slot, last slot, and the master of them; false if that is malformed. */
static bool
read_range(const redisReply *range, const location *there, cluster_map *out)
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
	if (!wire_place(master->element[0]->str, port, there->host, found))
		return false;
	while (!place_equal(&out->masters[at], found))
		at++;
	out->count += at == out->count;
	for (unsigned tag = 0; tag < CALL_TAGS; tag++) {
		char text[8];
		unsigned slot = wire_slot(text, (size_t)snprintf(text, sizeof(text), "%u", tag));

		if (slot >= range->element[0]->integer && slot <= range->element[1]->integer)
			out->owner[tag] = (unsigned char)at;
	}
	return out->count <= NODES_MAX;
}

static void
read_slots(wire *connection, const location *there, const redisReply *reply, cluster_map *out)
{
	bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements > 0;

	*out = (cluster_map){ .count = 0 };
	for (size_t i = 0; good && i < reply->elements; i++)
		good = read_range(reply->element[i], there, out);
	if (!good)
		wire_fail_answer(connection);
}

/* Asks one Sentinel or node. */
static bool
ask_place(const location *there, limen_deadline deadline, limen_host *host, cluster_map *out,
          wire_fault *why)
{
	wire *connection = dial(there, deadline, host, why);
	redisReply *reply = NULL;

	if (connection != NULL && !connection->failed && log_in(connection, there))
		reply = there->master == NULL
		                ? ask(connection, "CLUSTER SLOTS")
		                : ask(connection, "SENTINEL GET-MASTER-ADDR-BY-NAME %s", there->master);
	if (reply != NULL && there->master == NULL)
		read_slots(connection, there, reply, out);
	else if (reply != NULL)
		read_master(connection, there, reply, out);
	freeReplyObject(reply);
	if (reply == NULL || connection->failed)
		return give_up(connection, why) != NULL;
	wire_close(connection);
	return true;
}

bool
wire_find(const location *where, const place *more, size_t more_count, limen_deadline deadline,
          limen_host *host, cluster_map *out, wire_fault *why)
{
	const limen_strings *list = where->master == NULL ? &where->cluster : &where->sentinels;
	size_t count = list->count + more_count;
	/* One that is cut off and does not know it must not always come first. */
	size_t first = more_count == 0 ? 0 : (size_t)limen_host_monotonic() % count;
	char text[sizeof(why->text)];
	location there = *where;
	place asked;

	if (where->master != NULL) {
		there.database = 0;
		there.login = where->sentinel_login;
	}
	for (size_t turn = 0; turn < count; turn++) {
		size_t i = (first + turn) % count;
		int64_t now = limen_host_monotonic();
		int64_t share = (deadline - now) / (int64_t)(count - turn + 1);

		asked.port = where->master == NULL ? REDIS_PORT : SENTINEL_PORT;
		if (i >= list->count)
			asked = more[i - list->count];
		else if (!settings_place(list->items[i], &asked))
			continue;
		there.host = asked.host;
		there.port = asked.port;
		*why = (wire_fault){ .lasts = false };
		if (ask_place(&there, now + share, host, out, why))
			return true;
		memcpy(text, why->text, sizeof(text));
		snprintf(why->text, sizeof(why->text), "the %s %.80s:%d: %.80s",
		         where->master == NULL ? "node" : "Sentinel", asked.host, (int)asked.port, text);
	}
	return false;
}

wire *
wire_open(const location *where, limen_deadline deadline, limen_host *host, wire_fault *why)
{
	location there = *where;
	cluster_map found;
	wire *connection;

	*why = (wire_fault){ .lasts = false };
	if (where->master != NULL) {
		if (!wire_find(where, NULL, 0, deadline, host, &found, why))
			return NULL;
		there.host = found.masters[0].host;
		there.port = found.masters[0].port;
	}
	connection = dial(&there, deadline, host, why);
	if (connection == NULL || connection->failed || !greet(connection, &there))
		return give_up(connection, why);
	return connection;
}

size_t
wire_open_all(const location *where, limen_deadline deadline, cluster_map *map,
              wire *out[NODES_MAX], wire_fault *why)
{
	bool clustered = where->cluster.count > 0;
	location there = *where;
	wire_fault latest;
	size_t count = 0;

	*map = (cluster_map){ .count = 0 };
	*why = (wire_fault){ .lasts = false };
	if (clustered && !wire_find(where, NULL, 0, deadline, NULL, map, why))
		return 0;
	*why = (wire_fault){ .lasts = false };
	for (size_t i = 0; !why->lasts && i < (clustered ? map->count : 1); i++) {
		if (clustered) {
			there.host = map->masters[i].host;
			there.port = map->masters[i].port;
		}
		out[count] = wire_open(&there, deadline, NULL, &latest);
		if (out[count] == NULL)
			*why = latest;
		else
			count++;
	}
	return count;
}
