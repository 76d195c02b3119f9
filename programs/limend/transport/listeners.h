/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listeners.h - the sockets limend listens on: those of its options, and those
 * that systemd has opened for it (sd_listen_fds(3)).
 */
#ifndef LIMEND_LISTENERS_H
#define LIMEND_LISTENERS_H

#include <glib.h>
#include <stdbool.h>

/* One listening socket. */
typedef struct listener {
	int fd;
	char *shown;       /* "127.0.0.1:8443", "unix:/run/limend/limend.sock" */
	bool unix_socket;
	bool inherited;    /* systemd listens on it, too, and goes on */
	bool local;        /* reached from this machine alone */
	bool health;       /* for probes and metrics, without TLS */
	char *path;        /* of a unix socket that we made, and remove; or NULL */
	guint64 device;    /* which file that is */
	guint64 number;
} listener;

/* A list of listener; free it with listeners_close(). */
GPtrArray *listeners_new(void);

/* "ADDRESS:PORT", "[ADDRESS]:PORT"; port 0 takes a free one.  Returns NULL or why not. */
char *listeners_add_tcp(GPtrArray *list, const char *text);

/* The same, for probes and metrics. */
char *listeners_add_health(GPtrArray *list, const char *text);

/* Replaces a socket that nobody listens on any more.  Returns NULL or why not. */
char *listeners_add_unix(GPtrArray *list, const char *path);

/*
 * Look at what these would be given and open nothing.  Return NULL or why not;
 * 'local' (may be NULL): only this machine would reach it.
 */
char *listeners_check_tcp(const char *text, bool *local);
char *listeners_check_unix(const char *path);

/* Says that there is something else at 'path', to g_free(). */
char *listeners_no_socket(const char *path);

/* Takes those of systemd, if there are any.  Returns NULL or why not. */
char *listeners_add_inherited(GPtrArray *list);

/*
 * Refuses whoever connects from now on, but on sockets that are inherited, and
 * removes files as listeners_close() does.  The descriptors stay open: a thread of
 * the transport may be about to use them.
 */
void listeners_refuse(GPtrArray *list);

/* Closes them and removes the files of those that we made. */
void listeners_close(GPtrArray *list);

#endif
