/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.c - splits the target of a request into authority, path and arguments, and decodes the
 * arguments in place.  A '%' without two hexadecimal digits is kept as it is.
 */
#include "query.h"

#include <string.h>

/*
 * Decodes in place; "%" without two digits stands for itself.  Returns the new
 * length.
 */
static size_t
decode(char *text)
{
	char *out = text;

	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '%' && g_ascii_isxdigit(at[1]) && g_ascii_isxdigit(at[2])) {
			*out++ = (char)(g_ascii_xdigit_value(at[1]) << 4 |
			                g_ascii_xdigit_value(at[2]));
			at += 2;
		} else {
			*out++ = *at == '+' ? ' ' : *at;
		}
	}
	*out = '\0';
	return (size_t)(out - text);
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
