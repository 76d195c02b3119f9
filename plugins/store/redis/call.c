/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - writes the calls of scripts and checks their answers. */
#include "modes.h"

#include <inttypes.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

/* Writes a name: behind the prefix of the store comes, in a cluster, the tag. */
static void
write_name(wire *to, const settings *options, unsigned tag, const char *letter, const char *rest,
           const char *key, size_t length)
{
	char head[TABLE_PREFIX_MAX + 16], mark[16] = "";
	size_t size;

	if (options->cluster.count > 0)
		snprintf(mark, sizeof(mark), "{%u}", tag);
	size = (size_t)snprintf(head, sizeof(head), "%s%s%s%s", options->prefix, mark, letter, rest);
	wire_pair(to, head, size < sizeof(head) ? size : sizeof(head) - 1, key, length);
}

void
call_begin(wire *to, const settings *options, const char *script, unsigned tag, size_t keys,
           size_t arguments)
{
	/* The command, its script, the number of keys and the mark come first. */
	wire_begin(to, 4 + keys + arguments);
	wire_text(to, strlen(script) < sizeof(to->sha[0]) ? "EVALSHA" : "EVAL");
	wire_text(to, script);
	wire_number(to, (int64_t)keys + 1);
	write_name(to, options, tag, "", "", "mark", 4);
}

void
call_asking(wire *to)
{
	wire_begin(to, 1);
	wire_text(to, "ASKING");
}

const char *
call_trust(const settings *options)
{
	if (options->keeps_all)
		return "1";
	return options->after_failover == FAILOVER_KEEPS ? "2" : "0";
}

void
call_bucket(wire *to, const settings *options, unsigned tag, const limen_store_take *take)
{
	const char *prefix = ((const table_spec *)take->table)->prefix;
	char digits[TABLE_HASH_DIGITS];
	uint8_t hash[TABLE_HASH_DIGITS / 2];
	struct sha256_ctx context;

	if (take->key_length <= TABLE_KEY_MAX) {
		write_name(to, options, tag, "", prefix, take->key, take->key_length);
		return;
	}
	sha256_init(&context);
	sha256_update(&context, take->key_length, (const uint8_t *)take->key);
	sha256_digest(&context, sizeof(hash), hash);
	base16_encode_update(digits, sizeof(hash), hash);
	write_name(to, options, tag, "h", prefix + 1, digits, sizeof(digits));
}

void
call_meter(wire *to, const limen_meter *meter)
{
	limen_period now, next;
	char text[5 * 24] = "";

	if (meter->kind == LIMEN_METER_TOKEN)
		wire_number(to, (int64_t)meter->rate.tokens);
	else
		wire_text(to, table_letter(meter->kind));
	/* The period of now and the next; Redis chooses by its own clock. */
	if (meter->kind == LIMEN_METER_CALENDAR && meter->find_period != NULL) {
		limen_meter_period(meter, limen_host_wall_time(), &now);
		limen_meter_period(meter, now.end, &next);
		snprintf(text, sizeof(text), "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
		         now.number, now.begin, now.end, next.number, next.end);
	}
	if (meter->kind == LIMEN_METER_CALENDAR)
		wire_text(to, text);
	else
		wire_number(to, (int64_t)meter->rate.period);
	wire_number(to, meter->rate.burst);
}

/* Redis before 7 puts the error of a command into a longer text. */
bool
answer_is_full(const redisReply *reply)
{
	return reply != NULL && reply->type == REDIS_REPLY_ERROR &&
	       strstr(reply->str, "OOM command not allowed") != NULL;
}

bool
answer_is_early(const redisReply *reply)
{
	return reply != NULL && reply->type == REDIS_REPLY_ERROR &&
	       strncmp(reply->str, "TRYAGAIN", 8) == 0;
}

bool
answer_check(wire *from, const redisReply *reply, size_t count)
{
	bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements == count;

	if (!good) {
		wire_fail_reply(from, reply);
		return false;
	}
	for (size_t i = 0; i < count && good; i++)
		good = reply->element[i]->type == REDIS_REPLY_INTEGER &&
		       reply->element[i]->integer >= -1 &&
		       reply->element[i]->integer <= SCRIPT_UNITS_MAX;
	if (!good)
		wire_fail_answer(from);
	return good;
}
