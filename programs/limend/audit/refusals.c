/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusals.c - keeps the rows in a hash table, by name and entry, and sorts them when they are shown.
 */
#include "refusals.h"

#include <string.h>

#include "../common/cut.h"
#include "record.h"

struct refusals {
	GHashTable *rows; /* a set */
	size_t most;
	bool replaces;
	refusals_row rest;
};

static guint
hash(gconstpointer key)
{
	const refusals_row *row = key;

	return g_str_hash(row->name) * 31 + g_str_hash(row->entry);
}

static gboolean
equal(gconstpointer a, gconstpointer b)
{
	const refusals_row *left = a;
	const refusals_row *right = b;

	return strcmp(left->name, right->name) == 0 && strcmp(left->entry, right->entry) == 0;
}

refusals *
refusals_new(size_t most, const char *rest)
{
	refusals *self = g_new0(refusals, 1);

	self->rows = g_hash_table_new_full(hash, equal, g_free, NULL);
	self->most = most;
	self->replaces = rest == NULL;
	self->rest.rest = true;
	g_strlcpy(self->rest.name, rest == NULL ? "" : rest, REFUSALS_NAME_MAX);
	return self;
}

void
refusals_free(refusals *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->rows);
	g_free(self);
}

/* Orders by what was not admitted, the most first, then by what would not have been. */
static int
compare(const void *a, const void *b)
{
	const refusals_row *left = a;
	const refusals_row *right = b;
	uint64_t more = left->counts[RECORD_REFUSED] + left->counts[RECORD_ERROR];
	uint64_t less = right->counts[RECORD_REFUSED] + right->counts[RECORD_ERROR];

	if (more == less) {
		more = left->counts[RECORD_WOULD_REFUSE];
		less = right->counts[RECORD_WOULD_REFUSE];
	}
	if (more != less)
		return more < less ? 1 : -1;
	return strcmp(left->name, right->name);
}

uint64_t
refusals_bound(const refusals_row *row)
{
	uint64_t sum = row->error;

	for (size_t i = 0; i < REFUSALS_COLUMNS; i++)
		sum += row->counts[i];
	return sum;
}

/* Moves the counts of the row with the fewest to the rest; returns its bound. */
static uint64_t
drop_least(refusals *self)
{
	GHashTableIter iter;
	const refusals_row *least = NULL;
	uint64_t fewest = 0;
	gpointer found;

	g_hash_table_iter_init(&iter, self->rows);
	while (g_hash_table_iter_next(&iter, &found, NULL))
		if (least == NULL || refusals_bound(found) < fewest) {
			least = found;
			fewest = refusals_bound(least);
		}
	for (size_t i = 0; i < REFUSALS_COLUMNS; i++)
		self->rest.counts[i] += least->counts[i];
	self->rest.last = MAX(self->rest.last, least->last);
	g_hash_table_remove(self->rows, least);
	return fewest;
}

void
refusals_count(refusals *self, const char *name, const char *entry, unsigned column, limen_time now)
{
	refusals_row wanted = { .counts = { 0 } };
	refusals_row *found;

	/* The cuts keep whole characters, because a label must be UTF-8. */
	cut_copy(wanted.name, REFUSALS_NAME_MAX, name, strnlen(name, REFUSALS_NAME_MAX));
	cut_copy(wanted.entry, REFUSALS_NAME_MAX, entry, strnlen(entry, REFUSALS_NAME_MAX));
	/* A name may be that of the rest: two rows must not have the same labels. */
	found = !self->replaces && equal(&wanted, &self->rest) ? &self->rest
	                                                       : g_hash_table_lookup(self->rows, &wanted);
	if (found == NULL && g_hash_table_size(self->rows) >= self->most) {
		if (self->replaces)
			wanted.error = drop_least(self);
		else
			found = &self->rest;
	}
	if (found == NULL) {
		found = g_memdup2(&wanted, sizeof(wanted));
		g_hash_table_add(self->rows, found);
	}
	found->counts[column]++;
	found->last = now;
}

GList *
refusals_list(refusals *self)
{
	GList *rest = self->rest.last == 0 ? NULL : g_list_append(NULL, &self->rest);

	return g_list_concat(g_list_sort(g_hash_table_get_keys(self->rows), compare), rest);
}
