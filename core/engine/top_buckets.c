/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_buckets.c - keeps the buckets with the highest used share of their burst in a sorted array.
 * It owns a copy of each and skips repeated ones when it lists them.
 */
#include "top_buckets.h"

#include <stdlib.h>
#include <string.h>

bool
fullest_open(fullest *list, size_t most)
{
	*list = (fullest){ .most = most < LIMEN_BUCKETS_MAX ? most : LIMEN_BUCKETS_MAX };
	list->items = calloc(list->most + 1, sizeof(limen_bucket *));
	return list->items != NULL;
}

void
fullest_close(fullest *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
}

static double
used_part(const limen_bucket *bucket)
{
	return ((double)bucket->burst - (double)bucket->left) / (double)bucket->burst;
}

/* Names decide between equals, so that the order is always the same. */
static int
compare(const limen_bucket *a, const limen_bucket *b)
{
	double of_a = used_part(a);
	double of_b = used_part(b);
	size_t shorter = a->key_length < b->key_length ? a->key_length : b->key_length;
	int order;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	if (a->burst != b->burst)
		return a->burst > b->burst ? -1 : 1;
	order = strcmp(a->store, b->store);
	if (order == 0)
		order = strcmp(a->table, b->table);
	if (order == 0)
		order = memcmp(a->key, b->key, shorter);
	if (order == 0 && a->key_length != b->key_length)
		order = a->key_length < b->key_length ? -1 : 1;
	return order;
}

/* A store may be older than the struct, and wrong. */
static bool
read_offer(limen_bucket *out, const char *store, const limen_bucket *from)
{
	*out = (limen_bucket){ .size = 0 };
	memcpy(out, from, from->size < sizeof(*out) ? from->size : sizeof(*out));
	out->size = sizeof(*out);
	out->store = store;
	out->entry = out->rate = NULL;
	if (out->table == NULL || (out->key == NULL && out->key_length > 0) || out->burst < 1 ||
	    out->key_length > LIMEN_KEY_MAX || out->left >= out->burst)
		return false;
	if (out->key == NULL)
		out->key = "";
	if (out->left < 0)
		out->left = 0;
	return true;
}

static limen_bucket *
copy(const limen_bucket *from)
{
	size_t store = strlen(from->store) + 1;
	size_t table = strlen(from->table) + 1;
	limen_bucket *made = malloc(sizeof(*made) + store + table + from->key_length + 1);
	char *text;

	if (made == NULL)
		return NULL;
	text = (char *)(made + 1);
	*made = *from;
	made->store = memcpy(text, from->store, store);
	made->table = memcpy(text + store, from->table, table);
	made->key = memcpy(text + store + table, from->key, from->key_length);
	text[store + table + from->key_length] = '\0';
	return made;
}

/* Returns the index at which 'bucket' is to be inserted. */
static size_t
find_place(const fullest *list, const limen_bucket *bucket)
{
	size_t low = 0;
	size_t high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(list->items[middle], bucket) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
fullest_offer(fullest *list, const char *store, const limen_bucket *bucket)
{
	limen_bucket offer;
	limen_bucket *made;
	size_t place;

	if (!read_offer(&offer, store, bucket))
		return;
	place = find_place(list, &offer);
	if (place == list->most)
		return;
	made = copy(&offer);
	if (made == NULL) {
		list->failed = true;
		return;
	}
	if (list->count == list->most)
		free(list->items[--list->count]);
	memmove(&list->items[place + 1], &list->items[place],
	        (list->count - place) * sizeof(limen_bucket *));
	list->items[place] = made;
	list->count++;
}

static bool
is_same(const limen_bucket *a, const limen_bucket *b)
{
	return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0 &&
	       a->tokens == b->tokens && a->period == b->period && a->burst == b->burst &&
	       strcmp(a->table, b->table) == 0 && strcmp(a->store, b->store) == 0;
}

/* A store may list a bucket twice if its table grows meanwhile; equal copies are skipped. */
static bool
is_repeated(const fullest *list, size_t which)
{
	for (size_t i = 0; i < which; i++) {
		if (is_same(list->items[i], list->items[which]))
			return true;
	}
	return false;
}

void
fullest_each(const fullest *list, void (*each)(void *data, const limen_bucket *bucket),
             void *data)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!is_repeated(list, i))
			each(data, list->items[i]);
	}
}
