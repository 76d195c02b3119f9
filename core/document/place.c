/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Works out where a node was written and what its JSON pointer is.  A place is
 * cheap; so is a pointer, once parent_index.c has looked at a large document.
 */
#include "document_layout.h"
#include "base/strbuf.h"

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

/* Adds one reference token of RFC 6901. */
static void
add_token(strbuf *pointer, const char *text, size_t length)
{
	strbuf_addc(pointer, '/');
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '~')
			strbuf_adds(pointer, "~0");
		else if (text[i] == '/')
			strbuf_adds(pointer, "~1");
		else
			strbuf_addc(pointer, text[i]);
	}
}

/* Returns the element of 'array' that holds 'target', adding its index. */
static const node *
descend_array(const node *array, const node *target, strbuf *pointer)
{
	const node *element = array + 1;
	size_t index = 0;

	for (; node_after(element) <= target; index++)
		element = node_after(element);
	strbuf_addf(pointer, "/%zu", index);
	return element;
}

/* Returns the value of the member of 'object' that holds 'target', adding its key. */
static const node *
descend_object(const node *object, const node *target, strbuf *pointer)
{
	const node *key = object + 1;

	while (node_after(key + 1) <= target)
		key = node_after(key + 1);
	add_token(pointer, key->text, key->length);
	/* A key's own pointer is that of the member it names. */
	return target == key ? target : key + 1;
}

/* Replaces 'pointer' if 'item' is borrowed and has its own. */
static void
follow_graft(const document *doc, const node *item, strbuf *pointer)
{
	const char *own = grafts_find(&doc->grafts, (uint32_t)(item - doc->nodes));

	if (own == NULL)
		return;
	pointer->length = 0;
	strbuf_adds(pointer, own);
}

/* The tokens from the root down to 'target', by walking past siblings. */
static void
walk_down(const document *doc, const node *target, strbuf *pointer)
{
	const node *item = doc->nodes;

	follow_graft(doc, item, pointer);
	while (item != target) {
		if (item->type == LIMEN_TYPE_OBJECT)
			item = descend_object(item, target, pointer);
		else
			item = descend_array(item, target, pointer);
		follow_graft(doc, item, pointer);
	}
}

/* The last token of the node 'index': a key is its own, and stands before its value. */
static void
add_own_token(const document *doc, const parent_link *above, uint32_t index, strbuf *pointer)
{
	const node *parent = &doc->nodes[above[index].parent];
	bool value = above[index].number % 2 == 1;
	const node *key = &doc->nodes[value ? index - 1 : index];

	if (parent->type == LIMEN_TYPE_OBJECT)
		add_token(pointer, key->text, key->length);
	else
		strbuf_addf(pointer, "/%zu", (size_t)above[index].number);
}

/* The same from the node up to the root, or to a borrowed node, which has its own pointer. */
static void
climb(const document *doc, const parent_link *above, uint32_t target, strbuf *pointer)
{
	uint32_t chain[DOCUMENT_DEPTH_MAX + 1];
	size_t count = 0;
	uint32_t index = target;

	while (index != 0 && count <= DOCUMENT_DEPTH_MAX &&
	       grafts_find(&doc->grafts, index) == NULL) {
		chain[count++] = index;
		index = above[index].parent;
	}
	follow_graft(doc, &doc->nodes[index], pointer);
	while (count > 0)
		add_own_token(doc, above, chain[--count], pointer);
}

void
value_pointer_write(strbuf *out, limen_value value)
{
	const document *doc = value.document;
	const node *target = value.node;
	const parent_link *above;

	if (target == NULL)
		return;
	/* A part shares the nodes of its whole. */
	if (doc->base == NULL && doc->whole != NULL)
		doc = doc->whole;
	strbuf_adds(out, document_base(doc));
	above = parent_index_get(doc);
	if (above == NULL)
		walk_down(doc, target, out);
	else
		climb(doc, above, (uint32_t)(target - doc->nodes), out);
}

char *
value_pointer(limen_value value)
{
	strbuf pointer = STRBUF_INIT;

	value_pointer_write(&pointer, value);
	return strbuf_steal(&pointer, NULL);
}
