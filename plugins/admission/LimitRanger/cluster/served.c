/* SPDX-License-Identifier: Apache-2.0 */
/*
 * served.c - the namespaces that are served, as a heap: whoever loses next is found at
 * once, however many there are.
 */
#include "shares.h"

#include <string.h>

bool
cluster_share_after(const cluster_share *one, const cluster_share *other)
{
	if (one->wanted != other->wanted)
		return one->wanted > other->wanted;
	return strcmp(one->namespace, other->namespace) > 0;
}

/* Places count from 1, so that those below 'place' are at twice that. */
static void
set(cluster_shares *shares, size_t place, cluster_share *share)
{
	shares->served[place - 1] = share;
	share->place = place;
}

static cluster_share *
get(const cluster_shares *shares, size_t place)
{
	return shares->served[place - 1];
}

static void
rise(cluster_shares *shares, cluster_share *share)
{
	size_t place = share->place;

	for (; place > 1 && cluster_share_after(share, get(shares, place / 2)); place /= 2)
		set(shares, place, get(shares, place / 2));
	set(shares, place, share);
}

static void
sink(cluster_shares *shares, cluster_share *share)
{
	size_t place = share->place;

	for (;;) {
		size_t next = 2 * place;

		if (next < shares->served_count &&
		    cluster_share_after(get(shares, next + 1), get(shares, next)))
			next++;
		if (next > shares->served_count || cluster_share_after(share, get(shares, next)))
			break;
		set(shares, place, get(shares, next));
		place = next;
	}
	set(shares, place, share);
}

void
cluster_served_move(cluster_shares *shares, cluster_share *share)
{
	rise(shares, share);
	sink(shares, share);
}

void
cluster_served_add(cluster_shares *shares, cluster_share *share)
{
	set(shares, ++shares->served_count, share);
	rise(shares, share);
}

void
cluster_served_remove(cluster_shares *shares, cluster_share *share)
{
	size_t place = share->place;
	cluster_share *last = get(shares, shares->served_count--);

	share->place = 0;
	if (last == share)
		return;
	set(shares, place, last);
	cluster_served_move(shares, last);
}
