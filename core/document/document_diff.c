/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON patch (RFC 6902) from one document to another.  Objects are
 * compared member by member.  Arrays keep their equal elements at the front and at
 * the back; the elements between are compared one by one, and surplus elements are
 * added or removed at the end of that stretch.
 *
 * Every change repeats its path, so a long key would make a patch as large as its
 * length times all changes.  If the patch gets much larger than the document, it
 * replaces the members of the root instead; if it is still too large, the root.
 */
#include "document_layout.h"
#include "member_lookup.h"
#include "pointer.h"
#include "base/recycle.h"
#include "base/strbuf.h"
#include "tree_hash.h"

/* Initial room for a path; most fit. */
#define PATH_ROOM ((size_t)256)

/* Cap on a patch without its values: COST_LEAST plus COST_OF_NODE per node, at most COST_MOST. */
#define COST_LEAST    ((size_t)1 << 20)
#define COST_OF_NODE  ((size_t)128)
#define COST_MOST     ((size_t)32 << 20)

typedef struct differ {
	builder *build;
	strbuf path;
	tree_hash before;
	tree_hash after;
	size_t deepest; /* containers at this depth below the root are replaced as a whole */
	size_t depth;
	size_t room; /* for operations */
	bool spent;  /* there was not enough of it */
	bool failed;
} differ;

/* The elements of an array, to be reached from both ends. */
typedef struct element_list {
	limen_value *items;
	size_t count;
} element_list;

static void diff_unequal(differ *out, limen_value before, limen_value after);

static void
put_text(builder *build, const char *text, size_t length)
{
	builder_string(build, ORIGIN_NONE, 0, text, length);
}

/* Adds an operation on the current path; 'value' may be none. */
static void
put_operation(differ *out, const char *operation, limen_value value)
{
	builder *build = out->build;
	const char *path = out->path.text == NULL ? "" : out->path.text;
	size_t cost = PATCH_OPERATION_COST + out->path.length;

	out->spent = out->spent || (out->deepest > 0 && cost > out->room);
	if (out->spent)
		return;
	out->room -= out->deepest > 0 ? cost : 0;
	builder_begin_object(build, ORIGIN_NONE, 0);
	put_text(build, "op", 2);
	put_text(build, operation, strlen(operation));
	put_text(build, "path", 4);
	put_text(build, path, out->path.length);
	if (limen_value_exists(value)) {
		put_text(build, "value", 5);
		builder_copy(build, value);
	}
	builder_end(build);
}

static size_t
enter_member(differ *out, limen_value key)
{
	size_t length = 0;
	const char *text = limen_value_string(key, &length);

	return pointer_enter_member(&out->path, text, length);
}

/* Values are compared by hash: only equal ones are walked, once. */
static bool
are_equal(const differ *out, limen_value before, limen_value after)
{
	return tree_hash_get(&out->before, before) == tree_hash_get(&out->after, after)
	       && limen_value_equal(before, after);
}

/* Writes the changes of the members of 'before'; returns how many of them 'after' has, too. */
static size_t
diff_kept(differ *out, limen_value before, limen_value after)
{
	member_lookup in_after = member_lookup_start(after.node);
	limen_value key, member;
	size_t kept = 0;

	for (limen_iter iter = limen_iter_start(before); limen_iter_next(&iter, &key, &member);) {
		limen_value other = member_lookup_get(&in_after, after, key);
		size_t mark;

		kept += limen_value_exists(other) ? 1 : 0;
		if (limen_value_exists(other) && are_equal(out, member, other))
			continue;
		mark = enter_member(out, key);
		if (limen_value_exists(other))
			diff_unequal(out, member, other);
		else
			put_operation(out, "remove", limen_value_none());
		pointer_leave(&out->path, mark);
	}
	text_map_free(&in_after.keys);
	return kept;
}

static void
diff_added(differ *out, limen_value before, limen_value after)
{
	member_lookup in_before = member_lookup_start(before.node);
	limen_value key, member;

	for (limen_iter iter = limen_iter_start(after); limen_iter_next(&iter, &key, &member);) {
		size_t mark;

		if (member_lookup_find(&in_before, key.node) != NULL)
			continue;
		mark = enter_member(out, key);
		put_operation(out, "add", member);
		pointer_leave(&out->path, mark);
	}
	text_map_free(&in_before.keys);
}

static bool
list_elements(element_list *list, limen_value array)
{
	limen_value element;

	list->count = 0;
	list->items = recycle_alloc((limen_value_count(array) + 1) * sizeof(*list->items));
	if (list->items == NULL)
		return false;
	for (limen_iter iter = limen_iter_start(array); limen_iter_next(&iter, NULL, &element);)
		list->items[list->count++] = element;
	return true;
}

/* Adds or removes the remaining elements of the lists, from 'index' up to their ends. */
static void
diff_tails(differ *out, const element_list *before, const element_list *after, size_t index)
{
	for (size_t i = index; i < after->count; i++) {
		size_t mark = pointer_enter_element(&out->path, i);

		put_operation(out, "add", after->items[i]);
		pointer_leave(&out->path, mark);
	}
	/* From the back, so that each index is right when its turn comes. */
	for (size_t i = before->count; i > index; i--) {
		size_t mark = pointer_enter_element(&out->path, i - 1);

		put_operation(out, "remove", limen_value_none());
		pointer_leave(&out->path, mark);
	}
}

static void
diff_elements(differ *out, element_list before, element_list after)
{
	size_t i = 0;

	while (i < before.count && i < after.count
	       && are_equal(out, before.items[i], after.items[i]))
		i++;
	while (before.count > i && after.count > i
	       && are_equal(out, before.items[before.count - 1], after.items[after.count - 1])) {
		before.count--;
		after.count--;
	}
	for (; i < before.count && i < after.count; i++) {
		size_t mark;

		if (are_equal(out, before.items[i], after.items[i]))
			continue;
		mark = pointer_enter_element(&out->path, i);
		diff_unequal(out, before.items[i], after.items[i]);
		pointer_leave(&out->path, mark);
	}
	diff_tails(out, &before, &after, i);
}

static void
diff_arrays(differ *out, limen_value before, limen_value after)
{
	element_list left = { .items = NULL };
	element_list right = { .items = NULL };

	if (list_elements(&left, before) && list_elements(&right, after))
		diff_elements(out, left, right);
	else
		out->failed = true;
	recycle_free(left.items);
	recycle_free(right.items);
}

static void
diff_unequal(differ *out, limen_value before, limen_value after)
{
	limen_type type = limen_value_type(after);

	if (limen_value_type(before) != type || out->depth == out->deepest ||
	    (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY)) {
		put_operation(out, "replace", after);
		return;
	}
	out->depth++;
	if (type == LIMEN_TYPE_ARRAY)
		diff_arrays(out, before, after);
	else if (diff_kept(out, before, after) < limen_value_count(after))
		diff_added(out, before, after);
	out->depth--;
}

/* Both values exist. */
static void
diff_roots(differ *out, limen_value before, limen_value after)
{
	hash_key key = hash_key_new();

	if (!tree_hash_open(&out->before, before, &key) ||
	    !tree_hash_open(&out->after, after, &key))
		out->failed = true;
	else if (!are_equal(out, before, after))
		diff_unequal(out, before, after);
	tree_hash_close(&out->before);
	tree_hash_close(&out->after);
}

static size_t
count_nodes(limen_value root)
{
	const node *item = root.node;

	return limen_value_exists(root) ? item->span : 0;
}

size_t
document_patch_room(size_t nodes)
{
	return nodes > (COST_MOST - COST_LEAST) / COST_OF_NODE ? COST_MOST
	                                                       : COST_LEAST + nodes * COST_OF_NODE;
}

/* Makes the patch, replacing changed nodes at 'deepest' steps below the root as a whole. */
static document *
diff_down_to(limen_value before, limen_value after, size_t deepest, bool *spent)
{
	char room[PATH_ROOM];
	differ out = {
		.build = builder_new(),
		.path = strbuf_within(room, sizeof(room)),
		.deepest = deepest,
		.room = document_patch_room(count_nodes(before) + count_nodes(after)),
	};
	bool failed;

	if (out.build == NULL)
		return NULL;
	builder_begin_array(out.build, ORIGIN_NONE, 0);
	if (limen_value_exists(before) && limen_value_exists(after))
		diff_roots(&out, before, after);
	else if (limen_value_exists(after))
		put_operation(&out, "add", after);
	else if (limen_value_exists(before))
		put_operation(&out, "remove", limen_value_none());
	builder_end(out.build);
	*spent = out.spent;
	failed = out.failed || out.path.failed || out.spent;
	strbuf_free(&out.path);
	if (!failed)
		return builder_finish(out.build);
	builder_free(out.build);
	return NULL;
}

document *
document_diff(limen_value before, limen_value after)
{
	static const size_t depths[] = { SIZE_MAX, 1, 0 };
	document *patch = NULL;
	bool spent = true;

	for (size_t i = 0; spent && i < sizeof(depths) / sizeof(depths[0]); i++) {
		spent = false;
		patch = diff_down_to(before, after, depths[i], &spent);
	}
	return patch;
}
