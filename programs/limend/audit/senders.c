/* SPDX-License-Identifier: Apache-2.0 */
/*
 * senders.c - keeps the rows in an array, and finds them by a hash table of their names.
 */
#include "senders.h"

#include <stdlib.h>
#include <string.h>

#include "../common/cut.h"
#include "../common/json_out.h"
#include "base/log.h"

/* In bytes, with the NUL.  Longer names are cut, and names equal up to there count as one. */
#define NAME_BYTES_MAX 256

typedef struct row {
	char name[NAME_BYTES_MAX];
	uint64_t counts[RECORD_ADMITTED];
	limen_time last;
} row;

struct senders {
	GHashTable *names; /* of the rows, to the rows */
	size_t used;
	row rest;
	row rows[SENDERS_MAX];
};

senders *
senders_new(void)
{
	senders *self = g_new0(senders, 1);

	self->names = g_hash_table_new(g_str_hash, g_str_equal);
	return self;
}

void
senders_free(senders *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->names);
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

static void
add(row *to, const row *from)
{
	for (size_t i = 0; i < RECORD_ADMITTED; i++)
		to->counts[i] += from->counts[i];
	to->last = MAX(to->last, from->last);
}

/* Returns an empty row: an unused one, or that with the fewest counts. */
static row *
take_row(senders *self)
{
	row *least = &self->rows[0];

	if (self->used < SENDERS_MAX)
		return &self->rows[self->used++];
	for (size_t i = 1; i < SENDERS_MAX; i++)
		if (compare(&self->rows[i], least) > 0)
			least = &self->rows[i];
	g_hash_table_remove(self->names, least->name);
	add(&self->rest, least);
	*least = (row){ .last = 0 };
	return least;
}

void
senders_count(senders *self, const char *name, record_outcome outcome, limen_time now)
{
	char cut[NAME_BYTES_MAX];
	size_t length = cut_length(name, strnlen(name, sizeof(cut)), sizeof(cut) - 1);
	row *found;

	memcpy(cut, name, length);
	cut[length] = '\0';
	found = g_hash_table_lookup(self->names, cut);
	if (found == NULL) {
		found = take_row(self);
		memcpy(found->name, cut, length + 1);
		g_hash_table_insert(self->names, found->name, found);
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
	g_autofree row *sorted = g_memdup2(self->rows, self->used * sizeof(row));
	char buffer[LINE_HASH_MAX];

	if ((rules->removed & part) != 0)
		return;
	if (self->used > 0)
		qsort(sorted, self->used, sizeof(row), compare);
	for (size_t i = 0; i < self->used; i++) {
		json_write(out, "{@:s", key, line_redact(rules, part, sorted[i].name, buffer));
		write_row(&sorted[i], out);
	}
	if (self->rest.last != 0) {
		json_write(out, "{@:s rest:b", key, "", true);
		write_row(&self->rest, out);
	}
}
