/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare.c - makes the "resources" of a container that has nothing and is given all defaults
 * of an item: most that are given anything are such.  Names and quantities have been checked,
 * so none needs an escape.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../limit_ranger.h"

/* Is nothing to be said of a container that has all defaults and nothing else? */
static bool
is_settled(const range_item *item)
{
	container one = { .init = false };
	bool settled = true;

	for (size_t where = 0; where < SIDE_COUNT; where++)
		one.given.lists[where] = item->lists[range_defaults[where]];
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		const resource_list *list = &one.given.lists[where];

		for (size_t i = 0; i < list->count; i++)
			settled = settled && container_objection(&one, &list->items[i], true) == NULL;
	}
	return settled && enforce_defaults(item, &one);
}

static int
prepare_item(range_item *item)
{
	const resource_list *limits = &item->lists[LIST_DEFAULT];
	const resource_list *requests = &item->lists[LIST_DEFAULT_REQUEST];
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int result = LIMEN_ENOMEM;

	if (out == NULL)
		return result;
	fputc('{', out);
	if (limits->count > 0)
		range_list_write(out, "limits", limits);
	fputs(limits->count > 0 && requests->count > 0 ? "," : "", out);
	if (requests->count > 0)
		range_list_write(out, "requests", requests);
	fputc('}', out);
	if (fclose(out) == 0)
		result = limen_documents_parse(NULL, text, length, 0, &item->prepared, NULL);
	free(text);
	if (result == LIMEN_OK)
		item->resources = limen_documents_get(item->prepared, 0);
	item->settled = is_settled(item);
	return result;
}

int
range_prepare(limit_range *range)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		range_item *item = &range->items[i];

		/* A stored item that cannot be read is never enforced. */
		if (item->type == ITEM_CONTAINER && item->problem == NULL &&
		    item->lists[LIST_DEFAULT].count + item->lists[LIST_DEFAULT_REQUEST].count > 0)
			result = prepare_item(item);
	}
	return result;
}
