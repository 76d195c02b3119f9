/* SPDX-License-Identifier: Apache-2.0 */
#include "json_out.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
separate(GString *out)
{
	char last = out->len == 0 ? '{' : out->str[out->len - 1];

	if (last != '{' && last != '[' && last != ':')
		g_string_append_c(out, ',');
}

void
json_open(GString *out, char bracket)
{
	if (out->len > 0 && out->str[out->len - 1] != '\n')
		separate(out);
	g_string_append_c(out, bracket);
}

static bool
is_plain(char byte)
{
	return (unsigned char)byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f;
}

static void
append_escaped(GString *out, char byte)
{
	if (byte == '"' || byte == '\\')
		g_string_append_printf(out, "\\%c", byte);
	else if (byte == '\n')
		g_string_append(out, "\\n");
	else if (byte == '\t')
		g_string_append(out, "\\t");
	else
		g_string_append_printf(out, "\\u%04x", (unsigned)byte);
}

/* Most texts have nothing to escape. */
static void
append_quoted(GString *out, const char *text)
{
	const char *at = text;

	g_string_append_c(out, '"');
	while (*at != '\0') {
		const char *run = at;

		while (is_plain(*at))
			at++;
		g_string_append_len(out, run, at - run);
		if (*at != '\0')
			append_escaped(out, *at++);
	}
	g_string_append_c(out, '"');
}

/* Returns how many bytes at the start are ASCII that needs no escape. */
static size_t
count_simple(const char *text)
{
	size_t count = 0;

	while (is_plain(text[count]) && (unsigned char)text[count] < 0x80)
		count++;
	return count;
}

void
json_string(GString *out, const char *text)
{
	char *valid;
	size_t simple;

	separate(out);
	if (text == NULL) {
		g_string_append(out, "null");
		return;
	}
	simple = count_simple(text);
	if (text[simple] == '\0') {
		g_string_append_c(out, '"');
		g_string_append_len(out, text, (gssize)simple);
		g_string_append_c(out, '"');
		return;
	}
	if (g_utf8_validate(text, -1, NULL)) {
		append_quoted(out, text);
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	append_quoted(out, valid);
	g_free(valid);
}

void
json_key(GString *out, const char *key)
{
	json_string(out, key);
	g_string_append_c(out, ':');
}

void
json_bool(GString *out, bool value)
{
	json_raw(out, value ? "true" : "false");
}

void
json_int(GString *out, int64_t value)
{
	separate(out);
	g_string_append_printf(out, "%" PRId64, value);
}

void
json_raw(GString *out, const char *json)
{
	separate(out);
	g_string_append(out, json == NULL ? "null" : json);
}

void
json_value(GString *out, limen_value value)
{
	char *text = limen_value_print(value, 0, NULL);

	/* As GLib ends a program that is out of memory: nothing may be left out silently. */
	if (text == NULL && limen_value_exists(value))
		g_error("out of memory");
	json_raw(out, text);
	free(text);
}

void
json_put_string(GString *out, const char *key, const char *text)
{
	json_key(out, key);
	json_string(out, text);
}

void
json_put_bool(GString *out, const char *key, bool value)
{
	json_key(out, key);
	json_bool(out, value);
}

void
json_put_int(GString *out, const char *key, int64_t value)
{
	json_key(out, key);
	json_int(out, value);
}
