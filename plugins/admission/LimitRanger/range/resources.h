/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources.h - lists of resources and their quantities, sorted by name: the
 * maps of a LimitRange, and the requests and limits of containers and claims.
 *
 * The memory of a list is its maker's; quantities are ended with
 * resource_list_clear().
 */
#ifndef LIMEN_LIMITRANGER_RESOURCES_H
#define LIMEN_LIMITRANGER_RESOURCES_H

#include <limen/quantity.h>
#include <limen/value.h>
#include <string.h>

/* So many are looked through one by one. */
#define RESOURCES_FEW ((size_t)8)

typedef struct resource {
	const char *name; /* borrowed from the document, or a constant */
	size_t length;
	limen_quantity quantity;
	limen_value where; /* the node the value came from */
	bool rounded; /* it was finer than a thousandth */
	bool usual;   /* 'name' is the constant that all of that name have */
	bool lengthy; /* 'text' is so long that comparing takes more than a moment */
	char *text;        /* the quantity as it is printed; in lists of a policy only */
	size_t weight;     /* bytes by which an object grows that is given it; likewise */
} resource;

typedef struct resource_list {
	resource *items;
	size_t count;
	size_t digits; /* of quantities that have more than most */
} resource_list;

/* Why resource_list_read() failed. */
typedef struct resource_problem {
	limen_value key;
	limen_value value;
	const char *why; /* static */
} resource_problem;

/*
 * Reads the object 'map' into 'list', whose items have room for all its members.
 * Quantities are rounded up to milli, as the API server rounds all resource
 * lists.  Returns LIMEN_OK; LIMEN_EINVAL with 'problem' filled; or LIMEN_ENOMEM.
 * On failure the list is empty.
 */
int resource_list_read(resource_list *list, limen_value map, resource_problem *problem);

/* Ends all quantities and texts, and empties the list. */
void resource_list_clear(resource_list *list);

/* Returns the resource called 'name', or NULL. */
const resource *resource_list_find(const resource_list *list, const char *name, size_t length);

/* As resource_list_find(), of another resource's name; for what is not usual, or one of many. */
const resource *resource_list_find_named(const resource_list *list, const resource *named);

/* -1, 0 or 1 in byte order of the names. */
int resource_compare(const resource *a, const resource *b);

/* Are they of one name?  Those that everybody limits are the same text mostly. */
static inline bool
resource_is(const resource *a, const resource *b)
{
	return a->length == b->length &&
	       (a->name == b->name || memcmp(a->name, b->name, a->length) == 0);
}

/* Returns the quantity of the resource of the same name, or NULL. */
static inline const limen_quantity *
resource_list_get(const resource_list *list, const resource *named)
{
	const resource *found;

	if (!named->usual || list->count > RESOURCES_FEW) {
		found = resource_list_find_named(list, named);
		return found == NULL ? NULL : &found->quantity;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].name == named->name)
			return &list->items[i].quantity;
	}
	return NULL;
}

#endif
