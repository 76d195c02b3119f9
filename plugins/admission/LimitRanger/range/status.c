/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status.c - the LimitRanges in force, as the API server would show them:
 * with their defaults, and by namespace in the order in which they are applied.
 * Names of resources and quantities need no escapes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/duration.h>

#include "range.h"

/* The order of "kubectl get limits -o yaml". */
static const size_t shown_lists[LIST_COUNT] = {
	LIST_DEFAULT, LIST_DEFAULT_REQUEST, LIST_MAX, LIST_RATIO, LIST_MIN,
};

void
range_list_write(FILE *out, const char *name, const resource_list *list)
{
	fprintf(out, "\"%s\":{", name);
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "%s\"%s\":\"%s\"", i == 0 ? "" : ",", list->items[i].name,
		        list->items[i].text);
	fputc('}', out);
}

/* Writes a member; the text is escaped, since a cluster may store invalid names. */
static void
write_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, "\"%s\":\"", key);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void
write_item(FILE *out, const range_item *item)
{
	fputc('{', out);
	for (size_t i = 0; i < LIST_COUNT; i++) {
		const resource_list *list = &item->lists[shown_lists[i]];

		if (list->count == 0)
			continue;
		range_list_write(out, range_list_names[shown_lists[i]], list);
		fputc(',', out);
	}
	write_text(out, "type", item->type_text);
	fputc('}', out);
}

/* Writes the annotations of limen; their texts come from a document and may need escapes. */
static void
write_annotations(FILE *out, const limit_range *range)
{
	static const char *const keys[] = { ANNOTATION_ITEMS, ANNOTATION_NAMESPACES };
	const char *before = "\"annotations\":{";

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		char *text = limen_value_to_json(annotation_get(range->where, keys[i]), 0, NULL);

		if (text == NULL)
			continue;
		fprintf(out, "%s\"%s\":%s", before, keys[i], text);
		before = ",";
		free(text);
	}
	if (*before == ',')
		fputs("},", out);
}

static void
write_metadata(FILE *out, const limit_range *range)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	fputs("\"metadata\":{", out);
	write_annotations(out, range);
	if (range->has_time) {
		limen_timestamp_print(&(limen_timestamp){ .time = range->created }, time);
		fprintf(out, "\"creationTimestamp\":\"%s\",", time);
	}
	write_text(out, range->generated ? "generateName" : "name", range->name);
	fputc(',', out);
	write_text(out, "namespace", range->namespace);
	fputc('}', out);
}

static void
write_range(FILE *out, const limit_range *range)
{
	fputs("{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",", out);
	write_metadata(out, range);
	fputs(",\"spec\":{\"limits\":[", out);
	for (size_t i = 0; i < range->count; i++) {
		if (i > 0)
			fputc(',', out);
		write_item(out, &range->items[i]);
	}
	fputs("]}}", out);
}

/* Writes the elements of the array that are shown, and returns how many. */
static size_t
write_ranges(FILE *out, const range_set *set, size_t ranges, size_t bytes)
{
	size_t i;

	for (i = 0; i < set->count && i < ranges; i++) {
		long before = ftell(out);

		if (i > 0)
			fputc(',', out);
		write_range(out, &set->ranges[i]);
		if ((size_t)ftell(out) <= bytes)
			continue;
		/* Rewind: the next output overwrites this LimitRange. */
		fseek(out, before, SEEK_SET);
		break;
	}
	return i;
}

size_t
range_set_report(const range_set *set, size_t ranges, size_t bytes, limen_builder *build)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	size_t shown;
	limen_documents *documents = NULL;
	bool failed;

	if (out == NULL)
		return set->count;
	fputc('[', out);
	shown = write_ranges(out, set, ranges, bytes);
	fputc(']', out);
	fputc('\0', out);
	failed = ferror(out) != 0;
	if (fclose(out) == 0 && !failed)
		limen_documents_parse(NULL, text, strlen(text), 0, &documents, NULL);
	else
		shown = 0;
	limen_builder_value(build, "limitRanges", limen_documents_get(documents, 0));
	limen_documents_free(documents);
	free(text);
	return set->count - shown;
}
