/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads containers and their resources out of a Pod.  The API server never
 * sends malformed ones; any other client gets a violation with the path.  A malformed
 * value never counts as absent.
 */
#include <string.h>

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
 * Cap on the containers of a pod: three bytes of a request make a container, and its
 * defaults take hundreds of bytes of the answer.
 */
#define CONTAINERS_MAX      10000
#define TOO_MANY_CONTAINERS "a pod must have at most 10000 containers"

#define TOO_LONG "must be no more than 253 bytes"

/* The request that is read, and the reply for its violations. */
typedef struct reading {
	const limen_request *request;
	limen_reply *reply; /* may be NULL */
} reading;

#define FIELD_MAX (CONTAINER_FIELD_MAX + 64)

/* Writes the path of a value: 'field' in the container 'in', or by itself if that is NULL. */
static void
write_field(const container *in, const char *field, char out[FIELD_MAX])
{
	strcpy(in == NULL ? out : container_field(in, out), field);
}

static int
refuse_text(const reading *at, const char *field, const char *why)
{
	if (at->reply != NULL)
		limen_reply_violation(at->reply, LIMEN_CLASS_INVALID, field,
		                      "%s: Invalid value: %s", field, why);
	return LIMEN_EINVAL;
}

static int
refuse(const reading *at, const container *in, const char *field, const char *why)
{
	char whole[FIELD_MAX];

	write_field(in, field, whole);
	return refuse_text(at, whole, why);
}

/* Returns LIMEN_OK for an absent value too; null counts as absent, as in Go. */
static inline int
check_type(const reading *at, limen_value value, limen_type type, const container *in,
           const char *field)
{
	limen_type found = limen_value_type(value);

	if (found == type || found == LIMEN_TYPE_NONE || found == LIMEN_TYPE_NULL)
		return LIMEN_OK;
	return refuse(at, in, field,
	              type == LIMEN_TYPE_STRING  ? "must be a string"
	              : type == LIMEN_TYPE_ARRAY ? "must be an array"
	                                         : "must be an object");
}

/* As check_type(), of a text that is the name of something. */
static inline int
check_name(const reading *at, limen_value value, const container *in, const char *field)
{
	size_t length = 0;

	if (limen_value_string(value, &length) == NULL)
		return check_type(at, value, LIMEN_TYPE_STRING, in, field);
	return length > NAME_BYTES_MAX ? refuse(at, in, field, TOO_LONG) : LIMEN_OK;
}

static int
refuse_resource(const reading *at, const container *in, const char *field,
                const resource_problem *problem)
{
	const char *name = limen_value_string(problem->key, NULL);
	size_t size = FIELD_MAX + strlen(name) + sizeof "[]";
	char *place = limen_request_alloc(at->request, size);
	size_t length;

	if (place == NULL)
		return LIMEN_ENOMEM;
	write_field(in, field, place);
	length = strlen(place);
	snprintf(place + length, size - length, "[%s]", name);
	return refuse_text(at, place, problem->why);
}

static int
read_list(const reading *at, resource_list *out, limen_value map, const container *in,
          const char *field)
{
	size_t count = limen_value_count(map);
	resource_problem problem;
	int result = check_type(at, map, LIMEN_TYPE_OBJECT, in, field);

	if (result != LIMEN_OK || count == 0)
		return result;
	out->items = limen_request_alloc(at->request, count * sizeof *out->items);
	if (out->items == NULL)
		return LIMEN_ENOMEM;
	result = resource_list_read(out, map, &problem);
	return result == LIMEN_EINVAL ? refuse_resource(at, in, field, &problem) : result;
}

/* 'in' is the container that has 'resources'; NULL: the spec has. */
static int
read_requirements(const reading *at, requirements *out, limen_value resources, const container *in)
{
	static const limen_key keys[SIDE_COUNT] = { [SIDE_REQUEST] = LIMEN_KEY("requests"),
		                                    [SIDE_LIMIT] = LIMEN_KEY("limits") };
	static const char *const fields[SIDE_COUNT] = { [SIDE_REQUEST] = "spec.resources.requests",
		                                        [SIDE_LIMIT] = "spec.resources.limits" };
	size_t skipped = in == NULL ? 0 : strlen("spec");
	const char *field = &"spec.resources"[skipped];
	int result = check_type(at, resources, LIMEN_TYPE_OBJECT, in, field);

	if (limen_value_count(resources) == 0)
		return result;
	limen_value_pick(resources, keys, SIDE_COUNT, out->nodes);
	for (size_t i = 0; result == LIMEN_OK && i < SIDE_COUNT; i++)
		result = read_list(at, &out->lists[i], out->nodes[i], in, &fields[i][skipped]);
	return result;
}

static int
read_container(const reading *at, container *out)
{
	enum { NAME, POLICY, RESOURCES, COUNT };
	static const limen_key keys[COUNT] = { [NAME] = LIMEN_KEY("name"),
		                               [POLICY] = LIMEN_KEY("restartPolicy"),
		                               [RESOURCES] = LIMEN_KEY("resources") };
	limen_value found[COUNT];
	int result;

	if (limen_value_type(out->node) != LIMEN_TYPE_OBJECT)
		return refuse(at, out, "", "must be an object");
	limen_value_pick(out->node, keys, COUNT, found);
	out->name = found[NAME];
	out->resources = found[RESOURCES];
	result = check_name(at, out->name, out, ".name");
	if (result == LIMEN_OK)
		result = check_type(at, found[POLICY], LIMEN_TYPE_STRING, out, ".restartPolicy");
	out->sidecar = out->init && limen_value_is(found[POLICY], "Always");
	return result != LIMEN_OK ? result
	                          : read_requirements(at, &out->given, out->resources, out);
}

static int
read_containers(const reading *at, pod *out, limen_value list, bool init)
{
	limen_iter iter = limen_iter_start(list);
	int result = LIMEN_OK;
	size_t index = 0;
	limen_value node;

	while (result == LIMEN_OK && limen_iter_next(&iter, NULL, &node)) {
		container *item = &out->containers[out->count++];

		*item = (container){ .node = node, .init = init, .index = index++ };
		result = read_container(at, item);
	}
	return result;
}

static int
read_all_containers(const reading *at, pod *out, limen_value regular, limen_value init)
{
	static const char here[] = "spec.containers";
	size_t count = limen_value_count(regular) + limen_value_count(init);
	int result = check_type(at, regular, LIMEN_TYPE_ARRAY, NULL, here);

	if (result == LIMEN_OK)
		result = check_type(at, init, LIMEN_TYPE_ARRAY, NULL, "spec.initContainers");
	if (result != LIMEN_OK)
		return result;
	if (limen_value_count(regular) == 0)
		return refuse(at, NULL, here, "a pod must have a container");
	if (count > CONTAINERS_MAX)
		return refuse(at, NULL, here, TOO_MANY_CONTAINERS);
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
	static const char here[] = "metadata.labels";
	limen_iter iter = limen_iter_start(labels);
	int result = check_type(at, labels, LIMEN_TYPE_OBJECT, NULL, here);
	limen_value value;

	while (result == LIMEN_OK && limen_iter_next(&iter, NULL, &value))
		result = check_type(at, value, LIMEN_TYPE_STRING, NULL, here);
	return result;
}

/* 'fields', which end with NULL, are those of 'texts'. */
static int
check_names(const reading *at, const limen_value *texts, const char *const *fields)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && fields[i] != NULL; i++)
		result = check_name(at, texts[i], NULL, fields[i]);
	return result;
}

/* The annotations are where defaults.c leaves its account. */
static int
check_metadata(const reading *at, pod *out)
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
	static const char *const names[] = { "metadata.name", "metadata.generateName",
		                             "metadata.namespace", "metadata.uid", NULL };
	limen_value found[COUNT];
	int result = check_type(at, out->metadata, LIMEN_TYPE_OBJECT, NULL, "metadata");

	limen_value_pick(out->metadata, keys, COUNT, found);
	out->annotations = found[ANNOTATIONS];
	if (result == LIMEN_OK)
		result = check_type(at, out->annotations, LIMEN_TYPE_OBJECT, NULL,
		                    "metadata.annotations");
	if (result == LIMEN_OK)
		result = check_labels(at, found[LABELS]);
	return result != LIMEN_OK ? result : check_names(at, found, names);
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
	static const char *const names[] = { "spec.nodeName", "spec.serviceAccountName",
		                             "spec.priorityClassName", NULL };
	limen_value found[COUNT];
	int result;

	limen_value_pick(out->spec, keys, COUNT, found);
	result = check_names(at, found, names);
	if (result == LIMEN_OK)
		result = read_requirements(at, &out->own, found[RESOURCES], NULL);
	return result != LIMEN_OK ? result
	                          : read_all_containers(at, out, found[REGULAR], found[INIT]);
}

/* Stores the parts of an object, and what of its metadata and spec is wrong in 'result'. */
static int
read_object(const reading *at, pod *out, limen_value document)
{
	enum { METADATA, SPEC, COUNT };
	static const limen_key keys[COUNT] = { [METADATA] = LIMEN_KEY("metadata"),
		                               [SPEC] = LIMEN_KEY("spec") };
	limen_value found[COUNT];

	limen_value_pick(document, keys, COUNT, found);
	*out = (pod){ .document = document, .metadata = found[METADATA], .spec = found[SPEC] };
	if (limen_value_type(out->spec) != LIMEN_TYPE_OBJECT)
		return refuse(at, NULL, "spec", "must be an object");
	return check_metadata(at, out);
}

int
pod_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply)
{
	const reading at = { req, reply };
	int result = read_object(&at, out, document);

	return result != LIMEN_OK ? result : read_spec(&at, out);
}

int
claim_read(pod *out, const limen_request *req, limen_value document, limen_reply *reply)
{
	const reading at = { req, reply };
	int result = read_object(&at, out, document);

	if (result != LIMEN_OK)
		return result;
	out->containers = limen_request_alloc(req, sizeof *out->containers);
	if (out->containers == NULL)
		return LIMEN_ENOMEM;
	out->count = out->regular = 1;
	*out->containers = (container){ .node = out->spec };
	out->containers->resources = limen_value_get(out->spec, "resources");
	return read_requirements(&at, &out->containers->given, out->containers->resources, NULL);
}

static void
clear_requirements(requirements *out)
{
	for (size_t i = 0; i < SIDE_COUNT; i++)
		resource_list_clear(&out->lists[i]);
}

void
pod_clear(pod *whole)
{
	for (size_t i = 0; i < whole->count; i++)
		clear_requirements(&whole->containers[i].given);
	clear_requirements(&whole->own);
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		const resource_list *added = &whole->added[where];

		for (size_t i = 0; i < added->count; i++)
			if (added->items[i].origin == ORIGIN_SUM)
				limen_quantity_clear(&added->items[i].quantity);
	}
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
		stpcpy(stpcpy(stpcpy(stpcpy(out, kind), " \""), name), "\"");
	else
		snprintf(out, CONTAINER_LABEL_MAX, "%s %zu", kind, which->index);
}

char *
container_field(const container *which, char out[CONTAINER_FIELD_MAX])
{
	out = stpcpy(out, which->init ? "spec.initContainers[" : "spec.containers[");
	return stpcpy(text_index(out, which->index), "]");
}
