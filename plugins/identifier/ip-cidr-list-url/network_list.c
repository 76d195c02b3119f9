/* SPDX-License-Identifier: Apache-2.0 */
/* network_list.c - how long a list lives. */
#include <stdlib.h>

#include "network_list.h"

network_list *
network_list_new(const list_text *text, const list_version *version, int64_t fresh)
{
	network_list *list = malloc(sizeof(*list));

	if (list == NULL)
		return NULL;
	list->set = limen_cidr_set_new(text->networks, text->count, NULL, 0);
	if (list->set == NULL) {
		free(list);
		return NULL;
	}
	atomic_init(&list->references, 1);
	atomic_init(&list->fresh, fresh);
	list->count = text->count;
	list->skipped = text->skipped;
	list->version = *version;
	list->unkept = false;
	return list;
}

network_list *
network_list_ref(network_list *list)
{
	atomic_fetch_add(&list->references, 1);
	return list;
}

void
network_list_unref(network_list *list)
{
	if (list == NULL || atomic_fetch_sub(&list->references, 1) > 1)
		return;
	limen_cidr_set_free(list->set);
	free(list);
}
