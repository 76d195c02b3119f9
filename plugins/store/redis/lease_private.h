/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease_private.h - what the files of the table of leases share.  The caller has
 * the lock of the shard.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_LEASE_PRIVATE_H
#define LIMEN_PLUGINS_STORE_REDIS_LEASE_PRIVATE_H

#include "lease.h"

/* Not the bits that choose the head. */
static inline size_t
lease_shard_index(uint64_t hash)
{
	return hash >> 60 & (LEASE_SHARDS - 1);
}

lease *lease_find(const lease_shard *shard, const limen_store_take *take, uint64_t hash);

/* NULL if there are too many, or memory is short. */
lease *lease_add(leases *all, lease_shard *shard, const limen_store_take *take, uint64_t hash);

void lease_free(leases *all, lease *one);

#endif
