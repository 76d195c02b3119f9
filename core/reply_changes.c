/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_changes.c - changes to a document, collected while a module speaks and
 * applied together afterwards.
 */
#include "reply_changes.h"

#include <string.h>

/* A new node's text, read into a document that lives as long as the reply. */
struct value_document {
	struct value_document *next;
	document *document;
};

void
reply_free_values(limen_reply *reply)
{
	for (struct value_document *one = reply->value_documents; one != NULL; one = one->next)
		document_unref(one->document);
	reply->value_documents = NULL;
}

static limen_value
read_value(limen_reply *reply, const char *json)
{
	struct value_document *kept = arena_alloc(reply->arena, sizeof(*kept));
	document *doc = kept == NULL ? NULL : json_read(NULL, json, strlen(json), 0, NULL);

	if (doc == NULL)
		return limen_value_none();
	*kept = (struct value_document){ reply->value_documents, doc };
	reply->value_documents = kept;
	return document_root(doc);
}

static void
add_change(limen_reply *reply, const change *what)
{
	change_item *item = arena_alloc(reply->arena, sizeof(*item));

	if (item == NULL) {
		reply->failed = true;
		return;
	}
	*item = (change_item){ reply->changes, *what };
	reply->changes = item;
	reply->change_count++;
}

/* Only nodes of the newest document can be changed. */
static bool
is_target(const limen_reply *reply, limen_value target, limen_type type)
{
	limen_value root = limen_request_document(reply->request);

	return target.document == root.document && limen_value_exists(target) &&
	       (type == LIMEN_TYPE_NONE || limen_value_type(target) == type);
}

void
limen_reply_set(limen_reply *reply, limen_value object, const char *key, const char *json)
{
	limen_value value = read_value(reply, json);
	char *copy = arena_strdup(reply->arena, key);

	if (!limen_value_exists(value) || copy == NULL ||
	    !is_target(reply, object, LIMEN_TYPE_OBJECT)) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_SET,
	                             .target = object,
	                             .key = copy,
	                             .key_length = strlen(copy),
	                             .value = value });
}

void
limen_reply_insert(limen_reply *reply, limen_value array, size_t index, const char *json)
{
	limen_value value = read_value(reply, json);

	if (!limen_value_exists(value) || !is_target(reply, array, LIMEN_TYPE_ARRAY) ||
	    index > limen_value_count(array)) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_INSERT,
	                             .target = array,
	                             .index = index,
	                             .value = value });
}

void
limen_reply_remove(limen_reply *reply, limen_value target)
{
	if (!is_target(reply, target, LIMEN_TYPE_NONE) ||
	    target.node == limen_request_document(reply->request).node) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_REMOVE, .target = target });
}

void
limen_reply_replace(limen_reply *reply, const char *json, size_t length)
{
	document *doc = json_read(NULL, json, length, 0, NULL);

	if (doc == NULL) {
		reply->failed = true;
		return;
	}
	document_unref(reply->document);
	reply->document = doc;
}

/* The changes in the order in which they were made. */
static change *
ordered_changes(const limen_reply *reply)
{
	change *list = arena_alloc(reply->arena, reply->change_count * sizeof(*list));
	size_t i = reply->change_count;

	if (list == NULL)
		return NULL;
	for (const change_item *item = reply->changes; item != NULL; item = item->next) {
		i--;
		list[i] = item->change;
	}
	return list;
}

document *
reply_new_document(const limen_reply *reply, bool *failed)
{
	limen_value root = limen_request_document(reply->request);
	document *changed;
	change *list;

	*failed = false;
	if (reply->document != NULL)
		return document_ref(reply->document);
	if (reply->change_count == 0)
		return NULL;
	list = ordered_changes(reply);
	changed = list == NULL ? NULL
	                       : document_apply(root.document, list, reply->change_count);
	*failed = changed == NULL;
	return changed;
}
