/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptors.c - raises the soft limit RLIMIT_NOFILE as far as connections need it and the hard
 * limit allows, and divides it among the listening sockets.  Keeps a reserve of 256 descriptors for
 * other files, or half of a small limit.
 */
#include "descriptors.h"

#include <glib.h>
#include <limits.h>
#include <stdint.h>
#include <sys/resource.h>

/*
 * Descriptors kept for everything but connections: threads of the transport, files of the
 * policy, logs, and network connections of modules.
 */
#define RESERVE ((rlim_t)256)

/* Raises the soft limit to 'wanted' as far as the hard limit allows; returns the new limit. */
static rlim_t
raise_limit(rlim_t wanted)
{
	struct rlimit limit;
	rlim_t before;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return wanted;
	before = limit.rlim_cur;
	if (before >= wanted)
		return before;
	limit.rlim_cur = MIN(wanted, limit.rlim_max);
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

unsigned
descriptors_fit(unsigned connections, size_t sockets)
{
	/* A listener accepts this many beyond its bound, and shuts down another one for each. */
	rlim_t spare = connections / 8 + 16;
	rlim_t limit = raise_limit((connections + spare) * sockets + RESERVE);
	/* A small limit is halved: files other than connections need descriptors, too. */
	rlim_t room = limit > 2 * RESERVE ? limit - RESERVE : limit / 2;

	room /= MAX(sockets, 1);
	if (room >= connections)
		return connections;
	return MAX((unsigned)room, 1);
}
