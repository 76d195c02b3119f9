/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.c - splits the target of a request into authority, path and arguments, and decodes the
 * arguments in place.  A '%' without two hexadecimal digits is kept as it is.
 */
#include "query.h"

#include <string.h>

gssize
query_decode(char *text, size_t length, bool strict)
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

/* Decodes a whole text, and returns its new length. */
static size_t
decode(char *text)
{
	gssize length = query_decode(text, strlen(text), false);

	text[length] = '\0';
	return (size_t)length;
}

static http_pair
split_pair(char *text)
{
	char *value = strchr(text, '=');

	if (value == NULL)
		value = text + strlen(text);
	else
		*value++ = '\0';
	decode(text);
	return (http_pair){ .name = text, .value = value, .length = decode(value) };
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
	/* One byte to the left: its end takes the place of its last. */
	memmove(from - 1, from, length);
	from[length - 1] = '\0';
	*target = from + length;
	return from - 1;
}

bool
query_split(char *target, GArray *arguments)
{
	char *rest = strchr(target, '?');

	if (rest != NULL)
		*rest++ = '\0';
	while (rest != NULL && *rest != '\0') {
		char *text = rest;
		http_pair pair;

		rest = strchr(text, '&');
		if (rest != NULL)
			*rest++ = '\0';
		if (*text == '\0')
			continue;
		if (arguments->len == QUERY_MAX)
			return false;
		pair = split_pair(text);
		g_array_append_val(arguments, pair);
	}
	return true;
}
