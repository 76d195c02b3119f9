/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_buckets.c - lists the buckets with the highest used share of their burst, so that
 * operators see which clients are limited, and resets those that they choose.  Copies them into an array that is sorted by that
 * share, and skips repeated ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lower_bound.h"
#include "base/wide.h"
#include "engine.h"
#include "module/module.h"

typedef struct listing {
	const policy *held;
	void (*each)(void *data, const limen_bucket *bucket);
	bool (*chosen)(void *data, const limen_bucket *bucket); /* to be reset; NULL: list */
	void *data;
	const char *wanted; /* the name of a store, or NULL: all */
	const char *store;  /* being listed */
	limen_time now;
	limen_deadline deadline;
	limen_bucket **items; /* the most used first; each with its texts in one piece */
	size_t count;
	size_t most;
	limen_diag *diag;
	int result;
	bool known; /* a store of that name */
} listing;

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
	*out = (limen_bucket){ .refused = -1 };
	memcpy(out, from, from->size < sizeof(*out) ? from->size : sizeof(*out));
	out->size = sizeof(*out);
	out->store = store;
	out->entry = out->rate = NULL;
	if (out->table == NULL || (out->key == NULL && out->key_length > 0) || out->burst < 1 ||
	    out->key_length > LIMEN_KEY_MAX || out->left >= out->burst)
		return false;
	if (out->key == NULL)
		out->key = "";
	if (out->keys == NULL)
		out->keys = "";
	if (out->left < 0)
		out->left = 0;
	return true;
}

static limen_bucket *
copy(const limen_bucket *from)
{
	size_t store = strlen(from->store) + 1;
	size_t table = strlen(from->table) + 1;
	limen_bucket *bucket = malloc(sizeof(*bucket) + store + table + from->key_length + 1);
	char *text;

	if (bucket == NULL)
		return NULL;
	text = (char *)(bucket + 1);
	*bucket = *from;
	bucket->store = memcpy(text, from->store, store);
	bucket->table = memcpy(text + store, from->table, table);
	bucket->key = memcpy(text + store + table, from->key, from->key_length);
	bucket->keys = ""; /* lists do not show it */
	text[store + table + from->key_length] = '\0';
	return bucket;
}

/* Copies 'bucket' if it is among those used most so far; returns false if memory is short. */
static bool
take_offer(void *data, const limen_bucket *bucket)
{
	listing *list = data;
	limen_bucket offer;
	limen_bucket *made;
	size_t index;

	if (!read_offer(&offer, list->store, bucket))
		return true;
	index = LOWER_BOUND(0, list->count, compare(list->items[middle], &offer) < 0);
	if (index == list->most)
		return true;
	made = copy(&offer);
	if (made == NULL) {
		list->result = LIMEN_ENOMEM;
		return false;
	}
	if (list->count == list->most)
		free(list->items[--list->count]);
	memmove(&list->items[index + 1], &list->items[index],
	        (list->count - index) * sizeof(limen_bucket *));
	list->items[index] = made;
	list->count++;
	return true;
}

/* A store may list a bucket twice if its table grows meanwhile; equal copies are skipped. */
static bool
is_repeated(const listing *list, size_t which)
{
	const limen_bucket *b = list->items[which];

	for (size_t i = 0; i < which; i++) {
		const limen_bucket *a = list->items[i];

		if (a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0 &&
		    a->tokens == b->tokens && a->period == b->period && a->burst == b->burst &&
		    strcmp(a->table, b->table) == 0 && strcmp(a->store, b->store) == 0)
			return true;
	}
	return false;
}

/*
 * Finds the entry with the table 'path', "limits/ENTRY/TABLE" or "admission/ENTRY/TABLE", or
 * either behind STORE_REHEARSAL, and the table; or NULL.
 */
static const entry *
find_entry(const policy *loaded, const char *path, const limen_table **found)
{
	const char *last = strrchr(path, '/');
	const entry_list *list;
	const char *name;
	const entry *owner;
	bool is_limit;
	char *copy;

	if (strncmp(path, STORE_REHEARSAL, strlen(STORE_REHEARSAL)) == 0)
		path += strlen(STORE_REHEARSAL);
	name = strchr(path, '/');
	is_limit = strncmp(path, "limits/", 7) == 0;
	list = is_limit ? &loaded->limits : &loaded->admission;
	if (name == last || (!is_limit && strncmp(path, "admission/", 10) != 0))
		return NULL;
	copy = strndup(name + 1, (size_t)(last - name - 1));
	owner = copy == NULL ? NULL : entry_find(list, copy);
	free(copy);
	*found = owner == NULL || owner->instance == NULL ? NULL : owner->instance->tables;
	while (*found != NULL && strcmp((*found)->spec.name, last + 1) != 0)
		*found = (*found)->next;
	return *found == NULL ? NULL : owner;
}

/* Adds what the policy says of the tables of the buckets; another process may have other tables. */
static void
show_buckets(const listing *list)
{
	for (size_t i = 0; i < list->count; i++) {
		limen_bucket shown = *list->items[i];
		const limen_table *table = NULL;
		const entry *owner = find_entry(list->held, shown.table, &table);

		if (is_repeated(list, i))
			continue;
		if (owner != NULL) {
			shown.entry = owner->name;
			/* A store may keep a rate in lowest terms. */
			shown.rate = (wide)table->spec.tokens * (wide)shown.period ==
			                             (wide)shown.tokens * (wide)table->spec.period
			                     ? table->spec.rate
			                     : NULL;
		}
		list->each(list->data, &shown);
	}
}

static bool
choose(void *data, const limen_bucket *bucket)
{
	const listing *list = data;
	limen_bucket offer;

	return read_offer(&offer, list->store, bucket) && list->chosen(list->data, &offer);
}

static void
list_store(listing *list, const entry *store)
{
	const instance *keeper = store->instance;
	const limen_store_module *type = &keeper->module->descriptor.store;
	int result;

	list->known = true;
	if ((list->chosen != NULL ? type->reset_buckets : type->each_bucket) == NULL) {
		if (list->wanted == NULL)
			return;
		limen_diag_add(list->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a store of type %s cannot %s its buckets", store->type,
		               list->chosen != NULL ? "reset" : "list");
		list->result = LIMEN_EINVAL;
		return;
	}
	list->store = store->name;
	instance_enter(keeper);
	if (list->chosen != NULL)
		result = type->reset_buckets(keeper->self, list->now, list->deadline, choose, list,
		                             list->diag);
	else
		result = type->each_bucket(keeper->self, list->now, list->deadline, take_offer,
		                           list, list->diag);
	instance_leave(keeper);
	if (list->result == LIMEN_OK || result == LIMEN_ECONFIG)
		list->result = result;
}

static void
list_stores(listing *list)
{
	for (size_t i = 0; i < list->held->stores.count; i++) {
		const entry *store = &list->held->stores.items[i];

		if (store->instance != NULL &&
		    (list->wanted == NULL || strcmp(store->name, list->wanted) == 0))
			list_store(list, store);
	}
	if (list->wanted != NULL && !list->known)
		list->result = LIMEN_ENOENT;
}

/* Lists or resets the buckets of the policy in force. */
static int
walk(limen_engine *engine, listing *list)
{
	policy_reader *reader;
	policy *loaded;

	if (engine == NULL || (list->each == NULL && list->chosen == NULL))
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	if (loaded == NULL)
		return LIMEN_ENOPOLICY;
	list->held = loaded;
	list->items = calloc(list->most + 1, sizeof(limen_bucket *));
	if (list->items == NULL)
		list->result = LIMEN_ENOMEM;
	else
		list_stores(list);
	if (list->result == LIMEN_OK)
		show_buckets(list);
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	engine_release(loaded, reader);
	return list->result;
}

int
limen_engine_each_bucket(limen_engine *engine, const char *store, size_t most,
                         limen_duration timeout,
                         void (*each)(void *data, const limen_bucket *bucket), void *data,
                         limen_diag *diag)
{
	listing list = { .each = each, .data = data, .wanted = store, .now = clock_steady(),
		        .deadline = clock_deadline(timeout), .diag = diag,
		        .most = most < LIMEN_BUCKETS_MAX ? most : LIMEN_BUCKETS_MAX };

	return walk(engine, &list);
}

int
limen_engine_reset_buckets(limen_engine *engine, const char *store, limen_duration timeout,
                           bool (*chosen)(void *data, const limen_bucket *bucket), void *data,
                           limen_diag *diag)
{
	listing list = { .chosen = chosen, .data = data, .wanted = store, .now = clock_steady(),
		        .deadline = clock_deadline(timeout), .diag = diag };

	return walk(engine, &list);
}
