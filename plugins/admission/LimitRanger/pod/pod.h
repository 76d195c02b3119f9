/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pod.h - the part of a Pod that LimitRanges are about, read once per request.
 *
 * read.c fills it, total.c adds it up, defaults.c adds to it.
 */
#ifndef LIMEN_LIMITRANGER_POD_H
#define LIMEN_LIMITRANGER_POD_H

#include <limen/reply.h>
#include <limen/host.h>
#include <string.h>

#include "../range/range.h"

/*
 * ---- Is the time for the decision over? ----
 *
 * A tenant's own LimitRanges times a tenant's own pod can be hours of work.  The clock is
 * read every 1,000 steps, such as a resource or a name looked up: reading it costs more than
 * most decisions have to compare.
 */

#define DEADLINE_STEPS ((size_t)1000)
#define DEADLINE_TEXT  "the deadline of the decision has passed"

typedef struct deadline {
	const limen_request *request;
	size_t steps; /* since the clock was read */
	bool leave_early; /* no further checks: the time is over, or enough is known */
} deadline;

/* Counts steps that are about to be made.  True: they must not be, nor any after them. */
static inline bool
must_leave(deadline *end, size_t steps)
{
	end->steps += steps;
	if (end->steps < DEADLINE_STEPS)
		return end->leave_early;
	end->steps = 0;
	if (limen_request_time_left(end->request) == 0)
		end->leave_early = true;
	return end->leave_early;
}

/*
 * The longest name in Kubernetes.  A longer one is refused: matching a tenant's patterns
 * against it could take seconds.
 */
#define NAME_BYTES_MAX 253

/* Room for a quantity: a sum has at most 128 digits. */
#define VALUE_TEXT_MAX 192

/* The two lists of a container, pod or claim. */
typedef enum side {
	SIDE_REQUEST = 0,
	SIDE_LIMIT = 1,
	SIDE_COUNT = 2
} side;

/* "requests" and "limits"; "request" and "limit". */
extern const char *const side_fields[SIDE_COUNT];
extern const char *const side_names[SIDE_COUNT];

/* The list of an item that holds the defaults of each side. */
extern const size_t range_defaults[SIDE_COUNT];

/* "resources" of a container, a pod or a claim. */
typedef struct requirements {
	resource_list lists[SIDE_COUNT];
	limen_value nodes[SIDE_COUNT]; /* what they were read from; perhaps no objects */
} requirements;

typedef struct container {
	limen_value node;
	limen_value name; /* a string, or none */
	limen_value resources;
	bool init;
	bool sidecar;
	size_t index; /* among the regular ones, or the init containers */
	requirements given;
	resource_list added[SIDE_COUNT]; /* what it did not have and is given */
	const range_item *from[SIDE_COUNT]; /* the item that shares 'added', all its defaults; or NULL */
} container;

/* Returns what a container has, given or added, or NULL. */
static inline const resource *
container_value(const container *which, side from, const resource *named)
{
	const resource *given = resource_list_find(&which->given.lists[from], named);

	return given != NULL ? given : resource_list_find(&which->added[from], named);
}

/* Returns true if all its values are the defaults of a settled item (range_prepare()). */
static inline bool
container_is_settled(const container *which, const range_item *item)
{
	return item != NULL && item->settled && which->from[SIDE_REQUEST] == item &&
	       which->from[SIDE_LIMIT] == item;
}

typedef struct pod {
	limen_value document;
	limen_value metadata;
	limen_value annotations;
	limen_value spec;
	container *containers; /* the regular ones, then the init containers */
	size_t count;          /* how many there are; none: it was not read */
	size_t regular;        /* how many of them are no init containers */
	requirements own;      /* spec.resources */
	resource_list added[SIDE_COUNT]; /* to them */
} pod;

/*
 * Reads a Pod, or a claim as a pod of one container without a name.  Its memory is the
 * request's, but pod_clear() must be called however this ends.  Returns LIMEN_OK; LIMEN_EINVAL
 * for what is none, with a violation in 'reply' unless that is NULL; or LIMEN_ENOMEM.
 */
int pod_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply);
int claim_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply);
void pod_clear(pod *whole);

/* A sum that may not have begun. */
typedef struct total {
	resource value; /* without a name */
	bool there;
	bool exact; /* 'value' has its quantity, not 'milli' alone */
} total;

/*
 * Stores what all containers together have of a resource, if one has it: unless it is to be
 * 'exact', in thousandths alone if it fits.  LIMEN_OK; LIMEN_ERANGE if the sum cannot be
 * formed; or LIMEN_ENOMEM.  total_clear() is due in any case.
 */
int pod_total(const pod *whole, side which, const resource *named, bool exact, total *out);

static inline void
total_clear(total *of)
{
	if (of->exact)
		limen_quantity_clear(&of->value.quantity);
}

#define CONTAINER_LABEL_MAX 96
#define CONTAINER_FIELD_MAX 64

/* Writes a label for people: container "web", or init container 3 without a plain name. */
void container_label(const container *which, char out[CONTAINER_LABEL_MAX]);

/* Writes its path, spec.initContainers[3], and returns the end of it. */
char *container_field(const container *which, char out[CONTAINER_FIELD_MAX]);

/* ---- text.c: a text that grows, in memory of the request ---- */

typedef struct text_buffer {
	const limen_request *request;
	char *bytes;
	size_t length;
	size_t room;
	bool failed; /* memory is short */
} text_buffer;

/* Makes room for 'length' more bytes and a NUL, or sets 'failed'. */
void text_grow(text_buffer *to, size_t length);

/* Begins with 'request' alone: (text_buffer){ .request = req }. */
static inline void
text_add_bytes(text_buffer *to, const char *bytes, size_t length)
{
	/* There is always room for the NUL. */
	if (to->room - to->length <= length)
		text_grow(to, length);
	if (to->failed)
		return;
	memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
}

static inline void
text_add(text_buffer *to, const char *words)
{
	text_add_bytes(to, words, strlen(words));
}

static inline void
text_add_pair(text_buffer *to, const char *words, const char *value)
{
	text_add(to, words);
	text_add(to, value);
}

/* Writes a number of up to TEXT_INDEX_MAX - 1 digits and returns the end of it. */
#define TEXT_INDEX_MAX 24
char *text_index(char *out, size_t index);

/* Returns the text with its final NUL, or that memory was short ('failed'). */
const char *text_end(text_buffer *of);

#endif
