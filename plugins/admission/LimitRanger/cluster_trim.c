/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_trim.c - what is kept of a LimitRange of a cluster: what limen reads.
 * Annotations may have 256 KiB, and the fields that servers manage be longer than
 * all they are about; whoever may write LimitRanges has a say in both.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cluster.h"

static const char *const kept_annotations[] = { ANNOTATION_ITEMS, ANNOTATION_NAMESPACES, NULL };
static const char *const kept_metadata[] = { "name", "namespace", "creationTimestamp", NULL };
static const char *const kept_names[] = { "name", "namespace", NULL };
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
		text = limen_value_print(member, 0, NULL);
		if (text == NULL)
			return false;
		fprintf(out, "%s\"%s\":%s", before, *keys, text);
		free(text);
		before = ",";
	}
	return true;
}

static bool
write_object(FILE *out, limen_value object, bool named_only)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_value annotations = limen_value_get(metadata, "annotations");
	bool good;

	fputs("{\"metadata\":{\"annotations\":{", out);
	good = named_only || write_members(out, "", annotations, kept_annotations);
	fputc('}', out);
	good = good && write_members(out, ",", metadata, named_only ? kept_names : kept_metadata);
	fputc('}', out);
	good = good && (named_only || write_members(out, ",", object, kept_fields));
	fputc('}', out);
	return good && !ferror(out);
}

/* Returns the text of what is kept, or NULL when memory is short. */
static char *
print(limen_value object, bool named_only, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	bool good;

	if (out == NULL)
		return NULL;
	good = write_object(out, object, named_only);
	if (fclose(out) == 0 && good)
		return text;
	free(text);
	return NULL;
}

bool
cluster_object_make(cluster_object *one, limen_value object, bool named_only)
{
	size_t length = 0;
	char *text = print(object, named_only, &length);
	int result = LIMEN_ENOMEM;

	if (text != NULL)
		result = limen_documents_parse("object.json", text, length, 0, &one->owner, NULL);
	free(text);
	if (result != LIMEN_OK)
		return false;
	one->size = named_only ? 0 : length;
	one->value = limen_documents_get(one->owner, 0);
	return true;
}
