/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.h - the LimitRanges of a policy, as the module keeps them.
 *
 * read.c makes them from manifests, fields.c refuses unknown fields, annotations.c adds what only
 * limen knows, default.c fills in what the API server fills in,
 * validate.c and bounds.c check them, memory.c has them,
 * set.c puts them in order and finds those of a namespace, lint.c and conflicts.c warn of valid
 * LimitRanges that are probably mistakes, status.c shows them.
 */
#ifndef LIMEN_LIMITRANGER_RANGE_H
#define LIMEN_LIMITRANGER_RANGE_H

#include <limen/builder.h>
#include <limen/diag.h>
#include <limen/documents.h>
#include <limen/host.h>
#include <limen/request.h>
#include <limen/selector.h>
#include <limen/string_match.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../../support/refuse.h"
#include "resources.h"

/* The option "defaulting", choices in this order. */
enum {
	DEFAULTING_UPSTREAM = 0, /* missing values are filled in */
	DEFAULTING_NONE = 1,     /* they are not */
	DEFAULTING_REQUIRE = 2   /* they must be given */
};

/* The option "report". */
enum {
	REPORT_FIRST = 0,
	REPORT_ALL = 1
};

/* The option "order". */
enum {
	ORDER_NAME = 0,
	ORDER_CREATION = 1
};

/* The words of both options, for annotations too. */
extern const char *const range_defaulting_words[];
extern const char *const range_report_words[];

typedef enum item_type {
	ITEM_OTHER = 0, /* "domain/name": kept and ignored, as upstream */
	ITEM_POD = 1,
	ITEM_CONTAINER = 2,
	ITEM_CLAIM = 3
} item_type;

/* The maps of an item, in the order in which their names are checked. */
enum {
	LIST_MAX = 0,
	LIST_MIN = 1,
	LIST_DEFAULT = 2,
	LIST_DEFAULT_REQUEST = 3,
	LIST_RATIO = 4,
	LIST_COUNT = 5
};

extern const char *const range_list_names[LIST_COUNT];

/* Patterns (limen_glob_match()); the array is owned, the texts are borrowed. */
typedef struct name_list {
	const char **items;
	size_t count;
} name_list;

typedef struct range_item {
	item_type type;
	const char *type_text;
	size_t type_length;
	limen_value where;
	size_t index; /* in spec.limits */
	bool repeated; /* an earlier item has this type */
	char *problem; /* owned; why a stored item cannot be read; NULL: it can be */
	int defaulting;
	int report;
	limen_selector *selector; /* owned; NULL: every object */
	name_list containers; /* of type Container only, "!" leaves out; none: all of them */
	resource_list lists[LIST_COUNT]; /* owned */
	limen_builder *prepared; /* owned; NULL: there are no defaults */
	limen_value defaults[2]; /* by side, of a container that is given all of them */
	const char *owner; /* the name of the LimitRange */
	atomic_uint_fast64_t *violations; /* owned; counts what was reported of it; NULL: memory was short */
	bool settled; /* such a container keeps the item's bounds, and there is nothing to warn of */
} range_item;

typedef struct limit_range {
	const char *name; /* borrowed, like all texts */
	const char *namespace;
	bool generated; /* 'name' is a generateName */
	bool has_time;
	limen_time created; /* if 'has_time' */
	size_t position;    /* as read: tells equal ones apart */
	limen_value where;
	char *problem; /* owned; why nothing of a stored one can be read; NULL: it can be */
	bool wide; /* for 'namespaces', not for 'namespace' */
	name_list namespaces; /* a "!" before a pattern leaves namespaces out */
	limen_documents *texts[2]; /* owned; what the annotations hold */
	range_item *items;
	size_t count;
} limit_range;

/*
 * The LimitRanges of a policy, sorted by namespace and order of application; the wide ones
 * come last.
 */
typedef struct range_set {
	limit_range *ranges;
	size_t count;
	size_t size;
	size_t local; /* how many are not wide */
	int order;
	size_t broken; /* stored ones with a part that cannot be read */
	bool borrowed; /* other sets own the memory of the LimitRanges */
} range_set;

/* The context of reading manifests, and the result. */
typedef struct range_reader {
	range_set *set;
	const char *namespace; /* of manifests that name none */
	int defaulting;
	int report;
	/*
	 * The API server of a cluster has checked and stored the LimitRanges.  They are not
	 * checked again, a part that cannot be read is a 'problem' of its LimitRange or item,
	 * and none may apply to another namespace.
	 */
	bool stored;
	limen_diag *diag;
	int result;
} range_reader;

#define ANNOTATION_ITEMS "limen.policy/items"
#define ANNOTATION_NAMESPACES "limen.policy/namespaces"

/* Returns an annotation of an object, or none. */
static inline limen_value
annotation_get(limen_value object, const char *key)
{
	limen_value metadata = limen_value_get(object, "metadata");

	return limen_value_get(limen_value_get(metadata, "annotations"), key);
}

/* Reads 'object' to the end of the set; everything wrong with it is reported. */
void range_read(range_reader *reader, limen_value object);

/*
 * Is 'value' of 'type'?  None and null are not, but no problem either: to the
 * API server both mean that a field was left out.
 */
bool range_read_type(range_reader *reader, limen_value value, limen_type type, const char *field);

/* Refuses fields that Kubernetes does not know, and a LimitRange or list without its array. */
void range_check_fields(range_reader *reader, limen_value object);
void range_check_list_fields(range_reader *reader, limen_value list);

/* Reads an array of LimitRange, LimitRangeList and List objects, or one of them. */
void range_read_manifests(range_reader *reader, limen_value manifests);

/* Reads what the annotations of a LimitRange, whose items have been read, say. */
void range_annotations_read(range_reader *reader, limit_range *range);

/* Is the item for less than all objects of its type? */
bool range_item_is_narrow(const range_item *item);

/* Does a pattern match 'name', and no pattern behind a "!"? */
bool name_list_has(const name_list *patterns, const char *name, size_t length);

/* Is a wide LimitRange for 'namespace'? */
bool range_is_for(const limit_range *range, const char *namespace);

/* Fills in what Kubernetes fills in.  LIMEN_OK or LIMEN_ENOMEM. */
int range_default(limit_range *range);

/* Prepares the defaults of containers without resources.  LIMEN_OK or LIMEN_ENOMEM. */
int range_prepare(limit_range *range);

/* Returns the resource of a list that has the name of another one, or NULL. */
static inline const resource *
range_item_find(const range_item *item, size_t list, const resource *named)
{
	return resource_list_find(&item->lists[list], named);
}

/* Returns the number of resources in the lists of an item. */
static inline size_t
range_item_size(const range_item *item)
{
	size_t sum = 0;

	for (size_t i = 0; i < LIST_COUNT; i++)
		sum += item->lists[i].count;
	return sum;
}

/* Adds a list as an object. */
void range_list_build(limen_builder *build, const char *key, const resource_list *list);

/* Checks a LimitRange that has its defaults. */
void range_validate(range_reader *reader, const limit_range *range);

/* Compares the bounds of every resource of an item with each other. */
void range_check_bounds(range_reader *reader, const range_item *item);

/* Returns a new LimitRange at the end of the set, or NULL when memory is short. */
limit_range *range_set_add(range_set *set);

/*
 * Adds the LimitRanges of 'from', which is to live as long, to a set that has none of its
 * own.  False when memory is short.
 */
bool range_set_borrow(range_set *set, const range_set *from);

/* Puts the set in order; names must be unique in a namespace. */
void range_set_sort(range_reader *reader, int order);

/* Has 'namespace' a LimitRange of its own? */
bool range_set_has(const range_set *set, const char *namespace);

/*
 * Stores the LimitRanges for 'namespace' in the order in which they are applied, as
 * an array in memory of the request.  LIMEN_OK or LIMEN_ENOMEM.
 */
int range_set_find(const range_set *set, const char *namespace, const limen_request *req,
                   const limit_range *const **out, size_t *count);

/*
 * Adds the set as "limitRanges", an array of LimitRange objects: at most 'ranges', of at most
 * 'bytes' bytes of text.  Returns how many are left out.
 */
size_t range_set_report(const range_set *set, size_t ranges, size_t bytes, limen_builder *build);

void range_set_clear(range_set *set);

/* Warns of conflicts of LimitRange 'index' of a sorted set with those before it. */
void range_conflicts(const range_set *set, size_t index, limen_diag *diag);

/* Warns of surprising effects of the LimitRanges of a sorted set. */
void range_lint(const range_set *set, limen_diag *diag);

/*
 * ---- names.c: names in a LimitRange, with the messages of Kubernetes 1.36
 * (k8s.io/apimachinery, util/validation; core/v1 validation) ----
 */

#define NAME_PROBLEMS_MAX 5

/* The problems of a name, in the order in which Kubernetes reports them; static texts. */
typedef struct name_problems {
	const char *texts[NAME_PROBLEMS_MAX];
	size_t count;
} name_problems;

/* An optional DNS subdomain and "/", then a name of at most 63 bytes. */
void names_check_qualified(const char *name, size_t length, name_problems *out);

/* Would names_check_qualified() find nothing? */
bool names_is_qualified(const char *name, size_t length);

/* A resource in a list of an item; 'of_containers': its type is Pod or Container. */
void names_check_resource(const char *name, size_t length, bool of_containers, name_problems *out);

/* RFC 1123: names of objects, and of namespaces. */
void names_check_subdomain(const char *name, size_t length, name_problems *out);
void names_check_label(const char *name, size_t length, name_problems *out);

/* "hugepages-2Mi" and the like. */
bool names_is_hugepages(const char *name, size_t length);

/* May the limit of this resource be above its request? */
bool names_may_overcommit(const char *name, size_t length);

#endif
