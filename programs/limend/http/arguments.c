/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - splits the target of a request into authority, path and arguments, and decodes the
 * arguments, or the fields of a form, in place.  Rejects unknown, repeated and malformed
 * arguments with a fault of status 400, suggests a similar name for an unknown argument, and
 * finds arguments by name.
 */
#include "arguments.h"

#include <limen/nearest.h>
#include <string.h>

#include "remaining.h"

static bool
refuse_unknown(const char *name, const char *const *known, fault *why)
{
	const char *near = limen_nearest_of(name, known);

	if (near == NULL)
		return fault_set(why, 400, "Unknown argument '%.100s'", name);
	return fault_set(why, 400, "Unknown argument '%.100s'; did you mean '%s'?", name, near);
}

bool
arguments_check(const arguments *all, const char *const *known, fault *why)
{
	for (size_t i = 0; i < all->count; i++) {
		const http_pair *pair = &all->pairs[i];
		limen_duration ignored;

		if (!g_strv_contains(known, pair->name))
			return refuse_unknown(pair->name, known, why);
		if (arguments_find(all, pair->name) != pair->value)
			return fault_set(why, 400, "The argument '%s' appears twice", pair->name);
		if (!g_utf8_validate_len(pair->value, pair->length, NULL))
			return fault_set(why, 400, "The argument '%s' is not UTF-8", pair->name);
		/* http_remaining() ignores an invalid timeout, so it is refused here. */
		if (strcmp(pair->name, "timeout") == 0 && !remaining_parse(pair->value, &ignored))
			return fault_set(why, 400,
			                 "The argument 'timeout' must be a duration such as 2s");
	}
	return true;
}

const char *
arguments_find(const arguments *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->pairs[i].name, name) == 0)
			return all->pairs[i].value;
	return NULL;
}

bool
arguments_verdict(const arguments *all, bool *verdict, fault *why)
{
	const char *status = arguments_find(all, "status");

	*verdict = status != NULL;
	if (status == NULL || strcmp(status, "verdict") == 0)
		return true;
	return fault_set(why, 400, "The argument 'status' must be 'verdict'");
}

/* ---- reading ---- */

/* Decodes 'length' bytes of 'text' in place.  Returns the new length; -1: bad "%" if 'strict'. */
static gssize
decode(char *text, size_t length, bool strict)
{
	size_t kept = 0;

	for (size_t i = 0; i < length; i++, kept++) {
		if (text[i] == '%' && length - i > 2 && g_ascii_isxdigit(text[i + 1]) &&
		    g_ascii_isxdigit(text[i + 2])) {
			text[kept] = (char)(g_ascii_xdigit_value(text[i + 1]) << 4 |
			                    g_ascii_xdigit_value(text[i + 2]));
			i += 2;
		} else if (text[i] == '%' && strict) {
			return -1;
		} else {
			text[kept] = text[i] == '+' ? ' ' : text[i];
		}
	}
	return (gssize)kept;
}

static bool
add_pair(char *text, size_t length, GArray *out, fault *why)
{
	char *equals = memchr(text, '=', length);
	size_t name_length = equals == NULL ? length : (size_t)(equals - text);
	char *value = text + name_length + (equals == NULL ? 0 : 1);
	gssize name_kept = decode(text, name_length, why != NULL);
	gssize value_kept = decode(value, length - (size_t)(value - text), why != NULL);
	http_pair pair = { .name = text, .value = value, .length = (size_t)value_kept };

	if (name_kept < 0 || value_kept < 0)
		return fault_set(why, 400, "The form has a '%%' without two digits behind it");
	if (why != NULL && memchr(text, '\0', (size_t)name_kept) != NULL)
		return fault_set(why, 400, "The name of a field holds a NUL");
	/* The value is ended first: without "=" it begins where the name's NUL is written. */
	value[value_kept] = '\0';
	text[name_kept] = '\0';
	g_array_append_val(out, pair);
	return true;
}

bool
query_read(char *text, size_t length, size_t most, GArray *out, fault *why)
{
	char *end = text + length;
	char *next;

	for (char *at = text; at < end; at = next + 1) {
		next = memchr(at, '&', (size_t)(end - at));
		if (next == NULL)
			next = end;
		if (next > at && out->len == most)
			return why != NULL &&
			       fault_set(why, 400, "The form has more than %zu fields", most);
		if (next > at && !add_pair(at, (size_t)(next - at), out, why))
			return false;
	}
	return true;
}

char *
query_take_authority(char **target, bool tls)
{
	const char *scheme = tls ? "https://" : "http://";
	char *from = *target + strlen(scheme);
	size_t length;

	if (g_ascii_strncasecmp(*target, scheme, strlen(scheme)) != 0)
		return NULL;
	length = strcspn(from, "/?");
	if (from[length] != '/')
		return NULL;
	/* The authority moves one byte to the left to make room for its NUL. */
	memmove(from - 1, from, length);
	(from - 1)[length] = '\0';
	*target = from + length;
	return from - 1;
}

bool
query_split(char *target, GArray *out)
{
	char *rest = strchr(target, '?');

	if (rest == NULL)
		return true;
	*rest++ = '\0';
	return query_read(rest, strlen(rest), QUERY_MAX, out, NULL);
}
