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

#include <endian.h>
#include <limen/quantity.h>
#include <limen/value.h>
#include <stdlib.h>
#include <string.h>

/* Why a container is given a value. */
typedef enum origin {
	ORIGIN_RANGE = 0, /* a default of a LimitRange */
	ORIGIN_OTHER = 1, /* the value on the other side, in place of a default */
	ORIGIN_LIMIT = 2, /* the limit beside it */
	ORIGIN_SUM = 3    /* of the containers, for the pod as a whole */
} origin;

typedef struct resource {
	const char *name; /* borrowed from the document, or a constant */
	size_t length;
	uint64_t prefix; /* the first bytes of the name, as a number: decides most comparisons */
	limen_quantity quantity;
	int64_t milli; /* the quantity in thousandths; MILLI_LARGE: it, or a part of a sum, does not fit */
	limen_value where; /* the node the value came from */
	bool rounded; /* it was finer than a thousandth */
	bool borrowed; /* 'text' belongs to a resource of another list */
	char *text;    /* the quantity as it is printed; not in lists that a pod came with */
	origin origin; /* of a value that a container is given */
	const struct range_item *item; /* whose default it is, or NULL */
} resource;

#define MILLI_LARGE INT64_MAX

typedef struct resource_list {
	resource *items; /* by name */
	size_t count;
	size_t room; /* of a list that grows */
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

/* Names 'to', whose other members are not touched. */
static inline void
resource_name(resource *to, const char *name, size_t length)
{
	to->name = name;
	to->length = length;
	to->prefix = 0;
	memcpy(&to->prefix, name, length < sizeof to->prefix ? length : sizeof to->prefix);
	to->prefix = be64toh(to->prefix);
}

/* As resource_compare(), of names that begin alike. */
int resource_compare_rest(const resource *a, const resource *b);

/* -1, 0 or 1 in byte order of the names. */
static inline int
resource_compare(const resource *a, const resource *b)
{
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	if (a->length <= sizeof a->prefix && b->length == a->length)
		return 0;
	return resource_compare_rest(a, b);
}

/* resource_compare() for qsort() and bsearch(). */
static inline int
resource_order(const void *a, const void *b)
{
	return resource_compare(a, b);
}

/* As resource_list_find(), in a list of any length. */
const resource *resource_list_search(const resource_list *list, const resource *named);

/* Up to this many are compared one by one, which is faster than a binary search. */
#define RESOURCES_FEW ((size_t)8)

/* Returns the resource of the same name, or NULL. */
static inline const resource *
resource_list_find(const resource_list *list, const resource *named)
{
	if (list->count > RESOURCES_FEW)
		return resource_list_search(list, named);
	for (size_t i = 0; i < list->count; i++)
		if (resource_compare(&list->items[i], named) == 0)
			return &list->items[i];
	return NULL;
}

/* -1, 0 or 1 by quantity. */
static inline int
amount_compare(const resource *a, const resource *b)
{
	if (a->milli == MILLI_LARGE || b->milli == MILLI_LARGE)
		return limen_quantity_compare(&a->quantity, &b->quantity);
	return (a->milli > b->milli) - (a->milli < b->milli);
}

#endif
