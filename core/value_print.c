/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints values as JSON.  Numbers keep the form they were written in.
 * Recursion is bounded by DOCUMENT_DEPTH_MAX.
 */
#include <stdio.h>
#include <stdlib.h>

#include "document_layout.h"
#include "number.h"
#include "strbuf.h"

/* What most texts fit into, so that they are allocated once, at their end. */
#define ROOM_SIZE ((size_t)1024)

typedef struct printer {
	strbuf out;
	unsigned flags;
	unsigned depth;
} printer;

static void print_node(printer *to, const node *at);

static void
print_escape(strbuf *out, unsigned char c)
{
	static const char letters[] = "btn\0fr"; /* from backspace on; \v has none */

	if (c == '"' || c == '\\')
		strbuf_addf(out, "\\%c", c);
	else if (c >= '\b' && c <= '\r' && c != '\v')
		strbuf_addf(out, "\\%c", letters[c - '\b']);
	else
		strbuf_addf(out, "\\u%04x", c);
}

static void
print_string(strbuf *out, const char *text, size_t length)
{
	size_t plain = 0;

	strbuf_addc(out, '"');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		strbuf_add(out, text + plain, i - plain);
		print_escape(out, c);
		plain = i + 1;
	}
	strbuf_add(out, text + plain, length - plain);
	strbuf_addc(out, '"');
}

static void
print_number(strbuf *out, const node *at)
{
	/* NaN and the infinities, which readers may admit, are no JSON. */
	if (number_scan(at->text, at->length) == at->length)
		strbuf_add(out, at->text, at->length);
	else
		strbuf_adds(out, "null");
}

static void
print_break(printer *to)
{
	if ((to->flags & LIMEN_PRINT_PRETTY) == 0)
		return;
	strbuf_addc(&to->out, '\n');
	for (unsigned i = 0; i < to->depth; i++)
		strbuf_adds(&to->out, "  ");
}

static void
print_array(printer *to, const node *array)
{
	const node *element = array + 1;

	strbuf_addc(&to->out, '[');
	to->depth++;
	for (uint32_t i = 0; i < array->length; i++) {
		if (i > 0)
			strbuf_addc(&to->out, ',');
		print_break(to);
		print_node(to, element);
		element = node_after(element);
	}
	to->depth--;
	if (array->length > 0)
		print_break(to);
	strbuf_addc(&to->out, ']');
}

static void
print_member(printer *to, const node *key, bool first)
{
	if (!first)
		strbuf_addc(&to->out, ',');
	print_break(to);
	print_string(&to->out, key->text, key->length);
	strbuf_adds(&to->out, (to->flags & LIMEN_PRINT_PRETTY) != 0 ? ": " : ":");
	print_node(to, key + 1);
}

static int
compare_keys(const void *a, const void *b)
{
	const node *left = *(const node *const *)a;
	const node *right = *(const node *const *)b;
	uint32_t common = left->length < right->length ? left->length : right->length;
	int order = memcmp(left->text, right->text, common);

	if (order != 0)
		return order;
	return (left->length > right->length) - (left->length < right->length);
}

/* Returns the keys of 'object' in order, to be freed; NULL when memory is short. */
static const node **
sort_keys(const node *object)
{
	const node **keys = calloc(object->length, sizeof(*keys));
	const node *key = object + 1;

	if (keys == NULL)
		return NULL;
	for (uint32_t i = 0; i < object->length; i++) {
		keys[i] = node_live_key(key);
		key = node_after(keys[i] + 1);
	}
	qsort(keys, object->length, sizeof(*keys), compare_keys);
	return keys;
}

static void
print_sorted(printer *to, const node *object)
{
	const node **keys = sort_keys(object);

	if (keys == NULL) {
		to->out.failed = true;
		return;
	}
	for (uint32_t i = 0; i < object->length; i++)
		print_member(to, keys[i], i == 0);
	free(keys);
}

static void
print_object(printer *to, const node *object)
{
	const node *key = object + 1;

	strbuf_addc(&to->out, '{');
	to->depth++;
	if ((to->flags & LIMEN_PRINT_SORTED) != 0 && object->length > 1) {
		print_sorted(to, object);
	} else {
		for (uint32_t i = 0; i < object->length; i++) {
			key = node_live_key(key);
			print_member(to, key, i == 0);
			key = node_after(key + 1);
		}
	}
	to->depth--;
	if (object->length > 0)
		print_break(to);
	strbuf_addc(&to->out, '}');
}

static void
print_node(printer *to, const node *at)
{
	switch ((limen_type)at->type) {
	case LIMEN_TYPE_BOOL:
		strbuf_adds(&to->out, at->text != NULL ? "true" : "false");
		break;
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		print_number(&to->out, at);
		break;
	case LIMEN_TYPE_STRING:
		print_string(&to->out, at->text, at->length);
		break;
	case LIMEN_TYPE_ARRAY:
		print_array(to, at);
		break;
	case LIMEN_TYPE_OBJECT:
		print_object(to, at);
		break;
	default:
		strbuf_adds(&to->out, "null");
	}
}

char *
limen_value_print(limen_value value, unsigned flags, size_t *length)
{
	char room[ROOM_SIZE];
	printer to = { .out = strbuf_within(room, sizeof(room)), .flags = flags };

	if (value.node == NULL)
		return NULL;
	print_node(&to, value.node);
	return strbuf_steal(&to.out, length);
}
