/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listeners.c - opens TCP and unix sockets, takes over the sockets of systemd, and deletes the
 * socket files that it created.  Replaces a socket file only if no process accepts connections on
 * it.  The list owns the descriptors.
 */
#include "listeners.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/sockaddr.h"
#include "service_manager.h"

/* Larger than any burst of new connections; the kernel caps it (net.core.somaxconn). */
#define BACKLOG 4096

/* Removes the socket file unless another process has replaced it. */
static void
remove_path(listener *socket)
{
	struct stat facts;

	if (socket->path != NULL && lstat(socket->path, &facts) == 0 &&
	    facts.st_dev == socket->device && facts.st_ino == socket->number)
		unlink(socket->path);
	g_free(socket->path);
	socket->path = NULL;
}

static void
free_listener(gpointer data)
{
	listener *socket = data;

	if (socket->fd != -1)
		close(socket->fd);
	remove_path(socket);
	g_free(socket->shown);
	g_free(socket);
}

GPtrArray *
listeners_new(void)
{
	return g_ptr_array_new_with_free_func(free_listener);
}

void
listeners_close(GPtrArray *list)
{
	if (list != NULL)
		g_ptr_array_free(list, TRUE);
}

void
listeners_refuse(GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++) {
		listener *socket = g_ptr_array_index(list, i);

		if (!socket->inherited)
			shutdown(socket->fd, SHUT_RDWR);
		remove_path(socket);
	}
}

static listener *
add(GPtrArray *list, int fd, served purpose)
{
	listener *socket = g_new0(listener, 1);

	socket->fd = fd;
	socket->purpose = purpose;
	socket->shown = sockaddr_of_socket(fd);
	socket->unix_socket = g_str_has_prefix(socket->shown, "unix:");
	socket->local = socket->unix_socket || g_str_has_prefix(socket->shown, "127.") ||
	              g_str_has_prefix(socket->shown, "[::1]:");
	g_ptr_array_add(list, socket);
	return socket;
}

/* ---- TCP ---- */

/* Splits "HOST:PORT".  Returns the host, to g_free(), or NULL if there is no host or port. */
static char *
split_address(const char *text, const char **port)
{
	const char *colon = strrchr(text, ':');
	size_t length;

	if (colon == NULL || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return NULL;
	*port = colon + 1;
	length = (size_t)(colon - text);
	if (length > 2 && text[0] == '[' && text[length - 1] == ']')
		return g_strndup(text + 1, length - 2);
	/* An IPv6 address needs brackets to separate it from the port. */
	return length == 0 || memchr(text, ':', length) != NULL ? NULL : g_strndup(text, length);
}

static int
open_tcp(const struct addrinfo *where)
{
	static const int on = 1;
	static const int off = 0;
	int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd == -1)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* "[::]" means every address of the machine. */
	if (where->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Returns the address that 'text' names, to freeaddrinfo(), or NULL and an error text. */
static struct addrinfo *
find_address(const char *text, char **error)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE };
	struct addrinfo *found = NULL;
	const char *port = NULL;
	char *host = split_address(text, &port);

	/* The one name that is known without looking it up. */
	if (g_strcmp0(host, "localhost") == 0) {
		g_free(host);
		host = g_strdup("127.0.0.1");
	}
	if (host == NULL || strtoul(port, NULL, 10) > 65535 ||
	    getaddrinfo(host, port, &hints, &found) != 0)
		found = NULL;
	g_free(host);
	if (found == NULL)
		*error = g_strdup_printf("invalid address '%s': use ADDRESS:PORT or "
		                         "[IPV6-ADDRESS]:PORT, such as 127.0.0.1:8080; names are "
		                         "not looked up",
		                         text);
	return found;
}

char *
listeners_check_tcp(const char *text, bool *local)
{
	char *error = NULL;
	struct addrinfo *found = find_address(text, &error);

	if (found == NULL)
		return error;
	if (local != NULL)
		*local = sockaddr_is_loopback(found->ai_addr);
	freeaddrinfo(found);
	return NULL;
}

char *
listeners_add_tcp(GPtrArray *list, const char *text, served purpose)
{
	char *error = NULL;
	struct addrinfo *found = find_address(text, &error);
	int fd;

	if (found == NULL)
		return error;
	fd = open_tcp(found);
	if (fd == -1)
		error = g_strdup_printf("cannot listen on %s: %s", text, g_strerror(errno));
	else
		add(list, fd, purpose);
	freeaddrinfo(found);
	return error;
}

/* ---- unix sockets ---- */

char *
listeners_no_socket(const char *path)
{
	return g_strdup_printf("%s exists and is not a socket", path);
}

/* Removes the socket file of a process that has ended.  Returns NULL or an error text. */
static char *
clear_path(const struct sockaddr_un *name)
{
	struct stat facts;
	bool answered;
	int fd;

	if (lstat(name->sun_path, &facts) != 0)
		return NULL;
	if (!S_ISSOCK(facts.st_mode))
		return listeners_no_socket(name->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	answered = connect(fd, (const struct sockaddr *)name, sizeof(*name)) == 0 ||
	           errno != ECONNREFUSED;
	if (fd != -1)
		close(fd);
	if (answered)
		return g_strdup_printf("another process listens on %s", name->sun_path);
	unlink(name->sun_path);
	return NULL;
}

/* Binds with the right mode from the start, and sets the group before listen(). */
static bool
bind_path(int fd, const struct sockaddr_un *name, mode_t mode, gid_t group)
{
	mode_t before = umask(0777 & ~mode);
	bool bound = bind(fd, (const struct sockaddr *)name, sizeof(*name)) == 0;

	umask(before);
	/* The unit of systemd forbids the call, so it is made only for a group. */
	bound = bound && (group == LISTENERS_GROUP_SAME ||
	                  lchown(name->sun_path, (uid_t)-1, group) == 0);
	return bound && listen(fd, BACKLOG) == 0;
}

char *
listeners_check_unix(const char *path)
{
	/* An empty path makes the kernel choose an abstract name, which has no file mode. */
	if (path[0] == '\0')
		return g_strdup("a unix socket needs a path");
	if (strlen(path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
		return g_strdup_printf("the path of the socket %s is too long", path);
	return NULL;
}

char *
listeners_add_unix(GPtrArray *list, const char *path, served purpose, mode_t mode, gid_t group)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct stat facts;
	listener *listening;
	char *error = listeners_check_unix(path);
	int fd;

	if (error != NULL)
		return error;
	g_strlcpy(name.sun_path, path, sizeof(name.sun_path));
	error = clear_path(&name);
	if (error != NULL)
		return error;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd == -1 || !bind_path(fd, &name, mode, group)) {
		error = g_strdup_printf("cannot listen on %s: %s", path, g_strerror(errno));
		if (fd != -1)
			close(fd);
		return error;
	}
	listening = add(list, fd, purpose);
	if (lstat(path, &facts) == 0) {
		listening->path = g_strdup(path);
		listening->device = facts.st_dev;
		listening->number = facts.st_ino;
	}
	return NULL;
}

/* ---- systemd ---- */

char *
listeners_add_inherited(GPtrArray *list)
{
	int first = 0;
	int count = service_manager_sockets(&first);

	if (count < 0)
		return g_strdup_printf("sockets of systemd: %s", g_strerror(-count));
	for (int fd = first; fd < first + count; fd++) {
		int listening = 0;
		int type = 0;
		socklen_t length = sizeof(int);

		if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length) != 0 ||
		    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
		    listening == 0 || type != SOCK_STREAM)
			return g_strdup_printf("descriptor %d of systemd is not a listening "
			                       "stream socket", fd);
		add(list, fd, SERVED_ALL)->inherited = true;
	}
	return NULL;
}
