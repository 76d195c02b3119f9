/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_out.c - appends JSON values to a GString, with commas and escapes.  ASCII that needs no
 * escape is detected eight bytes at a time and copied; other text is made valid UTF-8 and
 * escaped.
 */
#include "json_out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "auto.h"
#include "cut.h"
#include "print.h"

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

/* Returns true if one of eight bytes is not ASCII or needs an escape. */
static bool
may_need_care(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	/*
	 * A subtraction that borrows sets the top bit of a byte: it finds bytes < 0x20 and
	 * equal ones.
	 */
	return ((word | (word - ones * 0x20) | ((word ^ ones * '"') - ones) |
	         ((word ^ ones * '\\') - ones) | ((word ^ ones * 0x7f) - ones)) &
	        ones * 0x80) != 0;
}

/* Returns true if 'text' is ASCII that needs no escape. */
static bool
is_simple(const char *text, size_t length)
{
	size_t i = 0;

	for (; length - i >= sizeof(uint64_t); i += sizeof(uint64_t))
		if (may_need_care(text + i))
			return false;
	for (; i < length; i++)
		if (!is_plain(text[i]) || (unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

/* Grows the string once, for the text and its quotes. */
static void
append_simple(GString *out, const char *text, size_t length)
{
	size_t before = out->len;
	char *to;

	g_string_set_size(out, before + length + 2);
	to = out->str + before;
	to[0] = '"';
	memcpy(to + 1, text, length);
	to[length + 1] = '"';
}

void
json_string(GString *out, const char *text)
{
	g_autofree char *valid = NULL;
	size_t length;

	if (text == NULL) {
		json_raw(out, NULL);
		return;
	}
	separate(out);
	length = strlen(text);
	if (is_simple(text, length)) {
		append_simple(out, text, length);
		return;
	}
	if (!g_utf8_validate(text, (gssize)length, NULL))
		valid = g_utf8_make_valid(text, -1);
	print_quoted(out, valid == NULL ? text : valid);
}

void
json_string_cut(GString *out, const char *text, size_t most)
{
	g_autofree char *cut = NULL;

	if (strnlen(text, most + 1) > most)
		cut = print_text("%.*s...", (int)cut_before(text, most), text);
	json_string(out, cut == NULL ? text : cut);
}

void
json_key(GString *out, const char *key)
{
	json_string(out, key);
	g_string_append_c(out, ':');
}

void
json_int(GString *out, int64_t value)
{
	separate(out);
	print_append(out, "%" PRId64, value);
}

void
json_raw(GString *out, const char *json)
{
	separate(out);
	g_string_append(out, json == NULL ? "null" : json);
}

void
json_shown(GString *out, const char *json)
{
	separate(out);
	print_escaped(out, json, "");
}

void
json_value(GString *out, limen_value value)
{
	g_auto(heap_text) text = limen_value_to_json(value, 0, NULL);

	/* Out of memory ends the process, as in GLib: an answer must not lose a part silently. */
	if (text == NULL && limen_value_exists(value))
		g_error("out of memory");
	json_raw(out, text);
}

static void
put_texts(GString *out, const char *const *texts)
{
	json_open(out, '[');
	for (; texts != NULL && *texts != NULL; texts++)
		json_string(out, *texts);
	g_string_append_c(out, ']');
}

/* Writes the next argument according to its letter (json_out.h). */
static void
put_argument(GString *out, char letter, va_list *arguments)
{
	switch (letter) {
	case 's':
		json_string(out, va_arg(*arguments, const char *));
		break;
	case 'i':
		json_int(out, va_arg(*arguments, int64_t));
		break;
	case 'd':
		json_int(out, va_arg(*arguments, int));
		break;
	case 'z':
		json_int(out, (int64_t)va_arg(*arguments, size_t));
		break;
	case 'b':
		json_raw(out, va_arg(*arguments, int) != 0 ? "true" : "false");
		break;
	case 'j':
		json_raw(out, va_arg(*arguments, const char *));
		break;
	case 'v':
		json_value(out, va_arg(*arguments, limen_value));
		break;
	case 'a':
		put_texts(out, va_arg(*arguments, const char *const *));
		break;
	default:
		g_error("a template of JSON has the letter '%c'", letter);
	}
}

/* Writes the member "KEY:X" at 'at', whose key is 'length' bytes long, or "@" for an argument. */
static void
put_member(GString *out, const char *at, size_t length, va_list *arguments)
{
	char letter = at[length + 1];
	const char *key = *at == '@' ? va_arg(*arguments, const char *) : NULL;
	const char *text = letter == 'S' ? va_arg(*arguments, const char *) : NULL;

	if (letter == 'S' && text == NULL)
		return;
	if (key != NULL) {
		json_key(out, key);
	} else {
		separate(out);
		g_string_append_c(out, '"');
		g_string_append_len(out, at, (gssize)length);
		g_string_append_len(out, "\":", 2);
	}
	if (letter == 'S')
		json_string(out, text);
	else if (letter == '{' || letter == '[')
		g_string_append_c(out, letter);
	else
		put_argument(out, letter, arguments);
}

void
json_write(GString *out, const char *template, ...)
{
	va_list arguments;

	va_start(arguments, template);
	for (const char *at = template; *at != '\0'; at++) {
		size_t length = strcspn(at, ":{}[], ");

		if (length > 0 && at[length] == ':') {
			put_member(out, at, length, &arguments);
			at += length + 1;
		} else if (length > 0) {
			put_argument(out, *at, &arguments);
		} else if (*at == '{' || *at == '[') {
			json_open(out, *at);
		} else if (*at == '}' || *at == ']') {
			g_string_append_c(out, *at);
		}
	}
	va_end(arguments);
}

void
json_pointer_step(GString *pointer, const char *key, size_t length)
{
	g_string_append_c(pointer, '/');
	for (size_t i = 0; i < length; i++) {
		if (key[i] == '~')
			g_string_append(pointer, "~0");
		else if (key[i] == '/')
			g_string_append(pointer, "~1");
		else
			g_string_append_c(pointer, key[i]);
	}
}
