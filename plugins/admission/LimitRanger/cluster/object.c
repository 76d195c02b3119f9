/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - one LimitRange of a cluster: its names, and the text of what limen reads.
 * The rest is dropped: annotations may have 256 KiB, and managed fields may be longer than
 * the object; a tenant who may write LimitRanges controls both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

static const char *const kept_annotations[] = { ANNOTATION_ITEMS, ANNOTATION_NAMESPACES, NULL };
static const char *const kept_metadata[] = { "name", "namespace", "creationTimestamp", NULL };
static const char *const kept_fields[] = { "spec", NULL };

/* Writes those members that there are; 'before' stands before the first.  False: no memory. */
static bool
write_members(FILE *out, const char *before, limen_value object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		limen_value member = limen_value_get(object, *keys);
		char *text;

		if (!limen_value_exists(member))
			continue;
		text = limen_value_to_json(member, 0, NULL);
		if (text == NULL)
			return false;
		fprintf(out, "%s\"%s\":%s", before, *keys, text);
		free(text);
		before = ",";
	}
	return true;
}

static bool
write_object(FILE *out, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_value annotations = limen_value_get(metadata, "annotations");
	bool good;

	fputs("{\"metadata\":{\"annotations\":{", out);
	good = write_members(out, "", annotations, kept_annotations);
	fputc('}', out);
	good = good && write_members(out, ",", metadata, kept_metadata);
	fputc('}', out);
	good = good && write_members(out, ",", object, kept_fields);
	fputc('}', out);
	return good && !ferror(out);
}

char *
cluster_trim(limen_value object, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	bool good;

	if (out == NULL)
		return NULL;
	good = write_object(out, object);
	if (fclose(out) == 0 && good)
		return text;
	free(text);
	return NULL;
}

cluster_object *
cluster_object_new(const char *namespace, const char *name, const char *text, size_t size)
{
	size_t length = strlen(namespace) + 1;
	size_t more = strlen(name) + 1;
	cluster_object *made = calloc(1, sizeof *made + length + more + size + 1);

	if (made == NULL)
		return NULL;
	atomic_init(&made->users, 1);
	made->namespace = memcpy(made->bytes, namespace, length);
	made->name = memcpy(made->namespace + length, name, more);
	made->text = memcpy(made->name + more, text, size);
	made->size = size;
	return made;
}

cluster_object *
cluster_object_ref(cluster_object *one)
{
	atomic_fetch_add(&one->users, 1);
	return one;
}

void
cluster_object_unref(cluster_object *one)
{
	if (one == NULL || atomic_fetch_sub(&one->users, 1) > 1)
		return;
	range_set_clear(&one->set);
	limen_documents_free(one->owner);
	free(one);
}
