/* SPDX-License-Identifier: Apache-2.0 */
/* Reads YAML.  yaml_reader.h tells how; yaml_scalar.h, what scalars mean. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "yaml_text.h"
#include "yaml_tree.h"

/* Cap on documents: even an empty one costs memory. */
#define DOCUMENTS_MAX ((size_t)100000)

/*
 * libyaml compares each tag directive with all before it.  No real text has as
 * many as this.
 */
#define TAG_DIRECTIVES_MAX 100u

/*
 * Between two words of a scalar libyaml clears its buffers of blanks and line
 * ends over their whole length, so one long run would make every gap behind it
 * dear.  A thousand levels can be indented by four blanks each.
 */
#define GAP_MAX ((size_t)4096)

static bool
append_document(limen_documents *list, document *doc)
{
	size_t count = list->count;
	document **grown = list->items;

	/* Full whenever the count is a power of two. */
	if ((count & (count - 1)) == 0)
		grown = reallocarray(list->items, count == 0 ? 1 : 2 * count, sizeof(*grown));
	if (grown == NULL)
		return false;
	list->items = grown;
	list->items[list->count++] = doc;
	return true;
}

/* Returns the offset of the tag directive that is one too many, or the length. */
static size_t
find_surplus_directive(const char *text, size_t length)
{
	static const char word[] = "%TAG";
	const char *found = length == 0 ? NULL : memmem(text, length, word, sizeof(word) - 1);
	unsigned count = 0;

	while (found != NULL) {
		size_t offset = (size_t)(found - text);

		/* Behind any byte above ASCII may be one of the line breaks of YAML 1.1. */
		if (offset == 0 || found[-1] == '\n' || found[-1] == '\r' ||
		    (unsigned char)found[-1] > 0x7F)
			count++;
		if (count > TAG_DIRECTIVES_MAX)
			return offset;
		found = memmem(found + 1, length - offset - 1, word, sizeof(word) - 1);
	}
	return length;
}

/* Returns the offset of the first gap that is too long, or the length. */
static size_t
find_long_gap(const char *text, size_t length)
{
	size_t begin = 0;
	size_t offset = 0;

	while (offset < length) {
		size_t blank = text[offset] == ' ' || text[offset] == '\t'
		                       ? 1
		                       : yaml_line_end(text + offset, length - offset);

		offset += blank == 0 ? 1 : blank;
		if (blank == 0)
			begin = offset;
		else if (offset - begin > GAP_MAX)
			return begin;
	}
	return length;
}

/* Checks the text before libyaml reads it. */
static bool
check_text(yaml_reader *reader)
{
	size_t offset = utf8_valid(reader->text, reader->length);

	if (offset < reader->length)
		return yaml_problem(reader, offset, "Invalid YAML: the text is not UTF-8");
	offset = find_surplus_directive(reader->text, reader->length);
	if (offset < reader->length)
		return yaml_problem(reader, offset, "Invalid YAML: more than %u tag directives",
		                    TAG_DIRECTIVES_MAX);
	offset = find_long_gap(reader->text, reader->length);
	return offset == reader->length ||
	       yaml_problem(reader, offset,
	                    "Invalid YAML: more than %zu bytes of blanks and line ends in a row",
	                    GAP_MAX);
}

static void
note_repeated(yaml_reader *reader, yaml_tree *tree)
{
	if ((reader->flags & READ_NOTE_DUPLICATES) == 0 || reader->diag == NULL)
		return;
	if (!yaml_tree_mark_repeated(tree)) {
		reader->no_memory = true;
		return;
	}
	for (size_t i = 0; i < tree->count; i++) {
		const yaml_node *text = yaml_tree_resolve(tree, &tree->nodes[i]);

		if (tree->nodes[i].repeated && !(text->length > 0 && text->text[0] == '#'))
			yaml_note(reader, tree->nodes[i].offset,
			          "key is repeated further down; the last one counts");
	}
}

/*
 * Notes merge keys behind other keys.  In Kubernetes' reader merged members override keys
 * written before them; here a mapping's own keys always win (yaml.org/type/merge).
 */
static void
note_late_merge(yaml_reader *reader, const yaml_node *mapping)
{
	const yaml_node *end = mapping + mapping->span;
	const yaml_node *key = mapping + 1;
	bool own = false;

	for (; key < end; key += 1 + key[1].span) {
		bool merge = yaml_node_is_merge(key);

		if (own && merge) {
			if (yaml_note(reader, key->offset,
			              "Kubernetes lets this override the keys before it; "
			              "here those count"))
				limen_diag_hint(reader->diag, "write << before all other keys");
			return;
		}
		own = own || !merge;
	}
}

static void
note_late_merges(yaml_reader *reader, const yaml_tree *tree)
{
	for (size_t i = 0; reader->diag != NULL && i < tree->count; i++)
		if (tree->nodes[i].kind == YAML_MAPPING)
			note_late_merge(reader, &tree->nodes[i]);
}

/* Makes the document of one tree and puts it on the list. */
static void
add_document(yaml_reader *reader, const yaml_tree *tree, limen_documents *list)
{
	document *doc = yaml_compose(reader, tree);

	if (doc == NULL || append_document(list, doc))
		return;
	document_unref(doc);
	reader->no_memory = true;
}

/* A problem in one document does not keep the others from being read. */
static void
read_documents(yaml_reader *reader, yaml_loader *loader, yaml_tree *tree, limen_documents *list)
{
	unsigned problems = 0;

	while (!yaml_reader_stopped(reader) && yaml_loader_next(loader, tree)) {
		const yaml_node *root;
		bool is_empty;

		note_repeated(reader, tree);
		root = tree->nodes;
		/* Only comments, or nothing, between two "---"? */
		is_empty = tree->count == 0 || (root->kind == YAML_SCALAR && root->length == 0 &&
		                                root->plain && root->tag == YAML_TAG_NONE);
		if (reader->problems != problems || is_empty) {
			problems = reader->problems;
			continue;
		}
		if (list->count == DOCUMENTS_MAX) {
			yaml_problem(reader, tree->nodes->offset,
			             "there are more than %zu documents", DOCUMENTS_MAX);
			return;
		}
		note_late_merges(reader, tree);
		add_document(reader, tree, list);
		problems = reader->problems;
	}
}

static void
read_stream(yaml_reader *reader, limen_documents *list)
{
	yaml_tree tree = YAML_TREE_INIT;
	yaml_loader *loader = yaml_loader_new(reader);

	if (loader == NULL)
		reader->no_memory = true;
	else
		read_documents(reader, loader, &tree, list);
	yaml_loader_free(loader);
	yaml_tree_free(&tree);
}

int
yaml_read(const char *name, const char *text, size_t length, unsigned flags, document ***out,
          size_t *count, limen_diag *diag)
{
	yaml_reader reader = {
		.name = name,
		.text = text,
		.length = length,
		.flags = flags,
		.diag = diag,
	};
	limen_documents list = { .items = NULL };

	if (length > READ_SIZE_MAX) {
		yaml_problem(&reader, 0, "Invalid YAML: longer than %zu bytes", READ_SIZE_MAX);
		return LIMEN_EINVAL;
	}
	reader.source = source_new(name, text, length);
	reader.no_memory = reader.source == NULL;
	if (!reader.no_memory && check_text(&reader))
		read_stream(&reader, &list);
	if (yaml_reader_failed(&reader)) {
		documents_release(list.items, list.count);
		if (reader.no_memory)
			yaml_problem(&reader, 0, "not enough memory to read this");
		source_unref(reader.source);
		return reader.no_memory ? LIMEN_ENOMEM : LIMEN_EINVAL;
	}
	source_unref(reader.source);
	*out = list.items;
	*count = list.count;
	return LIMEN_OK;
}
