/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Redis server sends, over a socket, to the reader that the store has; and
 * names of buckets, which others may write.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../plugins/store/redis/modes.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "redis", NULL, 1000 };

/* What a socket holds at a time without anybody reading. */
enum { PIECE = 32768 };

static size_t
count_elements(const redisReply *reply, unsigned depth)
{
	size_t count = 0;

	FUZZ_CHECK(depth <= WIRE_DEPTH_MAX);
	if (reply->type != REDIS_REPLY_ARRAY)
		return 0;
	for (size_t i = 0; i < reply->elements; i++)
		count += 1 + count_elements(reply->element[i], depth + 1);
	return count;
}

static void
check_reply(wire *one, const redisReply *reply)
{
	size_t count = reply->type == REDIS_REPLY_ARRAY ? reply->elements : 1;

	FUZZ_CHECK(count_elements(reply, 0) <= WIRE_ELEMENTS_MAX);
	if (!answer_check(one, reply, count))
		FUZZ_CHECK(one->failed && one->error[0] != '\0');
	else
		for (size_t i = 0; i < count; i++)
			FUZZ_CHECK(reply->element[i]->integer >= -1 &&
			           reply->element[i]->integer <= SCRIPT_UNITS_MAX);
}

static void
check_error(const wire *one)
{
	for (const char *c = one->error; *c != '\0'; c++)
		FUZZ_CHECK(*c >= ' ' && *c < 0x7F);
}

static void
check_wire(const uint8_t *data, size_t size)
{
	int ends[2];
	redisReply *reply;
	wire *one;

	FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
	one = wire_new(ends[0]);
	FUZZ_CHECK(one != NULL);
	FUZZ_CHECK(send(ends[1], data, size, 0) == (ssize_t)size);
	close(ends[1]);
	while (!one->failed && wire_read(one)) {
		for (reply = wire_next(one); reply != NULL; reply = wire_next(one)) {
			check_reply(one, reply);
			freeReplyObject(reply);
		}
	}
	check_error(one);
	wire_close(one);
}

static void
check_name(const char *text, size_t size)
{
	bucket_name entry;

	if (!table_spec_read(&entry, "limen:", text, size))
		return;
	FUZZ_CHECK(entry.meter.rate.tokens >= 1 && entry.meter.rate.period >= 1);
	FUZZ_CHECK(entry.meter.rate.burst >= 1 && table_spec_is_exact(&entry.meter));
	FUZZ_CHECK(entry.table >= text && entry.table + entry.table_length <= text + size);
	FUZZ_CHECK(entry.key >= text && entry.key + entry.key_length == text + size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[PIECE + 1];
	size_t length = size < PIECE ? size : PIECE;

	if (size > 0 && size <= PIECE)
		check_wire(data, size);
	memcpy(name, data, length);
	name[length] = '\0';
	check_name(name, length);
	return 0;
}
