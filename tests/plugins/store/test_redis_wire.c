/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_wire.c - how much of an answer is read, and until when, where all of it is
 * there at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../plugins/store/redis/wire.h"
#include "suite.h"

#define PIECE 8192

static wire *
open_wire(int *server)
{
	wire *one;
	int ends[2];

	CU_ASSERT_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
	one = wire_new(ends[0]);
	CU_ASSERT_FATAL(one != NULL && !one->failed);
	*server = ends[1];
	return one;
}

/* Sends 'text' and reads it as it comes; returns how many replies were in it. */
static int
feed(wire *one, int server, const char *text, size_t length)
{
	int count = 0;

	for (size_t at = 0; at < length && !one->failed; at += PIECE) {
		size_t size = length - at < PIECE ? length - at : PIECE;
		redisReply *reply;

		CU_ASSERT_FATAL(send(server, text + at, size, 0) == (ssize_t)size);
		wire_read(one);
		while ((reply = wire_next(one)) != NULL) {
			freeReplyObject(reply);
			count++;
		}
	}
	return count;
}

/* 'head', and then 'count' times 'body'.  Returns how many replies were in it. */
static int
feed_many(wire *one, int server, const char *head, const char *body, size_t count)
{
	size_t length = strlen(head) + count * strlen(body);
	char *text = malloc(length + 1);
	char *at;
	int replies;

	CU_ASSERT_FATAL(text != NULL);
	at = stpcpy(text, head);
	for (size_t i = 0; i < count; i++)
		at = stpcpy(at, body);
	replies = feed(one, server, text, length);
	free(text);
	return replies;
}

static void
test_there(void)
{
	int server;
	wire *one = open_wire(&server);
	redisReply *reply;

	CU_ASSERT_FATAL(send(server, ":7\r\n", 4, 0) == 4);
	reply = wire_wait(one, 0, NULL);
	CU_ASSERT_FATAL(reply != NULL);
	CU_ASSERT_EQUAL(reply->integer, 7);
	freeReplyObject(reply);
	CU_ASSERT_PTR_NULL(wire_wait(one, 0, NULL));
	CU_ASSERT_STRING_EQUAL(one->error, "no answer in time");
	wire_close(one);
	close(server);
}

/* More than one call reads: the rest stays where it is. */
static void
test_goes_on(void)
{
	static char text[50000] = "$60000\r\n";
	int server, left = 0;
	wire *one = open_wire(&server);

	memset(text + strlen(text), 'x', sizeof(text) - strlen(text));
	CU_ASSERT_FATAL(send(server, text, sizeof(text), 0) == (ssize_t)sizeof(text));
	CU_ASSERT_PTR_NULL(wire_wait(one, 0, NULL));
	CU_ASSERT_STRING_EQUAL(one->error, "no answer in time");
	CU_ASSERT(ioctl(one->fd, FIONREAD, &left) == 0 && left > 0);
	wire_close(one);
	close(server);
}

#define NONSENSE "the answer is malformed or too large"

/* Checks that 'one' has failed because of an answer, and closes it. */
static void
check_unsound(wire *one, int server)
{
	CU_ASSERT_STRING_EQUAL(one->error, NONSENSE);
	CU_ASSERT_TRUE(one->failed && one->unsound);
	wire_close(one);
	close(server);
}

/* All arrays of a reply have at most 65,536 elements; those of the next count anew. */
static void
test_elements(void)
{
	int server;
	wire *one = open_wire(&server);

	CU_ASSERT_EQUAL(feed_many(one, server, "*65536\r\n", ":1\r\n", 65536), 1);
	CU_ASSERT_EQUAL(feed_many(one, server, "*2\r\n*0\r\n*65534\r\n", ":1\r\n", 65534), 1);
	CU_ASSERT_EQUAL(feed_many(one, server, "*32768\r\n", "*1\r\n:1\r\n", 32768), 1);
	CU_ASSERT_FALSE(one->failed);
	CU_ASSERT_EQUAL(feed_many(one, server, "*2\r\n*0\r\n*65535\r\n", ":1\r\n", 65535), 0);
	check_unsound(one, server);
	one = open_wire(&server);
	CU_ASSERT_EQUAL(feed_many(one, server, "*4096\r\n",
	                          "*16\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n"
	                          "$-1\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n"
	                          "$-1\r\n$-1\r\n$-1\r\n", 4096), 0);
	check_unsound(one, server);
	one = open_wire(&server);
	CU_ASSERT_EQUAL(feed(one, server, "*65537\r\n", 8), 0);
	check_unsound(one, server);
}

/* Bytes of one reply are added up, though parts of it are parsed; those of several are not. */
static void
test_bytes(void)
{
	char name[16100] = "$16000\r\n";
	int server;
	wire *one = open_wire(&server);

	memset(name + strlen(name), 'x', 16000);
	strcat(name, "\r\n");
	CU_ASSERT_EQUAL(feed_many(one, server, "", name, 2000), 2000);
	CU_ASSERT_EQUAL(feed_many(one, server, "*1000\r\n", name, 1000), 1);
	CU_ASSERT_EQUAL(feed_many(one, server, "*1000\r\n", name, 1000), 1);
	CU_ASSERT_FALSE(one->failed);
	CU_ASSERT_EQUAL(feed_many(one, server, "*1100\r\n", name, 1100), 0);
	check_unsound(one, server);
}

/* Seven levels, and no more, however deep: in one piece, and in many. */
static void
test_depth(void)
{
	int server;
	wire *one = open_wire(&server);

	CU_ASSERT_EQUAL(feed_many(one, server, "", "*1\r\n", 7), 0);
	CU_ASSERT_EQUAL(feed(one, server, ":1\r\n", 4), 1);
	CU_ASSERT_FALSE(one->failed);
	CU_ASSERT_EQUAL(feed(one, server, "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
	                     36), 0);
	check_unsound(one, server);
	one = open_wire(&server);
	CU_ASSERT_EQUAL(feed_many(one, server, "", "*1\r\n", 100000), 0);
	check_unsound(one, server);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "an answer that is there at the deadline counts", test_there },
		{ "one that goes on then does not, though more is there", test_goes_on },
		{ "the elements of all arrays of an answer are bounded", test_elements },
		{ "the bytes of an answer count, not of several", test_bytes },
		{ "arrays in arrays have an end", test_depth },
		{ NULL, NULL },
	};

	return suite_run("redis, wire", tests);
}
