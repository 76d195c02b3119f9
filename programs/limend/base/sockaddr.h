/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sockaddr.h - texts of socket addresses.
 */
#ifndef LIMEND_SOCKADDR_H
#define LIMEND_SOCKADDR_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * The address without scope and port, an IPv4-mapped one as IPv4, to g_free();
 * NULL for a unix socket.
 */
char *sockaddr_text(const struct sockaddr *address);

/* "ADDRESS:PORT", IPv6 in brackets, or "unix:PATH" of the socket 'fd'; to g_free(). */
char *sockaddr_of_socket(int fd);

/* Is the socket 'fd' reached from this machine alone? */
bool sockaddr_is_local(int fd);

/* Is 'address', of IPv4 or IPv6, one of this machine for itself? */
bool sockaddr_is_loopback(const struct sockaddr *address);

#endif
