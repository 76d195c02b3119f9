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

static void
append_value(GString *out, char tag, const char *value, size_t length)
{
	g_string_append(out, tag == 'h' ? "sha256:" : tag == '-' ? "(none)" : "");
	g_string_append_len(out, value, (gssize)(tag == 'h' ? MIN(length, 16) : length));
}

/*
 * Appends a part of a key of the limit "rate": a letter, a length, a colon and that many bytes.
 * Returns its end, or NULL if there is none.
 */
static const char *
append_part(GString *out, const char *part, const char *end)
{
	const char *digits = part + 1;
	const char *colon = digits;
	size_t length = 0;

	for (; colon < end && g_ascii_isdigit(*colon) && length <= LIMEN_KEY_MAX; colon++)
		length = length * 10 + (size_t)(*colon - '0');
	if (memchr("-snjh", part[0], 5) == NULL || colon == digits || colon >= end ||
	    *colon != ':' || length > (size_t)(end - colon - 1))
		return NULL;
	g_string_append(out, out->len > 0 ? ", " : "");
	append_value(out, part[0], colon + 1, length);
	return colon + 1 + length;
}

char *
bucket_json_shown(const limen_bucket *bucket)
{
	g_autoptr(GString) out = g_string_new("");
	const char *part = bucket->key;
	const char *end = part + bucket->key_length;
	limen_bucket readable = *bucket;

	while (part != NULL && part < end)
		part = append_part(out, part, end);
	if (part != NULL) {
		readable.key = out->str;
		readable.key_length = out->len;
	}
	return bucket_json_key(&readable);
}

bool
bucket_json_choose(void *choice, const limen_bucket *bucket)
{
	bucket_json_choice *self = choice;
	g_autofree char *shown = bucket_json_shown(bucket);
	g_autofree char *key = bucket_json_key(bucket);
	bool chosen = strcmp(self->key, shown) == 0 || strcmp(self->key, key) == 0;

	self->count += chosen;
	return chosen;
}

char *
bucket_json_resets(const limen_bucket *bucket)
{
	char text[LIMEN_DURATION_TEXT_MAX];
	limen_duration rest = bucket->reset % LIMEN_SECOND;

	if (bucket->reset <= 0 || bucket->reset > INT64_MAX - LIMEN_SECOND)
		return NULL;
	limen_duration_print(bucket->reset + (rest > 0 ? LIMEN_SECOND - rest : 0), text);
	return g_strdup(text);
}

void
bucket_json_put(GString *out, const limen_bucket *bucket)
{
	char period[LIMEN_DURATION_TEXT_MAX], age[LIMEN_DURATION_TEXT_MAX];
	g_autofree char *key = bucket_json_key(bucket);
	g_autofree char *shown = bucket_json_shown(bucket);
	g_autofree char *resets = bucket_json_resets(bucket);

	limen_duration_print(bucket->period, period);
	limen_duration_print(bucket->age, age);
	json_write(out,
	           "{store:s table:s entry:s rate:s key:s shown:s left:i leased:i burst:i tokens:i "
	           "period:s age:s resets:s",
	           bucket->store, bucket->table, bucket->entry, bucket->rate, key, shown, bucket->left,
	           bucket->leased, bucket->burst, bucket->tokens, period, age, resets);
	json_write(out, bucket->refused < 0 ? "}" : "refused:i}", bucket->refused);
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
	/* An older limend does not tell these two. */
	if (!read_duration(from, "resets", &out->reset))
		out->reset = 0;
	if (!limen_value_int(limen_value_get(from, "refused"), &out->refused))
		out->refused = -1;
	return out->store != NULL && out->table != NULL && out->key != NULL &&
	       limen_value_int(limen_value_get(from, "left"), &out->left) &&
	       limen_value_int(limen_value_get(from, "leased"), &out->leased) &&
	       limen_value_int(limen_value_get(from, "burst"), &out->burst) &&
	       limen_value_int(limen_value_get(from, "tokens"), &out->tokens) &&
	       read_duration(from, "period", &out->period) &&
	       read_duration(from, "age", &out->age);
}
