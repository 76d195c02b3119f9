/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scope.c - which requests LimitRanges are about: the rules of the LimitRanger
 * plugin of Kubernetes (SupportsAttributes), and what is exempt.
 */
#include <string.h>

#include <limen/duration.h>

#include "limit_ranger.h"

static bool
is_set(limen_value value)
{
	return limen_value_exists(value) && limen_value_type(value) != LIMEN_TYPE_NULL;
}

/* Returns the text of 'value'; NULL if it has none, is empty, or would end too early. */
static const char *
get_text(limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	return length > 0 && strlen(text) == length ? text : NULL;
}

/* Returns the kind if it is of the core group; "" for other groups; NULL if it is not given. */
static const char *
find_kind(const limen_request *req)
{
	const char *kind = limen_request_field(req, LIMEN_FIELD_KIND);
	const char *group = limen_request_field(req, LIMEN_FIELD_GROUP);
	limen_value document, version;

	if (kind != NULL && *kind != '\0')
		return group == NULL || *group == '\0' ? kind : "";
	document = limen_request_document(req);
	version = limen_value_get(document, "apiVersion");
	kind = get_text(limen_value_get(document, "kind"));
	if (!is_set(version) || limen_value_is(version, "v1"))
		return kind;
	return kind != NULL && get_text(version) != NULL ? "" : NULL;
}

/* Returns NULL if the object's namespace is invalid. */
static const char *
find_namespace(const limit_ranger *self, const limen_request *req)
{
	const char *namespace = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	limen_value metadata, named;

	if (namespace != NULL && *namespace != '\0')
		return namespace;
	metadata = limen_value_get(limen_request_document(req), "metadata");
	named = limen_value_get(metadata, "namespace");
	if (is_set(metadata) && limen_value_type(metadata) != LIMEN_TYPE_OBJECT)
		return NULL;
	if (!is_set(named) || limen_value_is(named, ""))
		return self->namespace;
	return get_text(named);
}

static limen_verdict
refuse_to_tell(limen_reply *reply, const char *text)
{
	limen_reply_reason(reply, "the %s of the object is not known", text);
	return LIMEN_ERROR;
}

/*
 * Anybody may write the annotation; only a kubelet creates mirror pods, and it
 * belongs to this group (kubernetes: NodeRestriction).
 */
static bool
is_mirror_pod(const limen_request *req)
{
	limen_value document = limen_request_document(req);
	size_t count = 0;
	const char *const *groups = limen_request_groups(req, &count);

	if (!is_set(annotation_get(document, "kubernetes.io/config.mirror")))
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(groups[i], "system:nodes") == 0)
			return true;
	return false;
}
/* Only the subresource "resize" can change the resources of an existing pod. */
static bool
is_supported(const limen_request *req, const char *kind, bool is_pod, bool is_update)
{
	const char *name = limen_request_field(req, LIMEN_FIELD_SUBRESOURCE);

	return (is_pod || strcmp(kind, "PersistentVolumeClaim") == 0) &&
	       strcmp(name == NULL ? "" : name, is_pod && is_update ? "resize" : "") == 0;
}

/* The API server writes times in just this form; anything else is no deletion. */
static bool
is_being_deleted(limen_value object)
{
	static const char form[] = "2006-01-02T15:04:05Z";
	limen_value metadata = limen_value_get(object, "metadata");
	limen_timestamp time;
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(metadata, "deletionTimestamp"),
	                                      &length);

	return text != NULL && length == strlen(form) && text[length - 1] == 'Z' &&
	       limen_timestamp_parse(text, length, 0, &time, NULL) == LIMEN_OK;
}

/* Finds the object, if LimitRanges can apply to the request. */
static limen_verdict
find_object(scope *out, const limen_request *req, limen_reply *reply)
{
	const char *operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	bool is_update = operation != NULL && strcmp(operation, "UPDATE") == 0;
	const char *kind;
	bool is_pod;

	/* A manifest that comes without an envelope is about to be created. */
	if (!is_update && operation != NULL && *operation != '\0' &&
	    strcmp(operation, "CREATE") != 0)
		return LIMEN_SKIP;
	kind = find_kind(req);
	if (kind == NULL)
		return refuse_to_tell(reply, "kind");
	is_pod = strcmp(kind, "Pod") == 0;
	if (!is_supported(req, kind, is_pod, is_update))
		return LIMEN_SKIP;
	*out = (scope){
		.is_pod = is_pod,
		.object = limen_request_document(req),
		.old = is_update ? limen_request_old(req) : limen_value_none(),
	};
	return is_update && is_being_deleted(out->old) ? LIMEN_SKIP : LIMEN_PASS;
}

void
scope_leave(const scope *within)
{
	if (within->cluster == NULL)
		return;
	cluster_list_leave(within->list);
	cluster_leave(within->cluster, within->turn);
}

bool
scope_has_item(const scope *within, const range_item *item)
{
	return within->is_pod ? item->type == ITEM_POD || item->type == ITEM_CONTAINER
	                     : item->type == ITEM_CLAIM;
}

/* Returns false, with a reason, if a LimitRange that applies to the object cannot be read. */
static bool
is_readable(const scope *within, const limit_range *range, limen_reply *reply)
{
	const char *problem = range->problem;

	for (size_t i = 0; problem == NULL && i < range->count; i++)
		if (scope_has_item(within, &range->items[i]))
			problem = range->items[i].problem;
	if (problem != NULL)
		limen_reply_reason(reply, "LimitRange \"%s\" of the namespace \"%s\" cannot be "
		                          "used: %s", range->name, range->namespace, problem);
	return problem == NULL;
}

/* Finds the LimitRanges that the watch knows or else a list of the namespace. */
static limen_verdict
enter_cluster(scope *out, cluster *from, const range_set **set, const limen_request *req,
              limen_reply *reply)
{
	const cluster_state *state;
	limen_verdict verdict = cluster_enter(from, out->namespace, set, &out->turn, reply);

	if (verdict != LIMEN_PASS)
		return verdict;
	out->cluster = from;
	if (range_set_has(*set, out->namespace))
		return LIMEN_PASS;
	out->list = cluster_list_enter(from, out->namespace, req, reply);
	if (out->list == NULL)
		return LIMEN_ERROR;
	state = cluster_list_state(out->list);
	*set = &state->set;
	return cluster_state_has(from, state, out->namespace, reply) ? LIMEN_PASS : LIMEN_ERROR;
}

/* Finds the LimitRanges; the rest of 'out' is filled. */
static limen_verdict
find_ranges(scope *out, const limit_ranger *self, const limen_request *req, limen_reply *reply)
{
	const range_set *set = &self->ranges;
	limen_verdict verdict = LIMEN_PASS;

	if (self->cluster != NULL)
		verdict = enter_cluster(out, self->cluster, &set, req, reply);
	if (verdict != LIMEN_PASS) {
		scope_leave(out);
		return verdict;
	}
	if (range_set_find(set, out->namespace, req, &out->ranges, &out->count) != LIMEN_OK) {
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		verdict = LIMEN_ERROR;
	} else if (out->count == 0) {
		verdict = LIMEN_SKIP;
		/* A trace is wanted. */
		if (limen_reply_wants_bounds(reply))
			limen_reply_reason(reply, "no LimitRange applies to namespace '%s'",
			                   out->namespace);
	}
	for (size_t i = 0; self->cluster != NULL && verdict == LIMEN_PASS && i < out->count; i++)
		verdict = is_readable(out, out->ranges[i], reply) ? LIMEN_PASS : LIMEN_ERROR;
	if (verdict != LIMEN_PASS)
		scope_leave(out);
	return verdict;
}

/* Finds the object and its namespace. */
static limen_verdict
find_place(scope *out, const limit_ranger *self, const limen_request *req, limen_reply *reply)
{
	limen_verdict verdict = find_object(out, req, reply);
	const char *namespace;

	if (verdict != LIMEN_PASS)
		return verdict;
	if (out->is_pod && self->mirror_pods == MIRROR_EXEMPT && is_mirror_pod(req))
		return LIMEN_SKIP;
	namespace = find_namespace(self, req);
	if (namespace == NULL || strlen(namespace) > NAME_BYTES_MAX)
		return refuse_to_tell(reply, "namespace");
	out->namespace = namespace;
	out->name = limen_request_field(req, LIMEN_FIELD_NAME);
	/* Patterns also match the object's own name, and a too long one is refused there. */
	if (out->name != NULL && strlen(out->name) > NAME_BYTES_MAX)
		out->name = NULL;
	return LIMEN_PASS;
}

limen_verdict
scope_find(scope *out, const limit_ranger *self, const limen_request *req, limen_reply *reply)
{
	limen_verdict verdict = find_place(out, self, req, reply);

	return verdict == LIMEN_PASS ? find_ranges(out, self, req, reply) : verdict;
}

bool
scope_ready(const void *self, const limen_request *req)
{
	const limit_ranger *ranger = self;
	scope within;

	return ranger->cluster == NULL || find_place(&within, ranger, req, NULL) != LIMEN_PASS ||
	       cluster_ready(ranger->cluster, within.namespace, req);
}
