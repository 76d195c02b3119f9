/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON: the document that becomes of the nodes of a text (json_nodes.c), and
 * where the text is wrong.  The words of messages are those of Python's json
 * module, which pScheduler passes on to operators.
 */
#include <string.h>

#include "reader.h"
#include "document/document.h"
#include "json_nodes.h"
#include "base/recycle.h"

_Static_assert(READ_SIZE_MAX >> 20 == 64, "a message names the limit");

/* Returns the last byte before 'offset' that is not white space; NUL if there is none. */
static char
find_before(const char *text, size_t offset)
{
	while (offset > 0 && memchr(" \n\r\t", text[offset - 1], 4) != NULL)
		offset--;
	return offset == 0 ? '\0' : text[offset - 1];
}

/* Advice by the bytes at which the text is wrong. */
static const struct {
	const char *bytes;
	const char *hint;
} hints[] = {
	{ "\xEF\xBB\xBF", "save it without a byte order mark" },
	{ "#", "JSON has no comments: write a member \"#\": \"text\"; YAML needs a name that ends in .yaml" },
	{ "/", "JSON has no comments: write a member \"#\": \"text\"" },
	{ "'", "write strings in double quotes" },
	{ "\xE2\x80\x9C", "write strings in straight double quotes" },
	{ "\xE2\x80\x9D", "write strings in straight double quotes" },
	{ "\0", "save it as UTF-8" }, /* UTF-16 without a byte order mark */
};

/* Returns advice about a bracket at 'offset' that closes too early, or NULL. */
static const char *
find_bracket_hint(const json_cursor *wrong, size_t offset)
{
	bool closes_object = wrong->text[offset] == '}';

	if (!closes_object && wrong->text[offset] != ']')
		return NULL;
	if (find_before(wrong->text, offset) == ',')
		return "remove the comma before it";
	if (strcmp(wrong->error, "Expecting ',' delimiter") != 0)
		return NULL;
	return closes_object ? "a ']' is missing before it" : "a '}' is missing before it";
}

/* Returns advice about the syntax error of 'wrong', or NULL if there is none. */
static const char *
find_hint(const json_cursor *wrong)
{
	const char *text = wrong->text;
	size_t offset = wrong->error_at;
	uint32_t code;

	if (offset >= wrong->length)
		return find_before(text, wrong->length) == '\0' ? "there is nothing in it" : NULL;
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		size_t length = hints[i].bytes[0] == '\0' ? 1 : strlen(hints[i].bytes);

		if (wrong->length - offset >= length &&
		    memcmp(text + offset, hints[i].bytes, length) == 0)
			return hints[i].hint;
	}
	if (utf8_decode(text + offset, wrong->length - offset, &code) == 0)
		return "save it as UTF-8";
	if (memchr(text, '{', offset) == NULL && memchr(text, '[', offset) == NULL)
		return "JSON begins with '{'; YAML needs a name that ends in .yaml";
	return find_bracket_hint(wrong, offset);
}

static void
report_error(const json_cursor *wrong, const char *name, limen_diag *diag)
{
	const char *hint = find_hint(wrong);
	utf8_position position = utf8_locate(wrong->text, wrong->error_at);
	char text[256];

	snprintf(text, sizeof(text), "Invalid JSON: %s: line %u column %u (char %zu)", wrong->error,
	         position.line, position.column, position.character);
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, name, position.line, position.column, NULL,
	               text);
	if (hint != NULL)
		limen_diag_hint(diag, "%s", hint);
}

/* Makes a document of 'nodes', which it takes, and of a reference to 'from'. */
static document *
make_document(json_nodes *nodes, source *from)
{
	document *doc = document_new();
	node *fitted;

	if (doc == NULL)
		return NULL;
	fitted = recycle_resize(nodes->items, nodes->count * sizeof(node));
	doc->nodes = fitted == NULL ? nodes->items : fitted;
	doc->count = nodes->count;
	document_set_source(doc, from);
	doc->texts = nodes->texts;
	return doc;
}

/* Reads the text of 'wrong', and stores the error there if the text is invalid. */
static document *
read_text(const char *name, json_cursor *wrong, unsigned flags)
{
	source *from = source_new(name, wrong->text, wrong->length);
	document *doc = NULL;
	json_nodes nodes;

	if (from == NULL)
		return NULL;
	if (json_nodes_read(&nodes, from->text, from->length, flags))
		doc = make_document(&nodes, from);
	if (doc == NULL) {
		recycle_free(nodes.items);
		arena_free(&nodes.texts);
	}
	if (nodes.cursor.error != NULL)
		json_fail(wrong, nodes.cursor.error_at, nodes.cursor.error);
	source_unref(from);
	return doc;
}

int
json_read_result(const char *name, const char *text, size_t length, unsigned flags,
                 document **out, limen_diag *diag)
{
	json_cursor in = { .text = length == 0 ? "" : text, .length = length };
	document *doc = NULL;

	if (length > READ_SIZE_MAX)
		json_fail(&in, 0, "Text is longer than 64 MiB");
	else
		doc = read_text(name, &in, flags);
	if (doc != NULL && (flags & READ_NOTE_DUPLICATES) != 0)
		document_note_duplicates(doc, diag);
	else if (in.error != NULL)
		report_error(&in, name, diag);
	else if (doc == NULL)
		diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, name, 0, 0, NULL, "out of memory");
	*out = doc;
	if (doc != NULL)
		return LIMEN_OK;
	return in.error != NULL ? LIMEN_EINVAL : LIMEN_ENOMEM;
}

document *
json_read(const char *name, const char *text, size_t length, unsigned flags, limen_diag *diag)
{
	document *doc;

	json_read_result(name, text, length, flags, &doc, diag);
	return doc;
}
