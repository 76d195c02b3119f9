/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.c - the names of buckets, calls of scripts on them, and checks of the answers.  A name read from
 * Redis is not trusted.
 */
#include "modes.h"

#include <inttypes.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a name, not terminated. */
typedef struct text {
	const char *start;
	size_t length;
} text;

const char *
table_letter(limen_meter_kind kind)
{
	static const char *const letters[] = { "", "f", "s", "c" };

	return letters[kind];
}

bool
table_spec_is_exact(const limen_meter *meter)
{
	const limen_rate *rate = &meter->rate;
	int64_t units;

	/* Their products may be larger: the script divides them bit by bit. */
	if (meter->kind != LIMEN_METER_TOKEN)
		return rate->burst < SCRIPT_UNITS_MAX && rate->period <= SCRIPT_UNITS_MAX / 4;
	return !__builtin_add_overflow(rate->burst, 1, &units) &&
	       !__builtin_mul_overflow(units, rate->period, &units) &&
	       !__builtin_add_overflow(units, rate->tokens, &units) && units <= SCRIPT_UNITS_MAX;
}

/* Returns the beginning of the names of buckets, from the letter on; NULL without memory. */
static char *
print_prefix(char letter, const text *name, const text *keys, const limen_meter *meter)
{
	const limen_rate *rate = &meter->rate;
	char counts[70];
	char *out;

	if (meter->kind == LIMEN_METER_TOKEN)
		snprintf(counts, sizeof(counts), "%" PRIu64 "/%" PRIu64 "/%" PRId64, rate->tokens,
		         rate->period, rate->burst);
	else
		snprintf(counts, sizeof(counts), "%s/%" PRIu64, table_letter(meter->kind),
		         meter->unit == LIMEN_UNIT_NONE ? rate->period : (uint64_t)meter->unit);
	return asprintf(&out, "%c:%s:%zu:%.*s:%zu:%.*s:", letter, counts, name->length,
	                (int)name->length, name->start, keys->length, (int)keys->length,
	                keys->start) < 0 ? NULL : out;
}

static table_spec *
make_table_spec(const char *table, const char *keys, const limen_meter *meter)
{
	table_spec *spec = calloc(1, sizeof(*spec));
	const text name = { table, strlen(table) }, more = { keys, strlen(keys) };
	/* A unit of a calendar is a day at least. */
	double period = meter->rate.period == 0 ? 86400.0 * LIMEN_SECOND : (double)meter->rate.period;
	double tenth = (double)meter->rate.tokens / period * (LIMEN_SECOND / 10.0);

	if (spec == NULL)
		return NULL;
	atomic_init(&spec->users, 1);
	spec->meter = *meter;
	spec->lease = tenth < 1 ? 1 : tenth > 0x1p53 ? INT64_C(1) << 53 : (int64_t)tenth;
	spec->prefix = print_prefix('b', &name, &more, meter);
	if (spec->prefix != NULL)
		return spec;
	free(spec);
	return NULL;
}

table_spec *
table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	limen_meter meter = limen_meter_of(spec);
	table_spec *table;
	size_t length;

	if (!table_spec_is_exact(&meter)) {
		if (meter.kind != LIMEN_METER_TOKEN)
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
			               "a store of type redis counts windows only up to 2^53 (N: "
			               "%" PRId64 ") and 2^51 us (period: %" PRIu64 ")",
			               spec->burst, meter.rate.period);
		else
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
			               "a store of type redis counts exactly only up to 2^53 units: "
			               "burst (%" PRId64 ") times period (%" PRIu64 " us for %" PRIu64
			               " tokens) is too much",
			               spec->burst, meter.rate.period, meter.rate.tokens);
		return NULL;
	}
	table = make_table_spec(name, spec->keys == NULL ? "" : spec->keys, &meter);
	length = table == NULL ? 0 : strlen(prefix) + strlen(table->prefix);
	if (table != NULL && length <= TABLE_PREFIX_MAX)
		return table;
	if (table == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
	else
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "prefix, name and key are too long together for a store of type "
		               "redis: %zu bytes of at most %d",
		               length, TABLE_PREFIX_MAX);
	table_spec_unref(table);
	return NULL;
}

void
table_spec_unref(table_spec *spec)
{
	if (spec == NULL || atomic_fetch_sub(&spec->users, 1) != 1)
		return;
	free(spec->prefix);
	free(spec);
}

/* ---- reading names: what is read must give the same name when it is printed again ---- */

/* Reads TOKENS/PERIOD/BURST or a window, and ":"; returns what follows, or NULL. */
static const char *
read_meter(const char *from, limen_meter *out)
{
	limen_rate *rate = &out->rate;
	char letter;
	int end = 0;

	*out = (limen_meter){ .kind = LIMEN_METER_TOKEN };
	if (sscanf(from, "%" SCNu64 "/%" SCNu64 "/%" SCNd64 ":%n", &rate->tokens, &rate->period,
	           &rate->burst, &end) == 3)
		return end > 0 && rate->tokens > 0 && rate->burst > 0 ? from + end : NULL;
	if (sscanf(from, "%c/%" SCNu64 ":%n", &letter, &rate->period, &end) != 2 || end == 0)
		return NULL;
	while (out->kind < LIMEN_METER_CALENDAR && letter != *table_letter(out->kind))
		out->kind++;
	if (out->kind == LIMEN_METER_CALENDAR && rate->period <= LIMEN_UNIT_YEAR) {
		out->unit = (limen_unit)rate->period;
		rate->period = out->unit == LIMEN_UNIT_NONE ? 0 : 1;
	}
	return from + end;
}

/* Reads LENGTH ":", that many bytes, and ":"; returns what follows, or NULL. */
static const char *
read_text(const char *from, const char *end, text *out)
{
	int digits = 0;

	if (from == NULL || sscanf(from, "%zu:%n", &out->length, &digits) != 1 || digits == 0 ||
	    out->length >= (size_t)(end - from - digits))
		return NULL;
	out->start = from + digits;
	return out->start + out->length + 1;
}

/* Reads all of a name behind the prefix and the tag; returns the key, or NULL. */
static const char *
read_name(const char *name, const char *end, bucket_name *out)
{
	text table = { NULL, 0 }, keys = table;
	const char *key = end - name < 2 ? NULL : read_meter(name + 2, &out->meter);
	char *again = NULL;

	key = read_text(key, end, &table);
	key = read_text(key, end, &keys);
	if (key == NULL || out->meter.rate.period == 0)
		return NULL;
	if (out->meter.kind == LIMEN_METER_CALENDAR)
		out->meter.rate.period = 0;
	out->table = table.start;
	out->table_length = table.length;
	out->hashed = name[0] == 'h';
	if (key - name <= TABLE_PREFIX_MAX && table_spec_is_exact(&out->meter))
		again = print_prefix(out->hashed ? 'h' : 'b', &table, &keys, &out->meter);
	if (again == NULL || strlen(again) != (size_t)(key - name) ||
	    memcmp(name, again, (size_t)(key - name)) != 0)
		key = NULL;
	free(again);
	return key;
}

bool
table_spec_read(bucket_name *out, const char *prefix, const char *name, size_t length)
{
	const char *end = name + length;
	int tagged = 0;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	out->tag = 0;
	if (sscanf(name, "{%hu}%n", &out->tag, &tagged) == 1 &&
	    tagged == snprintf(NULL, 0, "{%hu}", out->tag))
		name += tagged;
	out->key = read_name(name, end, out);
	out->key_length = out->key == NULL ? 0 : (size_t)(end - out->key);
	if (out->key == NULL || !out->hashed)
		return out->key != NULL && out->key_length <= TABLE_KEY_MAX;
	return out->key_length == TABLE_HASH_DIGITS &&
	       strspn(out->key, "0123456789abcdef") == TABLE_HASH_DIGITS;
}

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
	char dates[5 * 24] = "";

	if (meter->kind == LIMEN_METER_TOKEN)
		wire_number(to, (int64_t)meter->rate.tokens);
	else
		wire_text(to, table_letter(meter->kind));
	/* The period of now and the next; Redis chooses by its own clock. */
	if (meter->kind == LIMEN_METER_CALENDAR && meter->find_period != NULL) {
		limen_meter_period(meter, limen_host_wall_time(), &now);
		limen_meter_period(meter, now.end, &next);
		snprintf(dates, sizeof(dates), "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
		         now.number, now.begin, now.end, next.number, next.end);
	}
	if (meter->kind == LIMEN_METER_CALENDAR)
		wire_text(to, dates);
	else
		wire_number(to, (int64_t)meter->rate.period);
	wire_number(to, meter->rate.burst);
}

/* Redis before 7 puts the error of a command into a longer text. */
bool
answer_is_error(const redisReply *reply, const char *words)
{
	return reply != NULL && reply->type == REDIS_REPLY_ERROR && strstr(reply->str, words) != NULL;
}

bool
answer_check(wire *from, const redisReply *reply, size_t count)
{
	bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements == count;

	for (size_t i = 0; i < count && good; i++)
		good = reply->element[i]->type == REDIS_REPLY_INTEGER &&
		       reply->element[i]->integer >= -1 &&
		       reply->element[i]->integer <= SCRIPT_UNITS_MAX;
	if (!good)
		wire_fail_reply(from, reply);
	return good;
}
