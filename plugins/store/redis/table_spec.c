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

#include "script.h"
#include <limen-sdk/bucket.h>

bool
table_spec_is_exact(int64_t tokens, int64_t period, int64_t burst)
{
	int64_t units;

	return !__builtin_add_overflow(burst, 1, &units) &&
	       !__builtin_mul_overflow(units, period, &units) &&
	       !__builtin_add_overflow(units, tokens, &units) && units <= SCRIPT_UNITS_MAX;
}

/* Returns the tokens of a tenth of a second, the first size of a lease; at most 2^53. */
static int64_t
tenth_of_second(int64_t tokens, int64_t period)
{
	double number = (double)tokens / (double)period * (LIMEN_SECOND / 10.0);

	return number < 1 ? 1 : number > 0x1p53 ? INT64_C(1) << 53 : (int64_t)number;
}

/* The two prefixes differ in the letter that follows the prefix of the store. */
static table_spec *
write_table_spec(const char *prefix, const char *name, const char *keys, int64_t tokens,
                 int64_t period, int64_t burst)
{
	static const char format[] = "%sb:%" PRId64 "/%" PRId64 "/%" PRId64 ":%zu:%s:%zu:%s:";
	int length = snprintf(NULL, 0, format, prefix, tokens, period, burst, strlen(name), name,
	                      strlen(keys), keys);
	table_spec *spec =
		length < 0 ? NULL : calloc(1, sizeof(*spec) + 2 * ((size_t)length + 1));
	char *hashed;

	if (spec == NULL)
		return NULL;
	spec->prefix_length = (size_t)length;
	snprintf(spec->prefix, (size_t)length + 1, format, prefix, tokens, period, burst,
	         strlen(name), name, strlen(keys), keys);
	hashed = memcpy(spec->prefix + length + 1, spec->prefix, (size_t)length + 1);
	hashed[strlen(prefix)] = 'h';
	spec->hashed_prefix = hashed;
	spec->tokens = tokens;
	spec->period = period;
	spec->burst = burst;
	spec->lease = tenth_of_second(tokens, period);
	atomic_init(&spec->users, 1);
	return spec;
}

table_spec *
table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	limen_rate how = limen_rate_of(spec);
	int64_t tokens = (int64_t)how.tokens;
	int64_t period = (int64_t)how.period;
	table_spec *table;

	if (!table_spec_is_exact(tokens, period, spec->burst)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a store of type redis counts exactly only up to 2^53 units: burst "
		               "(%" PRId64 ") times period (%" PRId64 " us for %" PRId64
		               " tokens) is too much",
		               spec->burst, period, tokens);
		return NULL;
	}
	table = write_table_spec(prefix, name, spec->keys == NULL ? "" : spec->keys, tokens, period,
	                         spec->burst);
	if (table == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if (table->prefix_length <= TABLE_PREFIX_MAX)
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
	if (atomic_fetch_sub(&spec->users, 1) == 1)
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
	return (out->hashed || skip(&left, "b:", 2)) &&
	       read_number(&left, '/', 1, &out->tokens) &&
	       read_number(&left, '/', 1, &out->period) &&
	       read_number(&left, ':', 1, &out->burst) &&
	       table_spec_is_exact(out->tokens, out->period, out->burst) &&
	       read_text(&left, &out->table, &out->table_length) &&
	       read_text(&left, &keys, &keys_length) &&
	       length - left.length <= TABLE_PREFIX_MAX && read_key(&left, out);
}
