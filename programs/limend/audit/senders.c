/* SPDX-License-Identifier: Apache-2.0 */
/*
 * senders.c - keeps the rows in a hash table, by their names, and sorts them when they are shown.
 */
#include "senders.h"

#include <string.h>

#include "../common/cut.h"
#include "../common/json_out.h"
#include "base/log.h"

/* In bytes, with the NUL.  Longer names are cut, and names equal up to there count as one. */
#define NAME_BYTES_MAX 256

typedef struct row {
	char name[NAME_BYTES_MAX]; /* first: the table has the rows as their own keys */
	uint64_t counts[RECORD_ADMITTED];
	limen_time last;
} row;

struct senders {
	GHashTable *rows;
	row rest;
};

senders *
senders_new(void)
{
	senders *self = g_new0(senders, 1);

	self->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return self;
}

void
senders_free(senders *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->rows);
	g_free(self);
}

/* Orders the worst first: by what was not admitted, then by what would not have been. */
static int
compare(const void *a, const void *b)
{
	const row *left = a;
	const row *right = b;
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

/* Moves the counts of the row with the fewest to the rest. */
static void
drop_least(senders *self)
{
	GHashTableIter iter;
	const row *least = NULL;
	gpointer found;

	g_hash_table_iter_init(&iter, self->rows);
	while (g_hash_table_iter_next(&iter, &found, NULL))
		if (least == NULL || compare(found, least) > 0)
			least = found;
	for (size_t i = 0; i < RECORD_ADMITTED; i++)
		self->rest.counts[i] += least->counts[i];
	self->rest.last = MAX(self->rest.last, least->last);
	g_hash_table_remove(self->rows, least);
}

void
senders_count(senders *self, const char *name, record_outcome outcome, limen_time now)
{
	row wanted = { .counts = { 0 } };
	row *found;

	cut_copy(wanted.name, NAME_BYTES_MAX, name, strnlen(name, NAME_BYTES_MAX));
	found = g_hash_table_lookup(self->rows, &wanted);
	if (found == NULL) {
		if (g_hash_table_size(self->rows) == SENDERS_MAX)
			drop_least(self);
		found = g_memdup2(&wanted, sizeof(wanted));
		g_hash_table_add(self->rows, found);
	}
	found->counts[outcome]++;
	found->last = now;
}

static void
write_row(const row *from, GString *out)
{
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(from->last, text);
	json_write(out, "refused:i would-refuse:i errors:i last:s}",
	           (int64_t)from->counts[RECORD_REFUSED],
	           (int64_t)from->counts[RECORD_WOULD_REFUSE], (int64_t)from->counts[RECORD_ERROR],
	           text);
}

void
senders_write(const senders *self, const char *key, const line_rules *rules, redaction part,
              GString *out)
{
	g_autoptr(GList) sorted = NULL;
	char buffer[LINE_HASH_MAX];

	if ((rules->removed & part) != 0)
		return;
	sorted = g_list_sort(g_hash_table_get_keys(self->rows), compare);
	for (const GList *at = sorted; at != NULL; at = at->next) {
		json_write(out, "{@:s", key, line_redact(rules, part, at->data, buffer));
		write_row(at->data, out);
	}
	if (self->rest.last != 0) {
		json_write(out, "{@:s rest:b", key, "", true);
		write_row(&self->rest, out);
	}
}
