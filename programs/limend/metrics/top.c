/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.c - implements the space-saving sketch of refused keys in an array under a mutex.  A new key
 * replaces the key with the lowest count if the array is full, and takes over that count as its
 * error.  Texts are cut to 127 bytes.
 */
#include "top.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cut.h"
#include "base/exposition.h"

/* In bytes, with the NUL.  Longer texts are cut, and texts equal up to there count as one. */
#define TEXT_MAX 128

typedef struct kept {
	guint hash;
	uint64_t count;
	uint64_t error; /* part of 'count' that may belong to keys replaced before */
	char entry[TEXT_MAX];
	char key[TEXT_MAX];
} kept;

struct top {
	pthread_mutex_t lock;
	size_t wanted;
	size_t size;
	size_t used;
	kept items[];
};

top *
top_new(size_t wanted)
{
	size_t size = wanted * TOP_SPARE;
	top *self = g_malloc0(sizeof(*self) + size * sizeof(kept));

	pthread_mutex_init(&self->lock, NULL);
	self->wanted = wanted;
	self->size = size;
	return self;
}

void
top_free(top *self)
{
	if (self == NULL)
		return;
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* Copies a text as valid UTF-8 before it is compared, so different keys are different labels. */
static void
copy_text(char out[TEXT_MAX], const char *text)
{
	size_t length = strnlen(text, (size_t)TEXT_MAX * 2);
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);

	cut_copy(out, TEXT_MAX, valid, strlen(valid));
}

/* Adds 1 to the key of 'entry'; if the array is full, a new key replaces the lowest count. */
static void
count(top *self, const kept *entry)
{
	kept *place = &self->items[0];
	uint64_t before = 0;

	for (size_t i = 0; i < self->used; i++) {
		kept *here = &self->items[i];

		if (here->hash == entry->hash && strcmp(here->entry, entry->entry) == 0 &&
		    strcmp(here->key, entry->key) == 0) {
			here->count++;
			return;
		}
		if (here->count < place->count)
			place = here;
	}
	if (self->used < self->size)
		place = &self->items[self->used++];
	else
		before = place->count;
	*place = *entry;
	place->count = before + 1;
	place->error = before;
}

void
top_add(top *self, const char *entry, const char *key)
{
	kept counted = { .count = 0 };

	copy_text(counted.entry, entry);
	copy_text(counted.key, key);
	counted.hash = g_str_hash(counted.key) * 31 + g_str_hash(counted.entry);
	pthread_mutex_lock(&self->lock);
	count(self, &counted);
	pthread_mutex_unlock(&self->lock);
}

static int
compare_counts(const void *a, const void *b)
{
	const kept *left = a;
	const kept *right = b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return strcmp(left->key, right->key);
}

void
top_write(top *self, GString *out)
{
	g_autofree kept *copy = NULL;
	size_t used;

	pthread_mutex_lock(&self->lock);
	used = self->used;
	copy = g_memdup2(self->items, used * sizeof(kept));
	pthread_mutex_unlock(&self->lock);
	if (used > 0)
		qsort(copy, used, sizeof(kept), compare_counts);
	used = MIN(used, self->wanted);
	exposition_family(out, "limend_top_refused", "gauge",
	                  "The most refused users or requesters, with the entry; an estimate that "
	                  "is never too low.");
	for (size_t i = 0; i < used; i++)
		exposition_put(out, "limend_top_refused", copy[i].count, "entry", copy[i].entry, "key",
		               copy[i].key, NULL);
	exposition_family(out, "limend_top_refused_error", "gauge",
	                  "By how much the estimate of limend_top_refused may be too high.");
	for (size_t i = 0; i < used; i++)
		exposition_put(out, "limend_top_refused_error", copy[i].error, "entry", copy[i].entry,
		               "key", copy[i].key, NULL);
}
