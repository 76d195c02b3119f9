/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads containers and their resources out of a Pod.  The API
 * server never sends anything that is malformed here; whoever else does is told
 * where, and nothing of it counts as absent.
 */
#include <string.h>

#include "../range/names.h"
#include "pod.h"

const char *const side_fields[SIDE_COUNT] = {
	[SIDE_REQUEST] = "requests",
	[SIDE_LIMIT] = "limits",
};

const char *const side_names[SIDE_COUNT] = {
	[SIDE_REQUEST] = "request",
	[SIDE_LIMIT] = "limit",
};

/*
 * More than anybody runs.  Three bytes of a request make a container, for which defaults
 * are hundreds of bytes in an answer.
 */
#define CONTAINERS_MAX      10000
#define TOO_MANY_CONTAINERS "a pod must have at most 10000 containers"

/* Where a reading is, and whom to tell what is wrong there. */
typedef struct reading {
	const limen_request *request;
	limen_reply *reply; /* may be NULL */
} reading;

/* Where a value stands: in a container, or below a path.  Its text is rarely needed. */
typedef struct spot {
	const container *in; /* NULL: below 'path' */
	const char *path;
	const char *tail; /* each begins with a "." or is "" */
	const char *more;
} spot;

#define SPOT_MAX (CONTAINER_FIELD_MAX + 64)

static void
print_spot(const spot *where, char out[SPOT_MAX])
{
	char place[CONTAINER_FIELD_MAX];

	if (where->in != NULL)
		container_field(where->in, place);
	snprintf(out, SPOT_MAX, "%s%s%s", where->in != NULL ? place : where->path,
	         where->tail == NULL ? "" : where->tail, where->more == NULL ? "" : where->more);
}

static int
refuse_text(const reading *at, const char *field, const char *why)
{
	if (at->reply != NULL)
		limen_reply_violation(at->reply, LIMEN_INVALID, field, "%s: Invalid value: %s",
		                      field, why);
	return LIMEN_EINVAL;
}

static int
refuse(const reading *at, const spot *where, const char *why)
{
	char field[SPOT_MAX];

	print_spot(where, field);
	return refuse_text(at, field, why);
}

static int
refuse_type(const reading *at, limen_type type, const spot *where)
{
	switch (type) {
	case LIMEN_TYPE_STRING:
		return refuse(at, where, "must be a string");
	case LIMEN_TYPE_ARRAY:
		return refuse(at, where, "must be an array");
	default:
		return refuse(at, where, "must be an object");
	}
}

/* Stores whether there is a value of 'type'; null counts as absent, as in Go. */
static inline bool
has_type(limen_value value, limen_type type, bool *there)
{
	limen_type found = limen_value_type(value);

	*there = found == type;
	return *there || found == LIMEN_TYPE_NONE || found == LIMEN_TYPE_NULL;
}

static int
refuse_resource(const reading *at, const spot *where, const resource_problem *problem)
{
	const char *name = limen_value_string(problem->key, NULL);
	size_t size = SPOT_MAX + strlen(name) + sizeof "[]";
	char *place = limen_request_alloc(at->request, size);
	size_t length;

	if (place == NULL)
		return LIMEN_ENOMEM;
	print_spot(where, place);
	length = strlen(place);
	snprintf(place + length, size - length, "[%s]", name);
	return refuse_text(at, place, problem->why);
}

static int
read_list(const reading *at, resource_list *out, limen_value map, const spot *where)
{
	size_t count = limen_value_count(map);
	resource_problem problem;
	bool there;
	int result;

	if (!has_type(map, LIMEN_TYPE_OBJECT, &there))
		return refuse_type(at, LIMEN_TYPE_OBJECT, where);
	if (!there || count == 0)
		return LIMEN_OK;
	if (count > SIZE_MAX / sizeof *out->items)
		return LIMEN_ENOMEM;
	out->items = limen_request_alloc(at->request, count * sizeof *out->items);
	if (out->items == NULL)
		return LIMEN_ENOMEM;
	result = resource_list_read(out, map, &problem);
	return result == LIMEN_EINVAL ? refuse_resource(at, where, &problem) : result;
}

/* 'resources' of what 'whose' says. */
static int
read_requirements(const reading *at, requirements *out, limen_value resources, const spot *whose)
{
	static const limen_key keys[SIDE_COUNT] = { [SIDE_REQUEST] = LIMEN_KEY("requests"),
		                                    [SIDE_LIMIT] = LIMEN_KEY("limits") };
	static const char *const fields[SIDE_COUNT] = { [SIDE_REQUEST] = ".requests",
		                                        [SIDE_LIMIT] = ".limits" };
	spot where = { .in = whose->in, .path = whose->path, .tail = ".resources" };
	int result = LIMEN_OK;
	bool there;

	if (!has_type(resources, LIMEN_TYPE_OBJECT, &there))
		return refuse_type(at, LIMEN_TYPE_OBJECT, &where);
	if (!there)
		return LIMEN_OK;
	limen_value_pick(resources, keys, SIDE_COUNT, out->nodes);
	for (size_t i = 0; result == LIMEN_OK && i < SIDE_COUNT; i++) {
		where.more = fields[i];
		result = read_list(at, &out->lists[i], out->nodes[i], &where);
	}
	return result;
}

int
requirements_read(requirements *out, const limen_request *req, limen_value node,
                  const char *field, limen_reply *reply)
{
	*out = (requirements){ .lists = { { .items = NULL } } };
	return read_requirements(&(reading){ req, reply }, out,
	                         limen_value_get(node, "resources"), &(spot){ .path = field });
}

void
requirements_clear(requirements *out)
{
	for (size_t i = 0; i < SIDE_COUNT; i++)
		resource_list_clear(&out->lists[i]);
}

static int
read_container(const reading *at, container *out)
{
	enum { NAME, POLICY, RESOURCES, COUNT };
	static const limen_key keys[COUNT] = { [NAME] = LIMEN_KEY("name"),
		                               [POLICY] = LIMEN_KEY("restartPolicy"),
		                               [RESOURCES] = LIMEN_KEY("resources") };
	limen_value found[COUNT];
	spot where = { .in = out };
	bool there;

	if (limen_value_type(out->node) != LIMEN_TYPE_OBJECT)
		return refuse(at, &where, "must be an object");
	limen_value_pick(out->node, keys, COUNT, found);
	out->name = found[NAME];
	out->resources = found[RESOURCES];
	where.tail = ".name";
	if (!has_type(out->name, LIMEN_TYPE_STRING, &there))
		return refuse_type(at, LIMEN_TYPE_STRING, &where);
	where.tail = ".restartPolicy";
	if (!has_type(found[POLICY], LIMEN_TYPE_STRING, &there))
		return refuse_type(at, LIMEN_TYPE_STRING, &where);
	out->sidecar = out->init && limen_value_is(found[POLICY], "Always");
	return read_requirements(at, &out->given, out->resources, &where);
}

static int
read_containers(const reading *at, pod *out, limen_value list, bool init)
{
	limen_iter iter = limen_iter_start(list);
	size_t index = 0;
	limen_value node;

	while (limen_iter_next(&iter, NULL, &node)) {
		container *one = &out->containers[out->count];
		int result;

		*one = (container){ .node = node, .init = init, .index = index++ };
		out->count++;
		result = read_container(at, one);
		if (result != LIMEN_OK)
			return result;
	}
	return LIMEN_OK;
}

static int
read_all_containers(const reading *at, pod *out, limen_value regular, limen_value init)
{
	size_t count = limen_value_count(regular) + limen_value_count(init);
	bool there;
	int result;

	if (!has_type(regular, LIMEN_TYPE_ARRAY, &there))
		return refuse_type(at, LIMEN_TYPE_ARRAY, &(spot){ .path = "spec.containers" });
	if (!has_type(init, LIMEN_TYPE_ARRAY, &there))
		return refuse_type(at, LIMEN_TYPE_ARRAY, &(spot){ .path = "spec.initContainers" });
	if (limen_value_count(regular) == 0)
		return refuse(at, &(spot){ .path = "spec.containers" }, "a pod must have a container");
	if (count > CONTAINERS_MAX)
		return refuse(at, &(spot){ .path = "spec.containers" }, TOO_MANY_CONTAINERS);
	out->containers = limen_request_alloc(at->request, count * sizeof *out->containers);
	if (out->containers == NULL)
		return LIMEN_ENOMEM;
	result = read_containers(at, out, regular, false);
	out->regular = out->count;
	return result != LIMEN_OK ? result : read_containers(at, out, init, true);
}

/* Values of labels are texts, of which null is the empty one. */
static int
check_labels(const reading *at, limen_value labels)
{
	limen_iter iter = limen_iter_start(labels);
	limen_value value;
	bool there;

	if (!has_type(labels, LIMEN_TYPE_OBJECT, &there))
		return refuse_type(at, LIMEN_TYPE_OBJECT, &(spot){ .path = "metadata.labels" });
	while (there && limen_iter_next(&iter, NULL, &value)) {
		bool given;

		if (!has_type(value, LIMEN_TYPE_STRING, &given))
			return refuse_type(at, LIMEN_TYPE_STRING,
			                   &(spot){ .path = "metadata.labels" });
	}
	return LIMEN_OK;
}

/* 'names', of as many values as 'texts', begin with a ".". */
static int
check_texts(const reading *at, const limen_value *texts, const char *const *names,
            const char *prefix)
{
	bool there;

	for (size_t i = 0; names[i] != NULL; i++) {
		if (!has_type(texts[i], LIMEN_TYPE_STRING, &there))
			return refuse_type(at, LIMEN_TYPE_STRING,
			                   &(spot){ .path = prefix, .tail = names[i] });
	}
	return LIMEN_OK;
}

/* The annotations are where defaults.c leaves its account. */
static int
check_metadata(const reading *at, limen_value metadata, limen_value *annotations)
{
	enum { NAME, PREFIX, NAMESPACE, UID, ANNOTATIONS, LABELS, COUNT };
	static const limen_key keys[COUNT] = {
		[NAME] = LIMEN_KEY("name"),
		[PREFIX] = LIMEN_KEY("generateName"),
		[NAMESPACE] = LIMEN_KEY("namespace"),
		[UID] = LIMEN_KEY("uid"),
		[ANNOTATIONS] = LIMEN_KEY("annotations"),
		[LABELS] = LIMEN_KEY("labels"),
	};
	static const char *const names[] = { ".name", ".generateName", ".namespace", ".uid", NULL };
	limen_value found[COUNT];
	bool there;
	int result;

	if (!has_type(metadata, LIMEN_TYPE_OBJECT, &there))
		return refuse_type(at, LIMEN_TYPE_OBJECT, &(spot){ .path = "metadata" });
	limen_value_pick(metadata, keys, COUNT, found);
	*annotations = found[ANNOTATIONS];
	if (!has_type(*annotations, LIMEN_TYPE_OBJECT, &there))
		return refuse_type(at, LIMEN_TYPE_OBJECT, &(spot){ .path = "metadata.annotations" });
	result = check_labels(at, found[LABELS]);
	return result != LIMEN_OK ? result : check_texts(at, found, names, "metadata");
}

bool
metadata_check(const limen_request *req, limen_value object, limen_reply *reply)
{
	limen_value annotations;

	return check_metadata(&(reading){ req, reply }, limen_value_get(object, "metadata"),
	                      &annotations) == LIMEN_OK;
}

static int
read_spec(const reading *at, pod *out)
{
	enum { NODE, ACCOUNT, PRIORITY, RESOURCES, REGULAR, INIT, COUNT };
	static const limen_key keys[COUNT] = {
		[NODE] = LIMEN_KEY("nodeName"),
		[ACCOUNT] = LIMEN_KEY("serviceAccountName"),
		[PRIORITY] = LIMEN_KEY("priorityClassName"),
		[RESOURCES] = LIMEN_KEY("resources"),
		[REGULAR] = LIMEN_KEY("containers"),
		[INIT] = LIMEN_KEY("initContainers"),
	};
	static const char *const names[] = {
		".nodeName", ".serviceAccountName", ".priorityClassName", NULL
	};
	limen_value found[COUNT];
	int result;

	limen_value_pick(out->spec, keys, COUNT, found);
	result = check_texts(at, found, names, "spec");
	if (result == LIMEN_OK)
		result = read_requirements(at, &out->own, found[RESOURCES],
		                           &(spot){ .path = "spec" });
	return result != LIMEN_OK ? result
	                          : read_all_containers(at, out, found[REGULAR], found[INIT]);
}

int
pod_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply)
{
	enum { METADATA, SPEC, COUNT };
	static const limen_key keys[COUNT] = { [METADATA] = LIMEN_KEY("metadata"),
		                               [SPEC] = LIMEN_KEY("spec") };
	const reading at = { req, reply };
	limen_value found[COUNT];
	int result;

	limen_value_pick(document, keys, COUNT, found);
	*out = (pod){ .document = document, .metadata = found[METADATA], .spec = found[SPEC] };
	if (limen_value_type(out->spec) != LIMEN_TYPE_OBJECT)
		return refuse(&at, &(spot){ .path = "spec" }, "must be an object");
	result = check_metadata(&at, out->metadata, &out->annotations);
	return result != LIMEN_OK ? result : read_spec(&at, out);
}

void
pod_clear(pod *whole)
{
	for (size_t i = 0; i < whole->count; i++)
		requirements_clear(&whole->containers[i].given);
	requirements_clear(&whole->own);
	for (size_t i = 0; i < POD_LEVEL_COUNT; i++)
		limen_quantity_clear(&whole->sums[i]);
	whole->count = 0;
}

void
container_label(const container *which, char out[CONTAINER_LABEL_MAX])
{
	const char *kind = which->init ? "init container" : "container";
	name_problems problems = { .count = 0 };
	size_t length = 0;
	const char *name = limen_value_string(which->name, &length);

	if (name != NULL)
		names_check_label(name, length, &problems);
	if (name != NULL && problems.count == 0)
		snprintf(out, CONTAINER_LABEL_MAX, "%s \"%s\"", kind, name);
	else
		snprintf(out, CONTAINER_LABEL_MAX, "%s %zu", kind, which->index);
}

void
container_field(const container *which, char out[CONTAINER_FIELD_MAX])
{
	snprintf(out, CONTAINER_FIELD_MAX, "spec.%s[%zu]",
	         which->init ? "initContainers" : "containers", which->index);
}
