/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document_patch.c - makes the patch of changes that only add members to objects, the
 * usual changes of modules.  It is written from the changes themselves, in one walk to
 * their objects, and equals the patch of document_diff() byte for byte.  Patches that
 * are too large are left to document_diff().
 */
#include "document_layout.h"
#include "pointer.h"
#include "base/recycle.h"

/* Members added to one object are compared with each other. */
#define SIBLINGS_MAX ((size_t)32)

/* Sorted by insertion, which is quick as they mostly come in order; more are left to document_diff(). */
#define CHANGES_MAX ((size_t)1024)

/* Initial room for a path; most fit. */
#define PATH_ROOM ((size_t)256)

/* Nodes of an operation beside its value: an object, three keys, two texts. */
#define OPERATION_NODES ((size_t)6)

typedef struct adding {
	const change *what;
	const node *target;
} adding;

typedef struct patch_writer {
	const adding *next; /* in the order of nodes, then of time */
	const adding *end;
	document *patch;
	strbuf path;
	size_t room; /* for operations */
	bool failed; /* there was not enough of it, or of memory */
} patch_writer;

/* ---- which changes ---- */

static bool
sets_member(const change *item)
{
	const node *target = item->target.node;

	return item->kind == CHANGE_SET && item->key != NULL && target != NULL &&
	       target->type == LIMEN_TYPE_OBJECT && limen_value_exists(item->value);
}

/* False if a member is added twice: document_apply() then decides that the later counts. */
static bool
are_distinct(const adding *list, size_t count)
{
	for (size_t i = 1, first = 0; i < count; i++) {
		if (list[i].target != list[first].target) {
			first = i;
			continue;
		}
		if (i - first >= SIBLINGS_MAX)
			return false;
		for (size_t j = first; j < i; j++) {
			const change *other = list[j].what;

			if (list[i].what->key_length == other->key_length &&
			    memcmp(list[i].what->key, other->key, other->key_length) == 0)
				return false;
		}
	}
	return true;
}

/* Puts the changes in the order of their targets; false if one does not add a member. */
static bool
sort_changes(adding *list, const change *changes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		adding next = { &changes[i], changes[i].target.node };
		size_t j = i;

		/* Few are added to one object, so looking them up costs no more than reading it. */
		if (!sets_member(next.what) ||
		    limen_value_exists(limen_value_member(next.what->target, next.what->key,
		                                          next.what->key_length)))
			return false;
		for (; j > 0 && list[j - 1].target > next.target; j--)
			list[j] = list[j - 1];
		list[j] = next;
	}
	return true;
}

/* ---- writing operations ---- */

/*
 * The patch shares the texts of values, and holds the documents they are in; a string without a
 * document is copied.  False when memory is short.
 */
static bool
put_value(document *patch, limen_value value)
{
	const node *from = value.node;
	node *to = patch->nodes + patch->count;
	size_t size = patch->held_count;

	patch->count += from->span;
	if (value.document == NULL) {
		*to = *from;
		to->text = arena_strndup(&patch->texts, from->text, from->length);
		return to->text != NULL;
	}
	if (size == 0 || patch->held[size - 1] != value.document)
		patch->held[patch->held_count++] = document_ref(value.document);
	for (const node *end = node_after(from); from < end; from++, to++) {
		*to = *from;
		to->origin = ORIGIN_NONE;
	}
	return true;
}

/* An operation; the path is the fifth node. */
#define CONSTANT(literal)                                                                          \
	{ .type = LIMEN_TYPE_STRING, .origin = ORIGIN_NONE, .length = sizeof(literal) - 1,         \
	  .span = 1, .text = (literal) }
static const node operation[OPERATION_NODES] = {
	{ .type = LIMEN_TYPE_OBJECT, .origin = ORIGIN_NONE, .length = 3 },
	CONSTANT("op"),
	CONSTANT("add"),
	CONSTANT("path"),
	CONSTANT(""),
	CONSTANT("value"),
};

static void
put_adding(patch_writer *to, const change *item)
{
	document *patch = to->patch;
	size_t mark = pointer_enter_member(&to->path, item->key, item->key_length);
	size_t length = to->path.length;
	size_t cost = PATCH_OPERATION_COST + length;
	node *start = patch->nodes + patch->count;
	char *path = NULL;

	if (cost <= to->room && length < UINT32_MAX && !to->path.failed)
		path = arena_strndup(&patch->texts, to->path.text, length);
	pointer_leave(&to->path, mark);
	to->failed = path == NULL;
	if (to->failed)
		return;
	to->room -= cost;
	memcpy(start, operation, sizeof(operation));
	start[0].span = (uint32_t)OPERATION_NODES + ((const node *)item->value.node)->span;
	start[4].length = (uint32_t)length;
	start[4].text = path;
	patch->count += OPERATION_NODES;
	to->failed = !put_value(patch, item->value);
}

static void put_below(patch_writer *to, const node *item);

/* Returns the next node to change if it is before 'end', else NULL. */
static const node *
next_target(const patch_writer *to, const node *end)
{
	return to->next < to->end && to->next->target < end ? to->next->target : NULL;
}

/* A target in a member that is overridden is behind no key there, and is never met. */
static void
put_members(patch_writer *to, const node *object)
{
	const node *key = object + 1;
	const node *end = node_after(object);
	const node *target = next_target(to, end);

	for (uint32_t left = object->length; left > 0 && target != NULL; left--) {
		const node *after;

		key = node_live_key(key);
		after = node_after(key + 1);
		if (key < target && target < after) {
			size_t mark = pointer_enter_member(&to->path, key->text, key->length);

			put_below(to, key + 1);
			pointer_leave(&to->path, mark);
			target = next_target(to, end);
		}
		key = after;
	}
}

static void
put_elements(patch_writer *to, const node *array)
{
	const node *element = array + 1;
	const node *end = node_after(array);
	const node *target = next_target(to, end);

	for (uint32_t i = 0; i < array->length && target != NULL; i++) {
		const node *after = node_after(element);

		if (element <= target && target < after) {
			size_t mark = pointer_enter_element(&to->path, i);

			put_below(to, element);
			pointer_leave(&to->path, mark);
			target = next_target(to, end);
		}
		element = after;
	}
}

/*
 * Adds members below 'item' first, then members of 'item' itself, because new members follow
 * existing ones.  Recursion is as deep as the document.
 */
static void
put_below(patch_writer *to, const node *item)
{
	const adding *own = to->next;
	const adding *end;

	while (to->next < to->end && to->next->target == item)
		to->next++;
	end = to->next;
	if (item->type == LIMEN_TYPE_OBJECT)
		put_members(to, item);
	else if (item->type == LIMEN_TYPE_ARRAY)
		put_elements(to, item);
	for (; own < end && !to->failed; own++)
		put_adding(to, own->what);
}

/* Makes room for as many operations; NULL when memory is short. */
static document *
begin_patch(const change *changes, size_t count)
{
	document *patch = document_new();
	size_t nodes = 1;

	for (size_t i = 0; i < count; i++)
		nodes += OPERATION_NODES + ((const node *)changes[i].value.node)->span;
	if (patch == NULL)
		return NULL;
	if (nodes < UINT32_MAX) {
		patch->nodes = recycle_alloc(nodes * sizeof(node));
		patch->held = recycle_alloc(count * sizeof(*patch->held));
	}
	if (patch->nodes != NULL && patch->held != NULL) {
		patch->nodes[0] = (node){ .type = LIMEN_TYPE_ARRAY, .origin = ORIGIN_NONE,
			                  .length = (uint32_t)count, .span = (uint32_t)nodes };
		patch->count = 1;
		return patch;
	}
	document_unref(patch);
	return NULL;
}

/* Returns false if a target is part of an overridden member, or if room or memory is short. */
static bool
write_patch(const document *doc, const adding *list, size_t count, document *patch)
{
	char room[PATH_ROOM];
	/* Before and after, which has a key more for each value. */
	size_t nodes = 2 * (size_t)doc->nodes->span + patch->nodes->span - 1 -
	               count * (OPERATION_NODES - 1);
	patch_writer to = {
		.next = list,
		.end = list + count,
		.patch = patch,
		.path = strbuf_within(room, sizeof(room)),
		.room = document_patch_room(nodes),
	};

	put_below(&to, doc->nodes);
	strbuf_free(&to.path);
	return !to.failed && patch->count == patch->nodes->span;
}

document *
document_patch(const document *doc, const change *changes, size_t count)
{
	adding *list = count > CHANGES_MAX ? NULL : recycle_alloc(count * sizeof(*list));
	document *patch = NULL;

	if (list != NULL && sort_changes(list, changes, count) && are_distinct(list, count))
		patch = begin_patch(changes, count);
	if (patch != NULL && !write_patch(doc, list, count, patch)) {
		document_unref(patch);
		patch = NULL;
	}
	recycle_free(list);
	return patch;
}
