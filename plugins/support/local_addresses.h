/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_addresses.h - the addresses of this host, or the networks they are in,
 * kept up to date while the system adds and removes addresses.
 *
 * Used by the identifiers localif and local-subnet.  A set is read by any
 * number of threads while the engine's background thread replaces it; a lock
 * is held for one look-up or one swap of pointers, never while addresses are
 * read.  Addresses of both families count, of interfaces that are down too;
 * IPv6 scopes are dropped (pScheduler does both).
 */
#ifndef LIMEN_PLUGINS_LOCAL_ADDRESSES_H
#define LIMEN_PLUGINS_LOCAL_ADDRESSES_H

#include <limen/builder.h>
#include <limen/diag.h>
#include <limen/host.h>
#include <limen/request.h>

typedef struct local_addresses local_addresses;

typedef enum local_addresses_extent {
	LOCAL_ADDRESSES_ALONE,   /* each address by itself */
	LOCAL_ADDRESSES_NETWORKS /* the network of each, by its netmask; none: left out */
} local_addresses_extent;

/*
 * Reads the addresses and asks 'host' to watch them.  Where the system does not
 * let them be watched a warning is logged and the set stays as it was read.
 * Returns LIMEN_OK, or LIMEN_EIO or LIMEN_ENOMEM with a problem in 'diag'.
 */
int local_addresses_open(limen_host *host, local_addresses_extent extent, local_addresses **out,
                         limen_diag *diag);

/* The watching has ended by the time the instance is closed (limen/host.h). */
void local_addresses_close(local_addresses *local);

/* Has 'network' an address in common with the set? */
bool local_addresses_overlap(local_addresses *local, const limen_network *network);

/*
 * Reports "ready", "addresses" (how many were found), "age" (seconds since they
 * were read), "watched" and, if the last reading failed, "error".
 */
void local_addresses_status(local_addresses *local, limen_builder *build);

#endif
