/* SPDX-License-Identifier: Apache-2.0 */
/* sockaddr.c - formats IPv4, IPv6 and unix socket addresses and tests for loopback addresses. */
#include "sockaddr.h"

#include <glib.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

/* Writes host and port as numbers; false if it is no address of IPv4 or IPv6. */
static bool
name_address(const struct sockaddr *address, char host[NI_MAXHOST], char port[NI_MAXSERV])
{
	static const char mapped[] = "::ffff:";
	socklen_t length = address->sa_family == AF_INET ? sizeof(struct sockaddr_in)
	                                                 : sizeof(struct sockaddr_in6);

	if ((address->sa_family != AF_INET && address->sa_family != AF_INET6) ||
	    getnameinfo(address, length, host, NI_MAXHOST, port, NI_MAXSERV,
	                NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return false;
	host[strcspn(host, "%")] = '\0';
	if (g_str_has_prefix(host, mapped) && strchr(host, '.') != NULL)
		memmove(host, host + strlen(mapped), strlen(host + strlen(mapped)) + 1);
	return true;
}

char *
sockaddr_text(const struct sockaddr *address)
{
	char host[NI_MAXHOST], port[NI_MAXSERV];

	return name_address(address, host, port) ? g_strdup(host) : NULL;
}

bool
sockaddr_is_loopback(const struct sockaddr *address)
{
	char host[NI_MAXHOST], port[NI_MAXSERV];

	return name_address(address, host, port) &&
	       (g_str_has_prefix(host, "127.") || strcmp(host, "::1") == 0);
}

char *
sockaddr_of_socket(int fd)
{
	char host[NI_MAXHOST], port[NI_MAXSERV];
	struct sockaddr_storage name;
	const struct sockaddr_un *local = (const struct sockaddr_un *)&name;
	socklen_t length = sizeof(name);

	memset(&name, 0, sizeof(name));
	if (getsockname(fd, (struct sockaddr *)&name, &length) != 0)
		return g_strdup("?");
	if (name.ss_family == AF_UNIX)
		return g_strdup_printf("unix:%.*s", (int)sizeof(local->sun_path), local->sun_path);
	if (!name_address((const struct sockaddr *)&name, host, port))
		return g_strdup("?");
	return g_strdup_printf(strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}
