/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_list.c - entries and classifiers of a policy by their names.
 */
#include "compiled.h"

static name_column
entry_names(const entry_list *list)
{
	return (name_column){ .first = list->items == NULL ? NULL : &list->items->name,
		              .stride = sizeof(*list->items),
		              .count = list->count };
}

size_t
entry_index(entry_list *list, const char *name)
{
	name_column column = entry_names(list);

	name_index_update(&list->names, &column);
	return name_index_find(&list->names, &column, name);
}

const entry *
entry_find(const entry_list *list, const char *name)
{
	name_column column = entry_names(list);
	size_t found = name_index_find(&list->names, &column, name);

	return found == SIZE_MAX ? NULL : &list->items[found];
}

size_t
classifier_index(policy *loaded, const char *name)
{
	name_column column = {
		.first = loaded->classifiers == NULL ? NULL : &loaded->classifiers->name,
		.stride = sizeof(*loaded->classifiers),
		.count = loaded->classifier_count,
	};

	name_index_update(&loaded->classifier_names, &column);
	return name_index_find(&loaded->classifier_names, &column, name);
}
