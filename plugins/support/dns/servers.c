/* SPDX-License-Identifier: Apache-2.0 */
#include "servers.h"

#include <string.h>

/* Reads the port at 'text'; nothing is the port of DNS. */
static bool
read_port(const char *text, size_t length, uint16_t *out)
{
	unsigned port = 0;

	if (length == 0 || length > 5)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		port = 10 * port + (unsigned)(text[i] - '0');
	}
	if (port == 0 || port > UINT16_MAX)
		return false;
	*out = (uint16_t)port;
	return true;
}

/* "[2001:db8::53]", "[2001:db8::53]:5353" */
static bool
read_bracketed(const char *text, size_t length, name_server *out)
{
	const char *end = memchr(text, ']', length);
	size_t inner;

	if (end == NULL)
		return false;
	inner = (size_t)(end - text) - 1;
	if (limen_address_parse(text + 1, inner, &out->address) != LIMEN_OK ||
	    out->address.family != 6)
		return false;
	if (inner + 2 == length)
		return true;
	return end[1] == ':' && read_port(end + 2, length - inner - 3, &out->port);
}

static bool
read_server(const char *text, size_t length, name_server *out)
{
	const char *colon;

	*out = (name_server){ .port = SERVERS_PORT };
	if (length > 0 && text[0] == '[')
		return read_bracketed(text, length, out);
	if (limen_address_parse(text, length, &out->address) == LIMEN_OK)
		return true;
	colon = memchr(text, ':', length);
	if (colon == NULL)
		return false;
	return limen_address_parse(text, (size_t)(colon - text), &out->address) == LIMEN_OK &&
	       read_port(colon + 1, length - (size_t)(colon - text) - 1, &out->port);
}

const char *
servers_read(const char *text, servers *out)
{
	out->count = 0;
	for (;;) {
		size_t length;

		text += strspn(text, " ");
		length = strcspn(text, ", ");
		if (out->count == SERVERS_MAX)
			return "names more than 8 name servers";
		if (!read_server(text, length, &out->items[out->count]))
			return "must be addresses of name servers separated by commas, such as "
			       "192.0.2.53 or [2001:db8::53]:5353";
		out->count++;
		text += length;
		text += strspn(text, " ");
		if (*text == '\0')
			return NULL;
		if (*text != ',')
			return "must have commas between the name servers";
		text++;
	}
}

bool
servers_equal(const servers *a, const servers *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (a->items[i].port != b->items[i].port ||
		    a->items[i].address.family != b->items[i].address.family ||
		    memcmp(a->items[i].address.bytes, b->items[i].address.bytes, 16) != 0)
			return false;
	}
	return true;
}
