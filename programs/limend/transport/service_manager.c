/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service_manager.c - implements the protocols of sd_listen_fds(3), sd_notify(3) and
 * sd_watchdog_enabled(3).  They are stable and short, while libsystemd and its dependencies would
 * cost each process a megabyte.
 */
#include "service_manager.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { FIRST_PASSED = 3 };

/* Reads an environment variable; 0 if it is not set or no number between 1 and 'most'. */
static guint64
read_number(const char *name, guint64 most)
{
	const char *text = g_getenv(name);
	guint64 number = 0;

	if (text == NULL || !g_ascii_string_to_unsigned(text, 10, 1, most, &number, NULL))
		return 0;
	return number;
}

/* Is the PID in the variable ours?  A child inherits the variables meant for its parent. */
static bool
is_for_us(const char *name)
{
	return read_number(name, G_MAXINT) == (guint64)getpid();
}

/* Sets close-on-exec on the sockets: child processes must not inherit them. */
static int
adopt(int count)
{
	for (int fd = FIRST_PASSED; fd < FIRST_PASSED + count; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0)
			return -errno;
	}
	return count;
}

int
service_manager_sockets(int *first)
{
	int count = (int)read_number("LISTEN_FDS", INT_MAX - FIRST_PASSED);
	bool is_broken = count == 0 && g_getenv("LISTEN_FDS") != NULL;
	bool is_ours = is_for_us("LISTEN_PID");

	*first = FIRST_PASSED;
	g_unsetenv("LISTEN_PID");
	g_unsetenv("LISTEN_FDS");
	g_unsetenv("LISTEN_FDNAMES");
	if (!is_ours)
		return 0;
	return is_broken ? -EINVAL : adopt(count);
}

void
service_manager_tell(const char *state)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = g_getenv("NOTIFY_SOCKET");
	size_t length = path == NULL ? 0 : strlen(path);
	int fd;

	if (length < 2 || length > sizeof(to.sun_path) || strchr("/@", path[0]) == NULL)
		return;
	memcpy(to.sun_path, path, length);
	/* A leading '@' stands for the NUL of an abstract socket name. */
	if (path[0] == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
	              (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	close(fd);
}

void
service_manager_tell_reloading(void)
{
	/* Type=notify-reload compares the time with that of its signal. */
	g_autofree char *state = g_strdup_printf(
		"RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT, g_get_monotonic_time());

	service_manager_tell(state);
}

uint64_t
service_manager_watchdog(void)
{
	if (g_getenv("WATCHDOG_PID") != NULL && !is_for_us("WATCHDOG_PID"))
		return 0;
	return read_number("WATCHDOG_USEC", G_MAXUINT64 - 1);
}
