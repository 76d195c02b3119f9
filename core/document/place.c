/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.c - works out where a node was written and what its JSON pointer is.  A place is
 * cheap; so is a pointer, once the table of parents is made.  The document owns that table.
 */
#include <stdlib.h>

#include "document_layout.h"
#include "pointer.h"

/* The characters that a field path writes without brackets. */
#define FIELD_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* The parent of each node, so that computing the pointers of all takes linear time. */
typedef struct parent_link {
	uint32_t parent; /* index of the container; the root is its own */
	uint32_t number; /* among the nodes of the container, from 0; keys count */
} parent_link;

place
value_place(limen_value value)
{
	const document *doc = value.document;
	const node *item = value.node;
	place found = { NULL, 0, 0 };
	utf8_position position;
	source *from;

	if (item == NULL || item->origin >= doc->source_count)
		return found;
	from = doc->sources[item->origin];
	position = source_locate(from, item->offset);
	found.file = from->name;
	found.line = position.line;
	found.column = position.column;
	return found;
}

/* Nodes stand in the order they were written, so one pass sees parents before children. */
static void *
make_table(const void *data)
{
	const document *doc = data;
	parent_link *table = calloc(doc->count, sizeof(*table));
	uint32_t top = 0;
	uint32_t before = 0; /* the last child of 'top' so far */

	for (uint32_t i = 1; table != NULL && i < doc->count; i++) {
		while (doc->nodes[top].span <= i - top) {
			before = top;
			top = table[top].parent;
		}
		table[i].parent = top;
		table[i].number = i == top + 1 ? 0 : table[before].number + 1;
		if (node_is_container(&doc->nodes[i]))
			top = i;
		else
			before = i;
	}
	return table;
}

/* Adds the last token of the node 'index': a key has that of the value behind it. */
static void
add_own_token(const document *doc, const parent_link *above, uint32_t index, strbuf *pointer)
{
	const node *parent = &doc->nodes[above[index].parent];
	bool value = above[index].number % 2 == 1;
	const node *key = &doc->nodes[value ? index - 1 : index];

	if (parent->type == LIMEN_TYPE_OBJECT)
		pointer_enter_member(pointer, key->text, key->length);
	else
		pointer_enter_element(pointer, above[index].number);
}

/*
 * As add_own_token(), as Kubernetes writes it: ".image", "[2]", and "[example.com/pulled]"
 * for what is no name of a field.
 */
static void
add_own_field(const document *doc, const parent_link *above, uint32_t index, strbuf *path)
{
	unsigned number = above[index].number;
	const node *key = &doc->nodes[number % 2 == 1 ? index - 1 : index];
	bool field;

	if (doc->nodes[above[index].parent].type == LIMEN_TYPE_ARRAY) {
		strbuf_addf(path, "[%u]", number);
		return;
	}
	field = key->length > 0 && strspn(key->text, FIELD_LETTERS) == key->length;
	if (!field)
		strbuf_addc(path, '[');
	else if (path->length > 0)
		strbuf_addc(path, '.');
	strbuf_add(path, key->text, key->length);
	if (!field)
		strbuf_addc(path, ']');
}

/*
 * Returns the way from the root of the value's document to the value, one step a node, in
 * the caller's memory; NULL when memory is short, if there is no value, or a key has a NUL.
 */
static char *
write_way(limen_value value, void (*add_step)(const document *, const parent_link *, uint32_t,
                                              strbuf *))
{
	const document *doc = value.document;
	const node *item = value.node;
	uint32_t chain[DOCUMENT_DEPTH_MAX + 3]; /* a patch has values two levels lower */
	strbuf way = STRBUF_INIT;
	const parent_link *above = NULL;
	size_t count = 0;
	size_t length;
	char *text;

	if (item == NULL)
		return NULL;
	if (item != doc->nodes)
		above = table_once(&((document *)doc)->parent_index, make_table, doc);
	if (item != doc->nodes && above == NULL)
		return NULL;
	for (uint32_t index = (uint32_t)(item - doc->nodes); index != 0; index = above[index].parent)
		chain[count++] = index;
	while (count > 0)
		add_step(doc, above, chain[--count], &way);
	text = strbuf_steal(&way, &length);
	if (text != NULL && strlen(text) == length)
		return text;
	free(text);
	return NULL;
}

char *
limen_value_pointer(limen_value value)
{
	return write_way(value, add_own_token);
}

char *
limen_value_field_path(limen_value value)
{
	return write_way(value, add_own_field);
}

/* Climbs to the root or to a borrowed node, which has its own pointer, and adds tokens on the way back. */
void
value_pointer_write(strbuf *out, limen_value value)
{
	const document *doc = value.document;
	uint32_t chain[DOCUMENT_DEPTH_MAX + 3]; /* a patch has values two levels lower */
	size_t count = 0;
	const parent_link *above = NULL;
	const char *own;
	uint32_t index;

	if (value.node == NULL)
		return;
	/* A part shares the nodes of its whole. */
	if (doc->base == NULL && doc->whole != NULL)
		doc = doc->whole;
	index = (uint32_t)((const node *)value.node - doc->nodes);
	if (index != 0)
		above = table_once(&((document *)doc)->parent_index, make_table, doc);
	own = grafts_find(&doc->grafts, index);
	for (; above != NULL && index != 0 && own == NULL; own = grafts_find(&doc->grafts, index)) {
		chain[count++] = index;
		index = above[index].parent;
	}
	strbuf_adds(out, own != NULL ? own : document_base(doc));
	while (count > 0)
		add_own_token(doc, above, chain[--count], out);
	out->failed = out->failed || (index != 0 && above == NULL);
}

char *
value_pointer(limen_value value)
{
	strbuf pointer = STRBUF_INIT;

	value_pointer_write(&pointer, value);
	return strbuf_steal(&pointer, NULL);
}
