/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptors.h - room for connections among the files that the process may have
 * open (RLIMIT_NOFILE).
 */
#ifndef LIMEND_DESCRIPTORS_H
#define LIMEND_DESCRIPTORS_H

#include <stddef.h>

/*
 * Raises the limit for 'connections' of each of 'sockets' listening sockets, as far as the hard
 * limit allows.  Returns how many connections each socket may have, at least one.  More must not
 * be accepted: libmicrohttpd loops without sleep when accept() runs out of descriptors.
 */
unsigned descriptors_fit(unsigned connections, size_t sockets);

#endif
