/* SPDX-License-Identifier: Apache-2.0 */
/*
 * override.c - reads the option "overrides", opens a table for each override and finds the one
 * for a key.  A table is named after the type and the keys, so that reordering the list keeps
 * the buckets.
 */
#include "event_rate_limit.h"

#include <stdio.h>
#include <stdlib.h>

/* Reports a second override with the same keys: it would never apply. */
static void
check_repeated(rate_reader *reader, const override_list *list, const rate_override *entry,
               const rate_place *at)
{
	for (const rate_override *other = list->items; other < entry; other++) {
		if (other->rate.type != entry->rate.type ||
		    !limen_value_equal(other->keys.values, entry->keys.values))
			continue;
		REFUSE(reader, entry->keys.values,
		       "%s[%zu].keys: Duplicate value: these keys are those of overrides[%zu]",
		       at->list, at->index, (size_t)(other - list->items));
		return;
	}
}

static void
read_keys(rate_reader *reader, const override_list *list, rate_override *entry,
          limen_value object, const rate_place *at)
{
	limen_value keys = limen_value_get(object, "keys");

	if (!pattern_list_read(&entry->keys, keys))
		REFUSE(reader, keys, "%s[%zu].keys: must be a string or an array of strings",
		       at->list, at->index);
	else if (entry->keys.count == 0)
		REFUSE(reader, limen_value_exists(keys) ? keys : object,
		       "%s[%zu].keys: Required value: the keys it applies "
		       "to", at->list, at->index);
	else
		check_repeated(reader, list, entry, at);
}

void
override_list_read(rate_reader *reader, override_list *out, limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	limen_value object;

	out->items = rate_make_array(reader, value, "overrides", sizeof *out->items);
	while (out->items != NULL && limen_iter_next(&iter, NULL, &object)) {
		rate_place at = { "overrides", out->count, true };
		rate_override *entry = &out->items[out->count];

		if (rate_read(reader, &entry->rate, object, &at))
			read_keys(reader, out, entry, object, &at);
		out->count++;
	}
}

/* The table is named by the override's keys: moving it in the list keeps its buckets. */
static int
open_one(rate_override *item, limen_opening *opening, const rate_home *home, limen_diag *diag)
{
	char *keys = limen_value_to_json(item->keys.values, 0, NULL);
	char *name = NULL;
	int result = LIMEN_ENOMEM;

	if (keys != NULL && asprintf(&name, "%s %s", limit_type_names[item->rate.type], keys) >= 0)
		result = rate_open(&item->rate, name, opening, home, diag);
	else
		name = NULL;
	free(name);
	free(keys);
	return result;
}

int
override_list_open(override_list *list, limen_opening *opening, const rate_home *home,
                   limen_diag *diag)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < list->count; i++)
		result = open_one(&list->items[i], opening, home, diag);
	return result;
}

bool
override_list_has(const override_list *list, limit_type type)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].rate.type == type)
			return true;
	return false;
}

const rate *
override_list_find(const override_list *list, limit_type type, const char *key, size_t length)
{
	for (size_t i = 0; i < list->count; i++) {
		const rate_override *item = &list->items[i];

		if (item->rate.type == type && pattern_list_match(&item->keys, key, length))
			return &item->rate;
	}
	return NULL;
}
