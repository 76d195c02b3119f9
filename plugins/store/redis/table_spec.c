/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table_spec.c - makes tables and the names of their buckets, and reads such names back.
 * A name read from Redis is not trusted.
 */
#include "table_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

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

/* Returns the beginning of the names of buckets, which have this letter; NULL without memory. */
static char *
print_prefix(const char *prefix, char letter, const char *name, const char *keys,
             const limen_meter *meter)
{
	const limen_rate *rate = &meter->rate;
	char counts[70];
	char *text;
	int length;

	if (meter->kind == LIMEN_METER_TOKEN)
		snprintf(counts, sizeof(counts), "%" PRIu64 "/%" PRIu64 "/%" PRId64, rate->tokens,
		         rate->period, rate->burst);
	else
		snprintf(counts, sizeof(counts), "%s/%" PRIu64, table_letter(meter->kind),
		         meter->unit == LIMEN_UNIT_NONE ? rate->period : (uint64_t)meter->unit);
	length = asprintf(&text, "%s%c:%s:%zu:%s:%zu:%s:", prefix, letter, counts, strlen(name),
	                  name, strlen(keys), keys);

	return length < 0 ? NULL : text;
}

static table_spec *
make_table_spec(const char *prefix, const char *name, const char *keys, const limen_meter *meter)
{
	table_spec *spec = calloc(1, sizeof(*spec));
	/* A unit of a calendar is a day at least. */
	double period = meter->rate.period == 0 ? 86400.0 * LIMEN_SECOND : (double)meter->rate.period;
	double tenth = (double)meter->rate.tokens / period * (LIMEN_SECOND / 10.0);

	if (spec == NULL)
		return NULL;
	spec->prefix = print_prefix(prefix, 'b', name, keys, meter);
	spec->hashed_prefix = print_prefix(prefix, 'h', name, keys, meter);
	spec->meter = *meter;
	spec->lease = tenth < 1 ? 1 : tenth > 0x1p53 ? INT64_C(1) << 53 : (int64_t)tenth;
	atomic_init(&spec->users, 1);
	if (spec->prefix != NULL && spec->hashed_prefix != NULL) {
		spec->prefix_length = strlen(spec->prefix);
		return spec;
	}
	table_spec_unref(spec);
	return NULL;
}

table_spec *
table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	limen_meter meter = limen_meter_of(spec);
	table_spec *table;

	if (!table_spec_is_exact(&meter) && meter.kind != LIMEN_METER_TOKEN) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a store of type redis counts windows only up to 2^53 (N: %" PRId64
		               ") and 2^51 us (period: %" PRIu64 ")",
		               spec->burst, meter.rate.period);
		return NULL;
	}
	if (!table_spec_is_exact(&meter)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a store of type redis counts exactly only up to 2^53 units: burst "
		               "(%" PRId64 ") times period (%" PRIu64 " us for %" PRIu64
		               " tokens) is too much",
		               spec->burst, meter.rate.period, meter.rate.tokens);
		return NULL;
	}
	table = make_table_spec(prefix, name, spec->keys == NULL ? "" : spec->keys, &meter);
	if (table == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
	if (table == NULL || table->prefix_length <= TABLE_PREFIX_MAX)
		return table;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
	               "prefix, name and key are too long together for a store of type redis: %zu "
	               "bytes of at most %d",
	               table->prefix_length, TABLE_PREFIX_MAX);
	table_spec_unref(table);
	return NULL;
}

void
table_spec_ref(table_spec *spec)
{
	atomic_fetch_add(&spec->users, 1);
}

void
table_spec_unref(table_spec *spec)
{
	if (atomic_fetch_sub(&spec->users, 1) != 1)
		return;
	free(spec->prefix);
	free(spec->hashed_prefix);
	free(spec);
}

/* ---- reading names ---- */

typedef struct rest {
	const char *text;
	size_t length;
} rest;

static bool
skip(rest *left, const char *text, size_t length)
{
	if (left->length < length || memcmp(left->text, text, length) != 0)
		return false;
	left->text += length;
	left->length -= length;
	return true;
}

/* Reads a number of at least 'least', and the character 'end' after it. */
static bool
read_number(rest *left, char end, int64_t least, int64_t *out)
{
	size_t i = 0;

	*out = 0;
	for (; i < left->length && left->text[i] >= '0' && left->text[i] <= '9'; i++) {
		if ((i > 0 && *out == 0) || __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, left->text[i] - '0', out))
			return false;
	}
	if (i == 0 || i == left->length || left->text[i] != end || *out < least)
		return false;
	left->text += i + 1;
	left->length -= i + 1;
	return true;
}

/* Reads what follows the letter of a window, and ":". */
static bool
read_window(rest *left, limen_meter_kind kind, limen_meter *out)
{
	int64_t number;

	out->kind = kind;
	if (!read_number(left, ':', 1, &number))
		return false;
	if (kind == LIMEN_METER_CALENDAR && number <= LIMEN_UNIT_YEAR)
		out->unit = (limen_unit)number;
	else
		out->rate.period = (uint64_t)number;
	return (kind == LIMEN_METER_CALENDAR) == (out->unit != LIMEN_UNIT_NONE) &&
	       table_spec_is_exact(out);
}

/* Reads TOKENS/PERIOD/BURST or a window, and ":". */
static bool
read_meter(rest *left, limen_meter *out)
{
	int64_t tokens, period;

	*out = (limen_meter){ .kind = LIMEN_METER_TOKEN };
	for (int kind = LIMEN_METER_FIXED; kind <= LIMEN_METER_CALENDAR; kind++)
		if (skip(left, table_letter((limen_meter_kind)kind), 1))
			return skip(left, "/", 1) &&
			       read_window(left, (limen_meter_kind)kind, out);
	if (!read_number(left, '/', 1, &tokens) || !read_number(left, '/', 1, &period) ||
	    !read_number(left, ':', 1, &out->rate.burst))
		return false;
	out->rate.tokens = (uint64_t)tokens;
	out->rate.period = (uint64_t)period;
	return table_spec_is_exact(out);
}

/* Reads LENGTH ":", that many bytes, and ":". */
static bool
read_text(rest *left, const char **text, size_t *length)
{
	int64_t count;

	if (!read_number(left, ':', 0, &count) || (uint64_t)count >= left->length ||
	    left->text[count] != ':')
		return false;
	*text = left->text;
	*length = (size_t)count;
	left->text += count + 1;
	left->length -= (size_t)count + 1;
	return true;
}

/* Reads what is left: a key, or the digits of its hash. */
static bool
read_key(const rest *left, bucket_name *out)
{
	size_t i = 0;

	out->key = left->text;
	out->key_length = left->length;
	if (!out->hashed)
		return left->length <= TABLE_KEY_MAX;
	while (i < left->length && left->text[i] != '\0' &&
	       strchr("0123456789abcdef", left->text[i]) != NULL)
		i++;
	return i == left->length && i == TABLE_HASH_DIGITS;
}

bool
table_spec_read(bucket_name *out, const char *prefix, const char *text, size_t length)
{
	rest left = { text, length };
	const char *keys;
	size_t keys_length;

	if (!skip(&left, prefix, strlen(prefix)))
		return false;
	out->hashed = skip(&left, "h:", 2);
	return (out->hashed || skip(&left, "b:", 2)) && read_meter(&left, &out->meter) &&
	       read_text(&left, &out->table, &out->table_length) &&
	       read_text(&left, &keys, &keys_length) &&
	       length - left.length <= TABLE_PREFIX_MAX && read_key(&left, out);
}
