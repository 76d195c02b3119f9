/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_load.c - turns the events of libyaml into a YAML tree.  It owns the parser, converts its
 * character positions to byte offsets and words its errors.  Each node is checked when it is read:
 * wrong tags and keys are problems, and scalars whose type may surprise the author get a note.
 */
#include "yaml_tree.h"

#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "yaml_text.h"

struct yaml_loader {
	yaml_reader *reader;
	yaml_parser_t parser;
	size_t begin;     /* of what the parser sees */
	size_t character; /* the parser counts characters: this one is at 'offset' */
	size_t offset;
	bool document_ended;
	bool stream_ended;
	arena scratch;
};

yaml_loader *
yaml_loader_new(yaml_reader *reader)
{
	yaml_loader *loader = calloc(1, sizeof(*loader));

	if (loader == NULL)
		return NULL;
	if (!yaml_parser_initialize(&loader->parser)) {
		free(loader);
		return NULL;
	}
	loader->reader = reader;
	/* The parser takes a byte order mark for a column, so it does not get to see it. */
	loader->begin = reader->length >= 3 && memcmp(reader->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
	loader->offset = loader->begin;
	yaml_parser_set_encoding(&loader->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&loader->parser,
	                             (const unsigned char *)reader->text + loader->begin,
	                             reader->length - loader->begin);
	return loader;
}

void
yaml_loader_free(yaml_loader *loader)
{
	if (loader == NULL)
		return;
	yaml_parser_delete(&loader->parser);
	arena_free(&loader->scratch);
	free(loader);
}

/* Returns the byte where a character is.  Events come in order, so this is cheap. */
static size_t
find_offset(yaml_loader *loader, yaml_mark_t mark)
{
	const yaml_reader *reader = loader->reader;

	while (loader->character > mark.index && loader->offset > loader->begin) {
		loader->offset--;
		if (!utf8_is_continuation(reader->text[loader->offset]))
			loader->character--;
	}
	while (loader->character < mark.index && loader->offset < reader->length) {
		loader->offset++;
		if (loader->offset == reader->length
		    || !utf8_is_continuation(reader->text[loader->offset]))
			loader->character++;
	}
	return loader->offset;
}

static void
report_error(yaml_loader *loader)
{
	const yaml_parser_t *parser = &loader->parser;
	yaml_reader *reader = loader->reader;
	size_t offset = find_offset(loader, parser->problem_mark);
	const char *problem = parser->problem == NULL ? "it cannot be read" : parser->problem;

	if (parser->error == YAML_MEMORY_ERROR)
		reader->no_memory = true;
	else if (parser->error == YAML_READER_ERROR)
		yaml_problem(reader, loader->begin + parser->problem_offset, "Invalid YAML: %s",
		             problem);
	else if (offset < reader->length && reader->text[offset] == '\t')
		yaml_problem(reader, offset, "Invalid YAML: %s (a tab; indent with blanks)", problem);
	else if (parser->context == NULL || parser->context_mark.line == parser->problem_mark.line)
		yaml_problem(reader, offset, "Invalid YAML: %s", problem);
	else
		yaml_problem(reader, offset, "Invalid YAML: %s (%s that begins in line %u)",
		             problem, parser->context,
		             yaml_line(reader, find_offset(loader, parser->context_mark)));
}

static yaml_node *
add_node(yaml_loader *loader, yaml_tree *tree, yaml_kind kind, size_t offset)
{
	yaml_reader *reader = loader->reader;
	yaml_node *added;

	if (reader->nodes_loaded++ == YAML_NODES_MAX) {
		yaml_problem(reader, offset, "there are more than %zu values", YAML_NODES_MAX);
		return NULL;
	}
	added = yaml_tree_add(tree, kind, offset);
	if (added == NULL)
		reader->no_memory = true;
	return added;
}

static yaml_tag
refuse_tag(yaml_loader *loader, const yaml_node *item, const char *name, size_t length)
{
	yaml_problem(loader->reader, item->offset, "the tag '%s' is not known",
	             yaml_excerpt_of(name, length).text);
	return YAML_TAG_UNKNOWN;
}

static yaml_tag
read_tag(yaml_loader *loader, const yaml_node *item, const yaml_char_t *name)
{
	const yaml_reader *reader = loader->reader;
	yaml_span written;
	yaml_tag tag;
	size_t length;

	if (name == NULL)
		return YAML_TAG_NONE;
	written = yaml_tag_written(reader->text + item->offset, reader->length - item->offset);
	if (yaml_tag_has_escape(written))
		return refuse_tag(loader, item, written.text, written.length);
	length = strlen((const char *)name);
	/* The tag "!" of a container says nothing (YAML 1.2 section 6.9.1). */
	if (length == 1 && name[0] == '!')
		return YAML_TAG_NONE;
	tag = yaml_tag_find((const char *)name, length);
	return tag == YAML_TAG_UNKNOWN ? refuse_tag(loader, item, (const char *)name, length) : tag;
}

/* ---- checking single nodes ---- */

static void
remark_on_scalar(yaml_reader *reader, const yaml_node *item, const yaml_scalar *value)
{
	yaml_excerpt written = yaml_excerpt_of(item->text, item->length);

	if (value->remark == YAML_REMARK_WORD) {
		if (yaml_note(reader, item->offset, "'%s' is read as text, not as a boolean",
		              written.text))
			limen_diag_hint(reader->diag, "write true or false, or put it in quotes");
	} else if (value->remark == YAML_REMARK_NUMBER) {
		yaml_excerpt number = yaml_excerpt_of(value->text, value->length);

		if (yaml_note(reader, item->offset,
		              "'%s' is read as the number %s, as Kubernetes does", written.text,
		              number.text))
			limen_diag_hint(reader->diag, "write %s, or put it in quotes", number.text);
	}
}

bool
yaml_read_scalar(yaml_reader *reader, const yaml_node *item, arena *scratch, yaml_scalar *out)
{
	bool nan = (reader->flags & READ_NAN) != 0;
	int result;

	arena_reset(scratch);
	result = yaml_scalar_resolve(item->text, item->length, item->plain, (yaml_tag)item->tag, nan,
	                             scratch, out);
	if (result == LIMEN_ENOMEM)
		reader->no_memory = true;
	else if (result != LIMEN_OK)
		yaml_problem(reader, item->offset, "'%s' %s",
		             yaml_excerpt_of(item->text, item->length).text, out->problem);
	return result == LIMEN_OK;
}

/* A key is the text as it was written, whatever it would mean as a value. */
static void
check_key(yaml_reader *reader, const yaml_node *item)
{
	if (item->tag == YAML_TAG_SEQ || item->tag == YAML_TAG_MAP)
		yaml_problem(reader, item->offset, "the tag of a key must be that of a scalar");
	else if (item->length == 0 && item->plain && item->tag == YAML_TAG_NONE)
		yaml_problem(reader, item->offset, "there is no key before the colon");
}

static void
check_container(yaml_reader *reader, const yaml_node *item)
{
	yaml_tag fitting = item->kind == YAML_SEQUENCE ? YAML_TAG_SEQ : YAML_TAG_MAP;

	if (item->key)
		yaml_problem(reader, item->offset, "a key must be a scalar, not a list or a map");
	if (item->tag != YAML_TAG_NONE && item->tag != YAML_TAG_UNKNOWN && item->tag != fitting)
		yaml_problem(reader, item->offset, "the tag does not fit a %s",
		             fitting == YAML_TAG_SEQ ? "list" : "map");
}

static void
check_node(yaml_reader *reader, const yaml_node *item, arena *scratch)
{
	yaml_scalar value;

	if (item->kind != YAML_SCALAR)
		check_container(reader, item);
	else if (item->key)
		check_key(reader, item);
	else if (item->tag != YAML_TAG_UNKNOWN)
		if (yaml_read_scalar(reader, item, scratch, &value))
			remark_on_scalar(reader, item, &value);
}

/* ---- events ---- */

/* Sets the tag and the anchor of a scalar, sequence or mapping. */
static bool
finish_node(yaml_loader *loader, yaml_tree *tree, yaml_node *item, const yaml_char_t *tag,
            const yaml_char_t *anchor)
{
	item->tag = (uint8_t)read_tag(loader, item, tag);
	if (anchor != NULL && !yaml_tree_set_anchor(tree, (const char *)anchor,
	                                            strlen((const char *)anchor))) {
		loader->reader->no_memory = true;
		return false;
	}
	check_node(loader->reader, item, &loader->scratch);
	return true;
}

static bool
load_scalar(yaml_loader *loader, yaml_tree *tree, const yaml_event_t *event, size_t offset)
{
	yaml_node *item = add_node(loader, tree, YAML_SCALAR, offset);
	const char *text = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;

	if (item == NULL)
		return false;
	item->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	item->length = (uint32_t)length;
	item->text = arena_strndup(&tree->memory, text, length);
	if (item->text == NULL) {
		loader->reader->no_memory = true;
		return false;
	}
	return finish_node(loader, tree, item, event->data.scalar.tag, event->data.scalar.anchor);
}

static bool
load_container(yaml_loader *loader, yaml_tree *tree, const yaml_event_t *event, size_t offset)
{
	bool list = event->type == YAML_SEQUENCE_START_EVENT;
	yaml_node *item;

	if (tree->depth == READ_DEPTH_MAX)
		return yaml_problem(loader->reader, offset, "nested more than %d deep",
		                    READ_DEPTH_MAX);
	item = add_node(loader, tree, list ? YAML_SEQUENCE : YAML_MAPPING, offset);
	if (item == NULL)
		return false;
	if (list)
		return finish_node(loader, tree, item, event->data.sequence_start.tag,
		                   event->data.sequence_start.anchor);
	return finish_node(loader, tree, item, event->data.mapping_start.tag,
	                   event->data.mapping_start.anchor);
}

static bool
load_alias(yaml_loader *loader, yaml_tree *tree, const yaml_event_t *event, size_t offset)
{
	const char *name = (const char *)event->data.alias.anchor;
	size_t length = strlen(name);
	uint32_t target = yaml_tree_find_anchor(tree, name, length);
	yaml_node *item = add_node(loader, tree, YAML_ALIAS, offset);

	if (item == NULL)
		return false;
	if (target == UINT32_MAX) {
		yaml_problem(loader->reader, offset, "no anchor '%s' precedes this alias",
		             yaml_excerpt_of(name, length).text);
		return true;
	}
	item->target = target;
	if (tree->nodes[target].span == 0)
		yaml_problem(loader->reader, offset, "the alias '%s' refers to a node that "
		                                     "contains it",
		             yaml_excerpt_of(name, length).text);
	else if (item->key && tree->nodes[target].kind != YAML_SCALAR)
		yaml_problem(loader->reader, offset, "a key must be a scalar, not a list or a map");
	return true;
}

static bool
begin_document(yaml_loader *loader, const yaml_event_t *event, size_t offset)
{
	yaml_reader *reader = loader->reader;
	size_t end = find_offset(loader, event->end_mark);

	if (yaml_directives_have_escape(reader->text + offset, end - offset))
		yaml_problem(reader, offset, "a tag directive must not have escapes (%%XX)");
	return true;
}

/* Returns false when the reading cannot go on. */
static bool
load_event(yaml_loader *loader, yaml_tree *tree, const yaml_event_t *event)
{
	size_t offset = find_offset(loader, event->start_mark);

	switch (event->type) {
	case YAML_STREAM_END_EVENT:
		loader->stream_ended = true;
		return false;
	case YAML_DOCUMENT_START_EVENT:
		return begin_document(loader, event, offset);
	case YAML_DOCUMENT_END_EVENT:
		loader->document_ended = true;
		return true;
	case YAML_SCALAR_EVENT:
		return load_scalar(loader, tree, event, offset);
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return load_container(loader, tree, event, offset);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		yaml_tree_end(tree);
		return true;
	case YAML_ALIAS_EVENT:
		return load_alias(loader, tree, event, offset);
	default:
		return true;
	}
}

bool
yaml_loader_next(yaml_loader *loader, yaml_tree *tree)
{
	bool more = !loader->stream_ended;

	yaml_tree_reset(tree);
	loader->document_ended = false;
	while (more && !loader->document_ended) {
		yaml_event_t event;

		if (!yaml_parser_parse(&loader->parser, &event)) {
			report_error(loader);
			return false;
		}
		more = load_event(loader, tree, &event) && !yaml_reader_stopped(loader->reader);
		yaml_event_delete(&event);
	}
	return more;
}
