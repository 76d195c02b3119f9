/* SPDX-License-Identifier: Apache-2.0 */
/*
 * borrowed.c - keeps the JSON pointers of nodes that came from another file in an array ordered by
 * node, which it searches by bisection.
 */
#include "borrowed.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"

bool
grafts_add(graft_list *list, uint32_t node, const char *pointer)
{
	size_t count = list->count;
	graft *grown = list->items;
	char *copy = strdup(pointer);

	/* Full whenever the count is a power of two. */
	if ((count & (count - 1)) == 0)
		grown = realloc(list->items, (count == 0 ? 1 : 2 * count) * sizeof(*grown));
	if (grown != NULL)
		list->items = grown;
	if (grown == NULL || copy == NULL) {
		free(copy);
		return false;
	}
	grown[count] = (graft){ node, copy };
	list->count = count + 1;
	return true;
}

const char *
grafts_find(const graft_list *list, uint32_t node)
{
	size_t low = LOWER_BOUND(0, list->count, list->items[middle].node < node);

	return low < list->count && list->items[low].node == node ? list->items[low].pointer : NULL;
}

void
grafts_free(graft_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].pointer);
	free(list->items);
	*list = (graft_list){ .count = 0 };
}
