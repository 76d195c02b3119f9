/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_prepare.c - the "resources" of a container that has none and is given all
 * defaults of an item, made once: that is what most containers get that get anything.
 */
#include <stdio.h>
#include <stdlib.h>

#include "range.h"

/* Names and quantities have been checked: none needs an escape. */
static void
print_list(FILE *out, const char *key, const resource_list *list)
{
	fprintf(out, "\"%s\":{", key);
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "%s\"%s\":\"%s\"", i == 0 ? "" : ",", list->items[i].name,
		        list->items[i].text);
	fprintf(out, "}");
}

/* Returns the object as text, to be freed; NULL when memory is short. */
static char *
print_resources(const resource_list *limits, const resource_list *requests, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (out == NULL)
		return NULL;
	fprintf(out, "{");
	if (limits->count > 0)
		print_list(out, "limits", limits);
	fprintf(out, "%s", limits->count > 0 && requests->count > 0 ? "," : "");
	if (requests->count > 0)
		print_list(out, "requests", requests);
	fprintf(out, "}");
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int
prepare_item(range_item *item)
{
	const resource_list *limits = &item->lists[LIST_DEFAULT];
	const resource_list *requests = &item->lists[LIST_DEFAULT_REQUEST];
	size_t length = 0;
	char *text;
	int result;

	if (item->type != ITEM_CONTAINER || limits->count + requests->count == 0)
		return LIMEN_OK;
	text = print_resources(limits, requests, &length);
	if (text == NULL)
		return LIMEN_ENOMEM;
	result = limen_documents_parse(NULL, text, length, 0, &item->prepared, NULL);
	free(text);
	if (result == LIMEN_OK)
		item->resources = limen_documents_get(item->prepared, 0);
	return result == LIMEN_ENOMEM ? result : LIMEN_OK;
}

int
range_prepare(limit_range *range)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++)
		result = prepare_item(&range->items[i]);
	return result;
}
