/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forwarded.c - reads addresses as proxies write them, and finds the client of X-Forwarded-For: from
 * the right, because each proxy appends the address of its peer.
 */
#include "forwarded.h"

#include <string.h>

#define PORT_DIGITS_MAX 5

static bool
is_port(const char *text, size_t length)
{
	for (size_t i = 1; i < length; i++)
		if (!g_ascii_isdigit(text[i]))
			return false;
	return length > 1 && length <= 1 + PORT_DIGITS_MAX && text[0] == ':';
}

static bool
parse_brackets(const char *text, size_t length, limen_address *out)
{
	const char *end = memchr(text, ']', length);
	size_t size = end == NULL ? 0 : (size_t)(end - text) + 1;

	return size > 2 && (size == length || is_port(text + size, length - size)) &&
	       limen_address_parse(text + 1, size - 2, out) == LIMEN_OK && out->family == 6;
}

static void
unmap(limen_address *address)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (address->family != 6 || memcmp(address->bytes, mapped, sizeof(mapped)) != 0)
		return;
	memmove(address->bytes, address->bytes + sizeof(mapped), 4);
	memset(address->bytes + 4, 0, sizeof(address->bytes) - 4);
	address->family = 4;
}

bool
forwarded_parse(const char *text, size_t length, limen_address *out)
{
	const char *colon;
	bool good;

	for (; length > 0 && (*text == ' ' || *text == '\t'); length--)
		text++;
	while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	colon = memchr(text, ':', length);
	if (length > 0 && text[0] == '[')
		good = parse_brackets(text, length, out);
	else if (colon != NULL && is_port(colon, length - (size_t)(colon - text)))
		good = limen_address_parse(text, (size_t)(colon - text), out) == LIMEN_OK;
	else
		good = limen_address_parse(text, length, out) == LIMEN_OK;
	if (good)
		unmap(out);
	return good;
}

/* Looks through one field from the right; stores whether a client was found. */
static bool
read_field(const http_pair *field, const limen_cidr_set *proxies, limen_address *out, bool *found)
{
	size_t end = field->length;
	size_t start;

	do {
		for (start = end; start > 0 && field->value[start - 1] != ','; start--)
			;
		if (!forwarded_parse(field->value + start, end - start, out))
			return false;
		*found = proxies == NULL || !limen_cidr_set_contains(proxies, out);
		end = start - 1;
	} while (start > 0 && !*found);
	return true;
}

forwarded
forwarded_client(const arguments *fields, const char *name, const limen_cidr_set *proxies,
                 limen_address *out)
{
	forwarded result = FORWARDED_NONE;
	size_t length = strlen(name);
	bool found = false;

	for (size_t i = fields->count; i > 0 && !found; i--) {
		const http_pair *field = &fields->pairs[i - 1];

		if (!http_is_named(field, name, length))
			continue;
		if (!read_field(field, proxies, out, &found))
			return FORWARDED_WRONG;
		result = FORWARDED_FOUND;
	}
	return result;
}
