/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_set_at.c - changes by JSON pointer.  Objects and arrays that are missing on the way are
 * made; a pointer may lead into a value that the same call sets, of which a changed copy is then
 * set instead.
 */
#include <string.h>

#include "document/document.h"
#include "reply_changes.h"

/* The change of one document that a pointer asks for. */
typedef struct landing {
	size_t used;          /* how many tokens lead to what is set */
	change change;        /* its value is not filled in */
	change *pending;      /* the call's change so far to what is set; or NULL */
	const char *refused;  /* what stands in the way, after 'used' tokens; or NULL */
} landing;

/* Returns the last of the call's changes to the member or element 'last' of 'parent'; or NULL. */
static change *
find_pending(const limen_reply *reply, limen_value parent, const path_token *last, limen_value child)
{
	bool object = limen_value_type(parent) == LIMEN_TYPE_OBJECT;

	for (size_t i = reply->change_count; i > 0; i--) {
		change *item = &reply->changes[i - 1];

		if (item->kind == CHANGE_REMOVE && item->target.node == child.node)
			return item;
		if (item->kind != CHANGE_SET || item->target.node != parent.node)
			continue;
		if (object ? item->key_length == last->length &&
		                     memcmp(item->key, last->text, last->length) == 0
		           : item->index == last->index)
			return item;
	}
	return NULL;
}

/* Does the token stand for the end of an array (RFC 6901, 4)? */
static bool
is_end(const path_token *token)
{
	return token->length == 1 && token->text[0] == '-';
}

/* Fills in what the last token, 'last', asks of 'parent', which is an object or an array. */
static void
land(landing *out, limen_value parent, const path_token *last, limen_value child)
{
	out->change = (change){ .kind = CHANGE_SET, .target = parent };
	if (limen_value_type(parent) == LIMEN_TYPE_OBJECT) {
		out->change.key = last->text;
		out->change.key_length = last->length;
		return;
	}
	out->change.index = last->index;
	if (limen_value_exists(child))
		return;
	out->change.kind = CHANGE_INSERT;
	out->change.index = limen_value_count(parent);
	if (!is_end(last))
		out->refused = "the array has no such element";
}

/*
 * Follows 'path' down from 'root', where 'used' tokens have led, to the last container that
 * is there.  With a reply, the changes so far count.
 */
static landing
follow(const limen_reply *reply, limen_value root, const limen_path *path, size_t used)
{
	landing out = { .used = used };
	limen_value parent = root;

	for (;;) {
		limen_type type = limen_value_type(parent);
		const path_token *next = &path->tokens[out.used];
		limen_value child;

		if (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY) {
			out.refused = value_type_words(type);
			return out;
		}
		child = type == LIMEN_TYPE_ARRAY
		                ? limen_value_at(parent, next->index)
		                : limen_value_member(parent, next->text, next->length);
		if (reply != NULL)
			out.pending = find_pending(reply, parent, next, child);
		type = limen_value_type(child);
		if (out.used + 1 == path->count || out.pending != NULL ||
		    type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL) {
			land(&out, parent, next, child);
			out.used++;
			return out;
		}
		parent = child;
		out.used++;
	}
}

/*
 * Wraps 'value' in containers, one for each token behind the first 'used' ones: an array for "-",
 * else an object.
 */
static limen_value
wrap(limen_reply *reply, const limen_path *path, size_t used, limen_value value)
{
	builder *build;
	document *doc;

	if (used == path->count)
		return value;
	build = builder_new();
	if (build == NULL)
		return reply_keep_value(reply, NULL, value);
	for (size_t i = used; i < path->count; i++) {
		const path_token *token = &path->tokens[i];

		if (is_end(token)) {
			builder_begin_array(build, ORIGIN_NONE, 0);
			continue;
		}
		builder_begin_object(build, ORIGIN_NONE, 0);
		builder_string(build, ORIGIN_NONE, 0, token->text, token->length);
	}
	builder_copy(build, value);
	for (size_t i = used; i < path->count; i++)
		builder_end(build);
	doc = builder_finish(build);
	return reply_keep_value(reply, doc, document_root(doc));
}

/* Says what stands in the way of 'path' behind its first 'used' tokens. */
static void
refuse_way(limen_reply *reply, const char *call, const limen_path *path, const landing *to)
{
	const char *end = path->pointer;

	for (size_t i = 0; i < to->used; i++)
		end += 1 + strcspn(end + 1, "/");
	if (to->change.kind == CHANGE_INSERT)
		reply_mistake(reply, "%s: %s: %s", call, path->pointer, to->refused);
	else if (to->used == 0)
		reply_mistake(reply, "%s: %s: the document is %s, not an object", call,
		              path->pointer, to->refused);
	else
		reply_mistake(reply, "%s: %s: %.*s is %s, not an object", call, path->pointer,
		              (int)(end - path->pointer), path->pointer, to->refused);
}

/* Changes the value that an earlier change sets, behind its first 'used' tokens. */
static void
change_pending(limen_reply *reply, const char *call, const limen_path *path, const landing *from,
               limen_value value)
{
	const node *pending = from->pending->value.node;
	landing to = follow(NULL, from->pending->value, path, from->used);
	document *old;
	document *doc = NULL;
	size_t values = 0;
	size_t bytes = 0;

	/* It is copied, whole, by each call that fills it, and stays until the call ends. */
	if (!reply_take_bytes(reply, call, pending->span * sizeof(node)))
		return;
	if (to.refused != NULL) {
		refuse_way(reply, call, path, &to);
		return;
	}
	/* Again, in the document that is to be changed. */
	old = document_share(from->pending->value);
	to = follow(NULL, document_root(old), path, from->used);
	to.change.value = wrap(reply, path, to.used, value);
	if (old != NULL && limen_value_exists(to.change.value))
		doc = document_apply(old, &to.change, 1);
	document_unref(old);
	from->pending->value = reply_keep_value(reply, doc, document_root(doc));
	if (doc != NULL)
		document_measure(doc, &values, &bytes);
	reply_take_bytes(reply, call, bytes);
}

/* Is a value there, which an earlier change of the call sets, in which more can be set? */
static bool
goes_on(const landing *to, const limen_path *path)
{
	limen_type type = to->pending == NULL ? LIMEN_TYPE_NONE
	                                      : limen_value_type(to->pending->value);

	return to->used < path->count && type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_NULL;
}

static void
set_path(limen_reply *reply, const char *call, const limen_path *path, limen_value value)
{
	landing to = follow(reply, limen_request_document(reply->request), path, 0);
	size_t nodes = ((const node *)value.node)->span + 2 * path->count;

	if (to.refused != NULL) {
		refuse_way(reply, call, path, &to);
		return;
	}
	if (!reply_take_bytes(reply, call, VALUE_BYTES + nodes * sizeof(node)))
		return;
	if (goes_on(&to, path)) {
		change_pending(reply, call, path, &to, value);
		return;
	}
	to.change.value = wrap(reply, path, to.used, value);
	if (limen_value_exists(to.change.value))
		reply_add_change(reply, call, &to.change);
	else
		reply->failed = true;
}

/* Sets what 'pointer' names to 'value', which is kept; does nothing if that is none. */
static void
set_at(limen_reply *reply, const char *call, const char *pointer, limen_value value)
{
	limen_path *path;
	int result;

	if (pointer == NULL)
		reply_mistake(reply, "%s: the pointer is NULL", call);
	if (pointer == NULL || !limen_value_exists(value) || !reply_may_change(reply, call) ||
	    !reply_take_bytes(reply, call, strlen(pointer)))
		return;
	result = limen_path_new(pointer, strlen(pointer), &path);
	if (result == LIMEN_EINVAL)
		reply_mistake(reply, "%s: '%s' is not a JSON pointer", call, pointer);
	if (result == LIMEN_ENOMEM)
		reply->failed = true;
	if (result != LIMEN_OK)
		return;
	if (path->count == 0)
		reply_mistake(reply, "%s: the root cannot be set; use limen_reply_replace()", call);
	else if (path->count > READ_DEPTH_MAX)
		reply_mistake(reply, "%s: the pointer has more than %d parts", call, READ_DEPTH_MAX);
	else
		set_path(reply, call, path, value);
	limen_path_free(path);
}

void
limen_reply_set_at(limen_reply *reply, const char *pointer, limen_value value)
{
	if (reply == NULL)
		return;
	if (!limen_value_exists(value))
		reply_refuse(reply, __func__, value, pointer, "the value is none");
	else
		set_at(reply, __func__, pointer, reply_share_value(reply, value));
}

void
limen_reply_set_string_at(limen_reply *reply, const char *pointer, const char *text, size_t length)
{
	if (reply == NULL)
		return;
	set_at(reply, __func__, pointer,
	       reply_keep_text(reply, __func__, limen_value_none(), pointer, text, length));
}
