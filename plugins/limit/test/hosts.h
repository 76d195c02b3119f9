/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hosts.h - the addresses of host names in one check: all of its names share one
 * deadline, and there may not be many.
 */
#ifndef LIMEN_TEST_HOSTS_H
#define LIMEN_TEST_HOSTS_H

#include "../../support/dns/dns.h"

/* The budget of one check: its deadline and its remaining lookups. */
typedef struct hosts {
	dns_resolver *resolver;
	limen_deadline deadline;
	unsigned left; /* names that may still be looked up */
} hosts;

#define HOSTS_MAX 32

/* The addresses of one name. */
typedef struct host_addresses {
	const dns_answer *answers[2]; /* IPv4, IPv6; NULL: not asked for */
} host_addresses;

/*
 * Finds the addresses of 'name', of IP version 4 or 6 only unless 'version' is 0.
 * Returns NULL and fills 'out', which host_release() ends; or a static text that
 * says why they are not all known, in which case there is nothing to end.
 */
const char *hosts_find(hosts *all, const char *name, size_t length, int version,
                       host_addresses *out);

void host_release(host_addresses *addresses);

#endif
