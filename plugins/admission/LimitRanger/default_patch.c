/* SPDX-License-Identifier: Apache-2.0 */
/*
 * default_patch.c - writes the values containers are given into the document:
 * single members where the list is there, the list or all of "resources" where
 * it is not.  Names of resources and texts of quantities are those of checked
 * LimitRanges, and so need no escapes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limit_ranger.h"

#define ANNOTATION "kubernetes.io/limit-ranger"

static bool
is_object(limen_value value)
{
	return limen_value_type(value) == LIMEN_TYPE_OBJECT;
}

/* Ends a text begun with open_memstream(); NULL if it is not complete. */
static char *
finish_text(FILE *out, char **text)
{
	bool failed = ferror(out) != 0;

	if (fclose(out) == 0 && !failed)
		return *text;
	free(*text);
	return NULL;
}

static void
write_list(FILE *out, const additions *list)
{
	fputc('{', out);
	for (const addition *one = list->first; one != NULL; one = one->next)
		fprintf(out, "%s\"%s\":\"%s\"", one == list->first ? "" : ",", one->value->name,
		        one->text);
	fputc('}', out);
}

static void
write_resources(FILE *out, const container *which)
{
	bool both = which->added[SIDE_REQUEST].first != NULL &&
	            which->added[SIDE_LIMIT].first != NULL;

	fputc('{', out);
	if (which->added[SIDE_LIMIT].first != NULL) {
		fputs("\"limits\":", out);
		write_list(out, &which->added[SIDE_LIMIT]);
	}
	if (both)
		fputc(',', out);
	if (which->added[SIDE_REQUEST].first != NULL) {
		fputs("\"requests\":", out);
		write_list(out, &which->added[SIDE_REQUEST]);
	}
	fputc('}', out);
}

/* Sets a member to the list 'from', or to all of "resources" if that is NULL. */
static int
set_written(limen_reply *reply, limen_value object, const char *key, const container *which,
            const additions *from)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		return LIMEN_ENOMEM;
	if (from == NULL)
		write_resources(out, which);
	else
		write_list(out, from);
	text = finish_text(out, &text);
	if (text == NULL)
		return LIMEN_ENOMEM;
	limen_reply_set(reply, object, key, text);
	free(text);
	return LIMEN_OK;
}

static int
set_members(const limen_request *req, limen_reply *reply, limen_value list, const additions *from)
{
	for (const addition *one = from->first; one != NULL; one = one->next) {
		size_t size = strlen(one->text) + sizeof "\"\"";
		char *json = limen_request_alloc(req, size);

		if (json == NULL)
			return LIMEN_ENOMEM;
		snprintf(json, size, "\"%s\"", one->text);
		limen_reply_set(reply, list, one->value->name, json);
	}
	return LIMEN_OK;
}

/* Puts in what was added to "resources" of the object 'which->node'. */
static int
write_container(const limen_request *req, limen_reply *reply, const container *which)
{
	limen_value resources = limen_value_get(which->node, "resources");
	int result = LIMEN_OK;

	if (which->added[SIDE_REQUEST].first == NULL && which->added[SIDE_LIMIT].first == NULL)
		return LIMEN_OK;
	if (!is_object(resources))
		return set_written(reply, which->node, "resources", which, NULL);
	for (size_t i = 0; result == LIMEN_OK && i < SIDE_COUNT; i++) {
		limen_value list = limen_value_get(resources, side_fields[i]);

		if (which->added[i].first == NULL)
			continue;
		if (is_object(list))
			result = set_members(req, reply, list, &which->added[i]);
		else
			result = set_written(reply, resources, side_fields[i], which,
			                     &which->added[i]);
	}
	return result;
}

/* Sets the annotation in the deepest object that is there. */
static int
set_annotation(limen_reply *reply, limen_value document, const char *json)
{
	limen_value metadata = limen_value_get(document, "metadata");
	limen_value annotations = limen_value_get(metadata, "annotations");
	char *text = NULL;

	if (is_object(annotations)) {
		limen_reply_set(reply, annotations, ANNOTATION, json);
		return LIMEN_OK;
	}
	if (asprintf(&text, is_object(metadata) ? "{\"" ANNOTATION "\":%s}"
	                                        : "{\"annotations\":{\"" ANNOTATION "\":%s}}",
	             json) < 0)
		return LIMEN_ENOMEM;
	if (is_object(metadata))
		limen_reply_set(reply, metadata, "annotations", text);
	else
		limen_reply_set(reply, document, "metadata", text);
	free(text);
	return LIMEN_OK;
}

static int
write_one(const limen_request *req, limen_reply *reply, const container *which,
          const char *pointer)
{
	int result = write_container(req, reply, which);

	if (result == LIMEN_OK && limen_request_is_manifest(req))
		result = api_rules_round(req, reply, &which->given, which->node, pointer);
	if (result == LIMEN_OK)
		origin_report_all(reply, pointer, which->added);
	return result;
}

/* What the pod has as a whole stands in "resources" of its spec. */
static int
write_pod_level(const limen_request *req, limen_reply *reply, const pod *whole)
{
	container level = { .node = limen_value_get(whole->document, "spec"),
		            .given = whole->own };

	memcpy(level.added, whole->added, sizeof level.added);
	return write_one(req, reply, &level, "/spec");
}

static int
write_account(limen_reply *reply, const pod *whole, const limit_range *last)
{
	char *annotation = annotation_text(whole, last);
	int result;

	if (annotation == NULL)
		return LIMEN_ENOMEM;
	result = set_annotation(reply, whole->document, annotation);
	free(annotation);
	return result;
}

int
default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                    limen_reply *reply)
{
	int result = write_pod_level(req, reply, whole);

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		const container *which = &whole->containers[i];
		char pointer[CONTAINER_FIELD_MAX];

		snprintf(pointer, sizeof pointer, "/spec/%s/%zu",
		         which->init ? "initContainers" : "containers", which->index);
		result = write_one(req, reply, which, pointer);
	}
	if (result != LIMEN_OK || last == NULL)
		return result;
	return write_account(reply, whole, last);
}
