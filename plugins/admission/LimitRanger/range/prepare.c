/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare.c - what is the same for all containers that have nothing and are given
 * all defaults of an item, which most have that are given anything: their "resources",
 * the names in the account, whether they keep the item's own bounds, and whether the API
 * server would object.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../limit_ranger.h"

/* Names and quantities have been checked: none needs an escape. */
static void
print_list(FILE *out, side where, const resource_list *list)
{
	fprintf(out, "\"%s\":{", side_fields[where]);
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "%s\"%s\":\"%s\"", i == 0 ? "" : ",", list->items[i].name,
		        list->items[i].text);
	fprintf(out, "}");
}

static void
print_resources(FILE *out, const range_item *item)
{
	const resource_list *limits = &item->lists[LIST_DEFAULT];
	const resource_list *requests = &item->lists[LIST_DEFAULT_REQUEST];

	fprintf(out, "{");
	if (limits->count > 0)
		print_list(out, SIDE_LIMIT, limits);
	fprintf(out, "%s", limits->count > 0 && requests->count > 0 ? "," : "");
	if (requests->count > 0)
		print_list(out, SIDE_REQUEST, requests);
	fprintf(out, "}");
}

static int
prepare_resources(range_item *item)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int result = LIMEN_ENOMEM;

	if (out == NULL)
		return result;
	print_resources(out, item);
	if (fclose(out) == 0)
		result = limen_documents_parse(NULL, text, length, 0, &item->prepared, NULL);
	free(text);
	if (result == LIMEN_OK)
		item->resources = limen_documents_get(item->prepared, 0);
	return result;
}

/* The lists are in the order of names, as those of the account are. */
static int
prepare_account(range_item *item, side where)
{
	const resource_list *list = &item->lists[range_defaults[where]];
	size_t length = 0;
	FILE *out = open_memstream(&item->accounts[where], &length);

	if (out == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = 0; i < list->count; i++) {
		fprintf(out, "%s%s", i == 0 ? "" : ", ", list->items[i].name);
		item->weights[where] += list->items[i].weight;
		item->digits[where] += list->items[i].lengthy ? list->items[i].weight : 0;
	}
	return fclose(out) == 0 ? LIMEN_OK : LIMEN_ENOMEM;
}

static int
prepare_item(range_item *item)
{
	int result;

	/* A stored item that cannot be read is never enforced. */
	if (item->type != ITEM_CONTAINER || item->problem != NULL ||
	    item->lists[LIST_DEFAULT].count + item->lists[LIST_DEFAULT_REQUEST].count == 0)
		return LIMEN_OK;
	item->keeps_own = defaults_fit(item);
	item->agrees = defaults_agree(item);
	result = prepare_resources(item);
	for (unsigned where = 0; result == LIMEN_OK && where < SIDE_COUNT; where++)
		result = prepare_account(item, (side)where);
	return result;
}

int
range_prepare(limit_range *range)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++)
		result = prepare_item(&range->items[i]);
	return result;
}
