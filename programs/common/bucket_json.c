/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket_json.c - writes a bucket as a JSON object and reads it back.  Both use the same member
 * names; durations are in ISO 8601.
 */
#include "bucket_json.h"

#include <limen/duration.h>
#include <string.h>

#include "json_out.h"

char *
bucket_json_key(const limen_bucket *bucket)
{
	g_autofree char *bytes = g_malloc(bucket->key_length + 1);

	memcpy(bytes, bucket->key, bucket->key_length);
	for (size_t i = 0; i < bucket->key_length; i++)
		if (bytes[i] == '\0')
			bytes[i] = '?';
	return g_utf8_make_valid(bytes, (gssize)bucket->key_length);
}

void
bucket_json_put(GString *out, const limen_bucket *bucket)
{
	char period[LIMEN_DURATION_TEXT_MAX], age[LIMEN_DURATION_TEXT_MAX];
	g_autofree char *key = bucket_json_key(bucket);

	limen_duration_print(bucket->period, period);
	limen_duration_print(bucket->age, age);
	json_write(out,
	           "{store:s table:s entry:s rate:s key:s left:i leased:i burst:i tokens:i period:s "
	           "age:s}",
	           bucket->store, bucket->table, bucket->entry, bucket->rate, key, bucket->left, bucket->leased, bucket->burst,
	           bucket->tokens, period, age);
}

static bool
read_duration(limen_value from, const char *name, limen_duration *out)
{
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(from, name), &length);

	return text != NULL && limen_duration_parse(text, length, 0, out, NULL) == LIMEN_OK;
}

bool
bucket_json_read(limen_value from, limen_bucket *out)
{
	limen_value key = limen_value_get(from, "key");

	*out = (limen_bucket){ .size = sizeof(*out) };
	out->store = limen_value_string(limen_value_get(from, "store"), NULL);
	out->table = limen_value_string(limen_value_get(from, "table"), NULL);
	out->entry = limen_value_string(limen_value_get(from, "entry"), NULL);
	out->rate = limen_value_string(limen_value_get(from, "rate"), NULL);
	out->key = limen_value_string(key, &out->key_length);
	return out->store != NULL && out->table != NULL && out->key != NULL &&
	       limen_value_int(limen_value_get(from, "left"), &out->left) &&
	       limen_value_int(limen_value_get(from, "leased"), &out->leased) &&
	       limen_value_int(limen_value_get(from, "burst"), &out->burst) &&
	       limen_value_int(limen_value_get(from, "tokens"), &out->tokens) &&
	       read_duration(from, "period", &out->period) &&
	       read_duration(from, "age", &out->age);
}
