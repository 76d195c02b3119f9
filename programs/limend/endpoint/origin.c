/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.c - checks the headers Sec-Fetch-Site, Origin and Host against cross-origin requests (403)
 * and DNS rebinding (421).  Own names are localhost, any IP address and the names of --allow-host.
 */
#include "origin.h"

#include <limen/cidr.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* RFC 1035, 2.3.4. */
#define NAME_MAX_BYTES 255

/* Is there nothing behind the name, or a port, which may be empty (RFC 3986, 3.2.3)? */
static bool
is_port(const char *rest)
{
	size_t digits = rest[0] == ':' ? strspn(rest + 1, "0123456789") : 0;

	return rest[0] == '\0' ||
	       (rest[0] == ':' && rest[1 + digits] == '\0' && digits <= 5 &&
	        strtoul(rest + 1, NULL, 10) <= UINT16_MAX);
}

/*
 * Copies 'host' (RFC 9110, 7.2) without its port and a final dot; false if it is too long, or more
 * than a name and a port.
 */
static bool
read_name(const char *host, char out[NAME_MAX_BYTES + 1])
{
	size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");

	if (length > strlen(host) || length > NAME_MAX_BYTES || !is_port(host + length))
		return false;
	if (length > 1 && host[length - 1] == '.')
		length--;
	memcpy(out, host, length);
	out[length] = '\0';
	return true;
}

/* An IP address is always an own name, because DNS rebinding needs a name in DNS. */
static bool
is_address(const char *name)
{
	size_t length = strlen(name);
	limen_address address;

	if (name[0] == '[' && length > 2)
		return limen_address_parse(name + 1, length - 2, &address) == LIMEN_OK;
	return limen_address_parse(name, length, &address) == LIMEN_OK;
}

static bool
is_ours(char *const *hosts, const char *name)
{
	if (g_ascii_strcasecmp(name, "localhost") == 0 || is_address(name))
		return true;
	for (char *const *text = hosts; text != NULL && *text != NULL; text++)
		if (g_ascii_strcasecmp(name, *text) == 0)
			return true;
	return false;
}

/* An origin without "://", such as "null", counts as another origin. */
static bool
is_of_another_origin(const http_request *request)
{
	const char *site = request->fetch_site;
	const char *host;

	if (site != NULL)
		return strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
	if (request->origin == NULL)
		return false;
	host = strstr(request->origin, "://");
	return host == NULL || request->host == NULL ||
	       g_ascii_strcasecmp(host + strlen("://"), request->host) != 0;
}

/* Must the name in Host or in the target be one of this daemon's own names? */
static bool
needs_own_name(const endpoint *target, const http_request *request)
{
	const http_peer *peer = &request->peer;

	/* Only HTTP/1.0 clients may omit Host; browsers always send it. */
	if (request->host == NULL || peer->unix_socket || peer->tls)
		return false;
	/* A target in absolute form may be for a proxy, which limend is not. */
	if (request->absolute || target->names == NAMES_OWN)
		return true;
	return target->names == NAMES_TRUSTED && peer->trusted;
}

bool
origin_check(char *const *hosts, const endpoint *target, const http_request *request, fault *why)
{
	char name[NAME_MAX_BYTES + 1];

	/* Decisions of the console are dry runs and charge nothing, so they are not checked. */
	if (target->decides && !target->console && is_of_another_origin(request))
		return fault_set(why, 403, "Refused: a browser sends this for a page of another "
		                           "origin");
	if (!needs_own_name(target, request) ||
	    (read_name(request->host, name) && is_ours(hosts, name)))
		return true;
	return fault_set(why, 421,
	                 "This daemon is not called '%.100s'; ask by an address, by localhost, "
	                 "or by a name of --allow-host", request->host);
}

bool
origin_is_name(const char *text)
{
	char name[NAME_MAX_BYTES + 1];

	return read_name(text, name) && name[0] != '\0' && strcmp(name, text) == 0 &&
	       strpbrk(name, " /*@,\t") == NULL;
}
