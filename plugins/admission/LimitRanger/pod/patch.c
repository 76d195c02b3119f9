/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch.c - writes the values containers are given into the document:
 * single members where the list is there, the list or all of "resources" where
 * it is not.  Names of resources and texts of quantities are those of checked
 * LimitRanges, and so need no escapes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../limit_ranger.h"

#define ANNOTATION "kubernetes.io/limit-ranger"

static bool
is_object(limen_value value)
{
	return limen_value_type(value) == LIMEN_TYPE_OBJECT;
}

static void
write_list(json_text *out, const additions *list)
{
	text_add(out, "{");
	for (size_t i = 0; i < list->count; i++) {
		const addition *one = &list->items[i];

		text_add(out, i == 0 ? "\"" : ",\"");
		text_add(out, one->value->name);
		text_add(out, "\":\"");
		text_add(out, one->text);
		text_add(out, "\"");
	}
	text_add(out, "}");
}

static void
write_resources(json_text *out, const container *which)
{
	const char *before = "{\"";

	for (unsigned i = SIDE_COUNT; i-- > 0;) {
		if (which->added[i].count == 0)
			continue;
		text_add(out, before);
		text_add(out, side_fields[i]);
		text_add(out, "\":");
		write_list(out, &which->added[i]);
		before = ",\"";
	}
	text_add(out, "}");
}

/* Sets a member to what was written. */
static int
set_text(limen_reply *reply, limen_value object, const char *key, json_text *written)
{
	const char *json = text_end(written);

	if (json == NULL)
		return LIMEN_ENOMEM;
	limen_reply_set(reply, object, key, json);
	return LIMEN_OK;
}

/* Writes the added values into "resources" of the object 'which->node'. */
static int
write_container(const limen_request *req, limen_reply *reply, const container *which)
{
	limen_value resources = which->resources;
	json_text written = { .request = req };
	int result = LIMEN_OK;

	if (which->added[SIDE_REQUEST].count + which->added[SIDE_LIMIT].count == 0)
		return LIMEN_OK;
	if (!is_object(resources)) {
		write_resources(&written, which);
		return set_text(reply, which->node, "resources", &written);
	}
	for (size_t i = 0; result == LIMEN_OK && i < SIDE_COUNT; i++) {
		limen_value list = which->given.nodes[i];
		const additions *added = &which->added[i];

		for (size_t j = 0; is_object(list) && j < added->count; j++)
			limen_reply_set_string(reply, list, added->items[j].value->name,
			                       added->items[j].text, strlen(added->items[j].text));
		if (is_object(list) || added->count == 0)
			continue;
		if (which->from[i] != NULL) {
			limen_reply_set_value(reply, resources, side_fields[i],
			                      limen_value_get(which->from[i]->resources,
			                                      side_fields[i]));
			continue;
		}
		written = (json_text){ .request = req };
		write_list(&written, added);
		result = set_text(reply, resources, side_fields[i], &written);
	}
	return result;
}

/* 'pointer': of the object that has "resources"; NULL: that of a container. */
static int
write_one(const limen_request *req, limen_reply *reply, const container *which,
          const char *pointer)
{
	int result = write_container(req, reply, which);
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
	container level = { .node = whole->spec, .given = whole->own };

	if (whole->own.lists[SIDE_REQUEST].count == 0 && whole->own.lists[SIDE_LIMIT].count == 0 &&
	    whole->added[SIDE_REQUEST].count == 0)
		return LIMEN_OK;
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
	json_text written = { .request = req, .plain = is_object(whole->annotations) };

	if (written.plain) {
		annotation_write(&written, whole, last);
		if (text_end(&written) == NULL)
			return LIMEN_ENOMEM;
		limen_reply_set_string(reply, whole->annotations, ANNOTATION, written.bytes,
		                       written.length);
		return LIMEN_OK;
	}
	text_add(&written, bare ? "{\"annotations\":{\"" ANNOTATION "\":\""
	                        : "{\"" ANNOTATION "\":\"");
	annotation_write(&written, whole, last);
	text_add(&written, bare ? "\"}}" : "\"}");
	if (bare)
		return set_text(reply, whole->document, "metadata", &written);
	return set_text(reply, whole->metadata, "annotations", &written);
}

int
default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                    limen_reply *reply)
{
	int result = write_pod_level(req, reply, whole);

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++)
		result = write_one(req, reply, &whole->containers[i], NULL);
	if (result != LIMEN_OK || last == NULL)
		return result;
	return write_account(req, reply, whole, last);
}
