/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.c - checks the headers Sec-Fetch-Site, Origin and Host against cross-origin requests (403)
 * and DNS rebinding (421).  Own names are localhost, any IP address and the names of --allow-host.
 */
#include "origin.h"

#include <limen/cidr.h>
#include <string.h>

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

	if (peer->console)
		return request->host != NULL;
	/* Only HTTP/1.0 clients may omit Host; browsers always send it. */
	if (request->host == NULL || peer->unix_socket || peer->tls)
		return false;
	/* A target in absolute form may be for a proxy, which limend is not. */
	if (request->absolute || target->names == NAMES_OWN)
		return true;
	return target->names == NAMES_TRUSTED && peer->trusted;
}

/*
 * Decisions of the console are dry runs and charge nothing, so they are not checked, except at
 * --ui-listen, where every page that the reader opens is as trusted as the reader.  A link that the
 * reader follows only shows him what it leads to.
 */
static bool
must_be_of_own_origin(const endpoint *target, const http_request *request)
{
	g_auto(fault) why = { .status = 0 };
	const char *use = NULL;

	if (!request->peer.console)
		return target->decides && !target->console;
	return !http_field(request, "Sec-Fetch-Dest", &use, &why) ||
	       g_strcmp0(use, "document") != 0 || request->method != HTTP_GET;
}

bool
origin_check(char *const *hosts, const endpoint *target, const http_request *request, fault *why)
{
	char name[HTTP_HOST_MAX + 1];

	if (must_be_of_own_origin(target, request) && is_of_another_origin(request))
		return fault_set(why, 403, "Refused: a browser sends this for a page of another "
		                           "origin");
	if (!needs_own_name(target, request) ||
	    (http_read_host(request->host, name) &&
	     is_ours(request->peer.console ? NULL : hosts, name)))
		return true;
	return fault_set(why, 421,
	                 "This daemon is not called '%.100s'; ask by an address, by localhost, "
	                 "or by a name of --allow-host", request->host);
}

bool
origin_is_name(const char *text)
{
	char name[HTTP_HOST_MAX + 1];

	return http_read_host(text, name) && name[0] != '\0' && g_ascii_strcasecmp(name, text) == 0 &&
	       strpbrk(name, " /*@,\t") == NULL;
}
