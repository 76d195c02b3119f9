/* SPDX-License-Identifier: Apache-2.0 */
/* shares.c - what namespaces want, and whose turn it is. */
#include "shares.h"

#include <stdlib.h>
#include <string.h>

/* Returns where that of 'namespace' is, or would be. */
static size_t
find(const cluster_shares *shares, const char *namespace, bool *found)
{
	size_t low = 0;
	size_t high = shares->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(shares->items[middle]->namespace, namespace) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < shares->count && strcmp(shares->items[low]->namespace, namespace) == 0;
	return low;
}

static bool
lengthen(cluster_share ***items, size_t room)
{
	cluster_share **longer = reallocarray(*items, room, sizeof *longer);

	if (longer == NULL)
		return false;
	*items = longer;
	return true;
}

static bool
make_room(cluster_shares *shares)
{
	size_t room = shares->room == 0 ? 16 : shares->room * 2;

	if (shares->count < shares->room)
		return true;
	if (!lengthen(&shares->items, room) || !lengthen(&shares->served, room))
		return false;
	shares->room = room;
	return true;
}

static cluster_share *
insert(cluster_shares *shares, size_t index, const char *namespace)
{
	size_t length = strlen(namespace) + 1;
	cluster_share *made = make_room(shares) ? calloc(1, sizeof *made + length) : NULL;

	if (made == NULL)
		return NULL;
	memcpy(made->namespace, namespace, length);
	memmove(&shares->items[index + 1], &shares->items[index],
	        (shares->count - index) * sizeof *shares->items);
	shares->items[index] = made;
	shares->count++;
	cluster_served_add(shares, made);
	return made;
}

cluster_share *
cluster_shares_find(const cluster_shares *shares, const char *namespace)
{
	bool found;
	size_t index = find(shares, namespace, &found);

	return found ? shares->items[index] : NULL;
}

cluster_share *
cluster_shares_get(cluster_shares *shares, const char *namespace)
{
	bool found;
	size_t index = find(shares, namespace, &found);

	return found ? shares->items[index] : insert(shares, index, namespace);
}

void
cluster_shares_change(cluster_shares *shares, cluster_share *share, size_t before, size_t now)
{
	share->wanted = share->wanted - before + now;
	if (share->place > 0 && before != now)
		cluster_served_move(shares, share);
	/* There is nothing that is missing. */
	if (share->place == 0 && share->wanted == 0 && !share->collapsed)
		cluster_served_add(shares, share);
}

void
cluster_shares_collapse(cluster_shares *shares, cluster_share *share)
{
	if (share->place > 0)
		cluster_served_remove(shares, share);
	if (!share->collapsed)
		shares->collapsed_count++;
	share->told = share->told && share->collapsed;
	share->collapsed = true;
	share->taking = false;
	share->wanted = 0;
	share->count = 0;
	share->unnamed = 0;
}

void
cluster_shares_restore(cluster_shares *shares, cluster_share *share)
{
	shares->collapsed_count--;
	share->collapsed = false;
	share->taking = false;
	if (share->wanted == 0)
		cluster_served_add(shares, share);
}

static void
forget(cluster_shares *shares, cluster_share *share)
{
	if (share->place > 0)
		cluster_served_remove(shares, share);
	free(share);
}

void
cluster_shares_drop_empty(cluster_shares *shares, cluster_share *share)
{
	bool found;
	size_t index = find(shares, share->namespace, &found);

	if (share->count > 0 || share->collapsed)
		return;
	forget(shares, share);
	shares->count--;
	memmove(&shares->items[index], &shares->items[index + 1],
	        (shares->count - index) * sizeof *shares->items);
}

void
cluster_shares_tidy(cluster_shares *shares)
{
	size_t kept = 0;

	for (size_t i = 0; i < shares->count; i++) {
		if (shares->items[i]->count > 0 || shares->items[i]->collapsed)
			shares->items[kept++] = shares->items[i];
		else
			forget(shares, shares->items[i]);
	}
	shares->count = kept;
}

void
cluster_shares_clear(cluster_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++)
		free(shares->items[i]);
	free(shares->items);
	free(shares->served);
	*shares = (cluster_shares){ .items = NULL };
}

/* ---- whose turn it is ---- */

static int
compare(const void *one, const void *other)
{
	const cluster_share *first = *(cluster_share *const *)one;
	const cluster_share *second = *(cluster_share *const *)other;

	return cluster_share_after(first, second) ? 1 : -1;
}

cluster_share **
cluster_shares_sort(const cluster_shares *shares,
                    int (*order)(const void *one, const void *other))
{
	cluster_share **sorted = calloc(shares->count, sizeof(cluster_share *));

	if (sorted == NULL)
		return NULL;
	memcpy(sorted, shares->items, shares->count * sizeof(cluster_share *));
	qsort(sorted, shares->count, sizeof(cluster_share *), order);
	return sorted;
}

bool
cluster_share_is(const cluster_share *share, const char *namespace)
{
	return namespace == NULL || strcmp(share->namespace, namespace) == 0;
}

bool
cluster_shares_turn(cluster_shares *shares, size_t room, const char *namespace, bool serve)
{
	bool missing = shares->served_count + shares->collapsed_count < shares->count;
	cluster_share **sorted = missing ? cluster_shares_sort(shares, compare) : NULL;
	bool any = false;

	for (size_t i = 0; sorted != NULL && i < shares->count; i++) {
		cluster_share *one = sorted[i];

		if (one->collapsed)
			continue;
		if (one->wanted > room)
			break;
		room -= one->wanted;
		if (one->place > 0 || !cluster_share_is(one, namespace))
			continue;
		any = true;
		if (serve)
			cluster_served_add(shares, one);
	}
	free(sorted);
	return any;
}
