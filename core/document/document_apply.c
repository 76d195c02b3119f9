/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the changes of a reply to a document.  They are sorted by the node
 * they are about and met again as the document is copied, so the work is that
 * of one copy and one sort.
 */
#include <stdlib.h>

#include "document_layout.h"
#include "base/lower_bound.h"
#include "base/recycle.h"

/* One change, and when it was made. */
typedef struct edit {
	const change *what;
	const node *target;
	size_t when;
	bool done;
} edit;

typedef struct editor {
	const document *doc;
	builder *build;
	edit *edits; /* by target, edits of the node itself first; then by place and time */
	size_t count;
} editor;

/* Edits 'first' up to, but not including, 'last'. */
typedef struct edit_range {
	size_t first;
	size_t last;
} edit_range;

static int
compare_keys(const char *a, size_t a_length, const char *b, size_t b_length)
{
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return a_length == 0 ? 0 : memcmp(a, b, a_length);
}

/* The places within one container: keys of an object, indices of an array. */
static int
compare_places(const change *a, const change *b)
{
	if ((a->key == NULL) != (b->key == NULL))
		return a->key == NULL ? -1 : 1;
	if (a->key == NULL)
		return a->index == b->index ? 0 : a->index < b->index ? -1 : 1;
	return compare_keys(a->key, a->key_length, b->key, b->key_length);
}

static int
compare_times(const void *a, const void *b)
{
	const edit *left = a;
	const edit *right = b;

	return left->when < right->when ? -1 : left->when > right->when;
}

static int
compare_edits(const void *a, const void *b)
{
	const edit *left = a;
	const edit *right = b;
	bool left_removes = left->what->kind == CHANGE_REMOVE;
	bool right_removes = right->what->kind == CHANGE_REMOVE;
	int order;

	if (left->target != right->target)
		return left->target < right->target ? -1 : 1;
	if (left_removes != right_removes)
		return left_removes ? -1 : 1;
	order = left_removes ? 0 : compare_places(left->what, right->what);
	return order != 0 ? order : compare_times(a, b);
}

/* Returns the first edit about 'item' or a node behind it. */
static size_t
find_first(const editor *work, const node *item)
{
	return LOWER_BOUND(0, work->count, work->edits[middle].target < item);
}

/* Returns the last removal of 'item', or NULL. */
static const edit *
find_removal(const editor *work, const node *item)
{
	const edit *found = NULL;
	size_t i = find_first(work, item);

	for (; i < work->count && work->edits[i].target == item; i++) {
		if (work->edits[i].what->kind != CHANGE_REMOVE)
			break;
		found = &work->edits[i];
	}
	return found;
}

/* Returns the edits of the members of the container 'item'. */
static edit_range
find_edits(const editor *work, const node *item)
{
	edit_range range = { .first = find_first(work, item) };

	while (range.first < work->count && work->edits[range.first].target == item &&
	       work->edits[range.first].what->kind == CHANGE_REMOVE)
		range.first++;
	range.last = find_first(work, item + 1);
	return range;
}

static limen_value
value_of(const editor *work, const node *item)
{
	return (limen_value){ .document = work->doc, .node = item };
}

static void
put_new(editor *work, const edit *planned)
{
	if (limen_value_exists(planned->what->value))
		builder_copy(work->build, planned->what->value);
	else
		builder_null(work->build, ORIGIN_NONE, 0);
}

static void put_node(editor *work, const node *item);

/* Changes without a key come before the others. */
static int
compare_member(const change *item, const node *key)
{
	return item->key == NULL ? -1 : compare_keys(item->key, item->key_length, key->text,
	                                             key->length);
}

/*
 * Returns the last setting of the member 'key' among 'range' and marks all of
 * them as done.
 */
static const edit *
take_setting(editor *work, edit_range range, const node *key)
{
	const edit *found = NULL;
	size_t low = LOWER_BOUND(range.first, range.last,
	                         compare_member(work->edits[middle].what, key) < 0);

	for (; low < range.last; low++) {
		if (compare_member(work->edits[low].what, key) != 0)
			break;
		work->edits[low].done = true;
		found = &work->edits[low];
	}
	return found;
}

static void
put_member(editor *work, edit_range range, const node *key)
{
	const edit *setting = take_setting(work, range, key);
	const edit *removal = find_removal(work, key + 1);

	if (removal != NULL && (setting == NULL || setting->when < removal->when))
		return;
	builder_copy(work->build, value_of(work, key));
	if (setting != NULL)
		put_new(work, setting);
	else
		put_node(work, key + 1);
}

/* Adds the members the object did not have, in the order in which they were set. */
static void
put_new_members(editor *work, edit_range range)
{
	edit *edits = work->edits;

	for (size_t i = range.first; i + 1 < range.last; i++)
		if (compare_places(edits[i].what, edits[i + 1].what) == 0)
			edits[i].done = true;
	/* These are not looked for again, so their order is free. */
	qsort(edits + range.first, range.last - range.first, sizeof(*edits), compare_times);
	for (size_t i = range.first; i < range.last; i++) {
		const change *item = edits[i].what;

		if (edits[i].done || item->key == NULL)
			continue;
		builder_string(work->build, ORIGIN_NONE, 0, item->key, item->key_length);
		put_new(work, &edits[i]);
	}
}

static void
put_members(editor *work, const node *object)
{
	edit_range range = find_edits(work, object);
	const node *key = object + 1;

	for (uint32_t i = 0; i < object->length; i++) {
		key = node_live_key(key);
		put_member(work, range, key);
		key = node_after(key + 1);
	}
	put_new_members(work, range);
}

/*
 * Inserts the new elements before element 'index' and moves 'next' past the edits of
 * that index, or past all remaining ones if it is the end.  Returns the last setting
 * among them.
 */
static const edit *
insert_before(editor *work, edit_range *next, size_t index, bool end)
{
	const edit *setting = NULL;

	for (; next->first < next->last; next->first++) {
		const edit *planned = &work->edits[next->first];

		if (planned->what->key != NULL)
			continue;
		if (!end && planned->what->index > index)
			break;
		if (planned->what->kind == CHANGE_INSERT)
			put_new(work, planned);
		else
			setting = planned;
	}
	return setting;
}

static void
put_elements(editor *work, const node *array)
{
	edit_range next = find_edits(work, array);
	const node *element = array + 1;
	const edit *setting;

	for (size_t i = 0; i < array->length; i++) {
		const edit *removal = find_removal(work, element);

		setting = insert_before(work, &next, i, false);
		if (setting != NULL && (removal == NULL || removal->when < setting->when))
			put_new(work, setting);
		else if (removal == NULL)
			put_node(work, element);
		element = node_after(element);
	}
	setting = insert_before(work, &next, array->length, true);
	if (setting != NULL)
		put_new(work, setting);
}

/* Copies a node that stays, with the changes in it.  Recursion is as deep as the document. */
static void
put_node(editor *work, const node *item)
{
	size_t first = find_first(work, item);
	bool changed = first < work->count && work->edits[first].target < node_after(item);

	if (!changed || !node_is_container(item)) {
		builder_copy(work->build, value_of(work, item));
		return;
	}
	builder_begin_like(work->build, value_of(work, item));
	if (item->type == LIMEN_TYPE_OBJECT)
		put_members(work, item);
	else
		put_elements(work, item);
	builder_end(work->build);
}

static edit *
sort_changes(const change *changes, size_t count)
{
	edit *edits = count < SIZE_MAX / sizeof(edit)
	                      ? recycle_alloc((count + 1) * sizeof(*edits))
	                      : NULL;

	if (edits == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++)
		edits[i] = (edit){ &changes[i], changes[i].target.node, i, false };
	qsort(edits, count, sizeof(*edits), compare_edits);
	return edits;
}

document *
document_apply(const document *doc, const change *changes, size_t count)
{
	editor work = { .doc = doc, .build = builder_new(), .count = count };
	document *result;

	work.edits = sort_changes(changes, count);
	if (work.build == NULL || work.edits == NULL) {
		builder_free(work.build);
		recycle_free(work.edits);
		return NULL;
	}
	if (find_removal(&work, doc->nodes) != NULL)
		builder_null(work.build, ORIGIN_NONE, 0);
	else
		put_node(&work, doc->nodes);
	recycle_free(work.edits);
	result = builder_finish(work.build);
	if (result != NULL && !document_stand_as(result, document_root(doc))) {
		document_unref(result);
		return NULL;
	}
	return result;
}
