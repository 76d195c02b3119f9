/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_read.c - reads a text as JSON or YAML: the ending of its name decides, or else its first
 * character that is not blank.
 */
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "document/document.h"

static bool
ends_with(const char *name, const char *ending)
{
	size_t length = name == NULL ? 0 : strlen(name);
	size_t wanted = strlen(ending);

	return length >= wanted && memcmp(name + length - wanted, ending, wanted) == 0;
}

static bool
is_json(const char *name, const char *text, size_t length)
{
	/* A byte order mark is for the reader to judge: JSON must not begin with one. */
	size_t offset = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

	if (ends_with(name, ".json"))
		return true;
	if (ends_with(name, ".yaml") || ends_with(name, ".yml"))
		return false;
	while (offset < length && memchr(" \t\r\n", text[offset], 4) != NULL)
		offset++;
	/* A blank text counts as JSON, which refuses it: in YAML it would be an empty stream. */
	return offset == length || text[offset] == '{' || text[offset] == '[';
}

int
text_read(const char *name, const char *text, size_t length, unsigned flags, document ***out,
          size_t *count, limen_diag *diag)
{
	document **docs;
	int result;

	if (!is_json(name, text, length))
		return yaml_read(name, text, length, flags, out, count, diag);
	docs = malloc(sizeof(*docs));
	if (docs == NULL)
		return LIMEN_ENOMEM;
	result = json_read_result(name, text, length, flags, docs, diag);
	if (result != LIMEN_OK) {
		free(docs);
		return result;
	}
	*out = docs;
	*count = 1;
	return LIMEN_OK;
}
