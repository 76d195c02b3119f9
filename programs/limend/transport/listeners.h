/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listeners.h - the listening sockets of limend: from its options, and from systemd
 * (sd_listen_fds(3)).
 */
#ifndef LIMEND_LISTENERS_H
#define LIMEND_LISTENERS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "transport.h"

/* Only owner and group may connect, because hints of local callers are trusted. */
#define LISTENERS_MODE 0660

/* The group of limend. */
#define LISTENERS_GROUP_SAME ((gid_t)-1)

/* One listening socket. */
typedef struct listener {
	int fd;
	char *shown;       /* "127.0.0.1:8443", "unix:/run/limend/limend.sock" */
	bool unix_socket;
	bool inherited;    /* from systemd, which goes on listening after limend ends */
	bool local;        /* a unix socket or a loopback address */
	served purpose;    /* SERVED_HEALTH and SERVED_CONSOLE are without TLS */
	char *path;        /* of a unix socket that limend created and removes; or NULL */
	guint64 device;    /* device and inode of 'path' */
	guint64 number;
} listener;

/* A list of listener; free it with listeners_close(). */
GPtrArray *listeners_new(void);

/* Listens on "ADDRESS:PORT" or "[ADDRESS]:PORT"; port 0 takes a free one.  NULL or an error. */
char *listeners_add_tcp(GPtrArray *list, const char *text, served purpose);

/*
 * Listens on 'path', with this mode and group; replaces a socket file no process listens on.  NULL
 * or an error.
 */
char *listeners_add_unix(GPtrArray *list, const char *path, served purpose, mode_t mode,
                         gid_t group);

/*
 * Check the argument of the functions above and open nothing.  Return NULL or an error; 'local'
 * (may be NULL) is set if the address is a loopback address.
 */
char *listeners_check_tcp(const char *text, bool *local);
char *listeners_check_unix(const char *path);

/* Returns the error that 'path' exists and is no socket, to g_free(). */
char *listeners_no_socket(const char *path);

/* Adds the sockets passed by systemd, if there are any.  Returns NULL or an error. */
char *listeners_add_inherited(GPtrArray *list);

/*
 * Refuses new connections, except on inherited sockets, and removes files as listeners_close()
 * does.  The descriptors stay open: a thread of the transport may be about to use them.
 */
void listeners_refuse(GPtrArray *list);

/* Closes the sockets and removes the socket files that limend created. */
void listeners_close(GPtrArray *list);

#endif
