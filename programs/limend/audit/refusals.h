/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusals.h - a table that counts refusals by name, such as a namespace, and entry, in bounded memory.
 * The metrics and the kept decisions count in such tables; the caller holds a lock.
 */
#ifndef LIMEND_REFUSALS_H
#define LIMEND_REFUSALS_H

#include <glib.h>
#include <limen/host.h>
#include <stdbool.h>
#include <stdint.h>

/* In bytes, with the NUL.  Longer names are cut, and names equal up to there count as one. */
#define REFUSALS_NAME_MAX 256

#define REFUSALS_COLUMNS 8

typedef struct refusals_row {
	char name[REFUSALS_NAME_MAX];
	char entry[REFUSALS_NAME_MAX];
	uint64_t counts[REFUSALS_COLUMNS];
	uint64_t error;  /* counts of rows that it replaced, some of which may be its own */
	limen_time last; /* when it was counted last */
	bool rest;       /* all that have no row of their own */
} refusals_row;

typedef struct refusals refusals;

/*
 * Makes a table of 'most' rows.  If it is full, refusals of further names count for the row 'rest'.  If
 * that is NULL, a new name takes the place of the row with the fewest counts, which go to the rest, so
 * that sums stay exact.  They also are its error: a name with more than 1 / 'most' of all refusals has a
 * row, and counts and error together are never too low (the space-saving sketch of Metwally et al.,
 * "Efficient computation of frequent and top-k elements in data streams").
 */
refusals *refusals_new(size_t most, const char *rest);
void refusals_free(refusals *self);

void refusals_count(refusals *self, const char *name, const char *entry, unsigned column, limen_time now);

/* Returns the counts of a row and its error. */
uint64_t refusals_bound(const refusals_row *row);

/* Returns the rows, worst first by their columns RECORD_*, and the rest if there is any; to g_list_free(). */
GList *refusals_list(refusals *self);

#endif
