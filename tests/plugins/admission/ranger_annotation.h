/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranger_annotation.h - for tests of what LimitRanges say in annotations: the
 * JSON in them is written with single quotes.
 */
#ifndef LIMEN_TESTS_PLUGINS_RANGER_ANNOTATION_H
#define LIMEN_TESTS_PLUGINS_RANGER_ANNOTATION_H

#include "ranger_case.h"

/*
 * A LimitRange of the namespace 'namespace' with the annotation 'key' and its
 * text; the caller frees it.
 */
static inline char *
ranger_annotated(const char *name, const char *namespace, const char *key, const char *text,
                 const char *items)
{
	char *made = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&made, &length);

	if (out == NULL)
		abort();
	fprintf(out,
	        "{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"%s\","
	        "\"namespace\":\"%s\",\"annotations\":{\"limen.policy/%s\":\"",
	        name, namespace, key);
	for (; *text != '\0'; text++)
		fputs(*text == '\'' ? "\\\"" : (const char[]){ *text, '\0' }, out);
	fprintf(out, "\"}},\"spec\":{\"limits\":[%s]}}", items);
	if (fclose(out) != 0)
		abort();
	return made;
}

#endif
