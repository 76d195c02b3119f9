/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sockaddr.h - texts of socket addresses.
 */
#ifndef LIMEND_SOCKADDR_H
#define LIMEND_SOCKADDR_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * Returns the address without scope and port, to g_free(); an IPv4-mapped one as IPv4.  NULL
 * for a unix socket.
 */
char *sockaddr_text(const struct sockaddr *address);

/* Returns "ADDRESS:PORT" (IPv6 in brackets) or "unix:PATH" of the socket 'fd', to g_free(). */
char *sockaddr_of_socket(int fd);

/* Is 'address' (IPv4 or IPv6) a loopback address? */
bool sockaddr_is_loopback(const struct sockaddr *address);

#endif
