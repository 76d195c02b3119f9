/* SPDX-License-Identifier: Apache-2.0 */
/* sockaddr.c - formats IPv4, IPv6 and unix socket addresses and tests for loopback addresses. */
#include "sockaddr.h"

#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

typedef union any_address {
	struct sockaddr head;
	struct sockaddr_in inet;
	struct sockaddr_in6 inet6;
	struct sockaddr_un local;
	struct sockaddr_storage storage;
} any_address;

/* Copied, because nothing says that it is aligned for its family. */
static bool
copy_address(const struct sockaddr *address, any_address *out)
{
	memset(out, 0, sizeof(*out));
	if (address->sa_family == AF_INET)
		memcpy(&out->inet, address, sizeof(out->inet));
	else if (address->sa_family == AF_INET6)
		memcpy(&out->inet6, address, sizeof(out->inet6));
	return out->head.sa_family != AF_UNSPEC;
}

char *
sockaddr_text(const struct sockaddr *address)
{
	char text[INET6_ADDRSTRLEN];
	any_address copy;
	const void *bytes;
	int family;

	if (!copy_address(address, &copy))
		return NULL;
	family = copy.head.sa_family;
	bytes = family == AF_INET ? (const void *)&copy.inet.sin_addr
	                          : (const void *)&copy.inet6.sin6_addr;
	if (family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&copy.inet6.sin6_addr)) {
		family = AF_INET;
		bytes = copy.inet6.sin6_addr.s6_addr + 12;
	}
	return g_strdup(inet_ntop(family, bytes, text, sizeof(text)));
}

static bool
get_name(int fd, any_address *out)
{
	socklen_t length = sizeof(out->storage);

	memset(out, 0, sizeof(*out));
	return getsockname(fd, &out->head, &length) == 0;
}

char *
sockaddr_of_socket(int fd)
{
	any_address name;
	char *host;
	char *text;

	if (!get_name(fd, &name))
		return g_strdup("?");
	if (name.head.sa_family == AF_UNIX)
		return g_strdup_printf("unix:%.*s", (int)sizeof(name.local.sun_path),
		                       name.local.sun_path);
	host = sockaddr_text(&name.head);
	if (host == NULL)
		return g_strdup("?");
	text = strchr(host, ':') != NULL
	               ? g_strdup_printf("[%s]:%u", host, ntohs(name.inet6.sin6_port))
	               : g_strdup_printf("%s:%u", host, ntohs(name.inet.sin_port));
	g_free(host);
	return text;
}

static bool
is_local(const any_address *name)
{
	if (name->head.sa_family == AF_INET)
		return (ntohl(name->inet.sin_addr.s_addr) >> 24) == 127;
	if (name->head.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&name->inet6.sin6_addr);
	return name->head.sa_family == AF_UNIX;
}

bool
sockaddr_is_local(int fd)
{
	any_address name;

	return get_name(fd, &name) && is_local(&name);
}

bool
sockaddr_is_loopback(const struct sockaddr *address)
{
	any_address copy;

	return copy_address(address, &copy) && is_local(&copy);
}
