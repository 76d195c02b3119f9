/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch.c - writes the values containers are given into the document:
 * single members where the list is there, the list or all of "resources" where
 * it is not.
 */
#include <stdio.h>
#include <string.h>

#include "../limit_ranger.h"

#define ANNOTATION "kubernetes.io/limit-ranger"

static bool
is_object(limen_value value)
{
	return limen_value_type(value) == LIMEN_TYPE_OBJECT;
}

static void
build_list(limen_builder *build, const char *key, const resource_list *list)
{
	limen_builder_object(build, key);
	for (size_t i = 0; i < list->count; i++)
		limen_builder_string(build, list->items[i].name, list->items[i].text,
		                     strlen(list->items[i].text));
	limen_builder_end(build);
}

/* Sets a member to what was built, and frees the builder. */
static int
set_built(limen_reply *reply, limen_value object, const char *key, limen_builder *build)
{
	limen_value value = limen_builder_finish(build);
	int result = limen_value_exists(value) ? LIMEN_OK : LIMEN_ENOMEM;

	if (result == LIMEN_OK)
		limen_reply_set_value(reply, object, key, value);
	limen_builder_free(build);
	return result;
}

static int
set_resources(limen_reply *reply, const container *which)
{
	limen_builder *build = limen_builder_new();

	limen_builder_object(build, NULL);
	for (unsigned i = SIDE_COUNT; i-- > 0;)
		if (which->added[i].count > 0)
			build_list(build, side_fields[i], &which->added[i]);
	limen_builder_end(build);
	return set_built(reply, which->node, "resources", build);
}

/* Writes the added values into "resources" of the object 'which->node'. */
static int
write_container(limen_reply *reply, const container *which)
{
	limen_value resources = which->resources;
	int result = LIMEN_OK;

	if (which->added[SIDE_REQUEST].count + which->added[SIDE_LIMIT].count == 0)
		return LIMEN_OK;
	if (!is_object(resources))
		return set_resources(reply, which);
	for (size_t i = 0; result == LIMEN_OK && i < SIDE_COUNT; i++) {
		limen_value list = which->given.nodes[i];
		const resource_list *added = &which->added[i];

		for (size_t j = 0; is_object(list) && j < added->count; j++)
			limen_reply_set_string(reply, list, added->items[j].name,
			                       added->items[j].text, strlen(added->items[j].text));
		if (is_object(list) || added->count == 0)
			continue;
		if (which->from[i] != NULL) {
			limen_reply_set_value(reply, resources, side_fields[i],
			                      which->from[i]->defaults[i]);
		} else {
			limen_builder *build = limen_builder_new();

			build_list(build, NULL, added);
			result = set_built(reply, resources, side_fields[i], build);
		}
	}
	return result;
}

/* 'pointer': of the object that has "resources"; NULL: that of a container. */
static int
write_one(const limen_request *req, limen_reply *reply, const container *which, const char *pointer)
{
	int result = write_container(reply, which);
	char own[CONTAINER_FIELD_MAX];

	if (result != LIMEN_OK ||
	    !(limen_request_is_manifest(req) || limen_reply_wants_origins(reply)))
		return result;
	if (pointer == NULL) {
		snprintf(own, sizeof own, "/spec/%s/%zu",
		         which->init ? "initContainers" : "containers", which->index);
		pointer = own;
	}
	if (limen_request_is_manifest(req))
		api_rules_round(reply, &which->given, which->node, pointer);
	origin_report_all(reply, pointer, which);
	return LIMEN_OK;
}

/* Writes the values of the pod as a whole into "resources" of its spec. */
static int
write_pod_level(const limen_request *req, limen_reply *reply, const pod *whole)
{
	container level;

	if (whole->own.lists[SIDE_REQUEST].count == 0 && whole->own.lists[SIDE_LIMIT].count == 0 &&
	    whole->added[SIDE_REQUEST].count == 0)
		return LIMEN_OK;
	level = (container){ .node = whole->spec, .given = whole->own };
	level.resources = limen_value_get(whole->spec, "resources");
	memcpy(level.added, whole->added, sizeof level.added);
	return write_one(req, reply, &level, "/spec");
}

/* Sets the annotation in the deepest object that is there. */
static int
write_account(const limen_request *req, limen_reply *reply, const pod *whole,
              const limit_range *last)
{
	bool bare = !is_object(whole->metadata);
	text_buffer text = { .request = req };
	limen_builder *build;

	annotation_write(&text, whole, last);
	text_end(&text);
	if (text.failed)
		return LIMEN_ENOMEM;
	if (is_object(whole->annotations)) {
		limen_reply_set_string(reply, whole->annotations, ANNOTATION, text.bytes,
		                       text.length);
		return LIMEN_OK;
	}
	build = limen_builder_new();
	limen_builder_object(build, NULL);
	if (bare)
		limen_builder_object(build, "annotations");
	limen_builder_string(build, ANNOTATION, text.bytes, text.length);
	if (bare)
		limen_builder_end(build);
	limen_builder_end(build);
	return bare ? set_built(reply, whole->document, "metadata", build)
	            : set_built(reply, whole->metadata, "annotations", build);
}

int
default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                    limen_reply *reply)
{
	int result = write_pod_level(req, reply, whole);

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++)
		result = write_one(req, reply, &whole->containers[i], NULL);
	return result != LIMEN_OK || last == NULL ? result : write_account(req, reply, whole, last);
}
