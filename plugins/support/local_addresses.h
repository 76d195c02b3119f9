/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_addresses.h - the addresses of this host, or the networks they are in,
 * kept up to date while the system adds and removes addresses: the instance and the
 * methods of the identifiers localif and local-subnet.
 *
 * Any number of threads read a set while the engine's background thread replaces it.
 * Addresses of both families count, of interfaces that are down too; IPv6 scopes are
 * dropped (pScheduler does both).
 */
#ifndef LIMEN_PLUGINS_LOCAL_ADDRESSES_H
#define LIMEN_PLUGINS_LOCAL_ADDRESSES_H

#include <limen/module.h>

#include "swap.h"

typedef struct local_addresses {
	limen_host *host;
	bool masked; /* the network of each address, by its netmask, and not it alone */
	int socket;  /* -1 if the addresses are not watched */
	swap sets;   /* limen_cidr_set */
	atomic_size_t count;
	atomic_int_least64_t read_at; /* limen_host_monotonic() */
	atomic_int error;             /* errno of the last reading, 0 if it succeeded */
} local_addresses;

/*
 * Reads the addresses and asks the host to watch them.  Where the system does not
 * let them be watched a warning is logged and the set stays as it was read.
 * Returns LIMEN_OK, or LIMEN_EIO or LIMEN_ENOMEM with a problem in 'diag'.
 */
int local_addresses_open(void *self, bool masked, limen_opening *opening, limen_diag *diag);

/* The watching has ended by the time the instance is closed (limen/host.h). */
void local_addresses_close(void *self);

/* Has the requester an address in common with the set? */
limen_verdict local_addresses_identify(const void *self, const limen_request *req,
                                       limen_reply *reply);

/*
 * Reports "ready", "addresses" (how many were found), "age" (seconds since they
 * were read), "watched" and, if the last reading failed, "error".
 */
void local_addresses_status(const void *self, limen_builder *build);

#endif
