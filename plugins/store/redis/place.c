/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATABASE_MAX 65535

bool
place_set(char **text, const char *from, size_t length)
{
	free(*text);
	*text = strndup(from, length);
	return *text != NULL;
}

static int
hex_digit(char digit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = digit == '\0' ? NULL : strchr(digits, digit);

	return at == NULL ? -1 : (int)((at - digits) % 16);
}

/* Resolves %XX (RFC 3986, 2.1) in place; false for what is none, and for %00. */
static bool
decode(char *text)
{
	char *out = text;

	for (; *text != '\0'; text++) {
		int high;
		int low;

		if (*text != '%') {
			*out++ = *text;
			continue;
		}
		high = hex_digit(text[1]);
		low = high < 0 ? -1 : hex_digit(text[2]);
		if (low < 0 || high + low == 0)
			return false;
		*out++ = (char)(high * 16 + low);
		text += 2;
	}
	*out = '\0';
	return true;
}

static bool
set_decoded(char **text, const char *from, size_t length)
{
	return place_set(text, from, length) && decode(*text);
}

static bool
read_number(const char *text, size_t length, int64_t maximum, int64_t *out)
{
	int64_t number = 0;

	if (length == 0 || length > 5)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = number * 10 + (text[i] - '0');
	}
	*out = number;
	return number <= maximum;
}

static bool
read_user(place *out, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	size_t name = colon == NULL ? length : (size_t)(colon - text);

	if (name > 0 && !set_decoded(&out->user, text, name))
		return false;
	return colon == NULL || set_decoded(&out->password, colon + 1, length - name - 1);
}

static bool
read_host(place *out, const char *text, size_t length)
{
	const char *end = text[0] == '[' ? memchr(text, ']', length) : memchr(text, ':', length);
	size_t name = end == NULL ? length : (size_t)(end - text);
	const char *rest;

	if (text[0] == '[') {
		if (end == NULL || !place_set(&out->host, text + 1, name - 1))
			return false;
		rest = end + 1;
	} else {
		if (name == 0 || !set_decoded(&out->host, text, name))
			return false;
		rest = text + name;
	}
	if (rest == text + length)
		return true;
	return rest[0] == ':' && read_number(rest + 1, (size_t)(text + length - rest) - 1, 65535,
	                                     &out->port) && out->port > 0;
}

static bool
read_network(place *out, const char *text)
{
	size_t length = strcspn(text, "/?#");
	const char *at = memrchr(text, '@', length);
	const char *rest = text + length;
	size_t user = at == NULL ? 0 : (size_t)(at - text) + 1;

	if (user > 0 && !read_user(out, text, user - 1))
		return false;
	if (!read_host(out, text + user, length - user))
		return false;
	if (rest[0] == '/' && rest[1] != '\0')
		return read_number(rest + 1, strlen(rest + 1), DATABASE_MAX, &out->database);
	return rest[0] == '\0' || rest[0] == '/';
}

bool
place_read_url(place *out, const char *url, const char **why)
{
	*why = "not of the form redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or unix:///PATH";
	if (strncmp(url, "redis://", 8) == 0)
		return read_network(out, url + 8);
	if (strncmp(url, "unix:///", 8) == 0 && strpbrk(url, "?#") == NULL)
		return set_decoded(&out->path, url + 7, strlen(url + 7));
	if (strncmp(url, "rediss://", 9) == 0)
		*why = "for TLS, which this module does not speak: connect to a local proxy such as "
		       "stunnel";
	return false;
}

void
place_describe(place *where)
{
	if (where->path != NULL)
		snprintf(where->shown, sizeof(where->shown), "%s", where->path);
	else
		snprintf(where->shown, sizeof(where->shown), "%s:%" PRId64, where->host,
		         where->port);
}

void
place_clear(place *where)
{
	if (where->password != NULL)
		explicit_bzero(where->password, strlen(where->password));
	free(where->password);
	free(where->path);
	free(where->host);
	free(where->user);
	*where = (place){ .path = NULL };
}
