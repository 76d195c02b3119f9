/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptors.h - room for connections among the files that the process may have
 * open (RLIMIT_NOFILE).
 */
#ifndef LIMEND_DESCRIPTORS_H
#define LIMEND_DESCRIPTORS_H

#include <stddef.h>

/*
 * Makes room for 'connections' of each of 'sockets' listening sockets, as far as
 * the hard limit goes.  Returns how many connections each may have then, at least
 * one: where accept() runs out of descriptors, libmicrohttpd waits in a busy loop.
 */
unsigned descriptors_fit(unsigned connections, size_t sockets);

#endif
