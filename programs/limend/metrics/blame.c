/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame.c - counts refusals by policy entry and code in a hash table under a mutex.  Beyond 1024
 * entries they are counted as "(others)".  Owns copies of the entry names, cut to 255 bytes.
 */
#include "blame.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "../common/cut.h"
#include "base/codes.h"
#include "base/exposition.h"

#define ENTRIES_MAX 1024
/* In bytes, with the NUL.  Longer names are cut, and names equal up to there count as one. */
#define NAME_MAX_BYTES 256
/* The name that counts all entries beyond ENTRIES_MAX. */
#define OTHERS "(others)"

struct blame {
	pthread_mutex_t lock;
	GHashTable *entries; /* name -> uint64_t[CODES] */
};

blame *
blame_new(void)
{
	blame *self = g_new0(blame, 1);

	pthread_mutex_init(&self->lock, NULL);
	self->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return self;
}

void
blame_free(blame *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->entries);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* Returns the counts of an entry; with the lock held. */
static uint64_t *
find_counts(blame *self, const char *name)
{
	uint64_t *counts = g_hash_table_lookup(self->entries, name);

	if (counts == NULL && g_hash_table_size(self->entries) >= ENTRIES_MAX) {
		name = OTHERS;
		counts = g_hash_table_lookup(self->entries, name);
	}
	if (counts == NULL) {
		counts = g_new0(uint64_t, CODES);
		g_hash_table_insert(self->entries, g_strdup(name), counts);
	}
	return counts;
}

void
blame_add(blame *self, const char *entry, int code)
{
	char name[NAME_MAX_BYTES];
	size_t length = entry == NULL ? 0 : strnlen(entry, NAME_MAX_BYTES);

	/* The cut keeps whole characters, because a label must be UTF-8. */
	length = cut_length(entry, length, NAME_MAX_BYTES - 1);
	memcpy(name, entry == NULL ? "" : entry, length);
	name[length] = '\0';
	pthread_mutex_lock(&self->lock);
	find_counts(self, name)[code_index(code)]++;
	pthread_mutex_unlock(&self->lock);
}

static void
write_entry(const char *name, const uint64_t *counts, GString *out)
{
	for (size_t code = 0; code < CODES; code++)
		if (counts[code] > 0)
			exposition_put(out, "limend_refusals_total", counts[code], "entry", name,
			               "code", code_names[code], NULL);
}

void
blame_write(blame *self, GString *out)
{
	GHashTableIter iter;
	gpointer name, counts;

	exposition_family(out, "limend_refusals_total", "counter",
	                  "Requests refused, by the entry of the policy that did; without an "
	                  "entry: nobody identified, no application, and the like.");
	pthread_mutex_lock(&self->lock);
	g_hash_table_iter_init(&iter, self->entries);
	while (g_hash_table_iter_next(&iter, &name, &counts))
		write_entry(name, counts, out);
	pthread_mutex_unlock(&self->lock);
}
