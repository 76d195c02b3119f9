/* SPDX-License-Identifier: Apache-2.0 */
/* servers.c - reads lists of name servers and writes them for c-ares. */
#include "servers.h"

#include <arpa/inet.h>
#include <stdio.h>
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
read_bracketed(const char *text, size_t length, limen_address *address, uint16_t *port)
{
	const char *end = memchr(text, ']', length);
	size_t inner;

	if (end == NULL)
		return false;
	inner = (size_t)(end - text) - 1;
	if (limen_address_parse(text + 1, inner, address) != LIMEN_OK ||
	    address->family != 6)
		return false;
	if (inner + 2 == length)
		return true;
	return end[1] == ':' && read_port(end + 2, length - inner - 3, port);
}

static bool
read_server(const char *text, size_t length, limen_address *address, uint16_t *port)
{
	const char *colon;

	*port = SERVERS_PORT;
	if (length > 0 && text[0] == '[')
		return read_bracketed(text, length, address, port);
	if (limen_address_parse(text, length, address) == LIMEN_OK)
		return true;
	colon = memchr(text, ':', length);
	if (colon == NULL)
		return false;
	return limen_address_parse(text, (size_t)(colon - text), address) == LIMEN_OK &&
	       read_port(colon + 1, length - (size_t)(colon - text) - 1, port);
}

static void
add_server(servers *out, const limen_address *address, uint16_t port)
{
	bool is_v4 = address->family == 4;
	char text[INET6_ADDRSTRLEN];
	size_t at = strlen(out->text);

	inet_ntop(is_v4 ? AF_INET : AF_INET6, address->bytes, text, sizeof(text));
	snprintf(out->text + at, sizeof(out->text) - at, is_v4 ? "%s%s:%u" : "%s[%s]:%u",
	         at > 0 ? "," : "", text, (unsigned)port);
	out->count++;
}

const char *
servers_read(const char *text, servers *out)
{
	*out = (servers){ .count = 0 };
	for (;;) {
		limen_address address;
		uint16_t port;
		size_t length;

		text += strspn(text, " ");
		length = strcspn(text, ", ");
		if (out->count == SERVERS_MAX)
			return "names more than 8 name servers";
		if (!read_server(text, length, &address, &port))
			return "must be addresses of name servers separated by commas, such as "
			       "192.0.2.53 or [2001:db8::53]:5353";
		add_server(out, &address, port);
		text += length;
		text += strspn(text, " ");
		if (*text == '\0')
			return NULL;
		if (*text != ',')
			return "must have commas between the name servers";
		text++;
	}
}
