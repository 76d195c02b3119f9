/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - one LimitRange of a cluster: its names, and the text of what limen reads.
 * The rest is dropped: annotations may have 256 KiB, and managed fields may be longer than
 * the object; a tenant who may write LimitRanges controls both.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

static const char *const kept_annotations[] = { ANNOTATION_ITEMS, ANNOTATION_NAMESPACES, NULL };
static const char *const kept_metadata[] = { "name", "namespace", "creationTimestamp", NULL };
static const char *const kept_fields[] = { "spec", NULL };

static void
keep_members(limen_builder *build, limen_value object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		limen_value member = limen_value_get(object, *keys);

		if (limen_value_exists(member))
			limen_builder_value(build, *keys, member);
	}
}

char *
cluster_trim(limen_value object, size_t *length)
{
	limen_builder *build = limen_builder_new();
	limen_value metadata = limen_value_get(object, "metadata");
	char *text;

	limen_builder_object(build, NULL);
	limen_builder_object(build, "metadata");
	limen_builder_object(build, "annotations");
	keep_members(build, limen_value_get(metadata, "annotations"), kept_annotations);
	limen_builder_end(build);
	keep_members(build, metadata, kept_metadata);
	limen_builder_end(build);
	keep_members(build, object, kept_fields);
	limen_builder_end(build);
	text = limen_value_to_json(limen_builder_finish(build), 0, length);
	limen_builder_free(build);
	return text;
}

cluster_object *
cluster_object_new(const char *namespace, const char *name, const char *text, size_t size)
{
	size_t length = strlen(namespace) + 1;
	size_t more = strlen(name) + 1;
	cluster_object *object = calloc(1, sizeof *object + length + more + size + 1);

	if (object == NULL)
		return NULL;
	atomic_init(&object->users, 1);
	object->namespace = memcpy(object->bytes, namespace, length);
	object->name = memcpy(object->namespace + length, name, more);
	object->text = memcpy(object->name + more, text, size);
	object->size = size;
	return object;
}

cluster_object *
cluster_object_ref(cluster_object *item)
{
	atomic_fetch_add(&item->users, 1);
	return item;
}

void
cluster_object_unref(cluster_object *item)
{
	if (item == NULL || atomic_fetch_sub(&item->users, 1) > 1)
		return;
	range_set_clear(&item->set);
	limen_documents_free(item->owner);
	free(item);
}
