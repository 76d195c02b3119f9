/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_shares.h - which namespaces of a cluster have their LimitRanges kept, where there
 * is no room for all.
 *
 * They are served from the one that wants least to the one that wants most (by name, if they
 * want the same), as long as there is room.  So whoever wants no more than an equal part of
 * it is served, whatever others want.
 */
#ifndef LIMEN_LIMITRANGER_CLUSTER_SHARES_H
#define LIMEN_LIMITRANGER_CLUSTER_SHARES_H

#include <stdbool.h>
#include <stddef.h>

/* What one namespace has. */
typedef struct cluster_share {
	size_t wanted;  /* bytes of text of all its objects */
	size_t count;   /* of objects */
	size_t unnamed; /* of those: the list that began last has not named them yet */
	size_t place;   /* among the served, from 1; 0: it is not served */
	bool told;      /* the log says that it is not served */
	/* See collapse.c. */
	bool collapsed;  /* it is closed, and not served, whatever is known of it */
	bool taking;     /* its objects, until a list has ended */
	size_t estimate; /* how many objects it has if it is collapsed */
	size_t listed;   /* that were told since the last list began */
	char namespace[];
} cluster_share;

typedef struct cluster_shares {
	cluster_share **items;  /* by namespace */
	cluster_share **served; /* a heap: whoever wants most is the first */
	size_t count;
	size_t served_count;
	size_t collapsed_count;
	size_t room; /* of each */
} cluster_shares;

/* ---- shares.c ---- */

/* Returns that of 'namespace', a new one that is served if need be.  NULL: memory is short. */
cluster_share *cluster_shares_get(cluster_shares *shares, const char *namespace);
cluster_share *cluster_shares_find(const cluster_shares *shares, const char *namespace);

/* Notes that something of 'share' wants 'now' bytes rather than 'before'. */
void cluster_shares_change(cluster_shares *shares, cluster_share *share, size_t before,
                           size_t now);

/* Closes it, which has no objects any more, whatever it had; or opens it again. */
void cluster_shares_collapse(cluster_shares *shares, cluster_share *share);
void cluster_shares_restore(cluster_shares *shares, cluster_share *share);

/* Drops 'share' if it has no objects and is not collapsed, or all such shares. */
void cluster_shares_drop_empty(cluster_shares *shares, cluster_share *share);
void cluster_shares_tidy(cluster_shares *shares);
void cluster_shares_clear(cluster_shares *shares);

/* Is it that namespace (NULL: any)? */
bool cluster_share_is(const cluster_share *share, const char *namespace);

/* Returns all in an order, or NULL when memory is short. */
cluster_share **cluster_shares_sort(const cluster_shares *shares,
                                    int (*compare)(const void *one, const void *other));

/*
 * Is there room for 'namespace' (NULL: for any) that is not served?  With 'serve' it is from
 * now on.  False as well when memory is short.
 */
bool cluster_shares_turn(cluster_shares *shares, size_t room, const char *namespace, bool serve);

/* ---- served.c ---- */

/* There is room for it. */
void cluster_served_add(cluster_shares *shares, cluster_share *share);
void cluster_served_remove(cluster_shares *shares, cluster_share *share);
void cluster_served_move(cluster_shares *shares, cluster_share *share); /* it wants more, or less */

/* Is 'one' served after 'other'? */
bool cluster_share_after(const cluster_share *one, const cluster_share *other);

#endif
