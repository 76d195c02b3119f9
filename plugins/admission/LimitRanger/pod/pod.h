/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pod.h - the part of a Pod that LimitRanges are about, read once per request.
 *
 * read.c fills it, total.c adds it up, defaults.c adds to it.
 */
#ifndef LIMEN_LIMITRANGER_POD_H
#define LIMEN_LIMITRANGER_POD_H

#include <limen/reply.h>
#include <limen/request.h>

#include "../range/range.h"
#include "work.h"

/* The two lists of a container, pod or claim. */
typedef enum side {
	SIDE_REQUEST = 0,
	SIDE_LIMIT = 1,
	SIDE_COUNT = 2
} side;

/* "requests" and "limits"; "request" and "limit". */
extern const char *const side_fields[SIDE_COUNT];
extern const char *const side_names[SIDE_COUNT];

/* Which list of an item is for which of them. */
extern const size_t range_defaults[SIDE_COUNT];

/* Why a value was added. */
typedef enum origin {
	ORIGIN_RANGE = 0, /* a default of 'range' */
	ORIGIN_LIMIT = 1, /* the limit beside it */
	ORIGIN_SUM = 2    /* of the containers, for the pod as a whole */
} origin;

/* A value a container did not have and is given. */
typedef struct addition {
	struct addition *next;
	const resource *value;          /* of the item; its name */
	const limen_quantity *quantity; /* what is set: usually that of 'value' */
	const char *text;
	origin origin;
	const limit_range *range; /* where it comes from; NULL: from no LimitRange */
} addition;

typedef struct additions {
	addition *first;
	addition *last;
	size_t count;
} additions;

/* "resources" of a container, a pod or a claim. */
typedef struct requirements {
	resource_list lists[SIDE_COUNT];
	limen_value nodes[SIDE_COUNT]; /* what they were read from; perhaps no objects */
} requirements;

static inline size_t
requirements_digits(const requirements *of)
{
	return of->lists[SIDE_REQUEST].digits + of->lists[SIDE_LIMIT].digits;
}

typedef struct container {
	limen_value node;
	limen_value name; /* a string, or none */
	limen_value resources;
	bool init;
	bool sidecar;
	size_t index; /* among the regular ones, or the init containers */
	requirements given;
	additions added[SIDE_COUNT];
	size_t added_digits; /* as those of a list */
	const range_item *from[SIDE_COUNT]; /* whose defaults 'added' are, all of them; or NULL */
} container;

/* Of what a pod asks for itself, LimitRanger looks at cpu and memory. */
#define POD_LEVEL_COUNT 2

typedef struct pod {
	limen_value document;
	limen_value metadata;
	limen_value annotations;
	limen_value spec;
	container *containers; /* the regular ones, then the init containers */
	size_t regular;        /* how many are regular */
	size_t count;          /* how many there are */
	size_t added_count;    /* to all of them, by LimitRanges */
	requirements own;      /* spec.resources */
	additions added[SIDE_COUNT]; /* to them */
	limen_quantity sums[POD_LEVEL_COUNT]; /* that 'added' may refer to */
} pod;

/*
 * Reads a Pod.  Its memory is the request's, but pod_clear() must be called
 * however this ends.  Returns LIMEN_OK; LIMEN_EINVAL for what is no Pod, with a
 * violation in 'reply' unless that is NULL; or LIMEN_ENOMEM.
 */
int pod_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply);
void pod_clear(pod *whole);

/*
 * Has what the metadata of an object tells selectors the right types?  If not,
 * there is a violation in 'reply' unless that is NULL.
 */
bool metadata_check(const limen_request *req, limen_value object, limen_reply *reply);

/* As pod_read(), "resources" of the object at 'node', whose path is 'field'. */
int requirements_read(requirements *out, const limen_request *req, limen_value node,
                      const char *field, limen_reply *reply);
void requirements_clear(requirements *out);

/*
 * Stores what all containers together have of a resource, and returns LIMEN_OK;
 * LIMEN_ENOENT if none has it; LIMEN_ERANGE if the sum cannot be formed, or 'done' is over;
 * or LIMEN_ENOMEM.  'out' is to be cleared after LIMEN_OK.
 */
int pod_total(const pod *whole, side which, const resource *named, work *done,
              limen_quantity *out);

#define CONTAINER_LABEL_MAX 96
#define CONTAINER_FIELD_MAX 64

/* Writes how people call it: container "web", or init container 3 if it has no plain name. */
void container_label(const container *which, char out[CONTAINER_LABEL_MAX]);

/* Writes its path: spec.initContainers[3]. */
void container_field(const container *which, char out[CONTAINER_FIELD_MAX]);

#endif
